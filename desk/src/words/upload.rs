//! Upload of a file.

use kit::words;
#[cfg(feature = "ssr")]
use kit::words::Word;

words! {
    FILE: "File", "Arquivo", "Archivo", "Fichier", "Datei", "الملف";
    UPLOAD_FILE: "Upload", "Enviar", "Subir", "Envoyer", "Hochladen", "رفع";
    PERCENT_SENT:
        "{n} % sent",
        "{n} % enviado",
        "{n} % enviado",
        "{n} % envoyé",
        "{n} % gesendet",
        "أُرسل {n} %";
    CHECKING:
        "Checking the file …",
        "Verificando o arquivo …",
        "Comprobando el archivo …",
        "Vérification du fichier …",
        "Die Datei wird geprüft …",
        "يجري فحص الملف …";
    NOT_SENT:
        "The file could not be sent.",
        "Não foi possível enviar o arquivo.",
        "No se pudo enviar el archivo.",
        "Le fichier n’a pas pu être envoyé.",
        "Die Datei konnte nicht gesendet werden.",
        "تعذر إرسال الملف.";
    INTERRUPTED:
        "The upload was interrupted. Nothing was imported: send the file again.",
        "O envio foi interrompido. Nada foi importado: é preciso enviar o arquivo de novo.",
        "El envío se interrumpió. No se importó nada: hay que enviar el archivo de nuevo.",
        "L’envoi a été interrompu. Rien n’a été importé : il faut envoyer le fichier à nouveau.",
        "Das Hochladen wurde unterbrochen. Nichts wurde importiert: die Datei noch einmal senden.",
        "انقطع الرفع. لم يُستورد شيء: يجب إرسال الملف من جديد.";
}

/// Texts of the island.
#[cfg(feature = "ssr")]
pub(crate) const OF_ISLAND: [Word; 6] =
    [FILE, UPLOAD_FILE, PERCENT_SENT, CHECKING, NOT_SENT, INTERRUPTED];
