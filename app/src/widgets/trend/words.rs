use crate::words::words;

words! {
    /// Title of the widget.
    TITLE:
        "Reports by date",
        "Relatos por data",
        "Informes por fecha",
        "Signalements par date",
        "Berichte nach Datum",
        "البلاغات حسب التاريخ";
}
