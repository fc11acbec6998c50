//! Digest of pending reports for the operator's moderators: its contents, and the state that all nodes share.
//!
//! One row has the time at which a node last claimed a digest. Claiming and comparing are one statement, so only one
//! of several nodes gets the digest of an interval.

use base::time::instant_of_millis;
use chrono::{DateTime, TimeDelta, Utc};
use domain::report::Status;

use crate::{
    areas,
    engine::sql,
    error::Result,
    reports::{
        list::{ListedReport, ReportList},
        selection::{Order, Selection},
    },
};

/// Number of reports in a digest.
const NEWEST: u32 = 10;

/// Condition of a digest that is due: `$1` is the time, and `$2` the time up to which the last one must have been
/// claimed. A claim more than an hour in the future was made before the clock was set back.
const DUE: &str = "(claimed_at <= $2 OR claimed_at > $1 + 3600000 OR retry_at <= $1)";

/// Pending reports.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Waiting {
    pub count: u64,
    /// Report that was added first.
    pub oldest: Option<ListedReport>,
    /// Reports that were added last, newest first.
    pub newest: Vec<ListedReport>,
}

impl Waiting {
    /// Text that changes when reports are added or decided.
    fn summary(&self) -> String {
        let seq = |report: Option<&ListedReport>| report.map_or(0, |report| report.seq);
        format!("{} {} {}", self.count, seq(self.oldest.as_ref()), seq(self.newest.first()))
    }
}

/// Right to send one digest.
#[derive(Clone, Debug)]
pub struct DigestClaim {
    claimed_at: i64,
    summary: String,
}

/// State of the digests, for people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DigestState {
    /// Time of the last digest that a server accepted.
    pub sent_at: Option<DateTime<Utc>>,
    /// Reason why the last attempt failed, and its time.
    pub failure: Option<(DateTime<Utc>, String)>,
}

impl areas::MailDigest<'_> {
    /// Returns the pending reports of a digest.
    pub async fn waiting(self) -> Result<Waiting> {
        let reports = self.store.reports();
        let of = async |order, limit| {
            let selection = Selection { status: Some(Status::Pending), ..Selection::default() };
            let list = ReportList { selection, order, limit, ..ReportList::default() };
            Ok::<_, crate::Error>(reports.list(&list).await?.reports)
        };
        let count = reports.pending().await?;
        let newest = of(Order::NewestFirst, NEWEST).await?;
        let oldest = of(Order::OldestFirst, 1).await?.pop();
        Ok(Waiting { count, oldest, newest })
    }

    /// Whether the last digest was claimed `every` or longer ago, or has to be tried again.
    pub async fn is_due(self, every: TimeDelta) -> Result<bool> {
        let now = self.store.clock.now();
        let sql = format!("SELECT {DUE} FROM mail_digest WHERE id = 1");
        let due: Option<bool> = sql::query_scalar(sqlx::AssertSqlSafe(sql))
            .bind(now.timestamp_millis())
            .bind((now - every).timestamp_millis())
            .fetch_one(&self.store.readers)
            .await?;
        Ok(due.unwrap_or_default())
    }

    /// Claims the digest of these reports; `None` if it is not due, or if nothing has changed since the last one.
    pub async fn claim(self, every: TimeDelta, waiting: &Waiting) -> Result<Option<DigestClaim>> {
        let summary = waiting.summary();
        let wanted = summary.as_str();
        let claimed_at = self
            .store
            .administer(move |tx, now| {
                Box::pin(async move {
                    let sql = format!(
                        "UPDATE mail_digest SET claimed_at = $1, retry_at = NULL
                         WHERE id = 1 AND summary <> $3 AND {DUE}"
                    );
                    let claimed = sql::query(sqlx::AssertSqlSafe(sql))
                        .bind(now.timestamp_millis())
                        .bind((now - every).timestamp_millis())
                        .bind(wanted)
                        .execute(&mut **tx)
                        .await?;
                    Ok((claimed == 1).then(|| now.timestamp_millis()))
                })
            })
            .await?;
        Ok(claimed_at.map(|claimed_at| DigestClaim { claimed_at, summary }))
    }

    /// Records that a server has accepted the digest.
    pub async fn sent(self, claim: DigestClaim) -> Result<()> {
        let sql =
            "UPDATE mail_digest SET sent_at = $1, summary = $2, failed_at = NULL, failure = NULL
             WHERE id = 1 AND claimed_at = $1";
        let DigestClaim { claimed_at, summary } = &claim;
        self.store
            .administer(move |tx, _| {
                Box::pin(async move {
                    let sent = sql::query(sql).bind(*claimed_at).bind(summary.as_str());
                    sent.execute(&mut **tx).await?;
                    Ok(())
                })
            })
            .await
    }

    /// Records that the digest was not sent. Unless `retry` is given, the next one is due at its usual time.
    pub async fn failed(
        self,
        claim: DigestClaim,
        failure: &str,
        retry: Option<TimeDelta>,
    ) -> Result<()> {
        let sql = "UPDATE mail_digest SET failed_at = $1, failure = $2, retry_at = $3, summary = ''
             WHERE id = 1 AND claimed_at = $1";
        let claimed_at = claim.claimed_at;
        self.store
            .administer(move |tx, now| {
                Box::pin(async move {
                    let retry_at = retry.map(|retry| (now + retry).timestamp_millis());
                    let failed = sql::query(sql).bind(claimed_at).bind(failure).bind(retry_at);
                    failed.execute(&mut **tx).await?;
                    Ok(())
                })
            })
            .await
    }

    /// Returns the state of the digests.
    pub async fn state(self) -> Result<DigestState> {
        let sql = "SELECT sent_at, failed_at, failure FROM mail_digest WHERE id = 1";
        let (sent_at, failed_at, failure): (Option<i64>, Option<i64>, Option<String>) =
            sql::query_as(sql).fetch_one(&self.store.readers).await?;
        let failure = failed_at.zip(failure).map(|(at, why)| (instant_of_millis(at), why));
        Ok(DigestState { sent_at: sent_at.map(instant_of_millis), failure })
    }
}
