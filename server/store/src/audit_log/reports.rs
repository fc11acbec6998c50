//! Reports of an entry of the audit log.

use crate::{
    areas,
    engine::sql,
    error::Result,
    reports::{
        list::{self, Listed},
        selection::Key,
    },
};

impl areas::AuditLog<'_> {
    /// Returns a page of the reports that an entry and the others of its decision are about, in the
    /// order in which they were added, after the report with the number `after`.
    pub async fn reports_of(self, entry: i64, after: Option<i64>, limit: u32) -> Result<Listed> {
        let sql = "WITH entry AS (
                       SELECT coalesce(decision, seq) AS first, action FROM audit_log WHERE seq = $1
                   ), entries AS (
                       SELECT p.seq, p.report_seq FROM entry JOIN audit_log p
                           ON p.decision = entry.first AND p.action = entry.action
                       UNION ALL
                       SELECT p.seq, p.report_seq FROM entry JOIN audit_log p
                           ON p.seq = entry.first AND p.action = entry.action
                   )
                   SELECT report_seq FROM (
                       SELECT r.report_seq FROM entries JOIN audited_reports r
                           ON r.entry_seq = entries.seq
                       UNION ALL
                       SELECT report_seq FROM entries WHERE report_seq IS NOT NULL
                   ) AS those WHERE report_seq > $2 ORDER BY report_seq LIMIT $3";
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    // Reads one extra report to detect whether there are more.
                    let seqs: Vec<i64> = sql::query_scalar(sql)
                        .bind(entry)
                        .bind(after.unwrap_or(i64::MIN))
                        .bind(i64::from(limit) + 1)
                        .fetch_all(&mut **tx)
                        .await?;
                    let keys = seqs.into_iter().map(|seq| Key { day: 0, seq }).collect();
                    list::listed(tx, keys, limit).await
                })
            })
            .await
    }
}
