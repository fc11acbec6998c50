//! Derived data: what follows from the reports (counts, sets of cities, lists and places).
//!
//! Each [kind](kind) of it is described once, as a [`Derived`]: how to compare what is stored with the reports, and
//! how to correct what differs. A [check], a [rebuild] and the upgrade to newer [rules](Rules), which is a rebuild,
//! are loops over the list of all kinds.
//!
//! To add a kind, implement [`Derived`] beside the code that writes it and add it to [`kind::ALL`]; what it shows
//! people goes into [`Rebuilt`].

mod check;
mod facts;
mod kind;
mod lease;
mod progress;
mod rebuild;

pub use self::{
    check::{Checked, Difference},
    progress::{Progress, Rebuilt, Stage},
};
pub(super) use self::{
    facts::Facts,
    kind::{Derived, Found},
};
use super::{
    error::{Error, Result},
    list_index,
};
use crate::engine::sql::{self, Connection, Target};

/// Versions of the rules of this binary. A database with older ones is brought up to date when it is
/// migrated; one with newer ones is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub(super) struct Rules {
    /// What is made of the same reports and places. Raised when that changes.
    rules: i64,
    /// What [`fold`](geo::places::fold) makes of the same text.
    folding: i64,
    /// Which names [mean a country](geo::places::country_key).
    countries: i64,
}

/// A test compares the last two with what the rules do, so that no change of them is forgotten.
const CURRENT: Rules = Rules { rules: 1, folding: 1, countries: 1 };

/// What a database lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outdated {
    No,
    /// Places, counts or lists may follow older rules: a [rebuild](rebuild) is due.
    Places,
    /// Lists and counts are still to be [made](make), and then places compared.
    Everything,
}

impl Rules {
    async fn of<'c>(target: impl Into<Target<'c>>) -> Result<Self> {
        let rules = sql::query_as("SELECT rules, folding, countries FROM derived WHERE id = 1");
        Ok(rules.fetch_one(target).await?)
    }
}

/// Compares the rules that everything was made by with those of this binary. The migrations have to be done.
///
/// # Errors
/// [`Error::NewerRules`].
pub(super) async fn outdated<'c>(target: impl Into<Target<'c>>) -> Result<Outdated> {
    let stored = Rules::of(target).await?;
    let newer = stored.rules > CURRENT.rules
        || stored.folding > CURRENT.folding
        || stored.countries > CURRENT.countries;
    Ok(match stored {
        _ if newer => return Err(Error::NewerRules),
        CURRENT => Outdated::No,
        Rules { rules: 0, .. } => Outdated::Everything,
        _ => Outdated::Places,
    })
}

/// Makes the lists and counts that older rules lack.
pub(super) async fn make(tx: &mut Connection) -> Result<()> {
    if Rules::of(&mut *tx).await?.rules < 1 {
        list_index::fill(tx).await?;
    }
    sql::query("UPDATE derived SET rules = $1 WHERE id = 1")
        .bind(CURRENT.rules)
        .execute(&mut *tx)
        .await?;
    let any: bool =
        sql::query_scalar("SELECT EXISTS (SELECT 1 FROM reports)").fetch_one(&mut *tx).await?;
    if any { Ok(()) } else { set_current(tx).await }
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
