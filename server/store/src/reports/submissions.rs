//! Reports from forms and programs: receiving them, and the data that only the operator sees.
//!
//! A submission is received in one transaction, so that of several requests with the same proof or content only one
//! adds a report. The quota of a network is counted from its submissions, so all nodes share it, and it outlasts a
//! restart.

use base::time::{Timestamp, instant_of_millis};
use chrono::{DateTime, TimeDelta, Utc};
use domain::report::NewReport;
use schemars::JsonSchema;
use serde::Serialize;

use super::import::insert;
use crate::{
    areas,
    engine::{
        sql::{self, Connection},
        transaction::Times,
    },
    error::{Error, Result},
    events::outbox,
};

/// Time during which a repeated submission adds nothing, and the longest period of a quota. Hashes of networks are
/// removed after it.
const REMEMBERED: TimeDelta = TimeDelta::days(1);
/// Time after which the note and the contact of an undecided report are removed.
const UNDECIDED: TimeDelta = TimeDelta::days(90);
/// Maximum number of rows deleted per transaction.
const BATCH: i64 = 1_000;

/// Report from a form or a program.
#[derive(Clone, Debug)]
pub struct NewSubmission {
    pub report: NewReport,
    /// `public`, or `api:` and the prefix of a key.
    pub source: String,
    /// Hash of the sender's network, if its submissions are counted.
    pub network: Option<[u8; 32]>,
    /// Hash of sender and content.
    pub fingerprint: [u8; 32],
    pub note: String,
    pub contact: String,
    /// Proof that must not be used again.
    pub proof: Option<UsedProof>,
    pub quotas: &'static [SubmissionQuota],
}

/// Proof of work or form token, by its hash.
#[derive(Clone, Copy, Debug)]
pub struct UsedProof {
    pub hash: [u8; 32],
    pub expires_at: DateTime<Utc>,
}

/// Maximum number of submissions of a network in a period.
#[derive(Clone, Copy, Debug)]
pub struct SubmissionQuota {
    pub submissions: usize,
    pub period: TimeDelta,
}

/// Result of a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Submitted {
    /// The report is pending under its own id.
    Added,
    /// The sender submitted the same before: id of that report.
    Folded(String),
    /// The proof was used before.
    ProofUsed,
    /// The quota of the network is used up for this long.
    QuotaUsedUp(TimeDelta),
}

/// Data of a submission that only the operator sees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Submission {
    /// `public` for a form, or `api:` and the prefix of the key.
    pub source: String,
    /// Note of the sender, if there is one. Only for the scope `moderate`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Address or number at which the sender can be reached, if that is known. Only for the scope `moderate`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contact: Option<String>,
    /// Time at which the report was received.
    pub submitted_at: Timestamp,
}

impl Submission {
    /// Returns the part that every operator may see.
    #[must_use]
    pub fn without_private_data(self) -> Self {
        Self { note: None, contact: None, ..self }
    }
}

impl areas::Reports<'_> {
    /// Returns the key that all nodes use for challenges, form tokens and hashes of networks. The first call makes
    /// it.
    pub async fn intake_key(self) -> Result<Vec<u8>> {
        let read = || sql::query_scalar("SELECT key FROM intake_key WHERE id = 1");
        if let Some(key) = read().fetch_optional(&self.store.readers).await? {
            return Ok(key);
        }
        let new = self.store.random.bytes::<32>();
        self.store
            .administer(move |tx, _| {
                Box::pin(async move {
                    let sql = "INSERT INTO intake_key (id, key) VALUES (1, $1)
                         ON CONFLICT (id) DO NOTHING";
                    sql::query(sql).bind(new.to_vec()).execute(&mut **tx).await?;
                    Ok(read().fetch_one(&mut **tx).await?)
                })
            })
            .await
    }

    /// Adds a report as pending, unless its sender has submitted the same before, has used its quota, or uses a proof
    /// again.
    pub async fn submit(self, submission: &NewSubmission) -> Result<Submitted> {
        let random = &self.store.random;
        let timed = self.store.write_reports(1, move |tx, times| {
            Box::pin(async move {
                let now = times.clock;
                if let Some(id) = same(tx, submission, now).await? {
                    return Ok(Submitted::Folded(id));
                }
                if let Some(wait) = wait(tx, submission, now).await? {
                    return Ok(Submitted::QuotaUsedUp(wait));
                }
                if let Some(proof) = submission.proof
                    && !use_up(tx, proof).await?
                {
                    return Ok(Submitted::ProofUsed);
                }
                add(tx, submission, times).await?;
                let pending = std::iter::once(&submission.report);
                outbox::write_pending(tx, pending, times.now, random).await?;
                Ok(Submitted::Added)
            })
        });
        Ok(timed.await?.done)
    }

    /// Returns the data of a report's submission, until they are removed.
    pub async fn submission(self, id: &str) -> Result<Option<Submission>> {
        let sql = "SELECT s.source, s.note, s.contact, s.created_at FROM submissions s
             JOIN reports r ON r.seq = s.report_seq WHERE r.id = $1";
        let row: Option<(String, String, String, i64)> =
            sql::query_as(sql).bind(id).fetch_optional(&self.store.readers).await?;
        Ok(row.map(|(source, note, contact, at)| Submission {
            source,
            note: Some(note).filter(|note| !note.is_empty()),
            contact: Some(contact).filter(|contact| !contact.is_empty()),
            submitted_at: Timestamp::from_millis(at),
        }))
    }

    /// Removes hashes of networks after a day, and used proofs that have expired at `now`.
    pub async fn forget_senders(self, now: DateTime<Utc>) -> Result<()> {
        self.store
            .administer(move |tx, _| {
                Box::pin(async move {
                    let sql = "UPDATE submissions SET network = NULL, fingerprint = NULL
                         WHERE fingerprint IS NOT NULL AND created_at <= $1";
                    sql::query(sql)
                        .bind((now - REMEMBERED).timestamp_millis())
                        .execute(&mut **tx)
                        .await?;
                    sql::query("DELETE FROM used_proofs WHERE expires_at <= $1")
                        .bind(now.timestamp_millis())
                        .execute(&mut **tx)
                        .await?;
                    Ok(())
                })
            })
            .await
    }

    /// Deletes some of the submissions whose reports were decided `kept` before `now`, or were submitted 90 days
    /// before and are not decided. Returns whether there may be more.
    pub async fn forget_submissions(self, now: DateTime<Utc>, kept: TimeDelta) -> Result<bool> {
        let forgotten = self
            .store
            .administer(move |tx, _| {
                Box::pin(async move {
                    note_decisions(tx, now).await?;
                    let sql = "DELETE FROM submissions WHERE report_seq IN
                         (SELECT report_seq FROM submissions
                          WHERE decided_at <= $1 OR decided_at IS NULL AND created_at <= $2
                          ORDER BY report_seq LIMIT $3)";
                    let deleted = sql::query(sql)
                        .bind((now - kept).timestamp_millis())
                        .bind((now - UNDECIDED).timestamp_millis())
                        .bind(BATCH)
                        .execute(&mut **tx)
                        .await?;
                    Ok(deleted)
                })
            })
            .await?;
        Ok(forgotten >= BATCH.unsigned_abs())
    }
}

/// Returns the id of the report that the same sender submitted with the same content, if there is one.
async fn same(
    tx: &mut Connection,
    submission: &NewSubmission,
    now: DateTime<Utc>,
) -> Result<Option<String>> {
    let sql = "SELECT r.id FROM submissions s JOIN reports r ON r.seq = s.report_seq
         WHERE s.fingerprint = $1 AND s.created_at > $2 ORDER BY s.report_seq LIMIT 1";
    Ok(sql::query_scalar(sql)
        .bind(submission.fingerprint.to_vec())
        .bind((now - REMEMBERED).timestamp_millis())
        .fetch_optional(tx)
        .await?)
}

/// Returns the time until the quotas of the network allow another submission; `None` if they do now.
async fn wait(
    tx: &mut Connection,
    submission: &NewSubmission,
    now: DateTime<Utc>,
) -> Result<Option<TimeDelta>> {
    let Some(network) = submission.network else { return Ok(None) };
    let sql = "SELECT created_at FROM submissions WHERE network = $1 AND created_at > $2
         ORDER BY created_at DESC";
    let times: Vec<i64> = sql::query_scalar(sql)
        .bind(network.to_vec())
        .bind((now - REMEMBERED).timestamp_millis())
        .fetch_all(tx)
        .await?;
    let waits = submission.quotas.iter().filter_map(|quota| {
        let oldest = times.get(quota.submissions.checked_sub(1)?)?;
        let wait = instant_of_millis(*oldest) + quota.period - now;
        (wait > TimeDelta::zero()).then_some(wait)
    });
    Ok(waits.max())
}

/// Marks a proof as used. Returns `false` if it was used before.
async fn use_up(tx: &mut Connection, proof: UsedProof) -> Result<bool> {
    let sql = "INSERT INTO used_proofs (hash, expires_at) VALUES ($1, $2)
         ON CONFLICT (hash) DO NOTHING";
    let added = sql::query(sql)
        .bind(proof.hash.to_vec())
        .bind(proof.expires_at.timestamp_millis())
        .execute(tx)
        .await?;
    Ok(added > 0)
}

async fn add(tx: &mut Connection, submission: &NewSubmission, times: Times) -> Result<()> {
    insert(tx, &[(&submission.report, None)]).await?;
    let sql = "INSERT INTO submissions
             (report_seq, source, network, fingerprint, note, contact, created_at)
         SELECT seq, $2, $3, $4, $5, $6, $7 FROM reports WHERE id = $1";
    let added = sql::query(sql)
        .bind(submission.report.id.as_str())
        .bind(submission.source.as_str())
        .bind(submission.network.map(|hash| hash.to_vec()))
        .bind(submission.fingerprint.to_vec())
        .bind(submission.note.as_str())
        .bind(submission.contact.as_str())
        .bind(times.clock.timestamp_millis())
        .execute(tx)
        .await?;
    match added {
        1 => Ok(()),
        _ => Err(Error::Damaged(format!("submission of report {:?}", submission.report.id))),
    }
}

/// Notes the time from which submissions of decided reports are kept. Decisions do not do this themselves: they are
/// made on thousands of reports, nearly all of which are not submissions.
async fn note_decisions(tx: &mut Connection, now: DateTime<Utc>) -> Result<()> {
    let sql = "UPDATE submissions SET decided_at = $1 WHERE decided_at IS NULL AND report_seq IN
         (SELECT r.seq FROM submissions s JOIN reports r ON r.seq = s.report_seq
          WHERE s.decided_at IS NULL AND r.status <> 'PENDING')";
    sql::query(sql).bind(now.timestamp_millis()).execute(&mut *tx).await?;
    let sql =
        "UPDATE submissions SET decided_at = NULL WHERE decided_at IS NOT NULL AND report_seq IN
         (SELECT r.seq FROM submissions s JOIN reports r ON r.seq = s.report_seq
          WHERE s.decided_at IS NOT NULL AND r.status = 'PENDING')";
    sql::query(sql).execute(tx).await?;
    Ok(())
}
