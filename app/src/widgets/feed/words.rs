use kit::words;

words! {
    /// Name in the snippet builder.
    LABEL: "Feed", "Lista", "Lista", "Fil", "Liste", "القائمة";
    /// Title of the widget.
    TITLE:
        "Latest reports",
        "Últimos relatos",
        "Últimos informes",
        "Derniers signalements",
        "Neueste Berichte",
        "أحدث البلاغات";
    PERSON:
        ("person", "people"),
        ["pessoas", "pessoa", "pessoas", "pessoas", "de pessoas", "pessoas"],
        ["personas", "persona", "personas", "personas", "de personas", "personas"],
        ["personnes", "personne", "personnes", "personnes", "de personnes", "personnes"],
        ("Person", "Personen"),
        ["شخص", "شخص", "شخصان", "أشخاص", "شخصًا", "شخص"];
}
