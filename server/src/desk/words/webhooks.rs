//! Changes of webhook subscriptions.

use kit::{
    words,
    words::{Word, Words},
};

use crate::{
    api::v1::webhooks::Tested,
    problem::{Problem, Result},
};

words! {
    NO_SUCH_SUBSCRIPTION:
        "There is no subscription \"{id}\".",
        "A assinatura “{id}” não existe.",
        "La suscripción «{id}» no existe.",
        "L’abonnement «\u{202f}{id}\u{202f}» n’existe pas.",
        "Das Abonnement „{id}“ gibt es nicht.",
        "الاشتراك «{id}» غير موجود.";
    ENABLED:
        "The webhook is enabled.",
        "O webhook foi ativado.",
        "El webhook está activado.",
        "Le webhook est activé.",
        "Der Webhook ist aktiviert.",
        "فُعّل خطاف الويب.";
    ENABLED_WITH_MISSED:
        ("The webhook is enabled, and receives the event that it missed.", "The webhook is enabled, and receives the {n} events that it missed."),
        ["O webhook foi ativado e recebe os {n} eventos que perdeu.", "O webhook foi ativado e recebe o evento que perdeu.", "O webhook foi ativado e recebe os {n} eventos que perdeu.", "O webhook foi ativado e recebe os {n} eventos que perdeu.", "O webhook foi ativado e recebe {n} de eventos que perdeu.", "O webhook foi ativado e recebe os {n} eventos que perdeu."],
        ["El webhook está activado y recibe los {n} eventos que perdió.", "El webhook está activado y recibe el evento que perdió.", "El webhook está activado y recibe los {n} eventos que perdió.", "El webhook está activado y recibe los {n} eventos que perdió.", "El webhook está activado y recibe {n} de eventos que perdió.", "El webhook está activado y recibe los {n} eventos que perdió."],
        ["Le webhook est activé et reçoit les {n} événements manqués.", "Le webhook est activé et reçoit l’événement manqué.", "Le webhook est activé et reçoit les {n} événements manqués.", "Le webhook est activé et reçoit les {n} événements manqués.", "Le webhook est activé et reçoit {n} d’événements manqués.", "Le webhook est activé et reçoit les {n} événements manqués."],
        ("Der Webhook ist aktiviert und erhält das verpasste Ereignis.", "Der Webhook ist aktiviert und erhält die {n} verpassten Ereignisse."),
        ["فُعّل خطاف الويب.", "فُعّل خطاف الويب، ويتلقى الحدث الذي فاته.", "فُعّل خطاف الويب، ويتلقى الحدثين اللذين فاتاه.", "فُعّل خطاف الويب، ويتلقى {n} أحداث فاتته.", "فُعّل خطاف الويب، ويتلقى {n} حدثًا فاته.", "فُعّل خطاف الويب، ويتلقى {n} حدث فاته."];
    WAS_ENABLED:
        "The webhook was enabled already.",
        "O webhook já estava ativado.",
        "El webhook ya estaba activado.",
        "Le webhook était déjà activé.",
        "Der Webhook war bereits aktiviert.",
        "كان خطاف الويب مفعّلًا من قبل.";
    DISABLED:
        "The webhook is disabled: its events are kept.",
        "O webhook foi desativado: os eventos são guardados.",
        "El webhook está desactivado: sus eventos se guardan.",
        "Le webhook est désactivé\u{202f}: ses événements sont conservés.",
        "Der Webhook ist deaktiviert: Seine Ereignisse werden aufbewahrt.",
        "عُطّل خطاف الويب، وتُحفظ أحداثه.";
    INVALID_REASON:
        "The reason must be one line of text of up to {max} characters, which the partner sees.",
        "O motivo deve ser uma linha de texto com até {max} caracteres, que o parceiro vê.",
        "El motivo debe ser una línea de texto de hasta {max} caracteres, que ve el socio.",
        "Le motif doit être une ligne de texte de {max} caractères au plus, visible par le partenaire.",
        "Der Grund muss eine Zeile mit höchstens {max} Zeichen sein, die der Partner sieht.",
        "يجب أن يكون السبب سطرًا واحدًا لا يتجاوز {max} حرف، ويراه الشريك.";
    RESPONDED:
        "The endpoint responded {status} after {duration} ms.",
        "O destino respondeu {status} após {duration} ms.",
        "El destino respondió {status} después de {duration} ms.",
        "La destination a répondu {status} après {duration} ms.",
        "Der Endpunkt antwortete nach {duration} ms mit {status}.",
        "ردّت نقطة الاستقبال بالرمز {status} بعد {duration} ملي ثانية.";
    RESPONDED_WITHOUT_SUCCESS:
        "The endpoint responded {status} after {duration} ms, which is not a success.",
        "O destino respondeu {status} após {duration} ms, o que não é um sucesso.",
        "El destino respondió {status} después de {duration} ms, lo que no es un éxito.",
        "La destination a répondu {status} après {duration} ms, ce qui n’est pas un succès.",
        "Der Endpunkt antwortete nach {duration} ms mit {status}. Das ist kein Erfolg.",
        "ردّت نقطة الاستقبال بالرمز {status} بعد {duration} ملي ثانية، وهو ليس نجاحًا.";
    DID_NOT_RESPOND:
        "The endpoint did not respond: {error}.",
        "O destino não respondeu: {error}.",
        "El destino no respondió: {error}.",
        "La destination n’a pas répondu\u{202f}: {error}.",
        "Der Endpunkt antwortete nicht: {error}.",
        "لم تردّ نقطة الاستقبال: {error}.";
    TESTED_TOO_SOON:
        "A subscription can be tested once every 5 seconds.",
        "Uma assinatura pode ser testada uma vez a cada 5 segundos.",
        "Una suscripción se puede probar una vez cada 5 segundos.",
        "Un abonnement peut être testé une fois toutes les 5 secondes.",
        "Ein Abonnement kann alle 5 Sekunden einmal getestet werden.",
        "يمكن اختبار الاشتراك مرة واحدة كل 5 ثوانٍ.";

    /// Reasons of the service for disabling a subscription, in the words that it stores.
    DISABLED_BY_OPERATOR:
        "The operator has disabled it.",
        "O operador a desativou.",
        "El operador la ha desactivado.",
        "L’exploitant l’a désactivé.",
        "Der Betreiber hat es deaktiviert.",
        "عطّله المشغّل.";
    DISABLED_BY_PARTNER:
        "The partner has disabled it.",
        "O parceiro a desativou.",
        "El socio la ha desactivado.",
        "Le partenaire l’a désactivé.",
        "Der Partner hat es deaktiviert.",
        "عطّله الشريك.";
    WITHOUT_KEY:
        "The partner has no valid key any more.",
        "O parceiro não tem mais nenhuma chave válida.",
        "El socio ya no tiene ninguna clave válida.",
        "Le partenaire n’a plus de clé valide.",
        "Der Partner hat keinen gültigen Schlüssel mehr.",
        "لم يعد لدى الشريك مفتاح صالح.";
}

/// Response of an endpoint to a test as a sentence, which is an error unless the response is a success.
pub(crate) fn tested(words: &Words, tested: Tested) -> Result<String> {
    let Tested { status, duration_ms, error } = tested;
    let responded = |word: Word, status: u16| {
        let duration = ("duration", &*duration_ms.to_string());
        words.with(word, &[("status", &*status.to_string()), duration])
    };
    match (status, error) {
        (Some(status @ 200..300), _) => Ok(responded(RESPONDED, status)),
        (Some(status), _) => Err(Problem::conflict(responded(RESPONDED_WITHOUT_SUCCESS, status))),
        (None, error) => {
            let error = error.unwrap_or_else(|| "unknown".to_owned());
            Err(Problem::conflict(words.with_data(DID_NOT_RESPOND, &[("error", &error)])))
        }
    }
}
