//! Results of decisions, and of undoing them.

use kit::words;

words! {
    NOTHING_CHANGED:
        "Nothing was changed. {reasons}.",
        "Nada foi alterado. {reasons}.",
        "No se cambió nada. {reasons}.",
        "Rien n’a été modifié. {reasons}.",
        "Nichts wurde geändert. {reasons}.",
        "لم يتغير شيء. {reasons}.";
    CANNOT_BE_UNDONE:
        "This cannot be undone: only your own decisions of the last 10 minutes can be.",
        "Isto não pode ser desfeito: só as próprias decisões dos últimos 10 minutos podem.",
        "Esto no se puede deshacer: solo las decisiones propias de los últimos 10 minutos.",
        "Impossible d’annuler\u{202f}: seules vos propres décisions des 10 dernières minutes peuvent l’être.",
        "Das lässt sich nicht rückgängig machen: nur eigene Entscheidungen der letzten 10 Minuten.",
        "لا يمكن التراجع عن هذا: يمكن التراجع فقط عن قراراتك في آخر 10 دقائق.";
    NOTHING_WAS_UNDONE:
        "Nothing was undone: the reports have changed in the meantime.",
        "Nada foi desfeito: os relatos mudaram nesse meio-tempo.",
        "No se deshizo nada: los informes han cambiado entretanto.",
        "Rien n’a été annulé\u{202f}: les signalements ont changé entre-temps.",
        "Nichts wurde rückgängig gemacht: die Berichte haben sich inzwischen geändert.",
        "لم يُتراجع عن شيء: تغيرت البلاغات في هذه الأثناء.";
    PENDING_AGAIN:
        ("Undone: {n} report waits for a decision again.", "Undone: {n} reports wait for a decision again."),
        ("Desfeito: {n} relato aguarda decisão de novo.", "Desfeito: {n} relatos aguardam decisão de novo."),
        ("Deshecho: {n} informe vuelve a esperar una decisión.", "Deshecho: {n} informes vuelven a esperar una decisión."),
        ("Annulé\u{202f}: {n} signalement attend de nouveau une décision.", "Annulé\u{202f}: {n} signalements attendent de nouveau une décision."),
        ("Rückgängig gemacht: {n} Bericht wartet wieder auf eine Entscheidung.", "Rückgängig gemacht: {n} Berichte warten wieder auf eine Entscheidung."),
        ["تم التراجع.", "تم التراجع: بلاغ واحد ينتظر القرار مجددًا.", "تم التراجع: بلاغان ينتظران القرار مجددًا.", "تم التراجع: {n} بلاغات تنتظر القرار مجددًا.", "تم التراجع: {n} بلاغًا ينتظر القرار مجددًا.", "تم التراجع: {n} بلاغ ينتظر القرار مجددًا."];
    PUBLISHED_AGAIN:
        ("Undone: {n} report is published again.", "Undone: {n} reports are published again."),
        ("Desfeito: {n} relato está publicado de novo.", "Desfeito: {n} relatos estão publicados de novo."),
        ("Deshecho: {n} informe vuelve a estar publicado.", "Deshecho: {n} informes vuelven a estar publicados."),
        ("Annulé\u{202f}: {n} signalement est de nouveau publié.", "Annulé\u{202f}: {n} signalements sont de nouveau publiés."),
        ("Rückgängig gemacht: {n} Bericht ist wieder veröffentlicht.", "Rückgängig gemacht: {n} Berichte sind wieder veröffentlicht."),
        ["تم التراجع.", "تم التراجع: بلاغ واحد منشور مجددًا.", "تم التراجع: بلاغان منشوران مجددًا.", "تم التراجع: {n} بلاغات منشورة مجددًا.", "تم التراجع: {n} بلاغًا منشور مجددًا.", "تم التراجع: {n} بلاغ منشور مجددًا."];
    WITHDRAWN_AGAIN:
        ("Undone: {n} report is withdrawn again.", "Undone: {n} reports are withdrawn again."),
        ("Desfeito: {n} relato está retirado de novo.", "Desfeito: {n} relatos estão retirados de novo."),
        ("Deshecho: {n} informe vuelve a estar retirado.", "Deshecho: {n} informes vuelven a estar retirados."),
        ("Annulé\u{202f}: {n} signalement est de nouveau retiré.", "Annulé\u{202f}: {n} signalements sont de nouveau retirés."),
        ("Rückgängig gemacht: {n} Bericht ist wieder zurückgezogen.", "Rückgängig gemacht: {n} Berichte sind wieder zurückgezogen."),
        ["تم التراجع.", "تم التراجع: بلاغ واحد مسحوب مجددًا.", "تم التراجع: بلاغان مسحوبان مجددًا.", "تم التراجع: {n} بلاغات مسحوبة مجددًا.", "تم التراجع: {n} بلاغًا مسحوب مجددًا.", "تم التراجع: {n} بلاغ مسحوب مجددًا."];
    EARLIER_STATUS_AGAIN:
        ("Undone: {n} report has its earlier status again.", "Undone: {n} reports have their earlier status again."),
        ("Desfeito: {n} relato voltou à situação anterior.", "Desfeito: {n} relatos voltaram à situação anterior."),
        ("Deshecho: {n} informe recupera su estado anterior.", "Deshecho: {n} informes recuperan su estado anterior."),
        ("Annulé\u{202f}: {n} signalement a retrouvé son statut antérieur.", "Annulé\u{202f}: {n} signalements ont retrouvé leur statut antérieur."),
        ("Rückgängig gemacht: {n} Bericht hat wieder seinen früheren Status.", "Rückgängig gemacht: {n} Berichte haben wieder ihren früheren Status."),
        ["تم التراجع.", "تم التراجع: عاد بلاغ واحد إلى حالته السابقة.", "تم التراجع: عاد بلاغان إلى حالتهما السابقة.", "تم التراجع: عادت {n} بلاغات إلى حالتها السابقة.", "تم التراجع: عاد {n} بلاغًا إلى حالته السابقة.", "تم التراجع: عاد {n} بلاغ إلى حالته السابقة."];
    CHANGED_IN_THE_MEANTIME:
        ("{n} report changed in the meantime.", "{n} reports changed in the meantime."),
        ("{n} relato mudou nesse meio-tempo.", "{n} relatos mudaram nesse meio-tempo."),
        ("{n} informe cambió entretanto.", "{n} informes cambiaron entretanto."),
        ("{n} signalement a changé entre-temps.", "{n} signalements ont changé entre-temps."),
        ("{n} Bericht hat sich inzwischen geändert.", "{n} Berichte haben sich inzwischen geändert."),
        ["لم يتغير غيرها.", "تغير بلاغ واحد في هذه الأثناء.", "تغير بلاغان في هذه الأثناء.", "تغيرت {n} بلاغات في هذه الأثناء.", "تغير {n} بلاغًا في هذه الأثناء.", "تغير {n} بلاغ في هذه الأثناء."];

    /// Decisions on a report that another person's list still shows.
    APPROVED_BY:
        "{who} approved it on {at} UTC",
        "{who} aprovou em {at} UTC",
        "{who} lo aprobó el {at} UTC",
        "{who} l’a approuvé le {at} UTC",
        "{who} hat ihn am {at} UTC angenommen",
        "قبله \u{2068}{who}\u{2069} في {at} UTC";
    REJECTED_BY:
        "{who} rejected it on {at} UTC",
        "{who} rejeitou em {at} UTC",
        "{who} lo rechazó el {at} UTC",
        "{who} l’a rejeté le {at} UTC",
        "{who} hat ihn am {at} UTC abgelehnt",
        "رفضه \u{2068}{who}\u{2069} في {at} UTC";
    WITHDREW_BY:
        "{who} withdrew it on {at} UTC",
        "{who} retirou em {at} UTC",
        "{who} lo retiró el {at} UTC",
        "{who} l’a retiré le {at} UTC",
        "{who} hat ihn am {at} UTC zurückgezogen",
        "سحبه \u{2068}{who}\u{2069} في {at} UTC";
    REOPENED_BY:
        "{who} reopened it on {at} UTC",
        "{who} reabriu em {at} UTC",
        "{who} lo reabrió el {at} UTC",
        "{who} l’a rouvert le {at} UTC",
        "{who} hat ihn am {at} UTC wieder geöffnet",
        "أعاد \u{2068}{who}\u{2069} فتحه في {at} UTC";
    PUBLISHED_BY:
        "{who} published it on {at} UTC",
        "{who} publicou em {at} UTC",
        "{who} lo publicó el {at} UTC",
        "{who} l’a publié le {at} UTC",
        "{who} hat ihn am {at} UTC veröffentlicht",
        "نشره \u{2068}{who}\u{2069} في {at} UTC";
    UNDONE_BY:
        "{who} undid a decision on it on {at} UTC",
        "{who} desfez uma decisão sobre ele em {at} UTC",
        "{who} deshizo una decisión sobre él el {at} UTC",
        "{who} a annulé une décision le concernant le {at} UTC",
        "{who} hat am {at} UTC eine Entscheidung darüber rückgängig gemacht",
        "تراجع \u{2068}{who}\u{2069} عن قرار بشأنه في {at} UTC";
    DEED_AND_REASON:
        "{deed} ({reason})",
        "{deed} ({reason})",
        "{deed} ({reason})",
        "{deed} ({reason})",
        "{deed} ({reason})",
        "{deed} (\u{2068}{reason}\u{2069})";
    IS_NOW:
        "it is {status}",
        "situação: {status}",
        "estado: {status}",
        "statut\u{202f}: {status}",
        "Status: {status}",
        "حالته: {status}";
    NO_LONGER_EXISTS:
        "it no longer exists",
        "ele não existe mais",
        "ya no existe",
        "il n’existe plus",
        "er existiert nicht mehr",
        "لم يعد موجودًا";
}
