//! Comparisons of reports.

use kit::words;

words! {
    /// Parts of a comparison, which is a list.
    SAME_PLACE: "same place", "mesmo lugar", "mismo lugar", "même lieu", "selber Ort", "المكان نفسه";
    ONE_HAS_A_REGION:
        "same city, only one with a region",
        "mesma cidade, só um com região",
        "misma ciudad, solo uno con región",
        "même ville, un seul avec une région",
        "selbe Stadt, nur einer mit Region",
        "المدينة نفسها، لأحدهما فقط منطقة";
    INSTEAD_OF:
        "{other} instead of {own}",
        "{other} em vez de {own}",
        "{other} en vez de {own}",
        "{other} au lieu de {own}",
        "{other} statt {own}",
        "\u{2068}{other}\u{2069} بدلًا من \u{2068}{own}\u{2069}";
    A_DAY_EARLIER: "a day earlier", "um dia antes", "un día antes", "un jour plus tôt", "einen Tag früher", "قبل يوم";
    SAME_DAY: "same day", "mesmo dia", "mismo día", "même jour", "selber Tag", "اليوم نفسه";
    A_DAY_LATER: "a day later", "um dia depois", "un día después", "un jour plus tard", "einen Tag später", "بعد يوم";
    AS_MANY_PEOPLE:
        "as many people",
        "mesmo número de pessoas",
        "el mismo número de personas",
        "autant de personnes",
        "gleich viele Personen",
        "العدد نفسه من الأشخاص";
    PEOPLE_INSTEAD_OF:
        "{other} instead of {own} people",
        "{other} em vez de {own} pessoas",
        "{other} en vez de {own} personas",
        "{other} au lieu de {own} personnes",
        "{other} statt {own} Personen",
        "{other} بدلًا من {own} من الأشخاص";
    BETWEEN: ", ", ", ", ", ", ", ", ", ", "، ";
}
