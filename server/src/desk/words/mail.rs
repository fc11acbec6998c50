//! Mails to moderators.

use kit::words;

words! {
    ADDRESSES:
        ("{n} address", "{n} addresses"),
        ("{n} endereço", "{n} endereços"),
        ("{n} dirección", "{n} direcciones"),
        ("{n} adresse", "{n} adresses"),
        ("{n} Adresse", "{n} Adressen"),
        ["لا عناوين", "عنوان واحد", "عنوانين", "{n} عناوين", "{n} عنوانًا", "{n} عنوان"];
    EVERY_HOURS:
        ("{n} hour", "{n} hours"),
        ("{n} hora", "{n} horas"),
        ("{n} hora", "{n} horas"),
        ("{n} heure", "{n} heures"),
        ("{n} Stunde", "{n} Stunden"),
        ["ساعة", "ساعة", "ساعتين", "{n} ساعات", "{n} ساعة", "{n} ساعة"];
    MAILS:
        "Mails about pending reports go to {addresses}, at most once every {hours}; the last on {at}.",
        "Mensagens sobre relatos pendentes vão para {addresses}, no máximo uma a cada {hours}; a última em {at}.",
        "Los correos sobre informes pendientes van a {addresses}, como máximo uno cada {hours}; el último, el {at}.",
        "Les courriels sur les signalements en attente vont à {addresses}, au plus un toutes les {hours}\u{202f}; le dernier le {at}.",
        "Mails über offene Berichte gehen an {addresses}, höchstens einmal je {hours}; zuletzt am {at}.",
        "تُرسل رسائل البلاغات المنتظرة إلى {addresses}، مرة واحدة على الأكثر كل {hours}؛ آخرها في {at}.";
    MAILS_NONE_YET:
        "Mails about pending reports go to {addresses}, at most once every {hours}; none was sent yet.",
        "Mensagens sobre relatos pendentes vão para {addresses}, no máximo uma a cada {hours}; nenhuma foi enviada ainda.",
        "Los correos sobre informes pendientes van a {addresses}, como máximo uno cada {hours}; aún no se ha enviado ninguno.",
        "Les courriels sur les signalements en attente vont à {addresses}, au plus un toutes les {hours}\u{202f}; aucun n’a encore été envoyé.",
        "Mails über offene Berichte gehen an {addresses}, höchstens einmal je {hours}; noch keine wurde gesendet.",
        "تُرسل رسائل البلاغات المنتظرة إلى {addresses}، مرة واحدة على الأكثر كل {hours}؛ ولم تُرسل أي رسالة بعد.";
    MAIL_NOT_SENT:
        "the mail about pending reports was not sent on {at}: {reason}",
        "A mensagem sobre relatos pendentes não foi enviada em {at}: {reason}",
        "El correo sobre informes pendientes no se envió el {at}: {reason}",
        "Le courriel sur les signalements en attente n’a pas été envoyé le {at}\u{202f}: {reason}",
        "Die Mail über offene Berichte wurde am {at} nicht gesendet: {reason}",
        "لم تُرسل الرسالة عن البلاغات المنتظرة في {at}: {reason}";
}
