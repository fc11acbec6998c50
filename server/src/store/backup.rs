use std::path::Path;

use super::{
    Store,
    error::{Error, Result},
};

impl Store {
    /// Writes a consistent copy of the database to `file`, while others go on reading and writing.
    ///
    /// # Errors
    /// [`Error::BackupExists`]: a backup never overwrites.
    pub async fn backup(&self, file: &Path) -> Result<()> {
        if file.exists() {
            return Err(Error::BackupExists(file.to_owned()));
        }
        // On the writer's connection because the readers are read-only even for a new file; it
        // takes no write lock.
        sqlx::query("VACUUM INTO $1")
            .bind(file.to_string_lossy().into_owned())
            .execute(&self.writer)
            .await?;
        Ok(())
    }
}
