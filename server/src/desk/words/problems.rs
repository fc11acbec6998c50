//! Problems that any action can have.

use kit::words;

words! {
    THE_SERVICE_FAILED:
        "The service failed. The error has been logged.",
        "O serviço falhou. O erro foi registrado.",
        "El servicio ha fallado. El error se ha registrado.",
        "Le service a échoué. L’erreur a été enregistrée.",
        "Der Dienst ist gescheitert. Der Fehler wurde protokolliert.",
        "تعذّر على الخدمة إتمام الطلب. سُجّل الخطأ.";
    UNAVAILABLE:
        "This is not possible at the moment. Try again in a few seconds.",
        "Isto não é possível no momento. Tente de novo em alguns segundos.",
        "Esto no es posible en este momento. Inténtelo de nuevo en unos segundos.",
        "Ce n’est pas possible pour le moment. Réessayez dans quelques secondes.",
        "Das ist im Moment nicht möglich. Bitte in einigen Sekunden noch einmal versuchen.",
        "هذا غير ممكن حاليًا. تُرجى المحاولة مجددًا بعد بضع ثوانٍ.";
    TOO_MANY_REQUESTS:
        "Too many requests. Wait a little, and try again.",
        "Solicitações demais. Espere um pouco e tente de novo.",
        "Demasiadas solicitudes. Espere un poco e inténtelo de nuevo.",
        "Trop de requêtes. Patientez un peu, puis réessayez.",
        "Zu viele Anfragen. Bitte später noch einmal versuchen.",
        "طلبات كثيرة جدًا. يُرجى الانتظار قليلًا ثم المحاولة مجددًا.";
    TOO_MANY_SIGN_INS:
        "Too many sign-in attempts from this address. Wait a little, and try again.",
        "Tentativas de entrada demais a partir deste endereço. Espere um pouco e tente de novo.",
        "Demasiados intentos de inicio de sesión desde esta dirección. Espere un poco e inténtelo de nuevo.",
        "Trop de tentatives de connexion depuis cette adresse. Patientez un peu, puis réessayez.",
        "Zu viele Anmeldeversuche von dieser Adresse. Bitte später noch einmal versuchen.",
        "محاولات دخول كثيرة جدًا من هذا العنوان. يُرجى الانتظار قليلًا ثم المحاولة مجددًا.";
    INVALID_PERIOD:
        "The dates are not possible: both must exist, and the first must not be after the last.",
        "As datas não são possíveis: ambas devem existir, e a primeira não pode ser posterior à última.",
        "Las fechas no son posibles: ambas deben existir, y la primera no puede ser posterior a la última.",
        "Les dates ne sont pas possibles\u{202f}: elles doivent exister, et la première ne doit pas suivre la dernière.",
        "Diese Daten sind nicht möglich: Beide müssen existieren, und das erste darf nicht nach dem letzten liegen.",
        "التاريخان غير ممكنين: يجب أن يكونا موجودين وألا يكون الأول بعد الأخير.";
    NO_VALID_KEY:
        "This is not a valid operator’s key.",
        "Esta não é uma chave válida de operador.",
        "Esta no es una clave válida de operador.",
        "Ce n’est pas une clé d’exploitant valide.",
        "Das ist kein gültiger Schlüssel eines Betreibers.",
        "هذا ليس مفتاح مشغّل صالحًا.";
    NEEDS_MODERATE:
        "Your key has the scope {read}: decisions need a key with the scope {moderate}.",
        "Esta chave tem o escopo {read}: decisões exigem uma chave com o escopo {moderate}.",
        "Esta clave tiene el ámbito {read}: para decidir se necesita una clave con el ámbito {moderate}.",
        "Cette clé a la portée {read}\u{202f}: les décisions exigent une clé avec la portée {moderate}.",
        "Dieser Schlüssel hat das Recht {read}. Entscheidungen erfordern einen Schlüssel mit dem Recht {moderate}.",
        "نطاق هذا المفتاح {read}، أما القرارات فتتطلب مفتاحًا نطاقه {moderate}.";
    NEEDS_ADMIN:
        "This needs a key with the scope {admin}.",
        "Isto exige uma chave com o escopo {admin}.",
        "Esto requiere una clave con el ámbito {admin}.",
        "Cela exige une clé avec la portée {admin}.",
        "Das erfordert einen Schlüssel mit dem Recht {admin}.",
        "يتطلب هذا مفتاحًا نطاقه {admin}.";
    UNREADABLE_FORM:
        "The form cannot be read.",
        "Não é possível ler o formulário.",
        "No se puede leer el formulario.",
        "Le formulaire est illisible.",
        "Das Formular ist nicht lesbar.",
        "تعذّرت قراءة النموذج.";
}
