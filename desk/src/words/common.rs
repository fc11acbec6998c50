//! Texts of several pages.

use kit::words;

words! {
    /// Abbreviated names of the months.
    MONTHS:
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
        ["jan.", "fev.", "mar.", "abr.", "mai.", "jun.", "jul.", "ago.", "set.", "out.", "nov.", "dez."],
        ["ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sept", "oct", "nov", "dic"],
        ["janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc."],
        ["Jan.", "Feb.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sept.", "Okt.", "Nov.", "Dez."],
        ["يناير", "فبراير", "مارس", "أبريل", "مايو", "يونيو", "يوليو", "أغسطس", "سبتمبر", "أكتوبر", "نوفمبر", "ديسمبر"];
    DATE:
        "{day} {month} {year}",
        "{day} {month} {year}",
        "{day} {month} {year}",
        "{day} {month} {year}",
        "{day}. {month} {year}",
        "{day} {month} {year}";

    /// Names of facts about a report, as labels.
    PLACE: "Place", "Lugar", "Lugar", "Lieu", "Ort", "المكان";
    CITY: "City", "Cidade", "Ciudad", "Ville", "Stadt", "المدينة";
    REGION: "Region", "Região", "Región", "Région", "Region", "المنطقة";
    COUNTRY: "Country", "País", "País", "Pays", "Land", "الدولة";
    DATE_LABEL: "Date", "Data", "Fecha", "Date", "Datum", "التاريخ";
    PEOPLE: "People", "Pessoas", "Personas", "Personnes", "Personen", "الأشخاص";
    TYPE: "Type", "Tipo", "Tipo", "Type", "Art", "النوع";
    RECEIVED: "Received", "Recebido", "Recibido", "Reçu", "Eingegangen", "وقت الاستلام";
    STATUS: "Status", "Situação", "Estado", "Statut", "Status", "الحالة";
    LATITUDE: "Latitude", "Latitude", "Latitud", "Latitude", "Breite", "خط العرض";
    LONGITUDE: "Longitude", "Longitude", "Longitud", "Longitude", "Länge", "خط الطول";

    /// Statuses of a report, within sentences and tables.
    PENDING: "pending", "pendente", "pendiente", "en attente", "offen", "قيد الانتظار";
    APPROVED: "approved", "aprovado", "aprobado", "approuvé", "angenommen", "مقبول";
    REJECTED: "rejected", "rejeitado", "rechazado", "rejeté", "abgelehnt", "مرفوض";
    WITHDRAWN: "withdrawn", "retirado", "retirado", "retiré", "zurückgezogen", "مسحوب";

    /// Buttons of decisions.
    APPROVE: "Approve", "Aprovar", "Aprobar", "Approuver", "Annehmen", "قبول";
    REJECT: "Reject", "Rejeitar", "Rechazar", "Rejeter", "Ablehnen", "رفض";
    WITHDRAW: "Withdraw", "Retirar", "Retirar", "Retirer", "Zurückziehen", "سحب";
    REOPEN: "Reopen", "Reabrir", "Reabrir", "Rouvrir", "Wieder öffnen", "إعادة فتح";
    RESTORE: "Publish again", "Publicar de novo", "Publicar de nuevo", "Republier", "Wieder veröffentlichen", "إعادة النشر";

    /// Completed decisions on a number of reports.
    APPROVED_REPORTS:
        ("Approved {n} report.", "Approved {n} reports."),
        ("{n} relato aprovado.", "{n} relatos aprovados."),
        ("{n} informe aprobado.", "{n} informes aprobados."),
        ("{n} signalement approuvé.", "{n} signalements approuvés."),
        ("{n} Bericht angenommen.", "{n} Berichte angenommen."),
        ["لم يُقبل أي بلاغ.", "قُبل بلاغ واحد.", "قُبل بلاغان.", "قُبلت {n} بلاغات.", "قُبل {n} بلاغًا.", "قُبل {n} بلاغ."];
    REJECTED_REPORTS:
        ("Rejected {n} report.", "Rejected {n} reports."),
        ("{n} relato rejeitado.", "{n} relatos rejeitados."),
        ("{n} informe rechazado.", "{n} informes rechazados."),
        ("{n} signalement rejeté.", "{n} signalements rejetés."),
        ("{n} Bericht abgelehnt.", "{n} Berichte abgelehnt."),
        ["لم يُرفض أي بلاغ.", "رُفض بلاغ واحد.", "رُفض بلاغان.", "رُفضت {n} بلاغات.", "رُفض {n} بلاغًا.", "رُفض {n} بلاغ."];
    WITHDREW_REPORTS:
        ("Withdrew {n} report.", "Withdrew {n} reports."),
        ("{n} relato retirado.", "{n} relatos retirados."),
        ("{n} informe retirado.", "{n} informes retirados."),
        ("{n} signalement retiré.", "{n} signalements retirés."),
        ("{n} Bericht zurückgezogen.", "{n} Berichte zurückgezogen."),
        ["لم يُسحب أي بلاغ.", "سُحب بلاغ واحد.", "سُحب بلاغان.", "سُحبت {n} بلاغات.", "سُحب {n} بلاغًا.", "سُحب {n} بلاغ."];
    REOPENED_REPORTS:
        ("Reopened {n} report.", "Reopened {n} reports."),
        ("{n} relato reaberto.", "{n} relatos reabertos."),
        ("{n} informe reabierto.", "{n} informes reabiertos."),
        ("{n} signalement rouvert.", "{n} signalements rouverts."),
        ("{n} Bericht wieder geöffnet.", "{n} Berichte wieder geöffnet."),
        ["لم يُعد فتح أي بلاغ.", "أُعيد فتح بلاغ واحد.", "أُعيد فتح بلاغين.", "أُعيد فتح {n} بلاغات.", "أُعيد فتح {n} بلاغًا.", "أُعيد فتح {n} بلاغ."];
    RESTORED_REPORTS:
        ("Published {n} report again.", "Published {n} reports again."),
        ("{n} relato publicado de novo.", "{n} relatos publicados de novo."),
        ("{n} informe publicado de nuevo.", "{n} informes publicados de nuevo."),
        ("{n} signalement republié.", "{n} signalements republiés."),
        ("{n} Bericht wieder veröffentlicht.", "{n} Berichte wieder veröffentlicht."),
        ["لم يُعد نشر أي بلاغ.", "أُعيد نشر بلاغ واحد.", "أُعيد نشر بلاغين.", "أُعيد نشر {n} بلاغات.", "أُعيد نشر {n} بلاغًا.", "أُعيد نشر {n} بلاغ."];

    /// Completed decisions on one report.
    APPROVED_ONE: "Approved {id}.", "{id} aprovado.", "{id} aprobado.", "{id} approuvé.", "{id} angenommen.", "قُبل \u{2068}{id}\u{2069}.";
    REJECTED_ONE: "Rejected {id}.", "{id} rejeitado.", "{id} rechazado.", "{id} rejeté.", "{id} abgelehnt.", "رُفض \u{2068}{id}\u{2069}.";
    WITHDREW_ONE: "Withdrew {id}.", "{id} retirado.", "{id} retirado.", "{id} retiré.", "{id} zurückgezogen.", "سُحب \u{2068}{id}\u{2069}.";
    REOPENED_ONE: "Reopened {id}.", "{id} reaberto.", "{id} reabierto.", "{id} rouvert.", "{id} wieder geöffnet.", "أُعيد فتح \u{2068}{id}\u{2069}.";
    RESTORED_ONE:
        "Published {id} again.",
        "{id} publicado de novo.",
        "{id} publicado de nuevo.",
        "{id} republié.",
        "{id} wieder veröffentlicht.",
        "أُعيد نشر \u{2068}{id}\u{2069}.";

    REPORTS:
        ("{n} report", "{n} reports"),
        ["{n} relatos", "{n} relato", "{n} relatos", "{n} relatos", "{n} de relatos", "{n} relatos"],
        ["{n} informes", "{n} informe", "{n} informes", "{n} informes", "{n} de informes", "{n} informes"],
        ["{n} signalements", "{n} signalement", "{n} signalements", "{n} signalements", "{n} de signalements", "{n} signalements"],
        ("{n} Bericht", "{n} Berichte"),
        ["لا بلاغات", "بلاغ واحد", "بلاغان", "{n} بلاغات", "{n} بلاغًا", "{n} بلاغ"];

    UNDO: "Undo", "Desfazer", "Deshacer", "Annuler", "Rückgängig", "تراجع";
    SAVE: "Save", "Salvar", "Guardar", "Enregistrer", "Speichern", "حفظ";
    REASON: "Reason", "Motivo", "Motivo", "Motif", "Grund", "السبب";
    /// Between the items of a list.
    COMMA: ", ", ", ", ", ", ", ", ", ", "، ";
    MORE: "More", "Mais", "Más", "Plus", "Mehr", "المزيد";
}
