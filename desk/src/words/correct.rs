//! Texts of corrections of many reports, and of places spelled in two ways.

use kit::words;

words! {
    CORRECT_REPORTS_TITLE:
        "Correct reports",
        "Corrigir relatos",
        "Corregir informes",
        "Corriger des signalements",
        "Berichte berichtigen",
        "تصحيح البلاغات";
    CORRECT_REPORTS:
        ("Correct {n} report", "Correct {n} reports"),
        ["Corrigir {n} relatos", "Corrigir {n} relato", "Corrigir {n} relatos", "Corrigir {n} relatos", "Corrigir {n} de relatos", "Corrigir {n} relatos"],
        ["Corregir {n} informes", "Corregir {n} informe", "Corregir {n} informes", "Corregir {n} informes", "Corregir {n} de informes", "Corregir {n} informes"],
        ["Corriger {n} signalements", "Corriger {n} signalement", "Corriger {n} signalements", "Corriger {n} signalements", "Corriger {n} de signalements", "Corriger {n} signalements"],
        ("{n} Bericht berichtigen", "{n} Berichte berichtigen"),
        ["تصحيح البلاغات", "تصحيح بلاغ واحد", "تصحيح بلاغين", "تصحيح {n} بلاغات", "تصحيح {n} بلاغًا", "تصحيح {n} بلاغ"];
    /// Links and buttons to this page.
    CORRECT_A_VALUE:
        "Correct a value",
        "Corrigir um valor",
        "Corregir un valor",
        "Corriger une valeur",
        "Einen Wert berichtigen",
        "تصحيح قيمة";
    CORRECT_PLACE:
        "Correct this place in all reports",
        "Corrigir este lugar em todos os relatos",
        "Corregir este lugar en todos los informes",
        "Corriger ce lieu dans tous les signalements",
        "Diesen Ort in allen Berichten berichtigen",
        "تصحيح هذا المكان في كل البلاغات";
    BACK: "Back", "Voltar", "Volver", "Retour", "Zurück", "رجوع";
    STATUS_COUNT:
        "{status}: {n}",
        "{status}: {n}",
        "{status}: {n}",
        "{status}\u{202f}: {n}",
        "{status}: {n}",
        "{status}: {n}";
    NO_REPORTS: "No reports", "Nenhum relato", "Ningún informe", "Aucun signalement", "Keine Berichte", "لا بلاغات";

    /// The form.
    CANNOT_BE_USED:
        "These values cannot be used. {reason}",
        "Estes valores não podem ser usados. {reason}",
        "Estos valores no se pueden usar. {reason}",
        "Ces valeurs ne peuvent pas être utilisées. {reason}",
        "Diese Werte sind nicht verwendbar. {reason}",
        "لا يمكن استخدام هذه القيم. {reason}";
    AS_IT_IS: "As it is", "Como está", "Como está", "Tel quel", "Unverändert", "كما هو";
    ONLY_THE_YEAR:
        "Only the year of the date",
        "Somente o ano da data",
        "Solo el año de la fecha",
        "Seulement l’année de la date",
        "Nur das Jahr des Datums",
        "سنة التاريخ فقط";
    REMOVE_REGION:
        "Remove the region",
        "Remover a região",
        "Quitar la región",
        "Supprimer la région",
        "Region entfernen",
        "إزالة المنطقة";
    REMOVE_POSITION:
        "Remove the position",
        "Remover a posição",
        "Quitar la posición",
        "Supprimer la position",
        "Position entfernen",
        "إزالة الموقع";
    EMPTY_STAYS:
        "Empty fields stay as they are. You see the effect before anything is changed.",
        "Campos vazios não mudam. O efeito é mostrado antes de qualquer alteração.",
        "Los campos vacíos no cambian. El efecto se muestra antes de cambiar nada.",
        "Les champs vides ne changent rien. L’effet est montré avant toute modification.",
        "Leere Felder bleiben unverändert. Die Wirkung wird gezeigt, bevor sich etwas ändert.",
        "الحقول الفارغة لا تُغيّر شيئًا. يُعرض الأثر قبل أي تغيير.";
    CHECK: "Check", "Verificar", "Comprobar", "Vérifier", "Prüfen", "تحقق";
    AND_OTHER_VALUES:
        ("{values} and {n} other", "{values} and {n} others"),
        ("{values} e {n} outro", "{values} e {n} outros"),
        ("{values} y {n} más", "{values} y {n} más"),
        ("{values} et {n} autre", "{values} et {n} autres"),
        ("{values} und {n} weiterer", "{values} und {n} weitere"),
        "{values} و{n} غيرها";

    /// The confirmation.
    OTHER_CHANGES:
        ("and {n} other change", "and {n} other changes"),
        ("e {n} outra mudança", "e {n} outras mudanças"),
        ("y {n} cambio más", "y {n} cambios más"),
        ("et {n} autre modification", "et {n} autres modifications"),
        ("und {n} weitere Änderung", "und {n} weitere Änderungen"),
        "وتغييرات أخرى: {n}";
    UNCHANGED:
        ("{n} report already has these values.", "{n} reports already have these values."),
        ("{n} relato já tem estes valores.", "{n} relatos já têm estes valores."),
        ("{n} informe ya tiene estos valores.", "{n} informes ya tienen estos valores."),
        ("{n} signalement a déjà ces valeurs.", "{n} signalements ont déjà ces valeurs."),
        ("{n} Bericht hat diese Werte schon.", "{n} Berichte haben diese Werte schon."),
        ["لا بلاغ بهذه القيم.", "بلاغ واحد له هذه القيم بالفعل.", "بلاغان لهما هذه القيم بالفعل.", "{n} بلاغات لها هذه القيم بالفعل.", "{n} بلاغًا لها هذه القيم بالفعل.", "{n} بلاغ له هذه القيم بالفعل."];
    CANNOT_BE_CORRECTED:
        ("{n} report cannot be corrected. {reason}", "{n} reports cannot be corrected. {reason}"),
        ("{n} relato não pode ser corrigido. {reason}", "{n} relatos não podem ser corrigidos. {reason}"),
        ("{n} informe no se puede corregir. {reason}", "{n} informes no se pueden corregir. {reason}"),
        ("{n} signalement ne peut pas être corrigé. {reason}", "{n} signalements ne peuvent pas être corrigés. {reason}"),
        ("{n} Bericht lässt sich nicht berichtigen. {reason}", "{n} Berichte lassen sich nicht berichtigen. {reason}"),
        "بلاغات يتعذر تصحيحها: {n}. {reason}";
    EXAMPLES: "Examples", "Exemplos", "Ejemplos", "Exemples", "Beispiele", "أمثلة";
    OTHER_VALUES: "Other values", "Outros valores", "Otros valores", "Autres valeurs", "Andere Werte", "قيم أخرى";
    NOTHING_PUBLIC:
        "Nothing public changes, and webhooks receive nothing.",
        "Nada público muda, e os webhooks não recebem nada.",
        "Nada público cambia, y los webhooks no reciben nada.",
        "Rien de public ne change, et les webhooks ne reçoivent rien.",
        "Öffentlich ändert sich nichts, und Webhooks erhalten nichts.",
        "لا يتغير شيء علنًا، ولا تتلقى خطافات الويب شيئًا.";
    PUBLISHED_AMONG_THEM:
        ("{n} published report among them: counters and lists follow, and webhooks receive report.updated for each.", "{n} published reports among them: counters and lists follow, and webhooks receive report.updated for each."),
        ("{n} relato publicado entre eles: contadores e listas acompanham, e os webhooks recebem report.updated para cada um.", "{n} relatos publicados entre eles: contadores e listas acompanham, e os webhooks recebem report.updated para cada um."),
        ("{n} informe publicado entre ellos: los contadores y las listas se actualizan, y los webhooks reciben report.updated por cada uno.", "{n} informes publicados entre ellos: los contadores y las listas se actualizan, y los webhooks reciben report.updated por cada uno."),
        ("Dont {n} signalement publié\u{202f}: compteurs et listes suivent, et les webhooks reçoivent report.updated pour chacun.", "Dont {n} signalements publiés\u{202f}: compteurs et listes suivent, et les webhooks reçoivent report.updated pour chacun."),
        ("Darunter {n} veröffentlichter Bericht: Zähler und Listen folgen, und Webhooks erhalten für jeden report.updated.", "Darunter {n} veröffentlichte Berichte: Zähler und Listen folgen, und Webhooks erhalten für jeden report.updated."),
        "المنشور منها: {n}. تتحدّث العدادات والقوائم، وتتلقى خطافات الويب \u{2068}report.updated\u{2069} لكل منها.";
    CAN_BE_UNDONE:
        "For 10 minutes, you can undo this in the list.",
        "Por 10 minutos, é possível desfazer isto na lista.",
        "Durante 10 minutos se puede deshacer en la lista.",
        "Pendant 10 minutes, cela peut être annulé dans la liste.",
        "10 Minuten lang lässt sich das in der Liste rückgängig machen.",
        "يمكن التراجع عن هذا في القائمة خلال 10 دقائق.";
    REPORTS_HAVE_CHANGED:
        "Nothing was corrected: the reports have changed. Check them again.",
        "Nada foi corrigido: os relatos mudaram. Confira-os de novo.",
        "No se corrigió nada: los informes han cambiado. Compruébelos de nuevo.",
        "Rien n’a été corrigé\u{202f}: les signalements ont changé. Vérifiez-les de nouveau.",
        "Nichts wurde berichtigt: die Berichte haben sich geändert. Bitte noch einmal prüfen.",
        "لم يُصحَّح شيء: تغيرت البلاغات. تحقق منها مجددًا.";

    /// Places spelled in two ways.
    PLACES: "Places", "Lugares", "Lugares", "Lieux", "Orte", "الأماكن";
    TWO_SPELLINGS:
        "Places spelled in two ways",
        "Lugares com duas grafias",
        "Lugares escritos de dos formas",
        "Lieux orthographiés de deux façons",
        "Orte mit zwei Schreibweisen",
        "أماكن كُتبت بطريقتين";
    NO_PAIRS:
        "No two places look like spellings of one place.",
        "Não há dois lugares que pareçam grafias do mesmo.",
        "No hay dos lugares que parezcan grafías del mismo.",
        "Aucun lieu ne semble orthographié de deux façons.",
        "Keine zwei Orte sehen wie Schreibweisen desselben Ortes aus.",
        "لا يوجد مكانان يبدوان كتابتين لمكان واحد.";
    CHOOSE_SPELLING:
        "Choose the spelling that stays. The other reports get its city, region and country, after you have \
            confirmed it. Accents, capitals and the languages of countries make no difference to counters and lists.",
        "Escolha a grafia que fica. Os outros relatos recebem sua cidade, região e país, depois da confirmação. \
            Acentos, maiúsculas e o idioma do país não fazem diferença para contadores e listas.",
        "Elija la grafía que queda. Los demás informes reciben su ciudad, región y país, tras la confirmación. Los \
            acentos, las mayúsculas y el idioma del país no influyen en los contadores ni en las listas.",
        "Choisissez l’orthographe à garder. Les autres signalements prennent sa ville, sa région et son pays, après \
            confirmation. Accents, majuscules et langue du pays ne changent rien aux compteurs ni aux listes.",
        "Die Schreibweise wählen, die bleibt. Die anderen Berichte erhalten nach einer Bestätigung deren Stadt, \
            Region und Land. Akzente, Großschreibung und die Sprache des Landes sind für Zähler und Listen ohne \
            Bedeutung.",
        "اختر الكتابة التي تبقى. تأخذ البلاغات الأخرى مدينتها ومنطقتها ودولتها بعد التأكيد. ولا أثر للتشكيل وحالة \
            الأحرف ولغة اسم الدولة في العدادات والقوائم.";
    MORE_PAIRS:
        ("And {n} more pair, with fewer reports.", "And {n} more pairs, with fewer reports."),
        ("E mais {n} par, com menos relatos.", "E mais {n} pares, com menos relatos."),
        ("Y {n} par más, con menos informes.", "Y {n} pares más, con menos informes."),
        ("Et {n} paire de plus, avec moins de signalements.", "Et {n} paires de plus, avec moins de signalements."),
        ("Und {n} weiteres Paar mit weniger Berichten.", "Und {n} weitere Paare mit weniger Berichten."),
        "وأزواج أخرى ببلاغات أقل: {n}.";
    /// Pairs that people keep apart.
    TWO_PLACES:
        "These are two places",
        "São dois lugares",
        "Son dos lugares",
        "Ce sont deux lieux",
        "Das sind zwei Orte",
        "هذان مكانان مختلفان";
    TWO_PLACES_NAMED:
        "These are two places: {one}; {other}",
        "São dois lugares: {one}; {other}",
        "Son dos lugares: {one}; {other}",
        "Ce sont deux lieux\u{202f}: {one}\u{202f}; {other}",
        "Das sind zwei Orte: {one}; {other}",
        "هذان مكانان مختلفان: \u{2068}{one}\u{2069}؛ \u{2068}{other}\u{2069}";
    PAIRS_APART:
        ("{n} pair that you and others keep apart", "{n} pairs that you and others keep apart"),
        ("{n} par mantido separado", "{n} pares mantidos separados"),
        ("{n} par que se mantiene separado", "{n} pares que se mantienen separados"),
        ("{n} paire gardée distincte", "{n} paires gardées distinctes"),
        ("{n} Paar, das getrennt bleibt", "{n} Paare, die getrennt bleiben"),
        "أزواج تبقى منفصلة: {n}";
    PAIR_AGAIN:
        "Pair again",
        "Tornar par de novo",
        "Volver a emparejar",
        "Réunir en paire",
        "Wieder als Paar zeigen",
        "إعادة الزوج";
    PAIR_AGAIN_NAMED:
        "Pair again: {one}; {other}",
        "Tornar par de novo: {one}; {other}",
        "Volver a emparejar: {one}; {other}",
        "Réunir en paire\u{202f}: {one}\u{202f}; {other}",
        "Wieder als Paar zeigen: {one}; {other}",
        "إعادة الزوج: \u{2068}{one}\u{2069}؛ \u{2068}{other}\u{2069}";

    /// Spellings.
    KEEP_THIS: "Keep this", "Manter esta", "Conservar esta", "Garder celle-ci", "Diese behalten", "إبقاء هذه";
    KEEP_THIS_PLACE:
        "Keep this: {place}",
        "Manter esta: {place}",
        "Conservar esta: {place}",
        "Garder celle-ci\u{202f}: {place}",
        "Diese behalten: {place}",
        "إبقاء هذه: \u{2068}{place}\u{2069}";
}
