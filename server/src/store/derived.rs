//! What follows from the reports: by which rules it was made, and making it.

use sqlx::SqliteConnection;

use super::{error::Result, reports::relist};

/// The rules of this binary. Raised when what they make of the same reports changes.
const RULES: i64 = 1;

/// Whether everything was made by the rules of this binary. The migrations have to be done.
pub(super) async fn is_current(connection: &mut SqliteConnection) -> Result<bool> {
    Ok(rules(connection).await? >= RULES)
}

/// Makes what older rules lack.
pub(super) async fn make(tx: &mut SqliteConnection) -> Result<()> {
    if rules(tx).await? < 1 {
        relist::fill(tx).await?;
    }
    sqlx::query("UPDATE derived SET rules = $1 WHERE id = 1").bind(RULES).execute(tx).await?;
    Ok(())
}

async fn rules(connection: &mut SqliteConnection) -> Result<i64> {
    let rules = sqlx::query_scalar("SELECT rules FROM derived WHERE id = 1");
    Ok(rules.fetch_one(connection).await?)
}
