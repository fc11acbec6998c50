//! Texts of the partners' portal.

use kit::words;

words! {
    PORTAL:
        "Partner portal",
        "Portal de parceiros",
        "Portal de socios",
        "Portail des partenaires",
        "Partnerportal",
        "بوابة الشركاء";
    TO_THE_PORTAL:
        "To the portal",
        "Ir para o portal",
        "Ir al portal",
        "Vers le portail",
        "Zum Portal",
        "إلى البوابة";
    KEY_OF_A_PARTNER:
        "Use a key of a partner, as your programs do. The operator of this service creates it.",
        "Use uma chave de parceiro, como seus programas. Ela é criada pelo operador deste serviço.",
        "Use una clave de socio, como sus programas. La crea el operador de este servicio.",
        "Utilisez une clé de partenaire, comme vos programmes. Elle est créée par l’exploitant de ce service.",
        "Es gilt ein Partnerschlüssel, wie ihn auch die Programme verwenden. Ihn erstellt der Betreiber dieses Dienstes.",
        "استخدم مفتاح شريك، كما تفعل برامجك. يُنشئه مشغّل هذه الخدمة.";

    SANDBOX: "Sandbox", "Sandbox", "Sandbox", "Bac à sable", "Sandbox", "بيئة تجريبية";
    ONLY_TESTS:
        "Endpoints receive only tests, and nothing here is real.",
        "Os destinos recebem apenas testes, e nada aqui é real.",
        "Los destinos solo reciben pruebas, y nada aquí es real.",
        "Les destinations ne reçoivent que des tests, et rien ici n’est réel.",
        "Endpunkte erhalten nur Tests, und nichts hier ist echt.",
        "لا تتلقى نقاط الاستقبال إلا اختبارات، ولا شيء هنا حقيقي.";

    /// The key and its use.
    USAGE: "Usage", "Uso", "Uso", "Utilisation", "Nutzung", "الاستخدام";
    REQUESTS_USED:
        "{used} of {limit} requests in the last 60 seconds",
        "{used} de {limit} solicitações nos últimos 60 segundos",
        "{used} de {limit} solicitudes en los últimos 60 segundos",
        "{used} requêtes sur {limit} au cours des 60 dernières secondes",
        "{used} von {limit} Anfragen in den letzten 60 Sekunden",
        "{used} من {limit} طلب خلال آخر 60 ثانية";
    WITHOUT_LIMIT:
        "No limit of requests",
        "Sem limite de solicitações",
        "Sin límite de solicitudes",
        "Aucune limite de requêtes",
        "Keine Grenze für Anfragen",
        "بلا حد للطلبات";
    KEY: "Key", "Chave", "Clave", "Clé", "Schlüssel", "المفتاح";
    TIER: "Tier", "Nível", "Nivel", "Niveau", "Stufe", "الفئة";
    KEYS: "Keys", "Chaves", "Claves", "Clés", "Schlüssel", "المفاتيح";
    LAST_DAY:
        "The last 24 hours",
        "As últimas 24 horas",
        "Las últimas 24 horas",
        "Les dernières 24 heures",
        "Die letzten 24 Stunden",
        "آخر 24 ساعة";
    LAST_MONTH:
        "The last 30 days",
        "Os últimos 30 dias",
        "Los últimos 30 días",
        "Les 30 derniers jours",
        "Die letzten 30 Tage",
        "آخر 30 يومًا";
    HOUR: "Hour", "Hora", "Hora", "Heure", "Stunde", "الساعة";
    REQUESTS: "Requests", "Solicitações", "Solicitudes", "Requêtes", "Anfragen", "الطلبات";
    REFUSED:
        "Refused by a limit",
        "Recusadas por um limite",
        "Rechazadas por un límite",
        "Refusées par une limite",
        "Wegen einer Grenze abgelehnt",
        "مرفوضة بسبب حد";
    BUSIEST_HOUR:
        "Busiest hour",
        "Hora de maior uso",
        "Hora de mayor uso",
        "Heure la plus chargée",
        "Stunde mit den meisten",
        "الساعة الأكثر استخدامًا";
    OF_LIMIT:
        "{used} of {limit} allowed",
        "{used} de {limit} permitidas",
        "{used} de {limit} permitidas",
        "{used} sur {limit} autorisées",
        "{used} von {limit} erlaubten",
        "{used} من {limit} مسموح بها";
    EXPIRES: "Expires", "Expira", "Caduca", "Expire", "Läuft ab", "ينتهي";

    /// Subscriptions.
    SUBSCRIPTIONS:
        "Subscriptions", "Assinaturas", "Suscripciones", "Abonnements", "Abonnements", "الاشتراكات";
    SUBSCRIPTION:
        "Subscription", "Assinatura", "Suscripción", "Abonnement", "Abonnement", "الاشتراك";
    NO_SUBSCRIPTION_YET:
        "No endpoint receives events yet.",
        "Nenhum destino recebe eventos ainda.",
        "Ningún destino recibe eventos todavía.",
        "Aucune destination ne reçoit encore d’événements.",
        "Noch erhält kein Endpunkt Ereignisse.",
        "لا تتلقى أي نقطة استقبال أحداثًا بعد.";
    SINCE: "Since", "Desde", "Desde", "Depuis", "Seit", "منذ";
    LAST_FAILURE:
        "Last failure", "Última falha", "Último fallo", "Dernier échec", "Letzter Fehler", "آخر إخفاق";
    RESPONSE_WAS:
        "the response was {status}",
        "a resposta foi {status}",
        "la respuesta fue {status}",
        "la réponse était {status}",
        "Die Antwort war {status}",
        "كان الرد {status}";
    NEXT_ATTEMPT:
        "Next attempt",
        "Próxima tentativa",
        "Próximo intento",
        "Prochaine tentative",
        "Nächster Versuch",
        "المحاولة التالية";
    BACKLOG:
        "Events to send",
        "Eventos a enviar",
        "Eventos por enviar",
        "Événements à envoyer",
        "Zu sendende Ereignisse",
        "أحداث بانتظار الإرسال";
    EVENTS: "Events", "Eventos", "Eventos", "Événements", "Ereignisse", "الأحداث";
    FILTER: "Filter", "Filtro", "Filtro", "Filtre", "Filter", "المرشّح";
    CREATED: "Created", "Criada", "Creada", "Créé", "Erstellt", "وقت الإنشاء";

    /// The form of a subscription.
    NEW_SUBSCRIPTION:
        "New subscription",
        "Nova assinatura",
        "Nueva suscripción",
        "Nouvel abonnement",
        "Neues Abonnement",
        "اشتراك جديد";
    CHANGE_SUBSCRIPTION:
        "Change the subscription",
        "Alterar a assinatura",
        "Cambiar la suscripción",
        "Modifier l’abonnement",
        "Abonnement ändern",
        "تعديل الاشتراك";
    ENDPOINT_URL:
        "URL of your endpoint",
        "URL do seu destino",
        "URL de su destino",
        "URL de votre destination",
        "URL des Endpunkts",
        "رابط نقطة الاستقبال";
    ONLY_REPORTS_FROM:
        "Only reports from",
        "Somente relatos de",
        "Solo informes de",
        "Uniquement les signalements de",
        "Nur Berichte aus",
        "بلاغات من هذا المكان فقط";
    ONLY_TYPES:
        "Only these types (none: all)",
        "Somente estes tipos (nenhum: todos)",
        "Solo estos tipos (ninguno: todos)",
        "Uniquement ces types (aucun\u{202f}: tous)",
        "Nur diese Arten (keine: alle)",
        "هذه الأنواع فقط (دون اختيار: الكل)";
    TRY_FILTER:
        "Try the filter",
        "Testar o filtro",
        "Probar el filtro",
        "Essayer le filtre",
        "Filter ausprobieren",
        "تجربة المرشّح";
    SUBSCRIBE: "Subscribe", "Assinar", "Suscribirse", "S’abonner", "Abonnieren", "اشتراك";
    CANCEL: "Cancel", "Cancelar", "Cancelar", "Annuler", "Abbrechen", "إلغاء";

    /// The log of events.
    NEWEST_EVENTS:
        "The newest events",
        "Os eventos mais recentes",
        "Los eventos más recientes",
        "Les événements les plus récents",
        "Die neuesten Ereignisse",
        "أحدث الأحداث";
    SAMPLE_EVENTS:
        "Sample events",
        "Eventos de exemplo",
        "Eventos de muestra",
        "Exemples d’événements",
        "Beispielereignisse",
        "أحداث نموذجية";
    NO_EVENTS_YET:
        "There are none yet.",
        "Ainda não há nenhum.",
        "Todavía no hay ninguno.",
        "Il n’y en a pas encore.",
        "Es gibt noch keine.",
        "لا يوجد أي منها بعد.";
    PASS_THE_FILTER:
        "{sent} of {all} events pass the filter.",
        "{sent} de {all} eventos passam pelo filtro.",
        "{sent} de {all} eventos pasan el filtro.",
        "{sent} événements sur {all} passent le filtre.",
        "{sent} von {all} Ereignissen passieren den Filter.",
        "{sent} من {all} حدث يجتاز المرشّح.";
    PASSES: "is sent", "é enviado", "se envía", "est envoyé", "wird gesendet", "يُرسل";
    IS_LEFT_OUT:
        "is not sent", "não é enviado", "no se envía", "n’est pas envoyé", "wird nicht gesendet", "لا يُرسل";

    /// Actions on a subscription.
    TEST_EVENT:
        "Event of the test",
        "Evento do teste",
        "Evento de la prueba",
        "Événement du test",
        "Ereignis des Tests",
        "حدث الاختبار";
    PAUSE: "Pause", "Pausar", "Pausar", "Suspendre", "Pausieren", "إيقاف مؤقت";
    CHANGE: "Change", "Alterar", "Cambiar", "Modifier", "Ändern", "تعديل";
    NEW_SECRET:
        "New secret", "Novo segredo", "Nuevo secreto", "Nouveau secret", "Neues Geheimnis", "سر جديد";
    NEW_SECRET_HINT:
        "Requests have signatures of both secrets for 24 hours. Only X-SVC-Signature uses the new one at once.",
        "Por 24 horas, as requisições têm assinaturas dos dois segredos. Só X-SVC-Signature usa o novo de imediato.",
        "Durante 24 horas, las solicitudes llevan firmas de ambos secretos. Solo X-SVC-Signature usa el nuevo de inmediato.",
        "Pendant 24 heures, les requêtes portent les signatures des deux secrets. Seul X-SVC-Signature utilise le nouveau tout de suite.",
        "24 Stunden lang tragen Anfragen Signaturen beider Geheimnisse. Nur X-SVC-Signature verwendet sofort das neue.",
        "تحمل الطلبات توقيعي السرّين لمدة 24 ساعة، ولا يستخدم السر الجديد فورًا إلا \u{2066}X-SVC-Signature\u{2069}.";
    REPLACE_THE_SECRET:
        "Replace the secret",
        "Substituir o segredo",
        "Reemplazar el secreto",
        "Remplacer le secret",
        "Geheimnis ersetzen",
        "استبدال السر";
    DELETE: "Delete", "Excluir", "Eliminar", "Supprimer", "Löschen", "حذف";
    DELETE_HINT:
        "No more events are sent, and those that wait are lost. This can’t be undone.",
        "Nenhum outro evento é enviado, e os que esperam se perdem. Isso não pode ser desfeito.",
        "No se envían más eventos, y los que esperan se pierden. Esto no se puede deshacer.",
        "Plus aucun événement n’est envoyé, et ceux en attente sont perdus. C’est irréversible.",
        "Es werden keine Ereignisse mehr gesendet, und die wartenden gehen verloren. Das ist endgültig.",
        "لن تُرسل أحداث أخرى، وتضيع الأحداث المنتظرة. لا يمكن التراجع عن ذلك.";
    DELETE_IT:
        "Delete the subscription",
        "Excluir a assinatura",
        "Eliminar la suscripción",
        "Supprimer l’abonnement",
        "Abonnement löschen",
        "حذف الاشتراك";
    THE_SECRET:
        "The secret of this subscription",
        "O segredo desta assinatura",
        "El secreto de esta suscripción",
        "Le secret de cet abonnement",
        "Das Geheimnis dieses Abonnements",
        "سر هذا الاشتراك";
    SHOWN_ONCE:
        "Copy it now: it is not shown again. Your endpoint needs it to verify requests.",
        "Copie-o agora: ele não será mostrado de novo. Seu destino precisa dele para verificar as requisições.",
        "Hay que copiarlo ahora: no se volverá a mostrar. Su destino lo necesita para verificar las solicitudes.",
        "À copier maintenant\u{202f}: il ne sera plus affiché. Votre destination en a besoin pour vérifier les requêtes.",
        "Jetzt kopieren: Es wird nicht noch einmal angezeigt. Der Endpunkt prüft damit die Anfragen.",
        "ينبغي نسخه الآن، فلن يُعرض مرة أخرى. تحتاج إليه نقطة الاستقبال للتحقق من الطلبات.";

    /// Deliveries of a subscription.
    DELIVERIES:
        "Deliveries", "Entregas", "Entregas", "Livraisons", "Zustellungen", "عمليات التسليم";
    NO_DELIVERIES:
        "There are none.", "Não há nenhuma.", "No hay ninguna.", "Il n’y en a aucune.", "Es gibt keine.", "لا يوجد أي منها.";
    ANY_STATUS: "All", "Todas", "Todas", "Toutes", "Alle", "الكل";
    PENDING: "pending", "pendente", "pendiente", "en attente", "ausstehend", "قيد الانتظار";
    DELIVERED: "delivered", "entregue", "entregado", "livré", "zugestellt", "مسلَّم";
    FAILED: "failed", "com falha", "fallido", "en échec", "fehlgeschlagen", "فاشل";
    ATTEMPT: "Attempt", "Tentativa", "Intento", "Tentative", "Versuch", "المحاولة";
    DURATION: "Duration", "Duração", "Duración", "Durée", "Dauer", "المدة";
    RESULT: "Result", "Resultado", "Resultado", "Résultat", "Ergebnis", "النتيجة";
    MILLISECONDS: "{n} ms", "{n} ms", "{n} ms", "{n} ms", "{n} ms", "{n} ملي ثانية";
    NOT_ATTEMPTED_YET:
        "No attempt has ended yet.",
        "Nenhuma tentativa terminou ainda.",
        "Todavía no ha terminado ningún intento.",
        "Aucune tentative n’est encore terminée.",
        "Noch ist kein Versuch beendet.",
        "لم تنته أي محاولة بعد.";
    RESPONSE: "Response", "Resposta", "Respuesta", "Réponse", "Antwort", "الرد";
    BODY: "Body", "Corpo", "Cuerpo", "Corps", "Inhalt", "المحتوى";
    SEND_AGAIN: "Send again", "Reenviar", "Reenviar", "Renvoyer", "Erneut senden", "إعادة الإرسال";
    SEND_FAILED_AGAIN:
        "Send all failed ones again",
        "Reenviar todas com falha",
        "Reenviar todas las fallidas",
        "Renvoyer toutes celles en échec",
        "Alle fehlgeschlagenen erneut senden",
        "إعادة إرسال كل الفاشلة";
    SEND_AGAIN_FROM:
        "Send everything again from (UTC)",
        "Reenviar tudo a partir de (UTC)",
        "Reenviar todo desde (UTC)",
        "Tout renvoyer à partir de (UTC)",
        "Alles erneut senden ab (UTC)",
        "إعادة إرسال كل شيء منذ (UTC)";
    OLDER: "Older", "Anteriores", "Anteriores", "Plus anciennes", "Ältere", "الأقدم";
    TO_THE_NEWEST:
        "To the newest", "Às mais recentes", "A las más recientes", "Vers les plus récentes", "Zu den neuesten", "إلى الأحدث";

    /// Mails about endpoints.
    MAILS: "Mails", "E-mails", "Correos", "Courriels", "E-Mails", "الرسائل";
    ADDRESS:
        "Your email address",
        "Seu endereço de e-mail",
        "Su dirección de correo",
        "Votre adresse électronique",
        "Ihre E-Mail-Adresse",
        "عنوان بريدك الإلكتروني";
    ADDRESS_HINT:
        "You get a mail when one of your endpoints is paused after failures or disabled, at most one in ten minutes. Leave it empty to get none.",
        "Você recebe um e-mail quando um destino é pausado após falhas ou desativado, no máximo um a cada dez minutos. Deixe vazio para não receber nenhum.",
        "Recibe un correo cuando un destino se pausa tras fallos o se desactiva, como máximo uno cada diez minutos. Déjelo vacío para no recibir ninguno.",
        "Vous recevez un courriel lorsqu’une destination est suspendue après des échecs ou désactivée, au plus un toutes les dix minutes. Laissez vide pour n’en recevoir aucun.",
        "Eine E-Mail kommt, wenn ein Endpunkt nach Fehlern pausiert oder deaktiviert wird, höchstens eine in zehn Minuten. Ein leeres Feld bestellt sie ab.",
        "تصلك رسالة عندما تتوقف إحدى نقاط الاستقبال مؤقتًا بعد إخفاقات أو تُعطَّل، واحدة على الأكثر كل عشر دقائق. اتركه فارغًا كي لا تصلك أي رسالة.";
    END_MAILS:
        "Send me no more mails",
        "Não me envie mais e-mails",
        "No enviarme más correos",
        "Ne plus m’envoyer de courriels",
        "Keine E-Mails mehr senden",
        "لا ترسل إليّ مزيدًا من الرسائل";
    END_MAILS_HINT:
        "A partner has entered your address for mails about its endpoints. You can remove it here.",
        "Um parceiro informou seu endereço para e-mails sobre os destinos dele. Aqui é possível removê-lo.",
        "Un socio ha indicado su dirección para los correos sobre sus destinos. Aquí puede eliminarla.",
        "Un partenaire a indiqué votre adresse pour les courriels sur ses destinations. Vous pouvez la supprimer ici.",
        "Ein Partner hat Ihre Adresse für E-Mails zu seinen Endpunkten eingetragen. Hier können Sie sie entfernen.",
        "أدخل أحد الشركاء عنوانك لتلقي الرسائل عن نقاط الاستقبال الخاصة به. يمكنك إزالته هنا.";

    /// Receiver code.
    RECEIVER: "Receiver", "Receptor", "Receptor", "Récepteur", "Empfänger", "برنامج الاستقبال";
    RECEIVER_HINT:
        "Each of these is a complete program: it verifies each request and keeps the reports.",
        "Cada um é um programa completo: verifica cada requisição e guarda os relatos.",
        "Cada uno es un programa completo: verifica cada solicitud y guarda los informes.",
        "Chacun est un programme complet\u{202f}: il vérifie chaque requête et conserve les signalements.",
        "Jedes davon ist ein vollständiges Programm: Es prüft jede Anfrage und behält die Berichte.",
        "كل منها برنامج كامل: يتحقق من كل طلب ويحتفظ بالبلاغات.";
    HOW_RECEIVERS_WORK:
        "How receivers work",
        "Como funcionam os receptores",
        "Cómo funcionan los receptores",
        "Fonctionnement des récepteurs",
        "So funktionieren Empfänger",
        "كيف تعمل برامج الاستقبال";
    COPY: "Copy", "Copiar", "Copiar", "Copier", "Kopieren", "نسخ";
    COPIED: "Copied", "Copiado", "Copiado", "Copié", "Kopiert", "نُسخ";
    SELECTED: "Selected", "Selecionado", "Seleccionado", "Sélectionné", "Ausgewählt", "حُدّد";
    FILTER_MAY_BE_WRONG:
        "The filter may be mistaken: {detail}",
        "O filtro pode estar errado: {detail}",
        "El filtro puede ser erróneo: {detail}",
        "Le filtre est peut-être erroné\u{202f}: {detail}",
        "Der Filter könnte falsch sein: {detail}",
        "قد يكون المرشّح خاطئًا: {detail}";
}
