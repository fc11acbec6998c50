//! Texts around each page.

use kit::words;

words! {
    DESK: "Desk", "Mesa", "Mesa", "Bureau", "Desk", "المكتب";
    QUEUE: "Queue", "Fila", "Cola", "File d’attente", "Warteschlange", "قائمة الانتظار";
    IMPORTS: "Imports", "Importações", "Importaciones", "Importations", "Importe", "عمليات الاستيراد";
    AUDIT: "Audit", "Auditoria", "Auditoría", "Journal", "Protokoll", "السجل";
    OVERVIEW: "Overview", "Visão geral", "Resumen", "Vue d’ensemble", "Übersicht", "نظرة عامة";
    HELP: "Help", "Ajuda", "Ayuda", "Aide", "Hilfe", "المساعدة";
    SIGN_OUT: "Sign out", "Sair", "Cerrar sesión", "Se déconnecter", "Abmelden", "تسجيل الخروج";
    ALL_TIMES_IN_UTC:
        "All times are in UTC.",
        "Todos os horários estão em UTC.",
        "Todas las horas están en UTC.",
        "Toutes les heures sont en UTC.",
        "Alle Zeiten in UTC.",
        "جميع الأوقات بالتوقيت العالمي (UTC).";
    LANGUAGE: "Language", "Idioma", "Idioma", "Langue", "Sprache", "اللغة";
    NOTHING_HERE: "Nothing here", "Nada aqui", "Nada aquí", "Rien ici", "Nichts hier", "لا شيء هنا";
    THERE_IS_NOTHING_HERE:
        "There is nothing here",
        "Não há nada aqui",
        "Aquí no hay nada",
        "Il n’y a rien ici",
        "Hier gibt es nichts",
        "لا يوجد شيء هنا";
    TO_THE_QUEUE:
        "To the queue",
        "Ir para a fila",
        "Ir a la cola",
        "Vers la file d’attente",
        "Zur Warteschlange",
        "إلى قائمة الانتظار";
}
