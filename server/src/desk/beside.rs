//! Everything around a report on its page.

use desk::backend::Beside;
use domain::report::Status;
use store::Neighbours;

use super::{desk_session::DeskSession, lists::list};
use crate::{
    operator::decisions::{self, Outcome},
    problem::Result,
};

impl DeskSession {
    pub(super) async fn beside_report(&self, id: &str, query: Option<&str>) -> Result<Beside> {
        let reports = self.store.reports();
        let neighbours = match (reports.find(id).await?, query.map(list)) {
            (Some((report, _)), Some(Ok((status, list)))) => {
                reports.neighbours(&report, status, &list).await?
            }
            // The list of a changed address may not exist; the report does.
            _ => Neighbours::default(),
        };
        let last = self.decisions().await?.into_iter().next();
        let Neighbours { previous, next } = neighbours;
        let decided = decisions::outcome(&self.store, Status::Pending, id).await?;
        let decided = decided
            .filter(|outcome| matches!(outcome, Outcome::Decided(_)))
            .map(|outcome| self.outcome(&outcome));
        Ok(Beside { previous, next, last, decided })
    }
}
