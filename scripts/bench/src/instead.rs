//! Usual means for the work that is measured.

use std::fmt::Write as _;

/// Work, the usual means for it, and what that does.
const INSTEAD: [(&str, &str, &str); 15] = [
    (
        "limits",
        "nginx\u{2019}s `limit_req`, or a script in Redis for each request",
        "nginx counts requests by address, separately on each machine, and not by key; a script in Redis costs the two rows with Redis, for each request",
    ),
    (
        "metrics, with and without a filter",
        "a file that a job writes each second, behind nginx; or a handler of one\u{2019}s own in axum",
        "both are references of the table: without keys, quotas and request ids; with nginx, each filter needs a file",
    ),
    (
        "pages and widgets",
        "static pages behind nginx, or a handler of one\u{2019}s own in axum",
        "bare axum is the reference of the table; static pages show the counters of the time when they were written",
    ),
    (
        "first requests for pictures",
        "a screenshot by a browser without a window",
        "Chromium takes 0.8 s of processor time for one of `/embed/globe`, and a second to be ready (measured once)",
    ),
    (
        "streams",
        "nginx with nchan, fed by a program of one\u{2019}s own",
        "the reference of the table; a `broadcast` channel in plain axum takes 19 KiB a stream (measured once, with axum 0.8)",
    ),
    (
        "machine code",
        "nginx and PostgreSQL, with a program of one\u{2019}s own behind them; or Node.js",
        "0.8 and 5.4 MB, without the program; Node.js 28 MB (Debian 12, measured once with `size`)",
    ),
    (
        "memory when idle",
        "nginx and PostgreSQL, with a program of one\u{2019}s own behind them",
        "3 MiB in 2 processes and 30 MiB in 6, without the program; memory that they share counts once (Debian 12, measured once)",
    ),
    (
        "reads of a period or place",
        "a `COUNT` of the table for each request",
        "the reference of the table: it gets slower with each report",
    ),
    (
        "reads of adversarial data",
        "indexes for each question, and `COUNT`",
        "as above; the reference is the service with little data, because reads should not depend on the number of reports",
    ),
    (
        "import",
        "`.import` of SQLite, or `COPY`",
        "the references of the table: they check nothing and count nothing",
    ),
    (
        "start",
        "PostgreSQL",
        "an empty one is ready 7 ms after its first line of log, and `pg_ctl start` takes 0.11 s (measured once)",
    ),
    (
        "downloads",
        "`sqlite3 -csv`, or `COPY … TO STDOUT`",
        "the reference of the table, without HTTP",
    ),
    (
        "deliveries of webhooks",
        "Svix",
        "its hosted plans accept 200 and 800 messages a second (svix.com/pricing, September 2026); we found no \
         published figures for its open-source server",
    ),
    (
        "publications",
        "one `INSERT` in a transaction for each report, counted later by a job",
        "as fast as the disk; the counters are then late",
    ),
    (
        "events, and their replay",
        "a list that clients read from its beginning, or Kafka",
        "the first gets slower with each event; the second is a cluster of its own. Not measured here",
    ),
];

/// Formats the table in Markdown.
pub(crate) fn markdown() -> String {
    let mut text = String::from("| work | instead | what that does |\n|---|---|---|\n");
    for (work, means, does) in INSTEAD {
        let _ = writeln!(text, "| {work} | {means} | {does} |");
    }
    text
}
