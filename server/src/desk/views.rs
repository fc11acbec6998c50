//! Saved lists of the signed-in person.

use desk::backend::View;
use store::{DeskView, MAX_VIEWS};

use super::{
    desk_session::DeskSession,
    lists::{list, whole},
    words::views::{LENGTH_OF_NAME, TOO_MANY},
};
use crate::problem::{Problem, Result};

/// Maximum length of a name, in characters.
const MAX_NAME: usize = 60;

impl DeskSession {
    pub(super) async fn saved_views(&self) -> Result<Vec<View>> {
        let views = self.store.desk_views().of(self.owner()).await?;
        Ok(views.into_iter().map(|DeskView { name, query }| View { name, query }).collect())
    }

    /// Saves a list under a name; returns the query of the list without its page.
    pub(super) async fn save_list(&self, name: &str, query: &str) -> Result<String> {
        let (name, query) = (name.trim(), whole(query));
        if name.is_empty() || name.chars().count() > MAX_NAME || name.contains(char::is_control) {
            let detail = self.words().sentence(LENGTH_OF_NAME, MAX_NAME as u64);
            return Err(Problem::invalid_parameter(detail));
        }
        list(&query)?;
        let view = DeskView { name: name.to_owned(), query: query.clone() };
        match self.store.desk_views().save(self.owner(), &view).await? {
            true => Ok(query),
            false => {
                let detail = self.words().sentence(TOO_MANY, MAX_VIEWS as u64);
                Err(Problem::invalid_parameter(detail))
            }
        }
    }

    pub(super) async fn remove_list(&self, name: &str) -> Result<()> {
        Ok(self.store.desk_views().remove(self.owner(), name).await?)
    }

    fn owner(&self) -> &str {
        &self.person.name
    }
}
