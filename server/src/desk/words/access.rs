//! Keys and sessions.

use kit::words;

words! {
    KEY_IS_REVOKED:
        "The key {key} is revoked.",
        "A chave {key} foi revogada.",
        "La clave {key} se ha revocado.",
        "La clé {key} est révoquée.",
        "Der Schlüssel {key} ist widerrufen.",
        "أُلغي المفتاح {key}.";
    LAST_KEY_IS_REVOKED:
        "The key {key} is revoked. It was the partner’s last one, so these webhooks are disabled: {webhooks}.",
        "A chave {key} foi revogada. Era a última do parceiro, por isso estes webhooks foram desativados: {webhooks}.",
        "La clave {key} se ha revocado. Era la última del socio, por lo que se han desactivado estos webhooks: {webhooks}.",
        "La clé {key} est révoquée. C’était la dernière du partenaire, donc ces webhooks sont désactivés\u{202f}: {webhooks}.",
        "Der Schlüssel {key} ist widerrufen. Er war der letzte des Partners, daher sind diese Webhooks deaktiviert: {webhooks}.",
        "أُلغي المفتاح {key}. كان آخر مفتاح للشريك، لذا عُطّلت اشتراكات خطافات الويب التالية: {webhooks}.";
    KEY_WAS_ALREADY_REVOKED:
        "The key {key} was already revoked.",
        "A chave {key} já tinha sido revogada.",
        "La clave {key} ya estaba revocada.",
        "La clé {key} était déjà révoquée.",
        "Der Schlüssel {key} war bereits widerrufen.",
        "كان المفتاح {key} ملغى من قبل.";
    NO_SUCH_KEY:
        "There is no such key.",
        "Esta chave não existe.",
        "Esta clave no existe.",
        "Cette clé n’existe pas.",
        "Diesen Schlüssel gibt es nicht.",
        "هذا المفتاح غير موجود.";
    SESSION_HAS_ENDED:
        "The session has ended.",
        "A sessão foi encerrada.",
        "La sesión se ha cerrado.",
        "La session est terminée.",
        "Die Sitzung ist beendet.",
        "انتهت الجلسة.";
    SESSION_HAD_ENDED:
        "This session has ended already.",
        "Esta sessão já tinha terminado.",
        "Esta sesión ya había terminado.",
        "Cette session était déjà terminée.",
        "Diese Sitzung war bereits beendet.",
        "كانت هذه الجلسة قد انتهت من قبل.";

    /// Reasons why no key is created.
    ENTER_THE_PURPOSE:
        "Enter the purpose of the key.",
        "Indique a finalidade da chave.",
        "Indique la finalidad de la clave.",
        "Indiquez l’usage de la clé.",
        "Bitte den Zweck des Schlüssels angeben.",
        "يُرجى تحديد غرض المفتاح.";
    NOTE_IS_TOO_LONG:
        "The note has {length} characters; the maximum is {max}.",
        "A nota tem {length} caracteres; o máximo é {max}.",
        "La nota tiene {length} caracteres; el máximo es {max}.",
        "La note compte {length} caractères\u{202f}; le maximum est de {max}.",
        "Die Notiz hat {length} Zeichen; höchstens {max} sind möglich.",
        "عدد أحرف الملاحظة {length}؛ والحد الأقصى هو {max}.";
    NOTE_HAS_CONTROL:
        "The note contains a control character: remove it.",
        "A nota contém um caractere de controle: remova-o.",
        "La nota contiene un carácter de control: hay que quitarlo.",
        "La note contient un caractère de contrôle\u{202f}: à supprimer.",
        "Die Notiz enthält ein Steuerzeichen: Bitte entfernen.",
        "تحتوي الملاحظة على حرف تحكّم: يُرجى حذفه.";
    INVALID_RATE:
        "The requests per minute must be a number from 1 to {max}.",
        "As solicitações por minuto devem ser um número de 1 a {max}.",
        "Las solicitudes por minuto deben ser un número del 1 al {max}.",
        "Les requêtes par minute doivent être un nombre de 1 à {max}.",
        "Anfragen pro Minute: Bitte eine Zahl von 1 bis {max} angeben.",
        "يجب أن يكون عدد الطلبات في الدقيقة رقمًا من 1 إلى {max}.";
    INVALID_ORIGIN:
        "{origin} is not the origin of a page: write one like https://example.org, without a path.",
        "{origin} não é a origem de uma página: escreva algo como https://example.org, sem caminho.",
        "{origin} no es el origen de una página: escriba algo como https://example.org, sin ruta.",
        "{origin} n’est pas l’origine d’une page\u{202f}: écrivez par exemple https://example.org, sans chemin.",
        "{origin} ist nicht der Ursprung einer Seite: Bitte wie https://example.org schreiben, ohne Pfad.",
        "{origin} ليس أصل صفحة: يُكتب مثل https://example.org بلا مسار.";
    MANY_ORIGINS:
        "A key has at most {max} origins.",
        "Uma chave tem no máximo {max} origens.",
        "Una clave tiene como máximo {max} orígenes.",
        "Une clé a au plus {max} origines.",
        "Ein Schlüssel hat höchstens {max} Ursprünge.",
        "الحد الأقصى لأصول المفتاح الواحد هو {max}.";
    ORIGINS_OF_OPERATOR:
        "A key of your team is not for pages, where everybody could read it: leave out the origins.",
        "Uma chave da equipe não é para páginas, onde todos poderiam lê-la: deixe as origens em branco.",
        "Una clave del equipo no es para páginas, donde cualquiera podría leerla: deje los orígenes en blanco.",
        "Une clé de l’équipe n’est pas destinée aux pages, où chacun pourrait la lire\u{202f}: n’indiquez pas d’origines.",
        "Ein Schlüssel des Teams ist nicht für Seiten, denn dort könnte ihn jeder lesen: Bitte keine Ursprünge angeben.",
        "مفتاح الفريق ليس للصفحات، لأن أي شخص يستطيع قراءته فيها: تُترك الأصول فارغة.";
    OPERATORS_NAME:
        "The name “operator” is reserved for the operator’s own subscriptions.",
        "O nome “operator” é reservado às assinaturas do próprio operador.",
        "El nombre «operator» está reservado para las suscripciones del propio operador.",
        "Le nom « operator » est réservé aux abonnements de l’opérateur.",
        "Der Name „operator“ ist den eigenen Abonnements des Betreibers vorbehalten.",
        "الاسم «\u{2068}operator\u{2069}» محجوز لاشتراكات المشغّل نفسه.";
    NAME_IS_EMPTY:
        "Name: it is empty: give the partner's name.",
        "Nome: está vazio. Informe o nome do parceiro.",
        "Nombre: está vacío. Indique el nombre del socio.",
        "Nom\u{202f}: il est vide. Indiquez le nom du partenaire.",
        "Name: Er fehlt. Bitte den Namen des Partners angeben.",
        "الاسم: فارغ. يُرجى إدخال اسم الشريك.";
    NAME_IS_TOO_LONG:
        "Name: it is {length} characters long; the maximum is {max}.",
        "Nome: tem {length} caracteres; o máximo é {max}.",
        "Nombre: tiene {length} caracteres; el máximo es {max}.",
        "Nom\u{202f}: il compte {length} caractères\u{202f}; le maximum est de {max}.",
        "Name: Er hat {length} Zeichen; erlaubt sind höchstens {max}.",
        "الاسم: عدد أحرفه {length}، والحد الأقصى {max}.";
    NAME_HAS_CONTROL:
        "Name: it has a control character ({character}): remove it.",
        "Nome: tem um caractere de controle ({character}). Remova-o.",
        "Nombre: tiene un carácter de control ({character}). Elimínelo.",
        "Nom\u{202f}: il contient un caractère de contrôle ({character}). Supprimez-le.",
        "Name: Er enthält ein Steuerzeichen ({character}). Bitte entfernen.",
        "الاسم: يحتوي على محرف تحكّم ({character}). يُرجى حذفه.";
    LAST_DAY_IS_NO_DATE:
        "Last day: write a day that exists as YYYY-MM-DD, such as {example}.",
        "Último dia: informe um dia que existe, como {example}.",
        "Último día: indique un día que exista, como {example}.",
        "Dernier jour\u{202f}: indiquez un jour qui existe, comme {example}.",
        "Letzter Tag: Bitte einen existierenden Tag angeben, etwa {example}.",
        "آخر يوم: يُرجى إدخال يوم موجود، مثل {example}.";
    LAST_DAY_IS_TOO_LATE:
        "Last day: give no day for a key that never expires.",
        "Último dia: deixe vazio para uma chave que nunca expira.",
        "Último día: déjelo vacío para una clave que no caduca.",
        "Dernier jour\u{202f}: laissez-le vide pour une clé qui n’expire jamais.",
        "Letzter Tag: Für einen Schlüssel ohne Ablauf bitte leer lassen.",
        "آخر يوم: يُترك فارغًا لمفتاح لا تنتهي صلاحيته.";
    LAST_DAY_IS_PAST:
        "No key was created: {last} is in the past: give today, {today} (UTC), or a later day.",
        "Nenhuma chave foi criada: {last} já passou. Informe hoje, {today} (UTC), ou um dia posterior.",
        "No se ha creado ninguna clave: {last} ya ha pasado. Indique hoy, {today} (UTC), o un día posterior.",
        "Aucune clé n’a été créée\u{202f}: le {last} est passé. Indiquez aujourd’hui, {today} (UTC), ou un jour ultérieur.",
        "Es wurde kein Schlüssel erstellt: {last} liegt in der Vergangenheit. Bitte heute, {today} (UTC), oder einen späteren Tag angeben.",
        "لم يُنشأ أي مفتاح: {last} في الماضي. يُرجى إدخال اليوم، {today} (UTC)، أو يوم لاحق.";
    SCOPE_OF_PARTNER:
        "No key was created: only operators’ keys have a scope.",
        "Nenhuma chave foi criada: só as chaves de operadores têm um escopo.",
        "No se ha creado ninguna clave: solo las claves de operadores tienen un ámbito.",
        "Aucune clé n’a été créée\u{202f}: seules les clés d’exploitants ont une portée.",
        "Es wurde kein Schlüssel erstellt: Nur Schlüssel von Betreibern haben ein Recht.",
        "لم يُنشأ أي مفتاح: لمفاتيح المشغّلين وحدها نطاق.";
    PREFIXES_TAKEN:
        "No key was created. Try again.",
        "Nenhuma chave foi criada. Tente de novo.",
        "No se ha creado ninguna clave. Inténtelo de nuevo.",
        "Aucune clé n’a été créée. Réessayez.",
        "Es wurde kein Schlüssel erstellt. Bitte noch einmal versuchen.",
        "لم يُنشأ أي مفتاح. تُرجى المحاولة مجددًا.";
}
