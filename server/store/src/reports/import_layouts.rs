//! Choices of how files are read, kept for the next file with the same columns.

use crate::{areas, engine::sql, error::Result};

/// Maximum number of layouts; the ones used least recently are deleted.
const MAX_LAYOUTS: i64 = 200;

impl areas::Reports<'_> {
    /// Returns the choices for files whose columns have this hash.
    pub async fn import_layout(self, header_hash: [u8; 32]) -> Result<Option<String>> {
        let sql = "SELECT reading FROM import_layouts WHERE header_hash = $1";
        let reading = sql::query_scalar(sql).bind(header_hash.to_vec());
        Ok(reading.fetch_optional(&self.store.readers).await?)
    }

    /// Keeps the choices for files whose columns have this hash; deletes them if there are none.
    pub async fn keep_import_layout(self, header_hash: [u8; 32], reading: &str) -> Result<()> {
        self.store
            .administer(move |tx, now| {
                Box::pin(async move {
                    if reading.is_empty() {
                        let sql = "DELETE FROM import_layouts WHERE header_hash = $1";
                        sql::query(sql).bind(header_hash.to_vec()).execute(&mut **tx).await?;
                        return Ok(());
                    }
                    let sql = "INSERT INTO import_layouts (header_hash, reading, used_at)
                         VALUES ($1, $2, $3)
                         ON CONFLICT (header_hash)
                         DO UPDATE SET reading = excluded.reading, used_at = excluded.used_at";
                    sql::query(sql)
                        .bind(header_hash.to_vec())
                        .bind(reading)
                        .bind(now.timestamp_millis())
                        .execute(&mut **tx)
                        .await?;
                    let sql = "DELETE FROM import_layouts WHERE header_hash NOT IN
                         (SELECT header_hash FROM import_layouts
                          ORDER BY used_at DESC, header_hash LIMIT $1)";
                    sql::query(sql).bind(MAX_LAYOUTS).execute(&mut **tx).await?;
                    Ok(())
                })
            })
            .await
    }
}
