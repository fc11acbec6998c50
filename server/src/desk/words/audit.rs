//! Entries of the audit log.

use kit::words;

words! {
    /// Actions.
    IMPORTED:
        "{who} imported {subject}",
        "{who} importou {subject}",
        "{who} importó {subject}",
        "{who} a importé {subject}",
        "{who}: {subject} importiert",
        "{who}: استيراد {subject}";
    IMPORTED_AND_PUBLISHED:
        "{who} imported and published {subject}",
        "{who} importou e publicou {subject}",
        "{who} importó y publicó {subject}",
        "{who} a importé et publié {subject}",
        "{who}: {subject} importiert und veröffentlicht",
        "{who}: استيراد ونشر {subject}";
    IMPORTED_AS_HISTORY:
        "{who} imported as history {subject}",
        "{who} importou como histórico {subject}",
        "{who} importó como historial {subject}",
        "{who} a importé comme historique {subject}",
        "{who}: {subject} als Bestand importiert",
        "{who}: استيراد بيانات سابقة {subject}";
    APPROVED:
        "{who} approved {subject}",
        "{who} aprovou {subject}",
        "{who} aprobó {subject}",
        "{who} a approuvé {subject}",
        "{who}: {subject} angenommen",
        "{who}: قبول {subject}";
    REJECTED:
        "{who} rejected {subject}",
        "{who} rejeitou {subject}",
        "{who} rechazó {subject}",
        "{who} a rejeté {subject}",
        "{who}: {subject} abgelehnt",
        "{who}: رفض {subject}";
    WITHDREW:
        "{who} withdrew {subject}",
        "{who} retirou {subject}",
        "{who} retiró {subject}",
        "{who} a retiré {subject}",
        "{who}: {subject} zurückgezogen",
        "{who}: سحب {subject}";
    REOPENED:
        "{who} reopened {subject}",
        "{who} reabriu {subject}",
        "{who} reabrió {subject}",
        "{who} a rouvert {subject}",
        "{who}: {subject} wieder geöffnet",
        "{who}: إعادة فتح {subject}";
    PUBLISHED_AGAIN:
        "{who} published again {subject}",
        "{who} publicou de novo {subject}",
        "{who} publicó de nuevo {subject}",
        "{who} a republié {subject}",
        "{who}: {subject} wieder veröffentlicht",
        "{who}: إعادة نشر {subject}";
    UNDID:
        "{who} undid a decision on {subject}",
        "{who} desfez uma decisão sobre {subject}",
        "{who} deshizo una decisión sobre {subject}",
        "{who} a annulé une décision sur {subject}",
        "{who}: Entscheidung über {subject} rückgängig gemacht",
        "{who}: التراجع عن قرار بشأن {subject}";
    CORRECTED:
        "{who} corrected {subject}",
        "{who} corrigiu {subject}",
        "{who} corrigió {subject}",
        "{who} a corrigé {subject}",
        "{who}: {subject} korrigiert",
        "{who}: تصحيح {subject}";
    KEPT_APART:
        "{who} kept apart {subject}",
        "{who} manteve separados {subject}",
        "{who} mantuvo separados {subject}",
        "{who} a gardé distincts {subject}",
        "{who}: {subject} getrennt gehalten",
        "{who}: الفصل بين {subject}";
    PAIRED_AGAIN:
        "{who} paired again {subject}",
        "{who} tornou par de novo {subject}",
        "{who} volvió a emparejar {subject}",
        "{who} a réuni en paire {subject}",
        "{who}: {subject} wieder als Paar gezeigt",
        "{who}: إعادة الزوج {subject}";
    CREATED_KEY:
        "{who} created the key {subject}",
        "{who} criou a chave {subject}",
        "{who} creó la clave {subject}",
        "{who} a créé la clé {subject}",
        "{who}: Schlüssel {subject} erstellt",
        "{who}: إنشاء المفتاح {subject}";
    REVOKED_KEY:
        "{who} revoked the key {subject}",
        "{who} revogou a chave {subject}",
        "{who} revocó la clave {subject}",
        "{who} a révoqué la clé {subject}",
        "{who}: Schlüssel {subject} widerrufen",
        "{who}: إلغاء المفتاح {subject}";
    ENABLED_WEBHOOK:
        "{who} enabled the webhook {subject}",
        "{who} ativou o webhook {subject}",
        "{who} activó el webhook {subject}",
        "{who} a activé le webhook {subject}",
        "{who}: Webhook {subject} aktiviert",
        "{who}: تفعيل خطاف الويب {subject}";
    CREATED_WEBHOOK:
        "{who} created the webhook {subject}",
        "{who} criou o webhook {subject}",
        "{who} creó el webhook {subject}",
        "{who} a créé le webhook {subject}",
        "{who}: Webhook {subject} erstellt",
        "{who}: إنشاء خطاف الويب {subject}";
    CHANGED_WEBHOOK:
        "{who} changed the webhook {subject}",
        "{who} alterou o webhook {subject}",
        "{who} cambió el webhook {subject}",
        "{who} a modifié le webhook {subject}",
        "{who}: Webhook {subject} geändert",
        "{who}: تغيير خطاف الويب {subject}";
    ROTATED_WEBHOOK:
        "{who} replaced the secret of the webhook {subject}",
        "{who} trocou o segredo do webhook {subject}",
        "{who} reemplazó el secreto del webhook {subject}",
        "{who} a remplacé le secret du webhook {subject}",
        "{who}: Geheimnis des Webhooks {subject} ersetzt",
        "{who}: استبدال سر خطاف الويب {subject}";
    DISABLED_WEBHOOK:
        "{who} disabled the webhook {subject}",
        "{who} desativou o webhook {subject}",
        "{who} desactivó el webhook {subject}",
        "{who} a désactivé le webhook {subject}",
        "{who}: Webhook {subject} deaktiviert",
        "{who}: تعطيل خطاف الويب {subject}";
    DELETED_WEBHOOK:
        "{who} deleted the webhook {subject}",
        "{who} excluiu o webhook {subject}",
        "{who} eliminó el webhook {subject}",
        "{who} a supprimé le webhook {subject}",
        "{who}: Webhook {subject} gelöscht",
        "{who}: حذف خطاف الويب {subject}";
    REPLAYED_EVENTS:
        "{who} replayed events for the webhook {subject}",
        "{who} reenviou eventos ao webhook {subject}",
        "{who} reenvió eventos al webhook {subject}",
        "{who} a renvoyé des événements au webhook {subject}",
        "{who}: Ereignisse erneut an den Webhook {subject} gesendet",
        "{who}: إعادة إرسال أحداث إلى خطاف الويب {subject}";
    SENT_DELIVERY_AGAIN:
        "{who} sent again the delivery {subject}",
        "{who} reenviou a entrega {subject}",
        "{who} reenvió la entrega {subject}",
        "{who} a renvoyé la livraison {subject}",
        "{who}: Zustellung {subject} erneut gesendet",
        "{who}: إعادة إرسال التسليم {subject}";
    SIGNED_IN:
        "{who} signed in with the key {subject}",
        "{who} entrou com a chave {subject}",
        "{who} inició sesión con la clave {subject}",
        "{who} a ouvert une session avec la clé {subject}",
        "{who}: mit dem Schlüssel {subject} angemeldet",
        "{who}: تسجيل الدخول بالمفتاح {subject}";
    WAS_REFUSED:
        "{who} was refused with the key {subject}",
        "{who} não pôde entrar com a chave {subject}",
        "{who} no pudo iniciar sesión con la clave {subject}",
        "{who} n’a pas pu ouvrir de session avec la clé {subject}",
        "{who}: mit dem Schlüssel {subject} abgewiesen",
        "{who}: رفض تسجيل الدخول بالمفتاح {subject}";
    ENDED_SESSION:
        "{who} ended a session of the key {subject}",
        "{who} encerrou uma sessão da chave {subject}",
        "{who} cerró una sesión de la clave {subject}",
        "{who} a terminé une session de la clé {subject}",
        "{who}: Sitzung des Schlüssels {subject} beendet",
        "{who}: إنهاء جلسة للمفتاح {subject}";

    /// A number of reports as the object of an action.
    REPORTS:
        ("{n} report", "{n} reports"),
        ["{n} relatos", "{n} relato", "{n} relatos", "{n} relatos", "{n} de relatos", "{n} relatos"],
        ["{n} informes", "{n} informe", "{n} informes", "{n} informes", "{n} de informes", "{n} informes"],
        ["{n} signalements", "{n} signalement", "{n} signalements", "{n} signalements", "{n} de signalements", "{n} signalements"],
        ("{n} Bericht", "{n} Berichte"),
        ["صفر بلاغ", "بلاغ واحد", "بلاغين", "{n} بلاغات", "{n} بلاغًا", "{n} بلاغ"];

    /// Names of changed members.
    TYPE: "type", "tipo", "tipo", "type", "Art", "النوع";
    CITY: "city", "cidade", "ciudad", "ville", "Stadt", "المدينة";
    REGION: "region", "região", "región", "région", "Region", "المنطقة";
    COUNTRY: "country", "país", "país", "pays", "Land", "الدولة";
    PEOPLE: "people", "pessoas", "personas", "personnes", "Personen", "الأشخاص";
    DATE: "date", "data", "fecha", "date", "Datum", "التاريخ";
    LATITUDE: "latitude", "latitude", "latitud", "latitude", "Breite", "خط العرض";
    LONGITUDE: "longitude", "longitude", "longitud", "longitude", "Länge", "خط الطول";
    STATUS: "status", "situação", "estado", "statut", "Status", "الحالة";
    REASON: "reason", "motivo", "motivo", "motif", "Grund", "السبب";
    PLACE: "place", "lugar", "lugar", "lieu", "Ort", "المكان";
    OTHER_PLACE: "other place", "outro lugar", "otro lugar", "autre lieu", "anderer Ort", "المكان الآخر";
    FILE: "file", "arquivo", "archivo", "fichier", "Datei", "الملف";
    PARTNER: "partner", "parceiro", "socio", "partenaire", "Partner", "الشريك";
    TIER: "tier", "nível", "nivel", "niveau", "Stufe", "الفئة";
    SCOPE: "scope", "escopo", "ámbito", "portée", "Recht", "النطاق";
    EXPIRES_AT: "expires at", "expira em", "caduca el", "expire le", "gültig bis", "ينتهي في";
    DISABLED_SUBSCRIPTIONS:
        "disabled subscriptions",
        "assinaturas desativadas",
        "suscripciones desactivadas",
        "abonnements désactivés",
        "deaktivierte Abonnements",
        "الاشتراكات المعطّلة";
    LOST_KEY: "lost key", "chave perdida", "clave perdida", "clé perdue", "verlorener Schlüssel", "المفتاح المفقود";
    EVENTS: "events", "eventos", "eventos", "événements", "Ereignisse", "الأحداث";

    NONE: "none", "nenhum", "ninguno", "aucun", "keine Angabe", "لا شيء";
    YES: "yes", "sim", "sí", "oui", "ja", "نعم";
    NO: "no", "não", "no", "non", "nein", "لا";
}
