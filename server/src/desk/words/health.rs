//! Problems of the node.

use kit::words;

words! {
    DRAINING:
        "the node is draining: it is about to stop",
        "O nó está sendo esvaziado: ele vai parar em breve.",
        "El nodo se está vaciando: se detendrá en breve.",
        "Le nœud se vide\u{202f}: il va s’arrêter.",
        "Der Knoten nimmt nichts mehr an: Er wird bald beendet.",
        "العقدة تُفرَّغ: ستتوقف قريبًا.";
    DAMAGED:
        "{cause}",
        "O banco de dados está danificado: {cause}",
        "La base de datos está dañada: {cause}",
        "La base de données est endommagée\u{202f}: {cause}",
        "Die Datenbank ist beschädigt: {cause}",
        "قاعدة البيانات تالفة: {cause}";
    UNREADABLE:
        "the data cannot be read",
        "Não é possível ler os dados.",
        "No se pueden leer los datos.",
        "Les données ne peuvent pas être lues.",
        "Die Daten sind nicht lesbar.",
        "تعذّرت قراءة البيانات.";
    OUTDATED:
        ("the data was last confirmed to be current {n} seconds ago", "the data was last confirmed to be current {n} seconds ago"),
        ["Os dados foram confirmados pela última vez há {n} segundos.", "Os dados foram confirmados pela última vez há {n} segundo.", "Os dados foram confirmados pela última vez há {n} segundos.", "Os dados foram confirmados pela última vez há {n} segundos.", "Os dados foram confirmados pela última vez há {n} de segundos.", "Os dados foram confirmados pela última vez há {n} segundos."],
        ["Los datos se confirmaron por última vez hace {n} segundos.", "Los datos se confirmaron por última vez hace {n} segundo.", "Los datos se confirmaron por última vez hace {n} segundos.", "Los datos se confirmaron por última vez hace {n} segundos.", "Los datos se confirmaron por última vez hace {n} de segundos.", "Los datos se confirmaron por última vez hace {n} segundos."],
        ["Les données ont été confirmées pour la dernière fois il y a {n} secondes.", "Les données ont été confirmées pour la dernière fois il y a {n} seconde.", "Les données ont été confirmées pour la dernière fois il y a {n} secondes.", "Les données ont été confirmées pour la dernière fois il y a {n} secondes.", "Les données ont été confirmées pour la dernière fois il y a {n} de secondes.", "Les données ont été confirmées pour la dernière fois il y a {n} secondes."],
        ("Die Daten wurden zuletzt vor {n} Sekunde bestätigt.", "Die Daten wurden zuletzt vor {n} Sekunden bestätigt."),
        ["تأكّدت حداثة البيانات الآن.", "تأكّدت حداثة البيانات آخر مرة قبل ثانية واحدة.", "تأكّدت حداثة البيانات آخر مرة قبل ثانيتين.", "تأكّدت حداثة البيانات آخر مرة قبل {n} ثوانٍ.", "تأكّدت حداثة البيانات آخر مرة قبل {n} ثانية.", "تأكّدت حداثة البيانات آخر مرة قبل {n} ثانية."];
    UNWRITABLE:
        "the data cannot be written: {cause}",
        "Não é possível gravar os dados: {cause}",
        "No se pueden escribir los datos: {cause}",
        "Les données ne peuvent pas être écrites\u{202f}: {cause}",
        "Die Daten sind nicht schreibbar: {cause}",
        "تعذّرت كتابة البيانات: {cause}";
}
