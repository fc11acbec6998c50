//! The audit log at the desk.

mod download;
mod words;

pub(super) use self::{download::download, words::Words};

use std::collections::BTreeMap;

use chrono::{Days, NaiveDate};
use desk::backend::{Audit, Audited, Moderated};
use domain::{action::Action, cursor::Cursor};
use store::{AuditEntry, AuditPage, AuditQuery, DayCount, Store};

use super::desk_session::{DeskSession, item};
use crate::{operator::v1::audit::selected, problem::Result};

/// Number of days counted, with today.
const DAYS: u64 = 14;
/// Maximum number of names suggested.
const PEOPLE: u32 = 200;
/// Number of reports on a page.
const REPORTS: u32 = 100;

impl DeskSession {
    pub(super) async fn audit_page(&self, query: &str) -> Result<Audit> {
        let query = query_of(&self.store, query).await?;
        let AuditPage { entries, next } = self.store.audit_log().entries(&query).await?;
        let words = Words::of(&self.app, self.lang);
        Ok(Audit {
            lines: entries.into_iter().map(|entry| words.line(shown(&query, entry))).collect(),
            next: next.and_then(Cursor::after).map(|next| next.to_string()),
            people: self.store.audit_log().actors(PEOPLE).await?,
            actions: Action::ALL.map(|action| (action.as_str(), words.done(action))).to_vec(),
        })
    }

    pub(super) async fn audited_reports(&self, id: &str, after: &str) -> Result<Option<Audited>> {
        let Ok(seq) = id.parse() else { return Ok(None) };
        let log = self.store.audit_log();
        let Some(entry) = log.entry(seq).await? else { return Ok(None) };
        let listed = log.reports_of(seq, after.parse().ok(), REPORTS).await?;
        let words = self.words();
        let item = |report| item(&words, report, Vec::new());
        Ok(Some(Audited {
            line: Words::of(&self.app, self.lang).line(entry.of_decision()),
            reports: listed.reports.into_iter().map(item).collect(),
            next: listed.next.map(|next| next.seq.to_string()),
        }))
    }

    pub(super) async fn moderated_by_day(&self) -> Result<Vec<Moderated>> {
        let today = self.app.clock.now().date_naive();
        let since = today.checked_sub_days(Days::new(DAYS - 1)).unwrap_or(today);
        Ok(by_person(self.store.audit_log().days(since).await?))
    }
}

/// The entry in a list: about a report, or about the whole decision.
fn shown(query: &AuditQuery, entry: AuditEntry) -> AuditEntry {
    if query.report.is_some() { entry } else { entry.of_decision() }
}

/// The query of a page. The whole id of a report also selects the decisions on several reports, and
/// the import that added it.
async fn query_of(store: &Store, query: &str) -> Result<AuditQuery> {
    let mut query = AuditQuery { whole_decisions: true, ..selected(Some(query))? };
    query.subject = query.subject.map(|id| id.trim().to_owned()).filter(|id| !id.is_empty());
    query.actor = query.actor.map(|name| name.trim().to_owned());
    if let Some(id) = &query.subject
        && store.reports().find(id).await?.is_some()
    {
        query.report = query.subject.take();
    }
    Ok(query)
}

/// The sums of all people, then their numbers of each day, newest day first.
fn by_person(counts: Vec<DayCount>) -> Vec<Moderated> {
    let mut rows: BTreeMap<(Option<std::cmp::Reverse<NaiveDate>>, String), Moderated> =
        BTreeMap::new();
    for DayCount { day, actor, action, reports } in counts {
        for day in [None, Some(day)] {
            let row =
                rows.entry((day.map(std::cmp::Reverse), actor.clone())).or_insert_with(|| {
                    let day = day.map(|day| day.to_string()).unwrap_or_default();
                    Moderated { day, who: actor.clone(), ..Moderated::default() }
                });
            match action {
                Action::Approve => row.approved += reports,
                Action::Reject => row.rejected += reports,
                Action::Withdraw => row.withdrawn += reports,
                Action::Correct => row.corrected += reports,
                _ => {}
            }
        }
    }
    let is_empty =
        |row: &Moderated| row.approved + row.rejected + row.withdrawn + row.corrected == 0;
    rows.into_values().filter(|row| !is_empty(row)).collect()
}
