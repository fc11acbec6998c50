//! Ways on which reports came.

use std::collections::HashMap;

use domain::import_id::ImportId;

use super::list::ListedReport;
use crate::{
    areas,
    engine::sql::{Builder, RowValues},
    error::Result,
};

/// Way on which a report came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReportSource {
    /// The source of its [`Submission`](crate::Submission).
    Submission(String),
    Import(ImportId),
}

impl areas::Reports<'_> {
    /// Returns the sources of listed reports by their numbers, as far as they are known.
    pub async fn sources(self, reports: &[ListedReport]) -> Result<HashMap<i64, ReportSource>> {
        if reports.is_empty() {
            return Ok(HashMap::new());
        }
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let mut sql = Builder::new(
                        tx.engine(),
                        "SELECT r.seq, s.source,
                             (SELECT i.import_id FROM import_ranges i WHERE i.last_seq >= r.seq AND i.first_seq =
                                 (SELECT max(first_seq) FROM import_ranges WHERE first_seq <= r.seq))
                         FROM reports r LEFT JOIN submissions s ON s.report_seq = r.seq WHERE r.seq IN (",
                    );
                    let seqs = reports.iter().map(|report| report.seq);
                    sql.push_rows(seqs, RowValues::bind).push(")");
                    let rows: Vec<(i64, Option<String>, Option<i64>)> =
                        sql.build_as().fetch_all(tx).await?;
                    let known = |(seq, submission, import): (i64, Option<String>, Option<i64>)| {
                        let submission = submission.map(ReportSource::Submission);
                        let import = || import.map(|id| ReportSource::Import(ImportId::new(id)));
                        Some((seq, submission.or_else(import)?))
                    };
                    Ok(rows.into_iter().filter_map(known).collect())
                })
            })
            .await
    }
}
