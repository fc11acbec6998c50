use leptos::prelude::*;

#[cfg(feature = "ssr")]
use super::{here, with_back, work};
#[cfg(feature = "ssr")]
use crate::{
    backend::{Notice, UserError},
    correct::origin,
    layout::DeskQuery,
    words::{correct::REPORTS_HAVE_CHANGED, t},
};

/// Corrects the reports that a query of `/desk/correct` selects, if they are still the confirmed
/// ones with the confirmed values.
#[server(prefix = "/desk/do", endpoint = "correct-many")]
pub async fn correct_many(
    query: String,
    confirmed: String,
    #[server(default)] back: String,
) -> Result<(), ServerFnError> {
    let work = work();
    let user_error = match work.correct_many(&query, &confirmed).await {
        Ok(Some(done)) => {
            let asked = DeskQuery { back: Some(back), ..DeskQuery::of(&query) };
            work.lead_with(&here(&origin(&asked)), Notice::Done(done));
            return Ok(());
        }
        Ok(None) => UserError(t(REPORTS_HAVE_CHANGED)),
        Err(user_error) => user_error,
    };
    work.lead_with(&with_back(&format!("/desk/correct?{query}"), &back), (&user_error).into());
    Ok(())
}
