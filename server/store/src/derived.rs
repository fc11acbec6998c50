//! Derived data: everything computed from the reports (counts, sets of cities, lists and places).
//!
//! Each [kind](kind) is described once, as a [`Derived`]: the comparison of stored data with the reports, and the
//! correction of differences. A [check](mod@check), a [rebuild] and the upgrade to newer [rules](Rules), which is a rebuild, run
//! through the list of all kinds.
//!
//! To add a kind, implement [`Derived`] beside the code that writes it, and add it to the list in [`kind`]. Results for
//! users are added to [`Rebuilt`].

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

/// Versions of the rules of this binary. A database with older rules is rebuilt when it is migrated; one with newer
/// rules is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub(super) struct Rules {
    /// Version of the rules that derive data from reports and places.
    rules: i64,
    /// Version of the results of [`fold`](geo::places::fold).
    folding: i64,
    /// Version of the [country names](geo::places::country_key).
    countries: i64,
}

/// Current versions. A test compares the last two with the behaviour of the rules, so that no change goes unnoticed.
const CURRENT: Rules = Rules { rules: 1, folding: 1, countries: 1 };

/// Whether the derived data was made by older rules than those of this binary, so that a [rebuild](rebuild) is due. All
/// migrations have to be applied.
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

/// Notes that the derived data was made by the rules of this binary.
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
    use crate::testing::Scratch;

    fn digest(keys: impl Iterator<Item = String>) -> String {
        let mut hash = Sha256::new();
        for key in keys {
            hash.update(key.as_bytes());
            hash.update([0]);
        }
        hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }

    #[tokio::test]
    async fn a_new_database_has_the_current_rules() {
        let store = Scratch::new().await;
        assert!(!is_outdated(&store.readers).await.unwrap());
    }

    /// If this fails, the rules that distinguish places have changed. Raise the version of the changed rules, so that
    /// databases are rebuilt when they are migrated, and write the new digest here. An update of Unicode's tables
    /// changes the rules, too.
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
