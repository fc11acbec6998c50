use crate::{
    cli::import::HEADER,
    harness::{Engine, Svc},
};

/// Number of rows: more than one batch.
const ROWS: u64 = 70_000;
const SORTING: &str = "note: the file is read to its end before its first row is imported: history is \
    imported in the order of createdAt\n";

/// Rows in no order of time, each with a different time.
fn rows() -> String {
    let row = |number: u64| {
        let time = number * 7_919 % ROWS;
        let (day, second) = (1 + time / 2_500, time % 2_500);
        let (minutes, seconds) = (second / 60, second % 60);
        format!("r{number},spirit,Oslo,,Norway,1,,2024-01-{day:02}T10:{minutes:02}:{seconds:02}Z\n")
    };
    (0..ROWS).map(row).collect()
}

/// Times of the segments, oldest first.
async fn segments(svc: &Svc) -> Vec<(i64, i64)> {
    svc.pairs("SELECT oldest_at, newest_at FROM segments ORDER BY oldest_at").await
}

#[tokio::test]
async fn a_large_file_of_history_in_no_order_is_imported_in_the_order_of_time() {
    let svc = Svc::migrated();
    let bad = "x1,fire,Oslo,,Norway,1,,\n";
    let known = "r0,spirit,Oslo,,Norway,2,,2024-01-01T10:00:00Z\n";
    let csv = format!("{HEADER}{bad}{}{known}", rows());
    let ran = svc.import(csv, &["--backfill", "--errors", "refused.csv"]);
    let line = ROWS + 3;
    let refused = format!(
        "line 2: type: \"fire\" is not one of spirit, water, both\n\
         line {line}: id: a report with the id \"r0\" already exists with a different peopleCount\n"
    );
    assert_eq!((ran.code, ran.err.as_str()), (Some(3), &*format!("{SORTING}{refused}")));
    assert_eq!(
        ran.summary(),
        "70,000 reports imported and published as history; 2 rows refused, written to refused.csv.\n"
    );
    let written = std::fs::read_to_string(svc.path("refused.csv")).unwrap();
    assert!(written.contains(bad) && written.contains(known), "{written}");
    let segments = segments(&svc).await;
    assert!(segments.len() > 1, "{segments:?}");
    assert!(segments.is_sorted_by(|(_, newest), (oldest, _)| newest < oldest), "{segments:?}");
    assert_eq!(svc.run(&["db", "check"]).code, Some(0));
    if svc.engine() == Engine::Sqlite {
        // No temporary file of the sort is left.
        assert_eq!(svc.files("data"), ["svc.db"]);
    }
}
