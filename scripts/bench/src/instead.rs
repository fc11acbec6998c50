//! Usual means for the work of each section of the page.

use std::fmt::Write as _;

/// Section, the usual means for its work, and what that does.
const INSTEAD: [(&str, &str, &str); 10] = [
    (
        "Limiter",
        "nginx\u{2019}s `limit_req`, or a script in Redis for each request",
        "nginx counts requests by address, separately on each machine, and not by key; a script in Redis costs the two rows with Redis, for each request",
    ),
    (
        "Requests",
        "a file that a job writes each second, behind nginx; or a handler of one\u{2019}s own in axum",
        "both are the references of the table: without quotas, keys, ids and entity tags",
    ),
    (
        "Streams",
        "nginx with nchan, fed by a program of one\u{2019}s own",
        "the reference of the table; a `broadcast` channel in plain axum takes 19 KiB a stream (measured once, with axum 0.8)",
    ),
    ("Memory", "nginx, PostgREST and PostgreSQL", "three processes; not measured here"),
    (
        "Growth",
        "a `COUNT` of the table for each request; `COPY` into it",
        "the references of the table: a `COUNT` gets slower with each report, `COPY` checks nothing and counts nothing",
    ),
    (
        "Adversarial data",
        "indexes for each question, and `COUNT`",
        "as for growth; the reference is the service with little data, because reads should not depend on the number of reports",
    ),
    (
        "Downloads",
        "`sqlite3 -csv`, or `COPY … TO STDOUT`",
        "the reference of the table, without HTTP",
    ),
    (
        "Webhooks",
        "Svix",
        "its hosted plans accept 200 and 800 messages a second (svix.com/pricing, September 2026); we found no \
         published figures for its open-source server",
    ),
    (
        "Nodes",
        "one `INSERT` in a transaction for each report, counted later by a job",
        "as fast as the disk; the counters are then late",
    ),
    (
        "Event log",
        "a list that clients read from its beginning, or Kafka",
        "the first gets slower with each event; the second is a cluster of its own. Not measured here",
    ),
];

/// Formats the table in Markdown.
pub(crate) fn markdown() -> String {
    let mut text = String::from("| section | instead | what that does |\n|---|---|---|\n");
    for (section, means, does) in INSTEAD {
        let _ = writeln!(text, "| {section} | {means} | {does} |");
    }
    text
}
