//! Texts of the overview.

use kit::words;

words! {
    OPEN_STREAMS:
        "Open streams",
        "Transmissões abertas",
        "Flujos abiertos",
        "Flux ouverts",
        "Offene Streams",
        "تدفقات مفتوحة";
    VERSION: "Version", "Versão", "Versión", "Version", "Version", "الإصدار";
    EVERYTHING_WORKS:
        "Everything works.",
        "Tudo funciona.",
        "Todo funciona.",
        "Tout fonctionne.",
        "Alles funktioniert.",
        "كل شيء يعمل.";

    /// The table of webhook subscriptions.
    WEBHOOK_SUBSCRIPTIONS:
        "Webhook subscriptions",
        "Assinaturas de webhooks",
        "Suscripciones a webhooks",
        "Abonnements aux webhooks",
        "Webhook-Abonnements",
        "اشتراكات خطافات الويب";
    NO_PARTNER_HAS_SUBSCRIBED:
        "No partner has subscribed.",
        "Nenhum parceiro tem assinatura.",
        "Ningún socio se ha suscrito.",
        "Aucun partenaire n’est abonné.",
        "Kein Partner hat ein Abonnement.",
        "لم يشترك أي شريك.";
    PARTNER: "Partner", "Parceiro", "Socio", "Partenaire", "Partner", "الشريك";
    STATE: "State", "Estado", "Estado", "État", "Zustand", "الحالة";
    EVENTS_PENDING: "Pending", "Pendentes", "Pendientes", "En attente", "Ausstehend", "قيد الانتظار";
    DELIVERED: "Delivered", "Entregues", "Entregados", "Livrés", "Zugestellt", "مسلَّمة";
    FAILED: "Failed", "Com falha", "Fallidos", "En échec", "Fehlgeschlagen", "فاشلة";
    ENDPOINT: "Endpoint", "Endereço", "Destino", "Destination", "Endpunkt", "نقطة الاستقبال";
    MANAGE_WEBHOOKS:
        "Manage webhooks",
        "Gerenciar webhooks",
        "Gestionar webhooks",
        "Gérer les webhooks",
        "Webhooks verwalten",
        "إدارة خطافات الويب";

    /// The table of keys.
    THERE_ARE_NO_KEYS:
        "There are no keys.",
        "Não há chaves.",
        "No hay claves.",
        "Il n’y a pas de clés.",
        "Es gibt keine Schlüssel.",
        "لا توجد مفاتيح.";
    KEY: "Key", "Chave", "Clave", "Clé", "Schlüssel", "المفتاح";
    OF: "Of", "De", "De", "De", "Von", "صاحبه";
    TIER: "Tier", "Nível", "Nivel", "Niveau", "Stufe", "الفئة";
    LAST_USED: "Last used", "Último uso", "Último uso", "Dernière utilisation", "Zuletzt benutzt", "آخر استخدام";
    MANAGE_KEYS_AND_SESSIONS:
        "Manage keys and sessions",
        "Gerenciar chaves e sessões",
        "Gestionar claves y sesiones",
        "Gérer les clés et les sessions",
        "Schlüssel und Sitzungen verwalten",
        "إدارة المفاتيح والجلسات";

    LATEST_ACTIONS:
        "Latest actions", "Últimas ações", "Últimas acciones", "Dernières actions", "Letzte Aktionen", "أحدث الإجراءات";
    NOBODY_HAS_DONE_ANYTHING:
        "Nobody has decided on, imported or changed anything yet.",
        "Ninguém decidiu, importou ou alterou nada ainda.",
        "Nadie ha decidido, importado ni cambiado nada todavía.",
        "Personne n’a encore rien décidé, importé ni modifié.",
        "Noch hat niemand etwas entschieden, importiert oder geändert.",
        "لم يبتّ أحد في شيء ولم يستورد أو يغيّر شيئًا بعد.";
    SEARCH_THE_AUDIT:
        "Search the audit",
        "Buscar na auditoria",
        "Buscar en la auditoría",
        "Rechercher dans le journal",
        "Protokoll durchsuchen",
        "البحث في السجل";
    ALSO_AVAILABLE_TO_PROGRAMS:
        "All of this is also available to programs:",
        "Tudo isto também está disponível para programas:",
        "Todo esto también está disponible para programas:",
        "Tout cela est aussi accessible aux programmes\u{202f}:",
        "All das ist auch für Programme verfügbar:",
        "كل هذا متاح أيضًا للبرامج:";

    /// The chart of reports over time.
    DAYS: "Days", "Dias", "Días", "Jours", "Tage", "أيام";
    WEEKS: "Weeks", "Semanas", "Semanas", "Semaines", "Wochen", "أسابيع";
    MONTHS: "Months", "Meses", "Meses", "Mois", "Monate", "أشهر";
    WEEK: "Week", "Semana", "Semana", "Semaine", "Woche", "الأسبوع";
    MONTH: "Month", "Mês", "Mes", "Mois", "Monat", "الشهر";
    YEAR: "Year", "Ano", "Año", "Année", "Jahr", "السنة";
    PUBLISHED_REPORTS_BY_EVENT_DATE:
        "Published reports by event date",
        "Relatos publicados por data do evento",
        "Informes publicados por fecha del evento",
        "Signalements publiés par date de l’événement",
        "Veröffentlichte Berichte nach Ereignisdatum",
        "البلاغات المنشورة حسب تاريخ الحدث";
    SUMMARY:
        ("{from} to {to}: {n} report", "{from} to {to}: {n} reports"),
        ["{from} a {to}: {n} relatos", "{from} a {to}: {n} relato", "{from} a {to}: {n} relatos", "{from} a {to}: {n} relatos", "{from} a {to}: {n} de relatos", "{from} a {to}: {n} relatos"],
        ["{from} a {to}: {n} informes", "{from} a {to}: {n} informe", "{from} a {to}: {n} informes", "{from} a {to}: {n} informes", "{from} a {to}: {n} de informes", "{from} a {to}: {n} informes"],
        ["Du {from} au {to}\u{202f}: {n} signalements", "Du {from} au {to}\u{202f}: {n} signalement", "Du {from} au {to}\u{202f}: {n} signalements", "Du {from} au {to}\u{202f}: {n} signalements", "Du {from} au {to}\u{202f}: {n} de signalements", "Du {from} au {to}\u{202f}: {n} signalements"],
        ("{from} bis {to}: {n} Bericht", "{from} bis {to}: {n} Berichte"),
        ["من {from} إلى {to}: لا بلاغات", "من {from} إلى {to}: بلاغ واحد", "من {from} إلى {to}: بلاغان", "من {from} إلى {to}: {n} بلاغات", "من {from} إلى {to}: {n} بلاغًا", "من {from} إلى {to}: {n} بلاغ"];
    NUMBERS: "Numbers", "Números", "Números", "Chiffres", "Zahlen", "الأرقام";
    NUMBERS_OF_THE_CHART:
        "Numbers of the chart",
        "Números do gráfico",
        "Números del gráfico",
        "Chiffres du graphique",
        "Zahlen des Diagramms",
        "أرقام المخطط";
    TOTAL: "Total", "Total", "Total", "Total", "Gesamt", "المجموع";
}
