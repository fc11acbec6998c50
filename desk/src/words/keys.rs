//! Texts of the page of keys.

use kit::words;

words! {
    KEYS: "Keys", "Chaves", "Claves", "Clés", "Schlüssel", "المفاتيح";
    ALL_KEYS: "All keys", "Todas as chaves", "Todas las claves", "Toutes les clés", "Alle Schlüssel", "جميع المفاتيح";
    WHO_IS_SIGNED_IN:
        "Who is signed in",
        "Sessões abertas",
        "Sesiones abiertas",
        "Sessions ouvertes",
        "Offene Sitzungen",
        "الجلسات المفتوحة";
    ONLY_ADMIN:
        "Only people whose key has the scope {scope} can change anything here.",
        "Aqui, só podem fazer alterações pessoas cuja chave tem o escopo {scope}.",
        "Aquí solo pueden hacer cambios las personas cuya clave tiene el ámbito {scope}.",
        "Ici, seules les personnes dont la clé a la portée {scope} peuvent faire des modifications.",
        "Änderungen sind hier nur mit einem Schlüssel mit dem Recht {scope} möglich.",
        "لا يمكن إجراء تغييرات هنا إلا بمفتاح نطاقه {scope}.";

    /// A new key.
    THE_NEW_KEY:
        "The new key of {holder}",
        "A nova chave de {holder}",
        "La nueva clave de {holder}",
        "Nouvelle clé pour {holder}",
        "Neuer Schlüssel für {holder}",
        "المفتاح الجديد لـ {holder}";
    COPY_IT_NOW:
        "Copy it now: it is not shown again.",
        "Copie-a agora: ela não será mostrada de novo.",
        "Hay que copiarla ahora: no se volverá a mostrar.",
        "À copier maintenant\u{202f}: elle ne sera plus affichée.",
        "Jetzt kopieren: Er wird nicht noch einmal angezeigt.",
        "ينبغي نسخه الآن، فلن يُعرض مرة أخرى.";
    CREATE_A_KEY:
        "Create a key", "Criar uma chave", "Crear una clave", "Créer une clé", "Schlüssel erstellen", "إنشاء مفتاح";
    FOR: "For", "Para", "Para", "Pour", "Für", "الغرض";
    LAST_DAY:
        "Last day (optional)",
        "Último dia (opcional)",
        "Último día (opcional)",
        "Dernier jour (facultatif)",
        "Letzter Tag (optional)",
        "آخر يوم (اختياري)";
    NOTE:
        "Note (optional)", "Nota (opcional)", "Nota (opcional)", "Note (facultatif)", "Notiz (optional)", "ملاحظة (اختياري)";
    RATE:
        "Requests per minute (optional)",
        "Solicitações por minuto (opcional)",
        "Solicitudes por minuto (opcional)",
        "Requêtes par minute (facultatif)",
        "Anfragen pro Minute (optional)",
        "الطلبات في الدقيقة (اختياري)";
    ORIGINS:
        "Only for pages of these origins (optional)",
        "Só para páginas destas origens (opcional)",
        "Solo para páginas de estos orígenes (opcional)",
        "Seulement pour les pages de ces origines (facultatif)",
        "Nur für Seiten dieser Ursprünge (optional)",
        "لصفحات هذه الأصول فقط (اختياري)";
    CREATE: "Create", "Criar", "Crear", "Créer", "Erstellen", "إنشاء";

    /// Purposes of keys.
    TEAM_MODERATE:
        "Your team: decide on reports",
        "Equipe: decidir sobre relatos",
        "Equipo: decidir sobre los informes",
        "Équipe\u{202f}: traiter les signalements",
        "Team: über Berichte entscheiden",
        "الفريق: البتّ في البلاغات";
    TEAM_READ:
        "Your team: look at everything",
        "Equipe: ver tudo",
        "Equipo: verlo todo",
        "Équipe\u{202f}: tout consulter",
        "Team: alles ansehen",
        "الفريق: الاطّلاع على كل شيء";
    TEAM_ADMIN:
        "Your team: everything, keys and webhooks too",
        "Equipe: tudo, inclusive chaves e webhooks",
        "Equipo: todo, también claves y webhooks",
        "Équipe\u{202f}: tout, y compris les clés et les webhooks",
        "Team: alles, auch Schlüssel und Webhooks",
        "الفريق: كل شيء، بما في ذلك المفاتيح وخطافات الويب";
    PARTNER:
        "A partner: API and webhooks",
        "Parceiro: API e webhooks",
        "Socio: API y webhooks",
        "Partenaire\u{202f}: API et webhooks",
        "Partner: API und Webhooks",
        "شريك: API وخطافات الويب";
    PARTNER_WITHOUT_LIMIT:
        "A partner: the same without a limit",
        "Parceiro: o mesmo, sem limite",
        "Socio: lo mismo, sin límite",
        "Partenaire\u{202f}: la même chose, sans limite",
        "Partner: dasselbe ohne Begrenzung",
        "شريك: الصلاحيات نفسها بلا حدّ";
    SANDBOX_OF_PARTNER:
        "A partner’s sandbox: only tests, no real data",
        "Sandbox de parceiro: só testes, sem dados reais",
        "Sandbox de socio: solo pruebas, sin datos reales",
        "Bac à sable d’un partenaire\u{202f}: seulement des tests, pas de données réelles",
        "Sandbox eines Partners: nur Tests, keine echten Daten",
        "بيئة تجريبية لشريك: اختبارات فقط دون بيانات حقيقية";

    /// States of a key.
    ACTIVE: "active", "ativa", "activa", "active", "gültig", "صالح";
    EXPIRED: "expired", "expirada", "caducada", "expirée", "abgelaufen", "منتهي الصلاحية";
    REVOKED: "revoked", "revogada", "revocada", "révoquée", "widerrufen", "ملغى";
    LAST_USED_AT:
        "Last used: {time}",
        "Último uso: {time}",
        "Último uso: {time}",
        "Dernière utilisation\u{202f}: {time}",
        "Zuletzt benutzt: {time}",
        "آخر استخدام: {time}";
    REQUESTS_LAST_DAY:
        "Requests in 24 hours: {count}",
        "Solicitações em 24 horas: {count}",
        "Solicitudes en 24 horas: {count}",
        "Requêtes en 24 heures\u{202f}: {count}",
        "Anfragen in 24 Stunden: {count}",
        "الطلبات خلال 24 ساعة: {count}";
    NEVER: "never", "nunca", "nunca", "jamais", "nie", "أبدًا";
    REVOKE: "Revoke", "Revogar", "Revocar", "Révoquer", "Widerrufen", "إلغاء";
    REVOKE_KEY:
        "Revoke {key}", "Revogar {key}", "Revocar {key}", "Révoquer {key}", "{key} widerrufen", "إلغاء {key}";
    REVOKING:
        "It is refused within 5 seconds and can't be restored. If it is a partner’s last key, the partner’s webhooks are disabled.",
        "Ela deixa de ser aceita em até 5 segundos e não pode ser restaurada. Se for a última chave de um parceiro, os webhooks dele são desativados.",
        "Deja de aceptarse en 5 segundos y no se puede restaurar. Si es la última clave de un socio, se desactivan sus webhooks.",
        "Elle est refusée sous 5 secondes et ne peut pas être rétablie. Si c’est la dernière clé d’un partenaire, ses webhooks sont désactivés.",
        "Er wird nach höchstens 5 Sekunden abgewiesen und kann nicht wiederhergestellt werden. Ist er der letzte Schlüssel eines Partners, werden dessen Webhooks deaktiviert.",
        "يُرفض المفتاح خلال 5 ثوانٍ ولا يمكن استعادته. وإذا كان آخر مفتاح لشريك، تُعطَّل اشتراكات خطافات الويب الخاصة به.";

    /// A session.
    SIGN_SOMEBODY_OUT:
        "Sign {holder} out",
        "Encerrar a sessão de {holder}",
        "Cerrar la sesión de {holder}",
        "Déconnecter {holder}",
        "{holder} abmelden",
        "تسجيل خروج {holder}";
    FROM_ADDRESS:
        "From {address}", "De {address}", "Desde {address}", "Depuis {address}", "Von {address}", "من {address}";
    UNTIL: "Until {time}", "Até {time}", "Hasta {time}", "Jusqu’au {time}", "Bis {time}", "حتى {time}";
    THIS_IS_YOU:
        "This is you.",
        "Esta é a sua sessão.",
        "Esta es su sesión.",
        "C’est votre session.",
        "Die eigene Sitzung.",
        "هذه جلستك.";
}
