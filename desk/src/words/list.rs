//! Texts of the list of reports, which runs in the browser.

use kit::words;

words! {
    /// The number of reports of the list.
    NOTHING_WAITS:
        "Nothing waits for a decision.",
        "Nada aguarda decisão.",
        "Nada espera una decisión.",
        "Rien n’attend de décision.",
        "Nichts wartet auf eine Entscheidung.",
        "لا شيء ينتظر القرار.";
    REPORTS_WAIT:
        ("{n} report waits for a decision.", "{n} reports wait for a decision."),
        ["{n} relatos aguardam decisão.", "{n} relato aguarda decisão.", "{n} relatos aguardam decisão.", "{n} relatos aguardam decisão.", "{n} de relatos aguardam decisão.", "{n} relatos aguardam decisão."],
        ["{n} informes esperan una decisión.", "{n} informe espera una decisión.", "{n} informes esperan una decisión.", "{n} informes esperan una decisión.", "{n} de informes esperan una decisión.", "{n} informes esperan una decisión."],
        ["{n} signalements attendent une décision.", "{n} signalement attend une décision.", "{n} signalements attendent une décision.", "{n} signalements attendent une décision.", "{n} de signalements attendent une décision.", "{n} signalements attendent une décision."],
        ("{n} Bericht wartet auf eine Entscheidung.", "{n} Berichte warten auf eine Entscheidung."),
        ["لا شيء ينتظر القرار.", "بلاغ واحد ينتظر القرار.", "بلاغان ينتظران القرار.", "{n} بلاغات تنتظر القرار.", "{n} بلاغًا ينتظر القرار.", "{n} بلاغ ينتظر القرار."];
    NO_REPORTS:
        "There are no reports in this list.",
        "Não há relatos nesta lista.",
        "No hay informes en esta lista.",
        "Il n’y a aucun signalement dans cette liste.",
        "In dieser Liste sind keine Berichte.",
        "لا توجد بلاغات في هذه القائمة.";
    REPORTS_IN_LIST:
        ("{n} report.", "{n} reports."),
        ["{n} relatos.", "{n} relato.", "{n} relatos.", "{n} relatos.", "{n} de relatos.", "{n} relatos."],
        ["{n} informes.", "{n} informe.", "{n} informes.", "{n} informes.", "{n} de informes.", "{n} informes."],
        ["{n} signalements.", "{n} signalement.", "{n} signalements.", "{n} signalements.", "{n} de signalements.", "{n} signalements."],
        ("{n} Bericht.", "{n} Berichte."),
        ["لا بلاغات.", "بلاغ واحد.", "بلاغان.", "{n} بلاغات.", "{n} بلاغًا.", "{n} بلاغ."];
    NO_REPORT_MATCHES:
        "No report matches.",
        "Nenhum relato corresponde.",
        "Ningún informe coincide.",
        "Aucun signalement ne correspond.",
        "Kein Bericht passt.",
        "لا يوجد بلاغ مطابق.";
    REPORTS_MATCH:
        ("{n} report matches.", "{n} reports match."),
        ["{n} relatos correspondem.", "{n} relato corresponde.", "{n} relatos correspondem.", "{n} relatos correspondem.", "{n} de relatos correspondem.", "{n} relatos correspondem."],
        ["{n} informes coinciden.", "{n} informe coincide.", "{n} informes coinciden.", "{n} informes coinciden.", "{n} de informes coinciden.", "{n} informes coinciden."],
        ["{n} signalements correspondent.", "{n} signalement correspond.", "{n} signalements correspondent.", "{n} signalements correspondent.", "{n} de signalements correspondent.", "{n} signalements correspondent."],
        ("{n} Bericht passt.", "{n} Berichte passen."),
        ["لا يوجد بلاغ مطابق.", "بلاغ واحد مطابق.", "بلاغان مطابقان.", "{n} بلاغات مطابقة.", "{n} بلاغًا مطابقًا.", "{n} بلاغ مطابق."];
    TOO_MANY_TO_COUNT:
        "Too many reports match to be counted.",
        "Relatos demais correspondem para contá-los.",
        "Coinciden demasiados informes para contarlos.",
        "Trop de signalements correspondent pour les compter.",
        "Zu viele Berichte passen, um sie zu zählen.",
        "عدد البلاغات المطابقة أكبر من أن يُحصى.";

    /// The connection.
    AWAY:
        "The service does not respond. The list may be out of date.",
        "O serviço não responde. A lista pode estar desatualizada.",
        "El servicio no responde. La lista puede estar desactualizada.",
        "Le service ne répond pas. La liste n’est peut-être plus à jour.",
        "Der Dienst antwortet nicht. Die Liste ist vielleicht veraltet.",
        "الخدمة لا تستجيب. قد تكون القائمة قديمة.";
    SIGNED_OUT:
        "You are no longer signed in.",
        "A sessão terminou.",
        "La sesión ha terminado.",
        "La session est terminée.",
        "Die Anmeldung ist abgelaufen.",
        "انتهت جلسة الدخول.";
    SIGN_IN: "Sign in", "Entrar", "Iniciar sesión", "Se connecter", "Anmelden", "تسجيل الدخول";
    NO_RESPONSE:
        "The service did not respond. If anything was changed, it will appear in a moment.",
        "O serviço não respondeu. Se algo mudou, aparecerá em instantes.",
        "El servicio no respondió. Si algo cambió, aparecerá en un momento.",
        "Le service n’a pas répondu. Si quelque chose a changé, cela apparaîtra dans un instant.",
        "Der Dienst hat nicht geantwortet. Falls sich etwas geändert hat, erscheint es gleich.",
        "لم تستجب الخدمة. إن تغير شيء فسيظهر بعد لحظة.";

    /// The list and its rows.
    SHOW_NEW_REPORTS:
        ("Show {n} new report", "Show {n} new reports"),
        ("Mostrar {n} novo relato", "Mostrar {n} novos relatos"),
        ("Mostrar {n} informe nuevo", "Mostrar {n} informes nuevos"),
        ("Afficher {n} nouveau signalement", "Afficher {n} nouveaux signalements"),
        ("{n} neuen Bericht anzeigen", "{n} neue Berichte anzeigen"),
        ["عرض البلاغات الجديدة", "عرض بلاغ جديد واحد", "عرض بلاغين جديدين", "عرض {n} بلاغات جديدة", "عرض {n} بلاغًا جديدًا", "عرض {n} بلاغ جديد"];
    SELECT_ALL:
        "Select all on this page",
        "Selecionar todos nesta página",
        "Seleccionar todos en esta página",
        "Tout sélectionner sur cette page",
        "Alle auf dieser Seite auswählen",
        "تحديد كل ما في هذه الصفحة";
    SELECTED:
        "{n} selected",
        ("{n} selecionado", "{n} selecionados"),
        ("{n} seleccionado", "{n} seleccionados"),
        ("{n} sélectionné", "{n} sélectionnés"),
        "{n} ausgewählt",
        "المحدد: {n}";
    APPROVE_SELECTED:
        "Approve selected",
        "Aprovar selecionados",
        "Aprobar seleccionados",
        "Approuver la sélection",
        "Ausgewählte annehmen",
        "قبول المحدد";
    REJECT_SELECTED:
        "Reject selected",
        "Rejeitar selecionados",
        "Rechazar seleccionados",
        "Rejeter la sélection",
        "Ausgewählte ablehnen",
        "رفض المحدد";
    WITHDRAW_SELECTED:
        "Withdraw selected",
        "Retirar selecionados",
        "Retirar seleccionados",
        "Retirer la sélection",
        "Ausgewählte zurückziehen",
        "سحب المحدد";
    REOPEN_SELECTED:
        "Reopen selected",
        "Reabrir selecionados",
        "Reabrir seleccionados",
        "Rouvrir la sélection",
        "Ausgewählte wieder öffnen",
        "إعادة فتح المحدد";
    RESTORE_SELECTED:
        "Publish selected again",
        "Publicar selecionados de novo",
        "Publicar seleccionados de nuevo",
        "Republier la sélection",
        "Ausgewählte wieder veröffentlichen",
        "إعادة نشر المحدد";
    CORRECT_SELECTED:
        "Correct selected",
        "Corrigir selecionados",
        "Corregir seleccionados",
        "Corriger la sélection",
        "Ausgewählte berichtigen",
        "تصحيح المحدد";
    REPORTS_LABEL: "Reports", "Relatos", "Informes", "Signalements", "Berichte", "البلاغات";
    SELECT_ID: "Select {id}", "Selecionar {id}", "Seleccionar {id}", "Sélectionner {id}", "{id} auswählen", "تحديد \u{2068}{id}\u{2069}";
    OPEN: "Open", "Abrir", "Abrir", "Ouvrir", "Öffnen", "فتح";
    OPEN_ID: "Open {id}", "Abrir {id}", "Abrir {id}", "Ouvrir {id}", "{id} öffnen", "فتح \u{2068}{id}\u{2069}";
    ACTION_ON_ID: "{action} {id}", "{action} {id}", "{action} {id}", "{action} {id}", "{id}: {action}", "{action} \u{2068}{id}\u{2069}";
    /// Reason why nothing was decided on a report.
    ID_AND_REASON:
        "{id}: {reason}.",
        "{id}: {reason}.",
        "{id}: {reason}.",
        "{id}\u{202f}: {reason}.",
        "{id}: {reason}.",
        "\u{2068}{id}\u{2069}: {reason}.";
    PEOPLE_COUNT:
        ("{n} person", "{n} people"),
        ["{n} pessoas", "{n} pessoa", "{n} pessoas", "{n} pessoas", "{n} de pessoas", "{n} pessoas"],
        ["{n} personas", "{n} persona", "{n} personas", "{n} personas", "{n} de personas", "{n} personas"],
        ["{n} personnes", "{n} personne", "{n} personnes", "{n} personnes", "{n} de personnes", "{n} personnes"],
        ("{n} Person", "{n} Personen"),
        ["لا أحد", "شخص واحد", "شخصان", "{n} أشخاص", "{n} شخصًا", "{n} شخص"];
    RECEIVED_AT: "received", "recebido", "recibido", "reçu", "eingegangen", "استُلم في";
    PERHAPS_THE_SAME_AS:
        "Perhaps the same as {id} ({status}): {comparison}",
        "Talvez o mesmo que {id} ({status}): {comparison}",
        "Quizá el mismo que {id} ({status}): {comparison}",
        "Peut-être le même que {id} ({status})\u{202f}: {comparison}",
        "Vielleicht derselbe wie {id} ({status}): {comparison}",
        "ربما هو نفسه \u{2068}{id}\u{2069} ({status}): {comparison}";
    AND_MORE_DUPLICATES: " and {n} more", " e mais {n}", " y {n} más", " et {n} de plus", " und {n} weitere", " و{n} غيرها";
    ALREADY_PUBLISHED:
        "already published",
        "já publicado",
        "ya publicado",
        "déjà publié",
        "schon veröffentlicht",
        "منشور بالفعل";
    LOOKING_AT_THIS:
        ("{who} is looking at this.", "{who} are looking at this."),
        ("{who} está vendo isto.", "{who} estão vendo isto."),
        ("{who} está viendo esto.", "{who} están viendo esto."),
        ("{who} consulte ceci.", "{who} consultent ceci."),
        ("{who} sieht sich das gerade an.", "{who} sehen sich das gerade an."),
        "ينظر فيه الآن: \u{2068}{who}\u{2069}.";
    TO_THE_START: "To the start", "Ao início", "Al principio", "Au début", "Zum Anfang", "إلى البداية";
    PAGES: "Pages", "Páginas", "Páginas", "Pages", "Seiten", "الصفحات";
    JUST_DECIDED:
        "You have just decided",
        "Decisões recentes",
        "Decisiones recientes",
        "Décisions récentes",
        "Gerade entschieden",
        "آخر القرارات";
    NOTHING_TO_UNDO:
        "There is nothing to undo.",
        "Não há nada a desfazer.",
        "No hay nada que deshacer.",
        "Il n’y a rien à annuler.",
        "Es gibt nichts rückgängig zu machen.",
        "لا شيء للتراجع عنه.";

    /// Corrections in a row.
    CORRECT_IT: "Correct", "Corrigir", "Corregir", "Corriger", "Berichtigen", "تصحيح";
    CORRECT_ID: "Correct {id}", "Corrigir {id}", "Corregir {id}", "Corriger {id}", "{id} berichtigen", "تصحيح \u{2068}{id}\u{2069}";
    CORRECTED: "Corrected {id}.", "{id} corrigido.", "{id} corregido.", "{id} corrigé.", "{id} berichtigt.", "صُحّح \u{2068}{id}\u{2069}.";
    PUBLISHED_ALREADY:
        "This report is published: a correction updates the counters, and webhooks receive report.updated.",
        "Este relato está publicado: uma correção atualiza os contadores, e os webhooks recebem report.updated.",
        "Este informe está publicado: una corrección actualiza los contadores, y los webhooks reciben report.updated.",
        "Ce signalement est publié\u{202f}: une correction met à jour les compteurs, et les webhooks reçoivent \
            report.updated.",
        "Dieser Bericht ist veröffentlicht: eine Berichtigung ändert die Zähler, und Webhooks erhalten report.updated.",
        "هذا البلاغ منشور: يحدّث التصحيح العدادات، وتتلقى خطافات الويب \u{2068}report.updated\u{2069}.";
    CANCEL: "Cancel", "Cancelar", "Cancelar", "Annuler", "Abbrechen", "إلغاء";

    /// Keys.
    KEYS_IN_LIST:
        "Keys, while the list has the focus:",
        "Teclas, enquanto a lista tem o foco:",
        "Teclas, mientras la lista tiene el foco:",
        "Touches, quand la liste a le focus\u{202f}:",
        "Tasten, solange die Liste den Fokus hat:",
        "المفاتيح، ما دام التركيز على القائمة:";
    KEYS: "Keys:", "Teclas:", "Teclas:", "Touches\u{202f}:", "Tasten:", "المفاتيح:";
    KEY_APPROVE: "approve", "aprovar", "aprobar", "approuver", "annehmen", "قبول";
    KEY_REJECT: "reject", "rejeitar", "rechazar", "rejeter", "ablehnen", "رفض";
    KEY_WITHDRAW: "withdraw", "retirar", "retirar", "retirer", "zurückziehen", "سحب";
    KEY_REOPEN: "reopen", "reabrir", "reabrir", "rouvrir", "wieder öffnen", "إعادة فتح";
    KEY_RESTORE: "publish again", "publicar de novo", "publicar de nuevo", "republier", "wieder veröffentlichen", "إعادة نشر";
    KEY_NEXT: "next", "próximo", "siguiente", "suivant", "nächster", "التالي";
    KEY_PREVIOUS: "previous", "anterior", "anterior", "précédent", "voriger", "السابق";
    KEY_SELECT: "select", "selecionar", "seleccionar", "sélectionner", "auswählen", "تحديد";
    KEY_SELECT_SEVERAL: "select several", "selecionar vários", "seleccionar varios", "en sélectionner plusieurs", "mehrere auswählen", "تحديد عدة";
    KEY_CORRECT: "correct", "corrigir", "corregir", "corriger", "berichtigen", "تصحيح";
    KEY_UNDO: "undo", "desfazer", "deshacer", "annuler", "rückgängig", "تراجع";
    KEY_OPEN: "open", "abrir", "abrir", "ouvrir", "öffnen", "فتح";
    KEY_NEW: "show new reports", "mostrar novos relatos", "mostrar informes nuevos", "afficher les nouveaux signalements", "neue Berichte anzeigen", "عرض البلاغات الجديدة";
    KEY_KEYS: "show these keys", "mostrar estas teclas", "mostrar estas teclas", "afficher ces touches", "diese Tasten anzeigen", "عرض هذه المفاتيح";
    KEY_BACK: "back to the list", "voltar à lista", "volver a la lista", "retour à la liste", "zurück zur Liste", "العودة إلى القائمة";
    KEY_REJECT_BECAUSE: "reject: {reason}", "rejeitar: {reason}", "rechazar: {reason}", "rejeter\u{202f}: {reason}", "ablehnen: {reason}", "رفض: \u{2068}{reason}\u{2069}";
    MAP: "Map: {lat}, {lng}", "Mapa: {lat}, {lng}", "Mapa: {lat}, {lng}", "Carte\u{202f}: {lat}, {lng}", "Karte: {lat}, {lng}", "خريطة: {lat}، {lng}";
}
