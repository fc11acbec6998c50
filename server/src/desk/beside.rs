//! Everything around a report on its page.

use desk::backend::Beside;
use domain::report::Status;
use store::Neighbours;

use super::{desk_session::DeskSession, lists::list};
use crate::{operator::decisions, problem::Result};

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
        let last = match self.decisions().await?.into_iter().next() {
            None => None,
            Some(decision) => {
                let only = reports.find(&decision.subject).await?;
                Some((decision, only.map(|(report, _)| report.id)))
            }
        };
        let Neighbours { previous, next } = neighbours;
        let decided = decisions::outcome(&self.store, Status::Pending, id).await?;
        Ok(Beside { previous, next, last, decided })
    }
}
