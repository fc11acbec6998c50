//! Kinds of faults, by which refused rows are grouped.

use import::Fault;
use kit::{
    lang::Lang,
    words::{Word, Words},
};

use super::of_field;

translations! {
    SHAPE: "linha não compreendida", "fila no entendida", "ligne non comprise", "Zeile nicht verstanden", "صف غير مفهوم";
    NOT_UTF8:
        "letras não compreendidas",
        "letras no entendidas",
        "lettres non comprises",
        "Buchstaben nicht verstanden",
        "أحرف غير مفهومة";
    MISSING: "vazio", "vacío", "vide", "leer", "فارغ";
    UNKNOWN_TYPE:
        "tipo desconhecido",
        "tipo desconocido",
        "type inconnu",
        "unbekannte Art",
        "نوع غير معروف";
    TEXT:
        "texto que não pode ser usado",
        "texto que no se puede usar",
        "texte inutilisable",
        "Text, der nicht verwendbar ist",
        "نص لا يمكن استخدامه";
    NUMBER:
        "não é um número inteiro de 1 a 1.000.000",
        "no es un número entero de 1 a 1.000.000",
        "n’est pas un nombre entier de 1 à 1 000 000",
        "keine ganze Zahl von 1 bis 1.000.000",
        "ليس عددًا صحيحًا من 1 إلى 1,000,000";
    DEGREES: "não são graus", "no son grados", "ne sont pas des degrés", "keine Gradzahl", "ليست درجات";
    DATE:
        "data não compreendida",
        "fecha no entendida",
        "date non comprise",
        "Datum nicht verstanden",
        "تاريخ غير مفهوم";
    INSTANT:
        "data e hora não compreendidas",
        "fecha y hora no entendidas",
        "date et heure non comprises",
        "Zeitpunkt nicht verstanden",
        "تاريخ ووقت غير مفهومين";
    FUTURE: "no futuro", "en el futuro", "dans le futur", "in der Zukunft", "في المستقبل";
    TWICE: "indicado duas vezes", "indicado dos veces", "indiqué deux fois", "doppelt angegeben", "مذكور مرتين";
    CONFLICT:
        "o id já existe com outro conteúdo",
        "el id ya existe con otro contenido",
        "l’id existe déjà avec un autre contenu",
        "die ID existiert schon mit anderem Inhalt",
        "المعرّف موجود بالفعل بمحتوى آخر";
}

/// Fault of a group of rows, after the field that has it.
pub(in crate::desk) fn grouped(words: &Words, field: Option<&str>, fault: Fault) -> String {
    let text = match words.lang {
        Lang::En => fault.description(),
        _ => words.text(word(fault)),
    };
    of_field(words, field, text.to_owned())
}

const fn word(fault: Fault) -> Word {
    match fault {
        Fault::Shape => SHAPE,
        Fault::NotUtf8 => NOT_UTF8,
        Fault::Missing => MISSING,
        Fault::UnknownType => UNKNOWN_TYPE,
        Fault::Text => TEXT,
        Fault::Number => NUMBER,
        Fault::Degrees => DEGREES,
        Fault::Date => DATE,
        Fault::Instant => INSTANT,
        Fault::Future => FUTURE,
        Fault::Twice => TWICE,
        Fault::Conflict => CONFLICT,
    }
}
