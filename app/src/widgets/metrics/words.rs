use kit::words;

words! {
    /// Name in the snippet builder.
    LABEL: "Counters", "Contadores", "Contadores", "Compteurs", "Zähler", "العدّادات";
    /// Title of the widget.
    TITLE:
        "Reports so far",
        "Relatos até agora",
        "Informes hasta ahora",
        "Signalements à ce jour",
        "Bisherige Berichte",
        "البلاغات حتى الآن";
    /// After today's number: "+12 today".
    TODAY: "today", "hoje", "hoy", "aujourd’hui", "heute", "اليوم";
    TOTAL: "Total", "Total", "Total", "Total", "Gesamt", "المجموع";
}
