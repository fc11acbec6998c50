//! Texts of the page of webhooks.

use kit::words;

words! {
    WEBHOOKS: "Webhooks", "Webhooks", "Webhooks", "Webhooks", "Webhooks", "خطافات الويب";
    NO_PARTNER_HAS_SUBSCRIBED_YET:
        "No partner has subscribed yet.",
        "Nenhum parceiro tem assinatura ainda.",
        "Ningún socio se ha suscrito todavía.",
        "Aucun partenaire n’est encore abonné.",
        "Noch hat kein Partner ein Abonnement.",
        "لم يشترك أي شريك بعد.";
    KEYS_FOR_PARTNERS:
        "Keys for partners",
        "Chaves para parceiros",
        "Claves para socios",
        "Clés pour les partenaires",
        "Schlüssel für Partner",
        "مفاتيح للشركاء";
    HOW_PARTNERS_SUBSCRIBE:
        "How partners subscribe",
        "Como os parceiros assinam",
        "Cómo se suscriben los socios",
        "Comment les partenaires s’abonnent",
        "So abonnieren Partner",
        "كيف يشترك الشركاء";
    DELIVERIES_REPLAYS_AND_DELETION:
        "Deliveries, replays and deletion:",
        "Entregas, reenvios e exclusão:",
        "Entregas, reenvíos y eliminación:",
        "Livraisons, renvois et suppression\u{202f}:",
        "Zustellungen, erneutes Senden und Löschen:",
        "عمليات التسليم وإعادة الإرسال والحذف:";
    OPERATORS_API:
        "the operators’ API",
        "a API dos operadores",
        "la API de operadores",
        "l’API des exploitants",
        "die API für Betreiber",
        "واجهة API للمشغّلين";

    /// States of a subscription.
    ACTIVE: "active", "ativa", "activa", "actif", "aktiv", "نشط";
    FAILING:
        "failing since {time}",
        "com falhas desde {time}",
        "con fallos desde {time}",
        "en échec depuis le {time}",
        "Fehler seit {time}",
        "متعثّر منذ {time}";
    PAUSED:
        "paused until {time}",
        "em pausa até {time}",
        "en pausa hasta {time}",
        "en pause jusqu’au {time}",
        "pausiert bis {time}",
        "متوقف مؤقتًا حتى {time}";
    DISABLED: "disabled", "desativada", "desactivada", "désactivé", "deaktiviert", "معطّل";
    DISABLED_BECAUSE:
        "disabled: {reason}",
        "desativada: {reason}",
        "desactivada: {reason}",
        "désactivé\u{202f}: {reason}",
        "deaktiviert: {reason}",
        "معطّل: {reason}";
    DELIVERIES:
        "{pending} pending, {delivered} delivered, {failed} failed",
        "pendentes: {pending}, entregues: {delivered}, com falha: {failed}",
        "pendientes: {pending}, entregados: {delivered}, fallidos: {failed}",
        "en attente\u{202f}: {pending}, livrés\u{202f}: {delivered}, en échec\u{202f}: {failed}",
        "{pending} ausstehend, {delivered} zugestellt, {failed} fehlgeschlagen",
        "قيد الانتظار: {pending}، مسلَّم: {delivered}، فاشل: {failed}";

    ENABLE: "Enable", "Ativar", "Activar", "Activer", "Aktivieren", "تفعيل";
    DISABLE: "Disable", "Desativar", "Desactivar", "Désactiver", "Deaktivieren", "تعطيل";
    DISABLE_IT:
        "Disable it", "Desativar", "Desactivar", "Désactiver", "Jetzt deaktivieren", "تعطيل الآن";
    REASON_FOR_THE_PARTNER:
        "Reason, which the partner sees",
        "Motivo, que o parceiro vê",
        "Motivo, que ve el socio",
        "Motif, visible par le partenaire",
        "Grund, den der Partner sieht",
        "السبب، ويراه الشريك";
    SEND_A_TEST:
        "Send a test", "Enviar um teste", "Enviar una prueba", "Envoyer un test", "Test senden", "إرسال اختبار";
}
