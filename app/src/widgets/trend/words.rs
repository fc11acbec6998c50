use crate::words::words;

words! {
    /// Name in the snippet builder.
    LABEL: "Trend", "Evolução", "Evolución", "Évolution", "Verlauf", "الاتجاه";
    /// Title of the widget.
    TITLE:
        "Reports by date",
        "Relatos por data",
        "Informes por fecha",
        "Signalements par date",
        "Berichte nach Datum",
        "البلاغات حسب التاريخ";
}
