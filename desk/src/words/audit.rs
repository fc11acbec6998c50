//! Texts of the pages of the audit log.

use kit::words;

words! {
    ENTRIES: "Entries", "Registros", "Entradas", "Entrées", "Einträge", "القيود";
    BY_PERSON_AND_DAY:
        "By person and day",
        "Por pessoa e dia",
        "Por persona y día",
        "Par personne et par jour",
        "Nach Person und Tag",
        "حسب الشخص واليوم";
    NO_ENTRY_MATCHES:
        "No entry matches.",
        "Nenhum registro corresponde à busca.",
        "Ninguna entrada coincide.",
        "Aucune entrée ne correspond.",
        "Kein passender Eintrag.",
        "لا يوجد قيد مطابق.";
    SHOW_EVERYTHING:
        "Show everything", "Mostrar tudo", "Mostrar todo", "Tout afficher", "Alles anzeigen", "عرض الكل";
    NOBODY_HAS_DONE_ANYTHING:
        "Nobody has done anything yet. Decisions, corrections, imports, and changes of keys and webhooks will appear here.",
        "Ninguém fez nada ainda. Aqui aparecerão decisões, correções, importações e alterações de chaves e webhooks.",
        "Nadie ha hecho nada todavía. Aquí aparecerán las decisiones, las correcciones, las importaciones y los cambios de claves y webhooks.",
        "Personne n’a encore rien fait. Les décisions, les corrections, les importations et les modifications des clés et des webhooks apparaîtront ici.",
        "Noch hat niemand etwas getan. Hier erscheinen Entscheidungen, Korrekturen, Importe sowie Änderungen an Schlüsseln und Webhooks.",
        "لم يقم أحد بأي إجراء بعد. ستظهر هنا القرارات والتصحيحات وعمليات الاستيراد وتغييرات المفاتيح وخطافات الويب.";
    TO_THE_START:
        "To the start", "Voltar ao início", "Volver al principio", "Revenir au début", "Zum Anfang", "إلى البداية";

    /// Conditions of the search.
    SUBJECT:
        "Report, import, key or webhook",
        "Relato, importação, chave ou webhook",
        "Informe, importación, clave o webhook",
        "Signalement, importation, clé ou webhook",
        "Bericht, Import, Schlüssel oder Webhook",
        "بلاغ أو استيراد أو مفتاح أو خطاف ويب";
    PERSON: "Person", "Pessoa", "Persona", "Personne", "Person", "الشخص";
    ACTION: "Action", "Ação", "Acción", "Action", "Aktion", "الإجراء";
    ALL_ACTIONS:
        "All actions",
        "Todas as ações",
        "Todas las acciones",
        "Toutes les actions",
        "Alle Aktionen",
        "جميع الإجراءات";
    SEARCH: "Search", "Buscar", "Buscar", "Rechercher", "Suchen", "بحث";

    /// An entry, with its reports.
    ENTRY: "Entry", "Registro", "Entrada", "Entrée", "Eintrag", "قيد";
    NO_SUCH_ENTRY:
        "There is no such entry.",
        "Este registro não existe.",
        "Esta entrada no existe.",
        "Cette entrée n’existe pas.",
        "Diesen Eintrag gibt es nicht.",
        "هذا القيد غير موجود.";
    TO_THE_AUDIT:
        "To the audit", "Ir para a auditoria", "Ir a la auditoría", "Vers le journal", "Zum Protokoll", "إلى السجل";
    ABOUT_NO_REPORT:
        "This entry is about no report.",
        "Este registro não se refere a nenhum relato.",
        "Esta entrada no se refiere a ningún informe.",
        "Cette entrée ne concerne aucun signalement.",
        "Dieser Eintrag betrifft keinen Bericht.",
        "لا يتعلق هذا القيد بأي بلاغ.";
    NOW:
        "now {status}",
        "agora {status}",
        "ahora {status}",
        "maintenant {status}",
        "jetzt {status}",
        "الآن: {status}";
    /// A member of a report or of another subject that was changed, or that an action set.
    CHANGED:
        "{name}: {before} → {after}",
        "{name}: {before} → {after}",
        "{name}: {before} → {after}",
        "{name}\u{202f}: {before} → {after}",
        "{name}: {before} → {after}",
        "{name}: {before} ← {after}";
    SET:
        "{name}: {after}",
        "{name}: {after}",
        "{name}: {after}",
        "{name}\u{202f}: {after}",
        "{name}: {after}",
        "{name}: {after}";

    /// Between two changes.
    SEPARATOR: "; ", "; ", "; ", "\u{202f}; ", "; ", "؛ ";

    /// The table of decisions by person and day.
    NOBODY_HAS_DECIDED:
        "Nobody has decided on a report in the last 14 days.",
        "Ninguém decidiu sobre relatos nos últimos 14 dias.",
        "Nadie ha decidido sobre informes en los últimos 14 días.",
        "Personne n’a traité de signalement ces 14 derniers jours.",
        "In den letzten 14 Tagen hat niemand über Berichte entschieden.",
        "لم يبتّ أحد في أي بلاغ خلال آخر 14 يومًا.";
    REPORTS_BY_PERSON_AND_DAY:
        "Reports by person and day",
        "Relatos por pessoa e dia",
        "Informes por persona y día",
        "Signalements par personne et par jour",
        "Berichte nach Person und Tag",
        "البلاغات حسب الشخص واليوم";
    DAY: "Day", "Dia", "Día", "Jour", "Tag", "اليوم";
    COLUMN_APPROVED: "Approved", "Aprovados", "Aprobados", "Approuvés", "Angenommen", "مقبولة";
    COLUMN_REJECTED: "Rejected", "Rejeitados", "Rechazados", "Rejetés", "Abgelehnt", "مرفوضة";
    COLUMN_WITHDRAWN: "Withdrawn", "Retirados", "Retirados", "Retirés", "Zurückgezogen", "مسحوبة";
    COLUMN_CORRECTED: "Corrected", "Corrigidos", "Corregidos", "Corrigés", "Korrigiert", "مصحّحة";
    LAST_14_DAYS:
        "Last 14 days", "Últimos 14 dias", "Últimos 14 días", "14 derniers jours", "Letzte 14 Tage", "آخر 14 يومًا";
    NUMBERS_OF_REPORTS:
        "Numbers of reports, in days of UTC. Undone decisions are counted, too.",
        "Números de relatos, em dias de UTC. As decisões desfeitas também são contadas.",
        "Números de informes, en días de UTC. Las decisiones deshechas también se cuentan.",
        "Nombres de signalements, en jours UTC. Les décisions annulées sont également comptées.",
        "Anzahl der Berichte, in Tagen nach UTC. Rückgängig gemachte Entscheidungen zählen mit.",
        "أعداد البلاغات، بأيام UTC. وتُحتسب القرارات المتراجَع عنها أيضًا.";
}
