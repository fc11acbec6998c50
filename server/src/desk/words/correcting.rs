//! Corrections of many reports, and places spelled in two ways.

use kit::words;

words! {
    NOTHING_SELECTED:
        "Nothing is selected: select at least one report.",
        "Nada selecionado: selecione ao menos um relato.",
        "No hay nada seleccionado: seleccione al menos un informe.",
        "Rien n’est sélectionné\u{202f}: sélectionnez au moins un signalement.",
        "Nichts ausgewählt: bitte mindestens einen Bericht auswählen.",
        "لم يُحدَّد شيء: حدّد بلاغًا واحدًا على الأقل.";
    CORRECTED_REPORTS:
        ("Corrected {n} report.", "Corrected {n} reports."),
        ("{n} relato corrigido.", "{n} relatos corrigidos."),
        ("{n} informe corregido.", "{n} informes corregidos."),
        ("{n} signalement corrigé.", "{n} signalements corrigés."),
        ("{n} Bericht berichtigt.", "{n} Berichte berichtigt."),
        ["لم يُصحَّح أي بلاغ.", "صُحّح بلاغ واحد.", "صُحّح بلاغان.", "صُحّحت {n} بلاغات.", "صُحّح {n} بلاغًا.", "صُحّح {n} بلاغ."];
    CORRECTED_ONE: "Corrected {id}.", "{id} corrigido.", "{id} corregido.", "{id} corrigé.", "{id} berichtigt.", "صُحّح \u{2068}{id}\u{2069}.";
    HAD_THESE_VALUES:
        ("{n} report had these values already.", "{n} reports had these values already."),
        ("{n} relato já tinha estes valores.", "{n} relatos já tinham estes valores."),
        ("{n} informe ya tenía estos valores.", "{n} informes ya tenían estos valores."),
        ("{n} signalement avait déjà ces valeurs.", "{n} signalements avaient déjà ces valeurs."),
        ("{n} Bericht hatte diese Werte schon.", "{n} Berichte hatten diese Werte schon."),
        "بلاغات كانت لها هذه القيم بالفعل: {n}.";
    COULD_NOT_BE_CORRECTED:
        ("{n} report could not be corrected: {reason}.", "{n} reports could not be corrected: {reason}."),
        ("{n} relato não pôde ser corrigido: {reason}.", "{n} relatos não puderam ser corrigidos: {reason}."),
        ("{n} informe no se pudo corregir: {reason}.", "{n} informes no se pudieron corregir: {reason}."),
        ("{n} signalement n’a pas pu être corrigé\u{202f}: {reason}.", "{n} signalements n’ont pas pu être corrigés\u{202f}: {reason}."),
        ("{n} Bericht ließ sich nicht berichtigen: {reason}.", "{n} Berichte ließen sich nicht berichtigen: {reason}."),
        "بلاغات تعذر تصحيحها: {n}. {reason}.";
    EARLIER_VALUES_AGAIN:
        ("Undone: {n} report has its earlier values again.", "Undone: {n} reports have their earlier values again."),
        ("Desfeito: {n} relato voltou aos valores anteriores.", "Desfeito: {n} relatos voltaram aos valores anteriores."),
        ("Deshecho: {n} informe recupera sus valores anteriores.", "Deshecho: {n} informes recuperan sus valores anteriores."),
        ("Annulé\u{202f}: {n} signalement a retrouvé ses valeurs antérieures.", "Annulé\u{202f}: {n} signalements ont retrouvé leurs valeurs antérieures."),
        ("Rückgängig gemacht: {n} Bericht hat wieder seine früheren Werte.", "Rückgängig gemacht: {n} Berichte haben wieder ihre früheren Werte."),
        ["تم التراجع.", "تم التراجع: عادت قيم بلاغ واحد السابقة.", "تم التراجع: عادت قيم بلاغين السابقة.", "تم التراجع: عادت القيم السابقة لـ{n} بلاغات.", "تم التراجع: عادت القيم السابقة لـ{n} بلاغًا.", "تم التراجع: عادت القيم السابقة لـ{n} بلاغ."];

    KEPT_APART:
        "Kept apart: {one}; {other}.",
        "Mantidos separados: {one}; {other}.",
        "Se mantienen separados: {one}; {other}.",
        "Gardés distincts\u{202f}: {one}\u{202f}; {other}.",
        "Getrennt gehalten: {one}; {other}.",
        "مكانان مختلفان: {one}؛ {other}.";
    PAIRED_AGAIN:
        "A pair again: {one}; {other}.",
        "Um par de novo: {one}; {other}.",
        "De nuevo un par: {one}; {other}.",
        "De nouveau une paire\u{202f}: {one}\u{202f}; {other}.",
        "Wieder ein Paar: {one}; {other}.",
        "زوج من جديد: {one}؛ {other}.";
    NO_LONGER_APART:
        "Nobody keeps this pair apart any more.",
        "Este par já não é mantido separado.",
        "Este par ya no se mantiene separado.",
        "Cette paire n’est plus gardée distincte.",
        "Dieses Paar wird nicht mehr getrennt gehalten.",
        "لم يعد هذا الزوج مفصولًا.";
    NOT_TWO_PLACES:
        "These are not the names of two places.",
        "Estes não são os nomes de dois lugares.",
        "Estos no son los nombres de dos lugares.",
        "Ce ne sont pas les noms de deux lieux.",
        "Das sind nicht die Namen zweier Orte.",
        "هذان ليسا اسمَي مكانين.";

    /// Similarity of two places.
    ONE_HAS_A_REGION:
        "only one has a region",
        "só um tem região",
        "solo uno tiene región",
        "un seul a une région",
        "nur einer hat eine Region",
        "لأحدهما فقط منطقة";
    SAME_POSITION:
        "at the same position",
        "na mesma posição",
        "en la misma posición",
        "à la même position",
        "an derselben Position",
        "في الموقع نفسه";
    ONE_LETTER:
        "one letter differs",
        "difere uma letra",
        "difiere una letra",
        "une lettre diffère",
        "ein Buchstabe verschieden",
        "يختلفان في حرف واحد";
}
