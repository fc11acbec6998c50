//! Saved lists of the signed-in person.

use desk::backend::View;
use store::{DeskView, MAX_VIEWS};

use super::{
    desk_session::DeskSession,
    lists::{list, whole},
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
            return Err(Problem::invalid_parameter(format!(
                "The name of a view has 1 to {MAX_NAME} characters."
            )));
        }
        list(&query)?;
        let view = DeskView { name: name.to_owned(), query: query.clone() };
        match self.store.desk_views().save(self.owner(), &view).await? {
            true => Ok(query),
            false => Err(Problem::invalid_parameter(format!(
                "You have {MAX_VIEWS} views already: remove one first."
            ))),
        }
    }

    pub(super) async fn remove_list(&self, name: &str) -> Result<()> {
        Ok(self.store.desk_views().remove(self.owner(), name).await?)
    }

    fn owner(&self) -> &str {
        &self.person.name
    }
}
