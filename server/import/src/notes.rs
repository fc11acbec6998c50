//! Notes for the operator about a file. They format as English; the desk translates them. An import's result contains
//! them by the names of their variants, so these must not change.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::field::Field;

/// Note about a file. Texts of the file are quoted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Note {
    NotUsed {
        thing: Thing,
        name: String,
        /// Field that is probably meant.
        suggested: Option<Field>,
    },
    /// A column or key without a name is not used.
    Unnamed(Thing),
    /// More columns or keys are not used than are listed.
    NoFurther(Thing),
    /// A sheet is read, and there are others.
    Sheet { name: String, others: usize },
    /// Countries that are not recognised, and some of their names with the number of rows.
    Countries {
        listed: Vec<(String, u64)>,
        /// Number of names that are not listed.
        further: usize,
        /// Whether there may be more than those.
        has_more: bool,
    },
    /// The file is sorted before its first row is imported.
    Sorting,
}

/// Thing in a file that has the name of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Thing {
    Column,
    Key,
}

impl fmt::Display for Thing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Column => "column",
            Self::Key => "key",
        })
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotUsed { thing, name, suggested } => {
                write!(f, "the {thing} {name} is not used")?;
                match suggested {
                    Some(field) => write!(f, " (is it meant to be {field}?)"),
                    None => Ok(()),
                }
            }
            Self::Unnamed(thing) => write!(f, "a {thing} without a name is not used"),
            Self::NoFurther(thing) => write!(f, "no further {thing}s that are not used are listed"),
            Self::Sheet { name, others } => {
                write!(f, "the sheet {name} is read; the workbook has {others} more")
            }
            Self::Countries { listed, further, has_more } => {
                f.write_str("countries that are not recognised")?;
                for (number, (name, rows)) in listed.iter().enumerate() {
                    let before = if number == 0 { ":" } else { "," };
                    let noun = if *rows == 1 { "row" } else { "rows" };
                    write!(f, "{before} {name} ({rows} {noun})")?;
                }
                match (further, has_more) {
                    (0, false) => Ok(()),
                    (further, false) => write!(f, " and {further} more names"),
                    (further, true) => write!(f, " and more than {further} more names"),
                }
            }
            Self::Sorting => f.write_str(
                "the file is read to its end before its first row is imported: history is imported in the order of \
                 createdAt",
            ),
        }
    }
}
