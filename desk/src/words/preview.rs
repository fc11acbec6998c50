//! Preview of an import.

use kit::words;

words! {
    PREVIEW: "Preview", "Prévia", "Vista previa", "Aperçu", "Vorschau", "معاينة";
    GONE:
        "This file is not here (any more). A file waits for an hour, on the node that received it, and only for the person who sent it. Upload it again.",
        "Este arquivo não está (mais) aqui. Um arquivo aguarda por uma hora, no servidor que o recebeu, e só para a pessoa que o enviou. É preciso enviá-lo de novo.",
        "Este archivo (ya) no está aquí. Un archivo espera una hora, en el servidor que lo recibió, y solo para la persona que lo envió. Hay que subirlo de nuevo.",
        "Ce fichier n’est pas ici (ou plus). Un fichier attend une heure, sur le serveur qui l’a reçu, et seulement pour la personne qui l’a envoyé. Il faut l’envoyer à nouveau.",
        "Diese Datei ist nicht (mehr) hier. Eine Datei wartet eine Stunde, auf dem Server, der sie empfangen hat, und nur für die Person, die sie gesendet hat. Noch einmal hochladen.",
        "هذا الملف غير موجود هنا (أو لم يعد موجودًا). ينتظر الملف ساعة واحدة على الخادم الذي استقبله، وللشخص الذي أرسله فقط. يجب رفعه من جديد.";
    USE_SUGGESTED:
        "Use the suggested columns",
        "Usar as colunas sugeridas",
        "Usar las columnas sugeridas",
        "Utiliser les colonnes suggérées",
        "Vorgeschlagene Spalten verwenden",
        "استخدام الأعمدة المقترحة";
    PUBLISH_IMMEDIATELY:
        "Publish the reports immediately",
        "Publicar os relatos imediatamente",
        "Publicar los informes inmediatamente",
        "Publier les signalements immédiatement",
        "Berichte sofort veröffentlichen",
        "نشر البلاغات فورًا";
    IMPORT_THE_FILE:
        "Import the file",
        "Importar o arquivo",
        "Importar el archivo",
        "Importer le fichier",
        "Datei importieren",
        "استيراد الملف";
    IMPORT_REPORTS:
        ("Import {n} report", "Import {n} reports"),
        ["Importar {n} relatos", "Importar {n} relato", "Importar {n} relatos", "Importar {n} relatos", "Importar {n} de relatos", "Importar {n} relatos"],
        ["Importar {n} informes", "Importar {n} informe", "Importar {n} informes", "Importar {n} informes", "Importar {n} de informes", "Importar {n} informes"],
        ["Importer {n} signalements", "Importer {n} signalement", "Importer {n} signalements", "Importer {n} signalements", "Importer {n} de signalements", "Importer {n} signalements"],
        ("{n} Bericht importieren", "{n} Berichte importieren"),
        ["استيراد البلاغات", "استيراد بلاغ واحد", "استيراد بلاغين", "استيراد {n} بلاغات", "استيراد {n} بلاغًا", "استيراد {n} بلاغ"];
    WITHOUT_A_NAME:
        "File without a name",
        "Arquivo sem nome",
        "Archivo sin nombre",
        "Fichier sans nom",
        "Datei ohne Namen",
        "ملف بلا اسم";
    ROWS_FORESEEN:
        "{total} rows: {imported} new, {skipped} there already, {refused} refused.",
        "Linhas: {total}. Novas: {imported}, já existentes: {skipped}, recusadas: {refused}.",
        "Filas: {total}. Nuevas: {imported}, ya existentes: {skipped}, no admitidas: {refused}.",
        "Lignes : {total}. Nouvelles : {imported}, déjà présentes : {skipped}, refusées : {refused}.",
        "Zeilen: {total}. Neu: {imported}, schon vorhanden: {skipped}, nicht übernommen: {refused}.",
        "الصفوف: {total}. الجديدة: {imported}، الموجودة من قبل: {skipped}، غير المقبولة: {refused}.";
    HAS_MORE:
        "The file has more rows: these are the first ones.",
        "O arquivo tem mais linhas: estas são as primeiras.",
        "El archivo tiene más filas: estas son las primeras.",
        "Le fichier a d’autres lignes : celles-ci sont les premières.",
        "Die Datei hat mehr Zeilen: dies sind die ersten.",
        "في الملف صفوف أخرى: هذه هي الأولى.";
    REMEMBERED:
        "Read like the last import with these columns.",
        "Lido como a última importação com estas colunas.",
        "Leído como la última importación con estas columnas.",
        "Lu comme la dernière importation avec ces colonnes.",
        "Gelesen wie der letzte Import mit diesen Spalten.",
        "قُرئ مثل آخر استيراد بهذه الأعمدة.";
    NOTES: "Notes", "Observações", "Observaciones", "Remarques", "Hinweise", "ملاحظات";

    ROW: "Row", "Linha", "Fila", "Ligne", "Zeile", "الصف";
    RESULT: "Result", "Resultado", "Resultado", "Résultat", "Ergebnis", "النتيجة";
    EVENT_DATE: "Event date", "Data do evento", "Fecha del evento", "Date de l’événement", "Datum des Ereignisses", "تاريخ الحدث";
    REPORTED: "Reported", "Relatado", "Informado", "Signalé", "Gemeldet", "وقت البلاغ";
    POSITION: "Position", "Posição", "Posición", "Position", "Position", "الموقع";
    REFUSED: "refused", "recusada", "no admitida", "refusée", "nicht übernommen", "غير مقبول";
    NEW: "new", "nova", "nueva", "nouvelle", "neu", "جديد";
    THERE_ALREADY: "there already", "já existe", "ya existe", "déjà présente", "schon vorhanden", "موجود من قبل";
    FIRST_ROWS_AS_UNDERSTOOD:
        "First rows, as they are understood",
        "Primeiras linhas, como são compreendidas",
        "Primeras filas, como se entienden",
        "Premières lignes, telles qu’elles sont comprises",
        "Erste Zeilen, wie sie verstanden werden",
        "الصفوف الأولى كما فُهمت";
    FIRST_ROWS: "First rows", "Primeiras linhas", "Primeras filas", "Premières lignes", "Erste Zeilen", "الصفوف الأولى";

    HOW_READ:
        "How the file is read",
        "Como o arquivo é lido",
        "Cómo se lee el archivo",
        "Comment le fichier est lu",
        "Wie die Datei gelesen wird",
        "كيف يُقرأ الملف";
    DATES: "Dates", "Datas", "Fechas", "Dates", "Daten", "التواريخ";
    NUMBERS_OF_PEOPLE:
        "Numbers of people",
        "Números de pessoas",
        "Números de personas",
        "Nombres de personnes",
        "Personenzahlen",
        "أعداد الأشخاص";
    LETTERS: "Letters", "Letras", "Letras", "Lettres", "Buchstaben", "الأحرف";
    COLUMNS: "Columns", "Colunas", "Columnas", "Colonnes", "Spalten", "الأعمدة";
    SHOW_PREVIEW: "Show the preview", "Mostrar a prévia", "Mostrar la vista previa", "Afficher l’aperçu", "Vorschau zeigen", "عرض المعاينة";
    SHEET: "Sheet", "Planilha", "Hoja", "Feuille", "Blatt", "الورقة";
    IS_IT:
        "(is it {field}?)",
        "(seria {field}?)",
        "(¿es {field}?)",
        "(est-ce {field} ?)",
        "(ist es {field}?)",
        "(هل هو {field}؟)";
    NOT_USED: "not used", "não usada", "sin usar", "non utilisée", "nicht verwendet", "غير مستخدم";
    ISO_ONLY: "2025-12-31 only", "só 2025-12-31", "solo 2025-12-31", "2025-12-31 seulement", "nur 2025-12-31", "2025-12-31 فقط";
    DAY_FIRST:
        "31/12/2025: day, month, year",
        "31/12/2025: dia, mês, ano",
        "31/12/2025: día, mes, año",
        "31/12/2025 : jour, mois, année",
        "31/12/2025: Tag, Monat, Jahr",
        "31/12/2025: اليوم، الشهر، السنة";
    MONTH_FIRST:
        "12/31/2025: month, day, year",
        "12/31/2025: mês, dia, ano",
        "12/31/2025: mes, día, año",
        "12/31/2025 : mois, jour, année",
        "12/31/2025: Monat, Tag, Jahr",
        "12/31/2025: الشهر، اليوم، السنة";
    DIGITS: "1234: digits only", "1234: só algarismos", "1234: solo dígitos", "1234 : chiffres seulement", "1234: nur Ziffern", "1234: أرقام فقط";
    POINT: "1,234.0: decimal point", "1,234.0: ponto decimal", "1,234.0: punto decimal", "1,234.0 : point décimal", "1,234.0: Dezimalpunkt", "1,234.0: نقطة عشرية";
    COMMA: "1.234,0: decimal comma", "1.234,0: vírgula decimal", "1.234,0: coma decimal", "1.234,0 : virgule décimale", "1.234,0: Dezimalkomma", "1.234,0: فاصلة عشرية";
    UTF: "UTF-8 or UTF-16", "UTF-8 ou UTF-16", "UTF-8 o UTF-16", "UTF-8 ou UTF-16", "UTF-8 oder UTF-16", "UTF-8 أو UTF-16";
    WINDOWS_1252:
        "Windows-1252 (Western Europe)",
        "Windows-1252 (Europa Ocidental)",
        "Windows-1252 (Europa Occidental)",
        "Windows-1252 (Europe de l’Ouest)",
        "Windows-1252 (Westeuropa)",
        "Windows-1252 (أوروبا الغربية)";
}
