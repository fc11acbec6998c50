//! Names of parameters that are probably misspelt.

use app::contract::options::{EmbedOptions, OPTIONS};
use base::spelling;

use super::encoding;
use crate::problem::{Problem, Result};

/// Maximum number of unknown names of a query that are compared with the known ones.
const MAX_COMPARED: usize = 32;
/// Maximum length of such a name, still encoded.
const MAX_COMPARED_BYTES: usize = 64;

/// An unknown name that was probably meant to be a known one.
#[derive(Clone, Debug)]
pub(crate) struct NearMiss {
    pub given: String,
    pub meant: &'static str,
}

/// Comparison of the unknown names of one query.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    compared: usize,
}

impl Comparison {
    /// Compares an unknown name, still encoded, with the known ones.
    ///
    /// # Errors
    /// The name is a near miss.
    pub(super) fn check(
        &mut self,
        name: &str,
        known: impl Iterator<Item = &'static str>,
    ) -> Result<(), NearMiss> {
        if self.compared == MAX_COMPARED || !(1..=MAX_COMPARED_BYTES).contains(&name.len()) {
            return Ok(());
        }
        self.compared += 1;
        let Ok(given) = encoding::decode(name, MAX_COMPARED_BYTES) else { return Ok(()) };
        match spelling::nearest(&given, known) {
            Some(meant) => Err(NearMiss { given, meant }),
            None => Ok(()),
        }
    }
}

/// Checks the names in a query with the options of a widget and `more` parameters. Wrong values of options have no
/// effect, but a misspelt filter would show everything.
///
/// # Errors
/// A name is a near miss of a known one.
pub(crate) fn check_options(query: &str, more: &[&'static str]) -> Result<(), NearMiss> {
    let known = || OPTIONS.iter().map(|option| option.name).chain(more.iter().copied());
    let mut comparison = Comparison::default();
    for pair in query.split('&') {
        let name = pair.split_once('=').map_or(pair, |(name, _)| name);
        if !known().any(|known| encoding::is(name, known)) {
            comparison.check(name, known())?;
        }
    }
    Ok(())
}

/// Reads the options of a widget from a query that has `more` parameters.
///
/// # Errors
/// See [`check_options`].
pub(crate) fn embed_options(query: &str, more: &[&'static str]) -> Result<EmbedOptions> {
    check_options(query, more)?;
    Ok(EmbedOptions::from_query(query))
}

impl From<NearMiss> for Problem {
    fn from(NearMiss { given, meant }: NearMiss) -> Self {
        Self::invalid_parameter(format!("There is no parameter {given:?}: did you mean {meant:?}?"))
    }
}
