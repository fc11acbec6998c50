//! Everything around a report on its page.

use desk::backend::{Beside, Origin, Source};
use domain::{import_id::ImportId, report::Status};
use store::{Neighbours, ReportSource, Submission};

use super::{desk_session::DeskSession, lists::list};
use crate::{
    operator::decisions::{self, Outcome},
    problem::Result,
};

impl DeskSession {
    pub(super) async fn beside_report(&self, id: &str, query: Option<&str>) -> Result<Beside> {
        let reports = self.store.reports();
        let found = reports.find(id).await?;
        let import = found.as_ref().and_then(|(_, import)| *import);
        let origin = self.origin(reports.submission(id).await?, import);
        let neighbours = match (found, query.map(list)) {
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
        Ok(Beside { previous, next, last, origin, decided })
    }

    /// Origin of a report. Notes and contacts of senders are for people who decide on reports.
    fn origin(&self, submission: Option<Submission>, import: Option<ImportId>) -> Option<Origin> {
        let (source, note, contact) = match (submission, import) {
            (Some(Submission { source, note, contact, .. }), _) => {
                (ReportSource::Submission(source), note, contact)
            }
            (None, Some(import)) => (ReportSource::Import(import), None, None),
            (None, None) => return None,
        };
        let private = |text: Option<String>| text.filter(|_| self.person.may_decide);
        let [note, contact] = [note, contact].map(|text| private(text).unwrap_or_default());
        Some(Origin { source: shown(source), note, contact })
    }
}

/// The source as the desk shows it.
pub(super) fn shown(source: ReportSource) -> Source {
    match source {
        ReportSource::Submission(source) => match source.strip_prefix("api:") {
            Some(prefix) => Source::Key(prefix.to_owned()),
            None => Source::Public,
        },
        ReportSource::Import(id) => Source::Import(id.to_string()),
    }
}
