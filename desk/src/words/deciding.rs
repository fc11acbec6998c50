//! Texts of decisions: their confirmation, reasons, and results.

use kit::words;

words! {
    DECIDE_ON_ALL:
        "Decide on all",
        "Decidir sobre todos",
        "Decidir sobre todos",
        "Décider pour tous",
        "Über alle entscheiden",
        "البت في الكل";
    /// Titles and buttons of the confirmation.
    APPROVE_REPORTS:
        ("Approve {n} report", "Approve {n} reports"),
        ["Aprovar {n} relatos", "Aprovar {n} relato", "Aprovar {n} relatos", "Aprovar {n} relatos", "Aprovar {n} de relatos", "Aprovar {n} relatos"],
        ["Aprobar {n} informes", "Aprobar {n} informe", "Aprobar {n} informes", "Aprobar {n} informes", "Aprobar {n} de informes", "Aprobar {n} informes"],
        ["Approuver {n} signalements", "Approuver {n} signalement", "Approuver {n} signalements", "Approuver {n} signalements", "Approuver {n} de signalements", "Approuver {n} signalements"],
        ("{n} Bericht annehmen", "{n} Berichte annehmen"),
        ["قبول البلاغات", "قبول بلاغ واحد", "قبول بلاغين", "قبول {n} بلاغات", "قبول {n} بلاغًا", "قبول {n} بلاغ"];
    REJECT_REPORTS:
        ("Reject {n} report", "Reject {n} reports"),
        ["Rejeitar {n} relatos", "Rejeitar {n} relato", "Rejeitar {n} relatos", "Rejeitar {n} relatos", "Rejeitar {n} de relatos", "Rejeitar {n} relatos"],
        ["Rechazar {n} informes", "Rechazar {n} informe", "Rechazar {n} informes", "Rechazar {n} informes", "Rechazar {n} de informes", "Rechazar {n} informes"],
        ["Rejeter {n} signalements", "Rejeter {n} signalement", "Rejeter {n} signalements", "Rejeter {n} signalements", "Rejeter {n} de signalements", "Rejeter {n} signalements"],
        ("{n} Bericht ablehnen", "{n} Berichte ablehnen"),
        ["رفض البلاغات", "رفض بلاغ واحد", "رفض بلاغين", "رفض {n} بلاغات", "رفض {n} بلاغًا", "رفض {n} بلاغ"];
    WITHDRAW_REPORTS:
        ("Withdraw {n} report", "Withdraw {n} reports"),
        ["Retirar {n} relatos", "Retirar {n} relato", "Retirar {n} relatos", "Retirar {n} relatos", "Retirar {n} de relatos", "Retirar {n} relatos"],
        ["Retirar {n} informes", "Retirar {n} informe", "Retirar {n} informes", "Retirar {n} informes", "Retirar {n} de informes", "Retirar {n} informes"],
        ["Retirer {n} signalements", "Retirer {n} signalement", "Retirer {n} signalements", "Retirer {n} signalements", "Retirer {n} de signalements", "Retirer {n} signalements"],
        ("{n} Bericht zurückziehen", "{n} Berichte zurückziehen"),
        ["سحب البلاغات", "سحب بلاغ واحد", "سحب بلاغين", "سحب {n} بلاغات", "سحب {n} بلاغًا", "سحب {n} بلاغ"];
    REOPEN_REPORTS:
        ("Reopen {n} report", "Reopen {n} reports"),
        ["Reabrir {n} relatos", "Reabrir {n} relato", "Reabrir {n} relatos", "Reabrir {n} relatos", "Reabrir {n} de relatos", "Reabrir {n} relatos"],
        ["Reabrir {n} informes", "Reabrir {n} informe", "Reabrir {n} informes", "Reabrir {n} informes", "Reabrir {n} de informes", "Reabrir {n} informes"],
        ["Rouvrir {n} signalements", "Rouvrir {n} signalement", "Rouvrir {n} signalements", "Rouvrir {n} signalements", "Rouvrir {n} de signalements", "Rouvrir {n} signalements"],
        ("{n} Bericht wieder öffnen", "{n} Berichte wieder öffnen"),
        ["إعادة فتح البلاغات", "إعادة فتح بلاغ واحد", "إعادة فتح بلاغين", "إعادة فتح {n} بلاغات", "إعادة فتح {n} بلاغًا", "إعادة فتح {n} بلاغ"];
    RESTORE_REPORTS:
        ("Publish {n} report again", "Publish {n} reports again"),
        ["Publicar {n} relatos de novo", "Publicar {n} relato de novo", "Publicar {n} relatos de novo", "Publicar {n} relatos de novo", "Publicar {n} de relatos de novo", "Publicar {n} relatos de novo"],
        ["Publicar {n} informes de nuevo", "Publicar {n} informe de nuevo", "Publicar {n} informes de nuevo", "Publicar {n} informes de nuevo", "Publicar {n} de informes de nuevo", "Publicar {n} informes de nuevo"],
        ["Republier {n} signalements", "Republier {n} signalement", "Republier {n} signalements", "Republier {n} signalements", "Republier {n} de signalements", "Republier {n} signalements"],
        ("{n} Bericht wieder veröffentlichen", "{n} Berichte wieder veröffentlichen"),
        ["إعادة نشر البلاغات", "إعادة نشر بلاغ واحد", "إعادة نشر بلاغين", "إعادة نشر {n} بلاغات", "إعادة نشر {n} بلاغًا", "إعادة نشر {n} بلاغ"];
    IN_FILE: "In the file:", "No arquivo:", "En el archivo:", "Dans le fichier\u{202f}:", "In der Datei:", "في الملف:";
    UNNAMED_IMPORT:
        "an import without a name",
        "uma importação sem nome",
        "una importación sin nombre",
        "une importation sans nom",
        "ein Import ohne Namen",
        "عملية استيراد بلا اسم";
    CURRENT_STATUS:
        "Status: {status}.",
        "Situação: {status}.",
        "Estado: {status}.",
        "Statut\u{202f}: {status}.",
        "Status: {status}.",
        "الحالة: {status}.";
    NO_REPORT_FOR_THIS:
        "This list has no report that this decision is possible on.",
        "Esta lista não tem relatos que permitam esta decisão.",
        "Esta lista no tiene informes que admitan esta decisión.",
        "Aucun signalement de cette liste ne permet cette décision.",
        "Diese Liste hat keinen Bericht, für den diese Entscheidung möglich ist.",
        "ليس في هذه القائمة بلاغ يقبل هذا القرار.";
    CHANGE_NOTHING:
        "Change nothing",
        "Não mudar nada",
        "No cambiar nada",
        "Ne rien changer",
        "Nichts ändern",
        "عدم تغيير شيء";

    /// Consequences of decisions.
    IF_APPROVED:
        "They are published now: counters and lists include them, and webhooks receive report.created for each. \
            Reports that were published before return to their old places, as with “Publish again”.",
        "São publicados agora: contadores e listas os incluem, e os webhooks recebem report.created para cada um. \
            Relatos que já foram publicados voltam às posições antigas, como em “Publicar de novo”.",
        "Se publican ahora: los contadores y las listas los incluyen, y los webhooks reciben report.created por cada \
            uno. Los informes que ya se habían publicado vuelven a su lugar, como con «Publicar de nuevo».",
        "Ils sont publiés maintenant\u{202f}: compteurs et listes les comprennent, et les webhooks reçoivent \
            report.created pour chacun. Ceux qui avaient déjà été publiés reprennent leur place, comme avec \
            « Republier ».",
        "Sie werden jetzt veröffentlicht: Zähler und Listen enthalten sie, und Webhooks erhalten für jeden \
            report.created. Früher veröffentlichte Berichte kehren an ihren alten Platz zurück, wie bei „Wieder \
            veröffentlichen“.",
        "تُنشر الآن: تشملها العدادات والقوائم، وتتلقى خطافات الويب \u{2068}report.created\u{2069} لكل منها. \
            والبلاغات التي سبق نشرها تعود إلى مواضعها القديمة، كما في «إعادة النشر».";
    IF_REJECTED:
        "Nothing about them becomes public. You can reopen them later.",
        "Nada sobre eles se torna público. É possível reabri-los depois.",
        "Nada sobre ellos se hace público. Se pueden reabrir más tarde.",
        "Rien à leur sujet ne devient public. Il est possible de les rouvrir plus tard.",
        "Nichts davon wird öffentlich. Sie lassen sich später wieder öffnen.",
        "لا يُنشر شيء عنها. ويمكن إعادة فتحها لاحقًا.";
    IF_WITHDRAWN:
        "They leave counters and lists, and webhooks receive report.withdrawn for each. You can publish them again \
            later: they keep their createdAt and their places in the lists.",
        "Saem dos contadores e das listas, e os webhooks recebem report.withdrawn para cada um. É possível \
            publicá-los de novo depois: mantêm o createdAt e a posição nas listas.",
        "Salen de los contadores y de las listas, y los webhooks reciben report.withdrawn por cada uno. Se pueden \
            publicar de nuevo más tarde: conservan su createdAt y su lugar en las listas.",
        "Ils quittent les compteurs et les listes, et les webhooks reçoivent report.withdrawn pour chacun. Il est \
            possible de les republier plus tard\u{202f}: ils gardent leur createdAt et leur place dans les listes.",
        "Sie verlassen Zähler und Listen, und Webhooks erhalten für jeden report.withdrawn. Sie lassen sich später \
            wieder veröffentlichen: createdAt und ihr Platz in den Listen bleiben gleich.",
        "تخرج من العدادات والقوائم، وتتلقى خطافات الويب \u{2068}report.withdrawn\u{2069} لكل منها. ويمكن إعادة \
            نشرها لاحقًا: يبقى \u{2068}createdAt\u{2069} وموضعها في القوائم كما هما.";
    IF_REOPENED:
        "They wait for a decision again. Nothing public changes, and webhooks receive nothing.",
        "Voltam a aguardar uma decisão. Nada público muda, e os webhooks não recebem nada.",
        "Vuelven a esperar una decisión. Nada público cambia, y los webhooks no reciben nada.",
        "Ils attendent de nouveau une décision. Rien de public ne change, et les webhooks ne reçoivent rien.",
        "Sie warten wieder auf eine Entscheidung. Öffentlich ändert sich nichts, und Webhooks erhalten nichts.",
        "تعود إلى انتظار القرار. لا يتغير شيء علنًا، ولا تتلقى خطافات الويب شيئًا.";
    IF_RESTORED:
        "They return to counters and to their old places in the lists. Their ids, createdAt and time of publication \
            stay the same. Webhooks receive report.created for each, and mirrors read the whole list again.",
        "Voltam aos contadores e às posições antigas nas listas. Seus ids, createdAt e hora de publicação não mudam. \
            Os webhooks recebem report.created para cada um, e os espelhos leem a lista inteira de novo.",
        "Vuelven a los contadores y a su lugar en las listas. Sus id, createdAt y hora de publicación no cambian. Los \
            webhooks reciben report.created por cada uno, y las réplicas leen de nuevo toda la lista.",
        "Ils reviennent dans les compteurs et à leur place dans les listes. Leurs id, createdAt et heure de \
            publication ne changent pas. Les webhooks reçoivent report.created pour chacun, et les miroirs relisent \
            toute la liste.",
        "Sie kehren in die Zähler und an ihren alten Platz in den Listen zurück. IDs, createdAt und Zeitpunkt der \
            Veröffentlichung bleiben gleich. Webhooks erhalten für jeden report.created, und Spiegel lesen die ganze \
            Liste neu.",
        "تعود إلى العدادات وإلى مواضعها القديمة في القوائم. ولا تتغير معرّفاتها و\u{2068}createdAt\u{2069} ووقت \
            نشرها. وتتلقى خطافات الويب \u{2068}report.created\u{2069} لكل منها، وتقرأ النسخ المتطابقة القائمة كلها \
            من جديد.";

    /// Reasons.
    NO_REASON: "None", "Nenhum", "Ninguno", "Aucun", "Keiner", "بلا سبب";
    NOTE_OPTIONAL:
        "Note (optional)",
        "Nota (opcional)",
        "Nota (opcional)",
        "Note (facultative)",
        "Notiz (optional)",
        "ملاحظة (اختيارية)";

    /// Results.
    CHOOSE_A_DECISION:
        "Choose a decision.",
        "Escolha uma decisão.",
        "Elija una decisión.",
        "Choisissez une décision.",
        "Bitte eine Entscheidung wählen.",
        "اختر قرارًا.";
    SELECT_A_REPORT:
        "Nothing was decided: select at least one report.",
        "Nada foi decidido: selecione ao menos um relato.",
        "No se decidió nada: seleccione al menos un informe.",
        "Rien n’a été décidé\u{202f}: sélectionnez au moins un signalement.",
        "Nichts wurde entschieden: bitte mindestens einen Bericht auswählen.",
        "لم يُتخذ قرار: حدّد بلاغًا واحدًا على الأقل.";
    LIST_HAS_CHANGED:
        "Nothing was decided: the list has changed. Check it again.",
        "Nada foi decidido: a lista mudou. Confira de novo.",
        "No se decidió nada: la lista ha cambiado. Compruébela de nuevo.",
        "Rien n’a été décidé\u{202f}: la liste a changé. Vérifiez-la de nouveau.",
        "Nichts wurde entschieden: die Liste hat sich geändert. Bitte noch einmal prüfen.",
        "لم يُتخذ قرار: تغيرت القائمة. تحقق منها مجددًا.";
    SAVED: "Saved.", "Salvo.", "Guardado.", "Enregistré.", "Gespeichert.", "تم الحفظ.";
    AND_MORE:
        "And {n} more.",
        "E mais {n}.",
        "Y {n} más.",
        "Et {n} de plus.",
        "Und {n} weitere.",
        "و\u{2068}{n}\u{2069} غيرها.";
}
