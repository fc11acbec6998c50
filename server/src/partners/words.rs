//! Messages of the portal.

use kit::words;

words! {
    NO_VALID_KEY:
        "This is not a valid partner’s key.",
        "Esta não é uma chave válida de parceiro.",
        "Esta no es una clave válida de socio.",
        "Ce n’est pas une clé de partenaire valide.",
        "Das ist kein gültiger Schlüssel eines Partners.",
        "هذا ليس مفتاح شريك صالحًا.";
    SIGNED_OUT:
        "You are signed out.",
        "A sessão foi encerrada.",
        "La sesión se ha cerrado.",
        "La session est terminée.",
        "Die Abmeldung war erfolgreich.",
        "تم تسجيل الخروج.";
    CHANGED: "Saved.", "Salvo.", "Guardado.", "Enregistré.", "Gespeichert.", "تم الحفظ.";
    ENABLED:
        "The subscription is active, and receives the events that it missed.",
        "A assinatura está ativa e recebe os eventos que perdeu.",
        "La suscripción está activa y recibe los eventos que perdió.",
        "L’abonnement est actif et reçoit les événements manqués.",
        "Das Abonnement ist aktiv und erhält die verpassten Ereignisse.",
        "الاشتراك نشط، ويتلقى الأحداث التي فاتته.";
    PAUSED:
        "The subscription is paused: its events are kept until you enable it.",
        "A assinatura está em pausa: os eventos são guardados até que seja ativada.",
        "La suscripción está en pausa: sus eventos se guardan hasta que se active.",
        "L’abonnement est suspendu\u{202f}: ses événements sont conservés jusqu’à son activation.",
        "Das Abonnement ist pausiert: Seine Ereignisse werden bis zum Aktivieren aufbewahrt.",
        "الاشتراك متوقف مؤقتًا، وتُحفظ أحداثه حتى تفعيله.";
    DELETED:
        "The subscription is deleted.",
        "A assinatura foi excluída.",
        "La suscripción se ha eliminado.",
        "L’abonnement est supprimé.",
        "Das Abonnement ist gelöscht.",
        "حُذف الاشتراك.";
    ADDRESS_SAVED:
        "The address is saved: mails about your endpoints go there.",
        "O endereço foi salvo: os e-mails sobre seus destinos vão para ele.",
        "La dirección se ha guardado: los correos sobre sus destinos van allí.",
        "L’adresse est enregistrée\u{202f}: les courriels sur vos destinations y sont envoyés.",
        "Die Adresse ist gespeichert: E-Mails zu den Endpunkten gehen dorthin.",
        "حُفظ العنوان: تُرسل إليه الرسائل عن نقاط الاستقبال.";
    ADDRESS_REMOVED:
        "The address is removed: you get no mails.",
        "O endereço foi removido: nenhum e-mail é enviado.",
        "La dirección se ha eliminado: no se envían correos.",
        "L’adresse est supprimée\u{202f}: aucun courriel n’est envoyé.",
        "Die Adresse ist entfernt: Es werden keine E-Mails gesendet.",
        "أُزيل العنوان: لن تُرسل أي رسائل.";
    MAILS_ENDED:
        "Your address is removed: it gets no more mails.",
        "Seu endereço foi removido: não recebe mais e-mails.",
        "Su dirección se ha eliminado: no recibe más correos.",
        "Votre adresse est supprimée\u{202f}: elle ne reçoit plus de courriels.",
        "Ihre Adresse ist entfernt und erhält keine E-Mails mehr.",
        "أُزيل عنوانك، ولن تصل إليه رسائل أخرى.";
    LINK_OUT_OF_DATE:
        "This link is no longer valid: the address was removed or replaced.",
        "Este link não é mais válido: o endereço foi removido ou substituído.",
        "Este enlace ya no es válido: la dirección se eliminó o se sustituyó.",
        "Ce lien n’est plus valable\u{202f}: l’adresse a été supprimée ou remplacée.",
        "Dieser Link gilt nicht mehr: Die Adresse wurde entfernt oder ersetzt.",
        "لم يعد هذا الرابط صالحًا: أُزيل العنوان أو استُبدل.";
    NO_ADDRESS:
        "This is not an email address: write it as ada@example.org.",
        "Este não é um endereço de e-mail: escreva-o como ada@example.org.",
        "Esta no es una dirección de correo: escríbala como ada@example.org.",
        "Ce n’est pas une adresse électronique\u{202f}: écrivez-la comme ada@example.org.",
        "Das ist keine E-Mail-Adresse: Sie sieht aus wie ada@example.org.",
        "هذا ليس عنوان بريد إلكتروني: اكتبه هكذا ada@example.org.";
    SENT_AGAIN_NOW:
        "The event is being sent again.",
        "O evento está sendo reenviado.",
        "El evento se está reenviando.",
        "L’événement est en cours de renvoi.",
        "Das Ereignis wird erneut gesendet.",
        "يُعاد إرسال الحدث.";
    SENT_AGAIN:
        ("{n} event is sent again.", "{n} events are sent again."),
        ("{n} evento é reenviado.", "{n} eventos são reenviados."),
        ("Se reenvía {n} evento.", "Se reenvían {n} eventos."),
        ("{n} événement est renvoyé.", "{n} événements sont renvoyés."),
        ("{n} Ereignis wird erneut gesendet.", "{n} Ereignisse werden erneut gesendet."),
        ["لا يُعاد إرسال أي حدث.", "يُعاد إرسال حدث واحد.", "يُعاد إرسال حدثين.", "يُعاد إرسال {n} أحداث.", "يُعاد إرسال {n} حدثًا.", "يُعاد إرسال {n} حدث."];
    DELIVERY_GONE:
        "There is no such delivery; old ones are removed.",
        "Essa entrega não existe; as antigas são removidas.",
        "Esa entrega no existe; las antiguas se eliminan.",
        "Cette livraison n’existe pas\u{202f}; les anciennes sont supprimées.",
        "Diese Zustellung gibt es nicht; alte werden entfernt.",
        "لا توجد عملية تسليم كهذه؛ تُزال العمليات القديمة.";
    SENT_TWICE:
        "This form is already being processed: look at the subscriptions.",
        "Este formulário já está sendo processado: consulte as assinaturas.",
        "Este formulario ya se está procesando: consulte las suscripciones.",
        "Ce formulaire est déjà en cours de traitement\u{202f}: consultez les abonnements.",
        "Dieses Formular wird bereits bearbeitet: siehe die Abonnements.",
        "تجري معالجة هذا النموذج بالفعل: راجع الاشتراكات.";
    ENABLE_IT_FIRST:
        "The subscription is disabled: enable it first.",
        "A assinatura está desativada: é preciso ativá-la antes.",
        "La suscripción está desactivada: hay que activarla primero.",
        "L’abonnement est désactivé\u{202f}: il faut d’abord l’activer.",
        "Das Abonnement ist deaktiviert und muss zuerst aktiviert werden.",
        "الاشتراك معطّل، ويجب تفعيله أولًا.";

    /// Problems of the API, before their details in English.
    INVALID_URL:
        "{detail}",
        "A URL não é válida: {detail}",
        "La URL no es válida: {detail}",
        "L’URL n’est pas valide\u{202f}: {detail}",
        "Die URL ist ungültig: {detail}",
        "الرابط غير صالح: {detail}";
    URL_NOT_ALLOWED:
        "{detail}",
        "A URL não é permitida: {detail}",
        "La URL no está permitida: {detail}",
        "L’URL n’est pas autorisée\u{202f}: {detail}",
        "Die URL ist nicht erlaubt: {detail}",
        "الرابط غير مسموح به: {detail}";
    INVALID_EVENTS:
        "{detail}",
        "Escolha um ou mais eventos.",
        "Elija uno o varios eventos.",
        "Choisissez un ou plusieurs événements.",
        "Bitte ein oder mehrere Ereignisse wählen.",
        "اختر حدثًا واحدًا أو أكثر.";
    INVALID_FILTER:
        "{detail}",
        "O filtro não é válido: {detail}",
        "El filtro no es válido: {detail}",
        "Le filtre n’est pas valide\u{202f}: {detail}",
        "Der Filter ist ungültig: {detail}",
        "المرشّح غير صالح: {detail}";
    TOO_MANY_SUBSCRIPTIONS:
        "{detail}",
        "Já existem assinaturas demais: exclua uma antes.",
        "Ya hay demasiadas suscripciones: elimine una primero.",
        "Il y a déjà trop d’abonnements\u{202f}: supprimez-en un d’abord.",
        "Es gibt schon zu viele Abonnements: Bitte zuerst eines löschen.",
        "هناك اشتراكات كثيرة جدًا: احذف أحدها أولًا.";
    HELD:
        "{detail}",
        "O operador desativou esta assinatura, e só o operador pode ativá-la.",
        "El operador ha desactivado esta suscripción, y solo el operador puede activarla.",
        "L’exploitant a désactivé cet abonnement, et lui seul peut l’activer.",
        "Der Betreiber hat dieses Abonnement deaktiviert, und nur er kann es aktivieren.",
        "عطّل المشغّل هذا الاشتراك، ولا يمكن لغيره تفعيله.";
    NO_SUCH_SUBSCRIPTION:
        "{detail}",
        "Essa assinatura não existe.",
        "Esa suscripción no existe.",
        "Cet abonnement n’existe pas.",
        "Dieses Abonnement gibt es nicht.",
        "لا يوجد اشتراك كهذا.";
}
