//! Texts of the sign-in page.

use kit::words;

words! {
    YOUR_KEY: "Your key", "Sua chave", "Clave personal", "Votre clé", "Eigener Schlüssel", "مفتاحك";
    THE_OPERATOR_CREATES_A_KEY:
        "The operator of this service creates a key for you:",
        "As chaves são criadas pelo operador deste serviço:",
        "Las claves las crea el operador de este servicio:",
        "Les clés sont créées par l’exploitant de ce service\u{202f}:",
        "Schlüssel erstellt der Betreiber dieses Dienstes:",
        "يُنشئ مشغّل هذه الخدمة المفاتيح:";
    YOU_STAY_SIGNED_IN:
        "You stay signed in for 12 hours.",
        "A sessão dura 12 horas.",
        "La sesión dura 12 horas.",
        "La session dure 12 heures.",
        "Die Anmeldung gilt 12 Stunden.",
        "تستمر الجلسة 12 ساعة.";
    YOU_ARE_SIGNED_OUT:
        "You are signed out.",
        "A sessão foi encerrada.",
        "La sesión se ha cerrado.",
        "La session est terminée.",
        "Die Abmeldung war erfolgreich.",
        "تم تسجيل الخروج.";
}
