use kit::words;

words! {
    /// Name in the snippet builder.
    LABEL: "Form", "Formulário", "Formulario", "Formulaire", "Formular", "نموذج";
    /// Title of the widget.
    TITLE:
        "Report an event",
        "Relatar um evento",
        "Informar de un evento",
        "Signaler un événement",
        "Ein Ereignis melden",
        "الإبلاغ عن حدث";
    TAKES_NONE:
        "No reports are taken here at the moment.",
        "No momento, não se recebem relatos aqui.",
        "Por el momento, aquí no se reciben informes.",
        "Aucun signalement n’est reçu ici pour le moment.",
        "Zurzeit werden hier keine Berichte angenommen.",
        "لا تُستقبل البلاغات هنا حاليًا.";
    TYPE: "Type", "Tipo", "Tipo", "Type", "Art", "النوع";
    CITY: "City", "Cidade", "Ciudad", "Ville", "Stadt", "المدينة";
    COUNTRY: "Country", "País", "País", "Pays", "Land", "الدولة";
    PEOPLE:
        "Number of people",
        "Número de pessoas",
        "Número de personas",
        "Nombre de personnes",
        "Zahl der Personen",
        "عدد الأشخاص";
    DATE: "Date", "Data", "Fecha", "Date", "Datum", "التاريخ";
    NOTE:
        "Note (optional)",
        "Nota (opcional)",
        "Nota (opcional)",
        "Note (facultatif)",
        "Notiz (freiwillig)",
        "ملاحظة (اختياري)";
    CONTACT:
        "How to reach you (optional)",
        "Como falar com você (opcional)",
        "Cómo contactarle (opcional)",
        "Comment vous joindre (facultatif)",
        "Wie man Sie erreicht (freiwillig)",
        "كيف نتواصل معك (اختياري)";
    PRIVACY:
        "Only the people who check reports see your note and your contact. Both are deleted later.",
        "Só quem verifica os relatos vê a sua nota e o seu contato. Ambos são apagados depois.",
        "Solo quienes revisan los informes ven su nota y su contacto. Ambos se borran más tarde.",
        "Seules les personnes qui vérifient les signalements voient votre note et votre contact. Les deux sont effacés plus tard.",
        "Nur wer die Berichte prüft, sieht Ihre Notiz und Ihren Kontakt. Beides wird später gelöscht.",
        "لا يرى ملاحظتك ووسيلة الاتصال بك إلا من يراجع البلاغات، ويُحذف كلاهما لاحقًا.";
    /// Label of a field that people do not see.
    LEAVE_EMPTY:
        "Leave this empty",
        "Deixe isto vazio",
        "Deje esto vacío",
        "Laissez ceci vide",
        "Bitte leer lassen",
        "اترك هذا فارغًا";
    SEND: "Send", "Enviar", "Enviar", "Envoyer", "Senden", "إرسال";
    SENDING: "Sending…", "Enviando…", "Enviando…", "Envoi…", "Wird gesendet…", "جارٍ الإرسال…";
    THANKS:
        "Thank you. Your report will be checked.",
        "Obrigado. O seu relato será verificado.",
        "Gracias. Su informe será revisado.",
        "Merci. Votre signalement sera vérifié.",
        "Danke. Ihr Bericht wird geprüft.",
        "شكرًا لك. ستجري مراجعة بلاغك.";
    ITS_NUMBER:
        "Its number is",
        "O número dele é",
        "Su número es",
        "Son numéro est",
        "Seine Nummer ist",
        "رقمه";
    ANOTHER:
        "Report another event",
        "Relatar outro evento",
        "Informar de otro evento",
        "Signaler un autre événement",
        "Ein weiteres Ereignis melden",
        "الإبلاغ عن حدث آخر";

    /// Faults of the fields.
    CHOOSE_A_TYPE:
        "Choose a type.",
        "Escolha um tipo.",
        "Elija un tipo.",
        "Choisissez un type.",
        "Wählen Sie eine Art.",
        "اختر نوعًا.";
    NAME_THE_CITY:
        "Enter the name of the city.",
        "Escreva o nome da cidade.",
        "Escriba el nombre de la ciudad.",
        "Indiquez le nom de la ville.",
        "Geben Sie den Namen der Stadt ein.",
        "اكتب اسم المدينة.";
    NAME_THE_COUNTRY:
        "Enter the name of the country.",
        "Escreva o nome do país.",
        "Escriba el nombre del país.",
        "Indiquez le nom du pays.",
        "Geben Sie den Namen des Landes ein.",
        "اكتب اسم الدولة.";
    COUNT_PEOPLE:
        "Enter a whole number from 1 to 1,000,000.",
        "Escreva um número inteiro de 1 a 1.000.000.",
        "Escriba un número entero de 1 a 1.000.000.",
        "Indiquez un nombre entier de 1 à 1\u{202f}000\u{202f}000.",
        "Geben Sie eine ganze Zahl von 1 bis 1.000.000 ein.",
        "اكتب عددًا صحيحًا من 1 إلى 1,000,000.";
    DATE_IT:
        "Enter a date that is not in the future.",
        "Escreva uma data que não esteja no futuro.",
        "Escriba una fecha que no sea futura.",
        "Indiquez une date qui n’est pas dans le futur.",
        "Geben Sie ein Datum ein, das nicht in der Zukunft liegt.",
        "اكتب تاريخًا ليس في المستقبل.";
    SHORTEN_IT:
        "This text is too long, or has characters that cannot be shown.",
        "Este texto é longo demais ou tem caracteres que não podem ser mostrados.",
        "Este texto es demasiado largo o tiene caracteres que no se pueden mostrar.",
        "Ce texte est trop long ou contient des caractères qui ne peuvent pas être affichés.",
        "Dieser Text ist zu lang oder hat Zeichen, die nicht darstellbar sind.",
        "هذا النص طويل جدًا أو فيه محارف لا يمكن عرضها.";

    /// Problems with the form as a whole.
    TOO_MANY:
        "Too many reports came from your network. Try again later.",
        "Vieram relatos demais da sua rede. Tente mais tarde.",
        "Han llegado demasiados informes desde su red. Inténtelo más tarde.",
        "Trop de signalements sont venus de votre réseau. Réessayez plus tard.",
        "Aus Ihrem Netz kamen zu viele Berichte. Versuchen Sie es später noch einmal.",
        "وصل عدد كبير من البلاغات من شبكتك. حاول لاحقًا.";
    SEND_AGAIN:
        "The form was sent too soon or too late. Send it again.",
        "O formulário foi enviado cedo ou tarde demais. Envie-o de novo.",
        "El formulario se envió demasiado pronto o demasiado tarde. Envíelo de nuevo.",
        "Le formulaire a été envoyé trop tôt ou trop tard. Envoyez-le de nouveau.",
        "Das Formular wurde zu früh oder zu spät gesendet. Senden Sie es noch einmal.",
        "أُرسل النموذج قبل الأوان أو بعده. أرسله مرة أخرى.";
    NOT_SENT:
        "The report could not be sent. Try again.",
        "O relato não pôde ser enviado. Tente de novo.",
        "No se pudo enviar el informe. Inténtelo de nuevo.",
        "Le signalement n’a pas pu être envoyé. Réessayez.",
        "Der Bericht konnte nicht gesendet werden. Versuchen Sie es noch einmal.",
        "تعذّر إرسال البلاغ. حاول مرة أخرى.";
}
