use kit::words;

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
    LAST_DAYS:
        "Last 30 days",
        "Últimos 30 dias",
        "Últimos 30 días",
        "30 derniers jours",
        "Letzte 30 Tage",
        "آخر 30 يومًا";
    LAST_MONTHS:
        "Last 12 months",
        "Últimos 12 meses",
        "Últimos 12 meses",
        "12 derniers mois",
        "Letzte 12 Monate",
        "آخر 12 شهرًا";
}
