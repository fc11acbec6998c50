//! Imports and their results.

use kit::words;

words! {
    IMPORT: "Import", "Importação", "Importación", "Importation", "Import", "استيراد";
    ALL_IMPORTS:
        "All imports",
        "Todas as importações",
        "Todas las importaciones",
        "Toutes les importations",
        "Alle Importe",
        "كل عمليات الاستيراد";
    NONE_YET:
        "Nothing has been imported yet.",
        "Nada foi importado ainda.",
        "Todavía no se ha importado nada.",
        "Rien n’a encore été importé.",
        "Es wurde noch nichts importiert.",
        "لم يُستورد شيء بعد.";
    CHOOSE_A_FILE:
        "Choose a file above; its reports then wait in the queue.",
        "Ao escolher um arquivo acima, seus relatos aguardam na fila.",
        "Al elegir un archivo arriba, sus informes esperan en la cola.",
        "Choisir un fichier ci-dessus ; ses signalements attendent ensuite dans la file d’attente.",
        "Oben eine Datei auswählen; ihre Berichte warten dann in der Warteschlange.",
        "يمكن اختيار ملف أعلاه؛ ثم تنتظر بلاغاته في قائمة الانتظار.";
    IMPORT_A_FILE:
        "Import a file",
        "Importar um arquivo",
        "Importar un archivo",
        "Importer un fichier",
        "Datei importieren",
        "استيراد ملف";
    ABOUT_FILES:
        "A workbook of Excel ({format}), CSV, or JSON with a report on each line. You see how it is understood before anything is imported. Existing reports are skipped, so a file can be imported again.",
        "Uma pasta de trabalho do Excel ({format}), CSV, ou JSON com um relato em cada linha. Antes da importação, mostra-se como o arquivo é compreendido. Relatos já existentes são ignorados; por isso, um arquivo pode ser importado de novo.",
        "Un libro de Excel ({format}), CSV, o JSON con un informe en cada línea. Antes de importar se muestra cómo se entiende el archivo. Los informes que ya existen se omiten, así que un archivo se puede importar de nuevo.",
        "Un classeur Excel ({format}), du CSV, ou du JSON avec un signalement par ligne. Avant l’importation, on voit comment le fichier est compris. Les signalements déjà présents sont ignorés : un fichier peut donc être importé à nouveau.",
        "Eine Excel-Arbeitsmappe ({format}), CSV oder JSON mit einem Bericht je Zeile. Vor dem Import wird gezeigt, wie die Datei verstanden wird. Vorhandene Berichte werden übersprungen, eine Datei kann also noch einmal importiert werden.",
        "مصنف Excel ({format})، أو CSV، أو JSON ببلاغ واحد في كل سطر. يظهر كيف فُهم الملف قبل استيراد أي شيء. تُتخطى البلاغات الموجودة، لذلك يمكن استيراد الملف من جديد.";
    WITHOUT_A_NAME: "Without a name", "Sem nome", "Sin nombre", "Sans nom", "Ohne Namen", "بلا اسم";
    IMPORT_WITHOUT_A_NAME:
        "Import without a name",
        "Importação sem nome",
        "Importación sin nombre",
        "Importation sans nom",
        "Import ohne Namen",
        "استيراد بلا اسم";
    NO_SUCH_IMPORT:
        "There is no import with this id.",
        "Não há importação com este id.",
        "No hay ninguna importación con este id.",
        "Il n’y a pas d’importation avec cet id.",
        "Es gibt keinen Import mit dieser ID.",
        "لا يوجد استيراد بهذا المعرّف.";

    /// Numbers of reports by status.
    N_PENDING:
        ("{n} pending", "{n} pending"),
        ("{n} pendente", "{n} pendentes"),
        ("{n} pendiente", "{n} pendientes"),
        ("{n} en attente", "{n} en attente"),
        ("{n} offen", "{n} offen"),
        ("قيد الانتظار: {n}", "قيد الانتظار: {n}");
    N_APPROVED:
        ("{n} approved", "{n} approved"),
        ("{n} aprovado", "{n} aprovados"),
        ("{n} aprobado", "{n} aprobados"),
        ("{n} approuvé", "{n} approuvés"),
        ("{n} angenommen", "{n} angenommen"),
        ("مقبول: {n}", "مقبول: {n}");
    N_REJECTED:
        ("{n} rejected", "{n} rejected"),
        ("{n} rejeitado", "{n} rejeitados"),
        ("{n} rechazado", "{n} rechazados"),
        ("{n} rejeté", "{n} rejetés"),
        ("{n} abgelehnt", "{n} abgelehnt"),
        ("مرفوض: {n}", "مرفوض: {n}");
    N_WITHDRAWN:
        ("{n} withdrawn", "{n} withdrawn"),
        ("{n} retirado", "{n} retirados"),
        ("{n} retirado", "{n} retirados"),
        ("{n} retiré", "{n} retirés"),
        ("{n} zurückgezogen", "{n} zurückgezogen"),
        ("مسحوب: {n}", "مسحوب: {n}");
    NO_REPORTS: "no reports", "nenhum relato", "ningún informe", "aucun signalement", "keine Berichte", "لا بلاغات";

    REPORTS_NOW:
        "Its reports now",
        "Seus relatos agora",
        "Sus informes ahora",
        "Ses signalements à présent",
        "Die Berichte jetzt",
        "بلاغاته الآن";
    APPROVE_PENDING:
        ("Approve the {n} pending …", "Approve the {n} pending …"),
        ("Aprovar {n} pendente …", "Aprovar os {n} pendentes …"),
        ("Aprobar {n} pendiente …", "Aprobar los {n} pendientes …"),
        ("Approuver {n} en attente …", "Approuver les {n} en attente …"),
        ("{n} offenen annehmen …", "Die {n} offenen annehmen …"),
        ("قبول قيد الانتظار ({n}) …", "قبول قيد الانتظار ({n}) …");
    REJECT_PENDING:
        ("Reject the {n} pending …", "Reject the {n} pending …"),
        ("Rejeitar {n} pendente …", "Rejeitar os {n} pendentes …"),
        ("Rechazar {n} pendiente …", "Rechazar los {n} pendientes …"),
        ("Rejeter {n} en attente …", "Rejeter les {n} en attente …"),
        ("{n} offenen ablehnen …", "Die {n} offenen ablehnen …"),
        ("رفض قيد الانتظار ({n}) …", "رفض قيد الانتظار ({n}) …");
    WITHDRAW_APPROVED:
        ("Withdraw the {n} approved …", "Withdraw the {n} approved …"),
        ("Retirar {n} aprovado …", "Retirar os {n} aprovados …"),
        ("Retirar {n} aprobado …", "Retirar los {n} aprobados …"),
        ("Retirer {n} approuvé …", "Retirer les {n} approuvés …"),
        ("{n} angenommenen zurückziehen …", "Die {n} angenommenen zurückziehen …"),
        ("سحب المقبولة ({n}) …", "سحب المقبولة ({n}) …");
    RESTORE_WITHDRAWN:
        ("Publish again the {n} withdrawn …", "Publish again the {n} withdrawn …"),
        ("Publicar de novo {n} retirado …", "Publicar de novo os {n} retirados …"),
        ("Publicar de nuevo {n} retirado …", "Publicar de nuevo los {n} retirados …"),
        ("Republier {n} retiré …", "Republier les {n} retirés …"),
        ("{n} zurückgezogenen wieder veröffentlichen …", "Die {n} zurückgezogenen wieder veröffentlichen …"),
        ("إعادة نشر المسحوبة ({n}) …", "إعادة نشر المسحوبة ({n}) …");
    REOPEN_REJECTED:
        ("Return the {n} rejected to pending …", "Return the {n} rejected to pending …"),
        ("Reabrir {n} rejeitado …", "Reabrir os {n} rejeitados …"),
        ("Reabrir {n} rechazado …", "Reabrir los {n} rechazados …"),
        ("Rouvrir {n} rejeté …", "Rouvrir les {n} rejetés …"),
        ("{n} abgelehnten wieder öffnen …", "Die {n} abgelehnten wieder öffnen …"),
        ("إعادة فتح المرفوضة ({n}) …", "إعادة فتح المرفوضة ({n}) …");

    /// Numbers of rows.
    ROWS_IMPORTED:
        "{total} rows: {imported} imported, {skipped} there already, {refused} refused.",
        "Linhas: {total}. Importadas: {imported}, já existentes: {skipped}, recusadas: {refused}.",
        "Filas: {total}. Importadas: {imported}, ya existentes: {skipped}, no admitidas: {refused}.",
        "Lignes : {total}. Importées : {imported}, déjà présentes : {skipped}, refusées : {refused}.",
        "Zeilen: {total}. Importiert: {imported}, schon vorhanden: {skipped}, nicht übernommen: {refused}.",
        "الصفوف: {total}. المستوردة: {imported}، الموجودة من قبل: {skipped}، غير المقبولة: {refused}.";
    N_REFUSED_ROWS:
        ("{n} refused row", "{n} refused rows"),
        ("{n} linha recusada", "{n} linhas recusadas"),
        ("{n} fila no admitida", "{n} filas no admitidas"),
        ("{n} ligne refusée", "{n} lignes refusées"),
        ("{n} nicht übernommene Zeile", "{n} nicht übernommene Zeilen"),
        ["لا صفوف غير مقبولة", "صف واحد غير مقبول", "صفان غير مقبولين", "{n} صفوف غير مقبولة", "{n} صفًا غير مقبول", "{n} صف غير مقبول"];
    REFUSED_ROWS:
        "Refused rows",
        "Linhas recusadas",
        "Filas no admitidas",
        "Lignes refusées",
        "Nicht übernommene Zeilen",
        "الصفوف غير المقبولة";
    DOWNLOAD_THEM: "Download them", "Baixar", "Descargarlas", "Les télécharger", "Herunterladen", "تنزيلها";
    CORRECT_THEM:
        "Correct them, and import the file again. The first column has the reasons, in English.",
        "É preciso corrigi-las e importar o arquivo de novo. A primeira coluna contém os motivos, em inglês.",
        "Hay que corregirlas e importar el archivo de nuevo. La primera columna contiene los motivos, en inglés.",
        "Il faut les corriger et importer le fichier à nouveau. La première colonne contient les motifs, en anglais.",
        "Zeilen korrigieren und die Datei noch einmal importieren. Die erste Spalte enthält die Gründe, auf Englisch.",
        "يجب تصحيحها واستيراد الملف من جديد. يحتوي العمود الأول على الأسباب بالإنجليزية.";
    FIRST_ARE_SHOWN:
        "The first {n} are shown.",
        "São mostradas as primeiras {n}.",
        "Se muestran las primeras {n}.",
        "Les {n} premières sont affichées.",
        "Die ersten {n} werden gezeigt.",
        "تظهر أول {n} منها.";
}
