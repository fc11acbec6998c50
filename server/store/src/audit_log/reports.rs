//! Reports of an entry of the audit log.

use crate::{
    areas,
    engine::sql,
    error::Result,
    reports::list::{self, Listed},
};

impl areas::AuditLog<'_> {
    /// Returns a page of the reports that an entry is about, in the order in which they were added,
    /// after the report with the number `after`.
    pub async fn reports_of(self, entry: i64, after: Option<i64>, limit: u32) -> Result<Listed> {
        let sql = "SELECT report_seq FROM (
                       SELECT report_seq FROM audited_reports WHERE entry_seq = $1
                       UNION ALL
                       SELECT report_seq FROM audit_log WHERE seq = $1 AND report_seq IS NOT NULL
                   ) AS those WHERE report_seq > $2 ORDER BY report_seq LIMIT $3";
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let limit = i64::from(limit);
                    let mut seqs: Vec<i64> = sql::query_scalar(sql)
                        .bind(entry)
                        .bind(after.unwrap_or(i64::MIN))
                        .bind(limit + 1)
                        .fetch_all(&mut **tx)
                        .await?;
                    let more = seqs.len() as i64 > limit;
                    seqs.truncate(seqs.len() - usize::from(more));
                    let next = seqs.last().copied().filter(|_| more);
                    Ok(Listed { reports: list::numbered(tx, &seqs).await?, next })
                })
            })
            .await
    }
}
