//! Texts about possible duplicates.

use kit::words;

words! {
    PERHAPS_THE_SAME:
        "Perhaps the same",
        "Talvez os mesmos",
        "Quizá los mismos",
        "Peut-être les mêmes",
        "Vielleicht dieselben",
        "ربما البلاغ نفسه";
    POSSIBLE_DUPLICATES:
        "Possible duplicates",
        "Possíveis duplicatas",
        "Posibles duplicados",
        "Doublons possibles",
        "Mögliche Duplikate",
        "نسخ مكررة محتملة";
    REJECT_AS_DUPLICATE:
        "Reject {rejected} as duplicate of {kept}",
        "Rejeitar {rejected} como duplicata de {kept}",
        "Rechazar {rejected} como duplicado de {kept}",
        "Rejeter {rejected} comme doublon de {kept}",
        "{rejected} als Duplikat von {kept} ablehnen",
        "رفض \u{2068}{rejected}\u{2069} لأنه مكرر عن \u{2068}{kept}\u{2069}";
    /// Stored as the reason of the rejection.
    DUPLICATE_OF:
        "Duplicate of {kept}",
        "Duplicata de {kept}",
        "Duplicado de {kept}",
        "Doublon de {kept}",
        "Duplikat von {kept}",
        "مكرر عن {kept}";
}
