//! Uploads, previews and imports.

kit::words! {
    GONE:
        "This file is not here (any more), perhaps because it has been imported already.",
        "Este arquivo não está (mais) aqui, talvez porque já tenha sido importado.",
        "Este archivo (ya) no está aquí, quizá porque ya se importó.",
        "Ce fichier n’est pas ici (ou plus), peut-être parce qu’il a déjà été importé.",
        "Diese Datei ist nicht (mehr) hier, vielleicht weil sie schon importiert wurde.",
        "هذا الملف غير موجود هنا (أو لم يعد موجودًا)، ربما لأنه استُورد من قبل.";
    STOPPED:
        "The import stopped after line {line}: {reason}. The rows up to there were imported as counted here. Correct the file and import it again: reports that are there already are skipped.",
        "A importação parou depois da linha {line}: {reason}. As linhas até ali foram importadas como contadas aqui. É preciso corrigir o arquivo e importá-lo de novo: os relatos já existentes são ignorados.",
        "La importación se detuvo después de la línea {line}: {reason}. Las filas hasta allí se importaron como se cuenta aquí. Hay que corregir el archivo e importarlo de nuevo: los informes que ya existen se omiten.",
        "L’importation s’est arrêtée après la ligne {line} : {reason}. Les lignes jusque-là ont été importées comme compté ici. Il faut corriger le fichier et l’importer à nouveau : les signalements déjà présents sont ignorés.",
        "Der Import endete nach Zeile {line}: {reason}. Die Zeilen bis dahin wurden importiert wie hier gezählt. Die Datei korrigieren und noch einmal importieren: vorhandene Berichte werden übersprungen.",
        "توقف الاستيراد بعد السطر {line}: {reason}. استُوردت الصفوف حتى ذلك الموضع كما هو مبين هنا. يجب تصحيح الملف واستيراده من جديد: تُتخطى البلاغات الموجودة بالفعل.";
    NO_REPORTS:
        "There are no reports in this file.",
        "Não há relatos neste arquivo.",
        "No hay informes en este archivo.",
        "Il n’y a aucun signalement dans ce fichier.",
        "In dieser Datei sind keine Berichte.",
        "لا توجد بلاغات في هذا الملف.";
    NOT_IMPORTED:
        "The file cannot be imported: {reason}.",
        "O arquivo não pode ser importado: {reason}.",
        "El archivo no se puede importar: {reason}.",
        "Le fichier ne peut pas être importé : {reason}.",
        "Die Datei lässt sich nicht importieren: {reason}.",
        "لا يمكن استيراد الملف: {reason}.";
    NOT_READ:
        "The file cannot be read: {reason}.",
        "O arquivo não pode ser lido: {reason}.",
        "El archivo no se puede leer: {reason}.",
        "Le fichier est illisible : {reason}.",
        "Die Datei ist nicht lesbar: {reason}.",
        "لا يمكن قراءة الملف: {reason}.";
    READ_IN_PART:
        "The file can be read only in part: {reason}. An import would end there, after the rows counted here.",
        "O arquivo só pode ser lido em parte: {reason}. Uma importação terminaria ali, depois das linhas contadas aqui.",
        "El archivo solo se puede leer en parte: {reason}. Una importación terminaría allí, después de las filas contadas aquí.",
        "Le fichier n’est lisible qu’en partie : {reason}. Une importation se terminerait là, après les lignes comptées ici.",
        "Die Datei ist nur zum Teil lesbar: {reason}. Ein Import würde dort enden, nach den hier gezählten Zeilen.",
        "لا يمكن قراءة الملف إلا جزئيًا: {reason}. سينتهي الاستيراد هناك، بعد الصفوف المحسوبة هنا.";
    DATES_YEAR_FIRST:
        "Read dates as year-month-day",
        "Ler datas como ano-mês-dia",
        "Leer fechas como año-mes-día",
        "Lire les dates comme année-mois-jour",
        "Daten als Jahr-Monat-Tag lesen",
        "قراءة التواريخ بترتيب السنة ثم الشهر ثم اليوم";
    DATES_DAY_FIRST:
        "Read dates as day/month/year",
        "Ler datas como dia/mês/ano",
        "Leer fechas como día/mes/año",
        "Lire les dates comme jour/mois/année",
        "Daten als Tag/Monat/Jahr lesen",
        "قراءة التواريخ بترتيب اليوم ثم الشهر ثم السنة";
    DATES_MONTH_FIRST:
        "Read dates as month/day/year",
        "Ler datas como mês/dia/ano",
        "Leer fechas como mes/día/año",
        "Lire les dates comme mois/jour/année",
        "Daten als Monat/Tag/Jahr lesen",
        "قراءة التواريخ بترتيب الشهر ثم اليوم ثم السنة";
    NUMBERS_DIGITS:
        "Read numbers as digits only",
        "Ler números só com algarismos",
        "Leer números solo con dígitos",
        "Lire les nombres avec des chiffres seulement",
        "Zahlen nur mit Ziffern lesen",
        "قراءة الأعداد كأرقام فقط";
    NUMBERS_POINT:
        "Read numbers as 1,234.0",
        "Ler números como 1,234.0",
        "Leer números como 1,234.0",
        "Lire les nombres comme 1,234.0",
        "Zahlen als 1,234.0 lesen",
        "قراءة الأعداد مثل 1,234.0";
    NUMBERS_COMMA:
        "Read numbers as 1.234,0",
        "Ler números como 1.234,0",
        "Leer números como 1.234,0",
        "Lire les nombres comme 1.234,0",
        "Zahlen als 1.234,0 lesen",
        "قراءة الأعداد مثل 1.234,0";
    LETTERS_UTF8:
        "Read letters as UTF-8",
        "Ler letras como UTF-8",
        "Leer letras como UTF-8",
        "Lire les lettres en UTF-8",
        "Buchstaben als UTF-8 lesen",
        "قراءة الأحرف بترميز UTF-8";
    LETTERS_WINDOWS_1252:
        "Read letters as Windows-1252",
        "Ler letras como Windows-1252",
        "Leer letras como Windows-1252",
        "Lire les lettres en Windows-1252",
        "Buchstaben als Windows-1252 lesen",
        "قراءة الأحرف بترميز Windows-1252";
    NOW: "now", "agora", "ahora", "maintenant", "jetzt", "الآن";
    NO_FILE:
        "No file was sent.",
        "Nenhum arquivo foi enviado.",
        "No se envió ningún archivo.",
        "Aucun fichier n’a été envoyé.",
        "Es wurde keine Datei gesendet.",
        "لم يُرسل أي ملف.";
    NOT_KEPT:
        "The file cannot be kept: {error}.",
        "O arquivo não pode ser guardado: {error}.",
        "El archivo no se puede guardar: {error}.",
        "Le fichier ne peut pas être conservé : {error}.",
        "Die Datei lässt sich nicht aufbewahren: {error}.",
        "لا يمكن حفظ الملف: {error}.";
    INCOMPLETE:
        "The file cannot be kept: it was not sent completely.",
        "O arquivo não pode ser guardado: não foi enviado por completo.",
        "El archivo no se puede guardar: no se envió completo.",
        "Le fichier ne peut pas être conservé : il n’a pas été envoyé en entier.",
        "Die Datei lässt sich nicht aufbewahren: sie wurde nicht vollständig gesendet.",
        "لا يمكن حفظ الملف: لم يُرسل كاملًا.";
    FORM_NOT_READ:
        "The form cannot be read: {error}.",
        "O formulário não pode ser lido: {error}.",
        "El formulario no se puede leer: {error}.",
        "Le formulaire est illisible : {error}.",
        "Das Formular ist nicht lesbar: {error}.",
        "لا يمكن قراءة النموذج: {error}.";
    SIGN_IN:
        "Sign in at the desk to see this.",
        "É preciso entrar na mesa para ver isto.",
        "Hay que iniciar sesión en la mesa para ver esto.",
        "Il faut se connecter au bureau pour voir ceci.",
        "Dafür ist eine Anmeldung am Desk nötig.",
        "يجب تسجيل الدخول إلى المكتب لرؤية هذا.";
    NO_IMPORT:
        "There is no such import, or no rows were refused.",
        "Não há tal importação, ou nenhuma linha foi recusada.",
        "No existe esa importación, o no hubo filas no admitidas.",
        "Cette importation n’existe pas, ou aucune ligne n’a été refusée.",
        "Diesen Import gibt es nicht, oder alle Zeilen wurden übernommen.",
        "لا يوجد استيراد كهذا، أو لم تُرفض أي صفوف.";
}
