//! Lists that people at the desk have saved under a name.

use crate::{areas, engine::sql, error::Result};

/// Maximum number of views of a person.
pub const MAX_VIEWS: usize = 20;

/// Saved list.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct DeskView {
    /// Name, unique among the views of a person.
    pub name: String,
    /// Query of the list.
    pub query: String,
}

impl areas::DeskViews<'_> {
    /// Returns the views of a person in the order of their names.
    pub async fn of(self, owner: &str) -> Result<Vec<DeskView>> {
        let sql = "SELECT name, query FROM desk_views WHERE owner = $1 ORDER BY name";
        Ok(sql::query_as(sql).bind(owner).fetch_all(&self.store.readers).await?)
    }

    /// Saves a view, or replaces the view of this name. Returns `false` if the person has
    /// [`MAX_VIEWS`] others.
    pub async fn save(self, owner: &str, view: &DeskView) -> Result<bool> {
        self.store
            .administer(move |tx, _| {
                Box::pin(async move {
                    let sql = "SELECT count(*) FROM desk_views WHERE owner = $1 AND name <> $2";
                    let others: i64 = sql::query_scalar(sql)
                        .bind(owner)
                        .bind(view.name.as_str())
                        .fetch_one(&mut **tx)
                        .await?;
                    if others >= MAX_VIEWS as i64 {
                        return Ok(false);
                    }
                    let sql = "INSERT INTO desk_views (owner, name, query) VALUES ($1, $2, $3)
                         ON CONFLICT (owner, name) DO UPDATE SET query = EXCLUDED.query";
                    sql::query(sql)
                        .bind(owner)
                        .bind(view.name.as_str())
                        .bind(view.query.as_str())
                        .execute(&mut **tx)
                        .await?;
                    Ok(true)
                })
            })
            .await
    }

    /// Removes a view.
    pub async fn remove(self, owner: &str, name: &str) -> Result<()> {
        self.store
            .administer(move |tx, _| {
                Box::pin(async move {
                    sql::query("DELETE FROM desk_views WHERE owner = $1 AND name = $2")
                        .bind(owner)
                        .bind(name)
                        .execute(&mut **tx)
                        .await?;
                    Ok(())
                })
            })
            .await
    }
}
