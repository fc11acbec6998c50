use serde_json::{Map, json};

use super::{
    visit::PartnersVisit,
    words::{ADDRESS_REMOVED, ADDRESS_SAVED, NO_ADDRESS},
};
use crate::{
    api::v1::me,
    problem::{Code, Problem, Result},
};

impl PartnersVisit {
    /// Address for mails, which may be empty; `None` if the service sends none.
    pub(super) async fn address(&self) -> Result<Option<String>> {
        let app = &self.visit.app;
        if app.settings.mail.smtp_url.is_none() {
            return Ok(None);
        }
        let address = app.store.partner_mails().address(self.session.partner_id).await?;
        Ok(Some(address.unwrap_or_default()))
    }

    /// Sets the address, or removes it if the field is empty. Returns the message about it.
    pub(super) async fn set_address(&self, email: Option<&str>) -> Result<&'static str> {
        let (store, lang) = (&self.visit.app.store, self.visit.lang);
        let members = Map::from_iter([("email".to_owned(), json!(email))]);
        me::change(store, self.session.partner_id, members).await.map_err(|problem| {
            match problem.0.kind.code == Code::InvalidBody.as_str() {
                true => Problem::new(Code::InvalidBody, NO_ADDRESS.text(lang)),
                false => problem,
            }
        })?;
        let told = if email.is_some() { ADDRESS_SAVED } else { ADDRESS_REMOVED };
        Ok(told.text(lang))
    }
}
