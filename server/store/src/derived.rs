//! Derived data: what follows from the reports (counts, sets of cities, lists and places).
//!
//! Each [kind](kind) of it is described once, as a [`Derived`]: how to compare what is stored with the reports, and
//! how to correct what differs. A [check], a [rebuild] and the upgrade to newer [rules](Rules), which is a rebuild,
//! go through the list of all kinds.
//!
//! To add a kind, implement [`Derived`] beside the code that writes it and add it to the list in [`kind`]; what it shows
//! people goes into [`Rebuilt`].

mod check;
mod facts;
mod kind;
mod lease;
mod rebuild;
mod rebuilt;

pub(super) use self::check::check;
pub use self::{
    check::{Checked, Difference},
    rebuilt::Rebuilt,
};
pub(super) use self::{
    facts::Facts,
    kind::{Derived, Found},
};
use super::error::{Error, Result};
use crate::engine::sql::{self, Connection, Target};

/// Versions of the rules of this binary. A database with older ones is brought up to date when it is
/// migrated; one with newer ones is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub(super) struct Rules {
    /// Version of what is made of the same reports and places.
    rules: i64,
    /// Version of what [`fold`](geo::places::fold) makes of the same text.
    folding: i64,
    /// Version of the names that [mean a country](geo::places::country_key).
    countries: i64,
}

/// A test compares the last two with what the rules do, so that no change of them is forgotten.
const CURRENT: Rules = Rules { rules: 1, folding: 1, countries: 1 };

/// Whether everything was made by older rules than those of this binary, so that a [rebuild](rebuild) is due. The
/// migrations have to be done.
///
/// # Errors
/// [`Error::NewerRules`].
pub(super) async fn is_outdated<'c>(target: impl Into<Target<'c>>) -> Result<bool> {
    let rules = sql::query_as("SELECT rules, folding, countries FROM derived WHERE id = 1");
    let stored: Rules = rules.fetch_one(target).await?;
    let newer = stored.rules > CURRENT.rules
        || stored.folding > CURRENT.folding
        || stored.countries > CURRENT.countries;
    if newer { Err(Error::NewerRules) } else { Ok(stored != CURRENT) }
}

/// Notes that everything was made by the rules of this binary.
async fn set_current(tx: &mut Connection) -> Result<()> {
    sql::query("UPDATE derived SET rules = $1, folding = $2, countries = $3 WHERE id = 1")
        .bind(CURRENT.rules)
        .bind(CURRENT.folding)
        .bind(CURRENT.countries)
        .execute(tx)
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use geo::places::{country_key, fold};
    use sha2::{Digest, Sha256};

    use super::*;

    fn digest(keys: impl Iterator<Item = String>) -> String {
        let mut hash = Sha256::new();
        for key in keys {
            hash.update(key.as_bytes());
            hash.update([0]);
        }
        hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }

    /// If this fails, places are told apart by other rules than before. Raise the version of what changed, so
    /// that databases are rebuilt when they are migrated, and write the new digest here. An update of
    /// Unicode's tables changes them, too.
    #[test]
    fn rules_that_change_get_a_new_version() {
        let letters = (0..=u32::from(char::MAX)).filter_map(char::from_u32);
        let folded = digest(letters.map(|letter| fold(&format!("a{letter} b{letter}"))));
        let names = include_str!("../../geo/data/countries.tsv").split(['\n', '\t', '|']);
        let countries = digest(names.flat_map(|name| {
            [name.to_owned(), format!("The {name}"), name.replace(' ', ".")]
                .map(|name| country_key(&name))
        }));
        let Rules { folding, countries: list, .. } = CURRENT;
        assert_eq!(
            [(folding, folded.as_str()), (list, countries.as_str())],
            [(1, "b18d30f465dbdb39"), (1, "3de7388dff84809c")]
        );
    }
}
