//! Texts of a report's page.

use kit::words;

words! {
    REPORT: "Report", "Relato", "Informe", "Signalement", "Bericht", "بلاغ";
    NO_SUCH_REPORT:
        "There is no report with this id.",
        "Não há relato com este id.",
        "No hay ningún informe con este id.",
        "Il n’y a aucun signalement avec cet id.",
        "Es gibt keinen Bericht mit dieser ID.",
        "لا يوجد بلاغ بهذا المعرّف.";
    STATUS_AND_DECISION:
        "{status}: {decision}",
        "{status}: {decision}",
        "{status}: {decision}",
        "{status}\u{202f}: {decision}",
        "{status}: {decision}",
        "{status}: {decision}";
    OPEN_STREET_MAP:
        "See it in OpenStreetMap",
        "Ver no OpenStreetMap",
        "Ver en OpenStreetMap",
        "Voir dans OpenStreetMap",
        "In OpenStreetMap ansehen",
        "عرضه في \u{2068}OpenStreetMap\u{2069}";
    HISTORY:
        "What was done",
        "O que foi feito",
        "Historial",
        "Historique",
        "Verlauf",
        "ما جرى";
    /// Way on which a report came.
    SOURCE: "Source", "Origem", "Origen", "Origine", "Herkunft", "المصدر";
    FORM: "Form", "Formulário", "Formulario", "Formulaire", "Formular", "نموذج";
    KEY_PREFIX:
        "Key {prefix}",
        "Chave {prefix}",
        "Clave {prefix}",
        "Clé {prefix}",
        "Schlüssel {prefix}",
        "المفتاح {prefix}";
    IMPORT_ID:
        "Import {id}",
        "Importação {id}",
        "Importación {id}",
        "Importation {id}",
        "Import {id}",
        "الاستيراد {id}";
    NOTE: "Note", "Nota", "Nota", "Note", "Notiz", "ملاحظة";
    CONTACT: "Contact", "Contato", "Contacto", "Contact", "Kontakt", "وسيلة الاتصال";
    LIST: "List", "Lista", "Lista", "Liste", "Liste", "القائمة";
    BACK_TO_THE_LIST:
        "Back to the list",
        "Voltar à lista",
        "Volver a la lista",
        "Retour à la liste",
        "Zurück zur Liste",
        "العودة إلى القائمة";
    PREVIOUS_REPORT:
        "Previous report",
        "Relato anterior",
        "Informe anterior",
        "Signalement précédent",
        "Voriger Bericht",
        "البلاغ السابق";
    NEXT_REPORT:
        "Next report",
        "Próximo relato",
        "Informe siguiente",
        "Signalement suivant",
        "Nächster Bericht",
        "البلاغ التالي";
    CORRECT_THIS_REPORT:
        "Correct this report",
        "Corrigir este relato",
        "Corregir este informe",
        "Corriger ce signalement",
        "Diesen Bericht berichtigen",
        "تصحيح هذا البلاغ";
}
