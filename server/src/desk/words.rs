//! Texts of the desk's server side: results, problems, imports, and entries of the audit log.

/// Declares words whose English text is the `Display` of a type in the crate `import`, which the API and the command
/// line use.
macro_rules! translations {
    ($($WORD:ident: $pt:tt, $es:tt, $fr:tt, $de:tt, $ar:tt;)+) => {
        kit::words! { $($WORD: "", $pt, $es, $fr, $de, $ar;)+ }
    };
}

pub(super) mod access;
pub(super) mod audit;
pub(super) mod correcting;
pub(super) mod deciding;
pub(super) mod duplicates;
mod fault;
mod file_error;
pub(super) mod health;
pub(super) mod imports;
pub(super) mod mail;
mod note;
pub(super) mod problems;
mod row_error;
pub(super) mod views;
pub(crate) mod webhooks;

use desk::isolates::{code, english};
use import::Refusal;
use kit::{lang::Lang, number::neutral, words::Words};

pub(super) use self::{fault::grouped, file_error::file_error, note::note, row_error::row_error};

kit::words! {
    /// Separator of faults.
    BETWEEN: "; ", "; ", "; ", " ; ", "; ", "؛ ";
    OF_FIELD:
        "{field}: {reason}",
        "{field}: {reason}",
        "{field}: {reason}",
        "{field} : {reason}",
        "{field}: {reason}",
        "{field}: {reason}";
    ON_LINE:
        "line {line}: {reason}",
        "linha {line}: {reason}",
        "línea {line}: {reason}",
        "ligne {line} : {reason}",
        "Zeile {line}: {reason}",
        "السطر {line}: {reason}";
}

/// A message that exists only in English.
pub(super) fn in_english(words: &Words, text: &str) -> String {
    match words.lang {
        Lang::En => text.to_owned(),
        _ => english(text),
    }
}

/// Reason for a fault, after the field that has it.
fn of_field(words: &Words, field: Option<&str>, reason: String) -> String {
    match field {
        Some(field) => words.with(OF_FIELD, &[("field", &code(field)), ("reason", &reason)]),
        None => reason,
    }
}

/// Reasons for refusing a row, each with its field.
pub(super) fn refusals(words: &Words, refusals: &[Refusal]) -> String {
    let reason =
        |refusal: &Refusal| of_field(words, refusal.field, row_error(words, &refusal.reason));
    refusals.iter().map(reason).collect::<Vec<_>>().join(words.text(BETWEEN))
}

/// The line of a refused row, and the reason.
pub(super) fn example(words: &Words, refusal: &Refusal) -> String {
    let reason = refusals(words, std::slice::from_ref(refusal));
    let line = neutral(refusal.line, words.lang);
    words.with(ON_LINE, &[("line", &line), ("reason", &reason)])
}
