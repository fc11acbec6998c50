//! Texts of the lists of reports, around the list itself.

use kit::words;

words! {
    /// Names of the lists in the navigation, and their titles.
    PENDING_TAB: "Pending", "Pendentes", "Pendientes", "En attente", "Offen", "قيد الانتظار";
    APPROVED_TAB: "Approved", "Aprovados", "Aprobados", "Approuvés", "Angenommen", "المقبولة";
    REJECTED_TAB: "Rejected", "Rejeitados", "Rechazados", "Rejetés", "Abgelehnt", "المرفوضة";
    WITHDRAWN_TAB: "Withdrawn", "Retirados", "Retirados", "Retirés", "Zurückgezogen", "المسحوبة";
    APPROVED_REPORTS:
        "Approved reports",
        "Relatos aprovados",
        "Informes aprobados",
        "Signalements approuvés",
        "Angenommene Berichte",
        "البلاغات المقبولة";
    REJECTED_REPORTS:
        "Rejected reports",
        "Relatos rejeitados",
        "Informes rechazados",
        "Signalements rejetés",
        "Abgelehnte Berichte",
        "البلاغات المرفوضة";
    WITHDRAWN_REPORTS:
        "Withdrawn reports",
        "Relatos retirados",
        "Informes retirados",
        "Signalements retirés",
        "Zurückgezogene Berichte",
        "البلاغات المسحوبة";
    LISTS: "Lists", "Listas", "Listas", "Listes", "Listen", "القوائم";

    /// Before links to decisions on the whole list.
    ALL_OF_THIS_LIST:
        "All of this list:",
        "A lista inteira:",
        "Toda la lista:",
        "Toute la liste\u{202f}:",
        "Die ganze Liste:",
        "القائمة كلها:";
    DOWNLOAD_AS_CSV:
        "Download as CSV",
        "Baixar como CSV",
        "Descargar como CSV",
        "Télécharger en CSV",
        "Als CSV herunterladen",
        "تنزيل بصيغة CSV";

    /// Filters.
    PLACE_OR_ID: "Place or id", "Lugar ou id", "Lugar o id", "Lieu ou id", "Ort oder ID", "المكان أو المعرّف";
    TEXT: "Text", "Texto", "Texto", "Texte", "Text", "النص";
    FROM: "From", "De", "Desde", "Du", "Von", "من";
    TO: "To", "Até", "Hasta", "Au", "Bis", "إلى";
    IMPORT: "Import", "Importação", "Importación", "Importation", "Import", "الاستيراد";
    ALL_TYPES: "All types", "Todos os tipos", "Todos los tipos", "Tous les types", "Alle Arten", "كل الأنواع";
    ORDER: "Order", "Ordem", "Orden", "Ordre", "Reihenfolge", "الترتيب";
    NEWEST_FIRST:
        "Newest first",
        "Mais recentes primeiro",
        "Más recientes primero",
        "Les plus récents d’abord",
        "Neueste zuerst",
        "الأحدث أولًا";
    OLDEST_FIRST:
        "Oldest first",
        "Mais antigos primeiro",
        "Más antiguos primero",
        "Les plus anciens d’abord",
        "Älteste zuerst",
        "الأقدم أولًا";
    LATEST_EVENT_FIRST:
        "Latest event first",
        "Evento mais recente primeiro",
        "Suceso más reciente primero",
        "Événement le plus récent d’abord",
        "Spätestes Ereignis zuerst",
        "أحدث حدث أولًا";
    EARLIEST_EVENT_FIRST:
        "Earliest event first",
        "Evento mais antigo primeiro",
        "Suceso más antiguo primero",
        "Événement le plus ancien d’abord",
        "Frühestes Ereignis zuerst",
        "أقدم حدث أولًا";
    SHOW: "Show", "Mostrar", "Mostrar", "Afficher", "Anzeigen", "عرض";
    MORE_FILTERS: "More filters", "Mais filtros", "Más filtros", "Plus de filtres", "Weitere Filter", "مرشحات أخرى";
    FILTERS: "Filters", "Filtros", "Filtros", "Filtres", "Filter", "المرشحات";
    REMOVE_FILTER:
        "Remove {name}: {value}",
        "Remover {name}: {value}",
        "Quitar {name}: {value}",
        "Retirer {name}\u{202f}: {value}",
        "{name}: {value} entfernen",
        "إزالة {name}: \u{2068}{value}\u{2069}";
    MORE_CHOICES_OF:
        "More choices of {name}",
        "Mais opções de {name}",
        "Más opciones de {name}",
        "Plus de choix pour {name}",
        "Mehr Auswahl für {name}",
        "خيارات أخرى: {name}";

    /// Saved lists.
    SAVED_VIEWS:
        "Saved views",
        "Visões salvas",
        "Vistas guardadas",
        "Vues enregistrées",
        "Gespeicherte Ansichten",
        "طرق العرض المحفوظة";
    REMOVE_THIS_VIEW:
        "Remove this view",
        "Remover esta visão",
        "Quitar esta vista",
        "Supprimer cette vue",
        "Diese Ansicht entfernen",
        "إزالة طريقة العرض هذه";
    SAVE_THIS_VIEW:
        "Save this view",
        "Salvar esta visão",
        "Guardar esta vista",
        "Enregistrer cette vue",
        "Diese Ansicht speichern",
        "حفظ طريقة العرض هذه";
    NAME: "Name", "Nome", "Nombre", "Nom", "Name", "الاسم";
    SAVED_AS:
        "Saved as “{name}”.",
        "Salva como “{name}”.",
        "Guardada como «{name}».",
        "Enregistrée sous « {name} ».",
        "Als „{name}“ gespeichert.",
        "حُفظت باسم «\u{2068}{name}\u{2069}».";
    REMOVED_VIEW:
        "Removed the view “{name}”.",
        "Visão “{name}” removida.",
        "Se ha quitado la vista «{name}».",
        "Vue « {name} » supprimée.",
        "Ansicht „{name}“ entfernt.",
        "أُزيلت طريقة العرض «\u{2068}{name}\u{2069}».";
}
