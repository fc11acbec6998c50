//! Text of the mail about pending reports.
//!
//! Names of places come from strangers. They are only in the body, one report on a line.

use std::fmt::Write as _;

use chrono::{DateTime, Utc};
use store::{ListedReport, Waiting};

use crate::mail::plain::plain;

/// Maximum number of characters of a place.
const MAX_PLACE: usize = 120;

pub(super) fn subject(count: u64) -> String {
    match count {
        1 => "1 report is pending".to_owned(),
        count => format!("{count} reports are pending"),
    }
}

pub(super) fn body(
    waiting: &Waiting,
    now: DateTime<Utc>,
    desk: Option<&str>,
    hours: u16,
) -> String {
    let Waiting { count, oldest, newest } = waiting;
    let mut text = format!("{}.", subject(*count));
    if let Some(oldest) = oldest {
        let since = oldest.created_at.0;
        let age = age((now - since).num_minutes());
        let date = since.date_naive();
        _ = write!(text, " The oldest is {age} old: it was reported on {date}.");
    }
    text.push_str("\n\n");
    text.push_str(if *count > newest.len() as u64 { "The newest:\n" } else { "" });
    for report in newest {
        text.push_str(&line(report));
    }
    if let Some(desk) = desk {
        _ = write!(text, "\nDecide at the desk: {desk}\n");
    }
    let hours = match hours {
        1 => "hour".to_owned(),
        hours => format!("{hours} hours"),
    };
    _ = write!(
        text,
        "\nThis mail is sent at most once every {hours}, and only if something has changed.\n"
    );
    text
}

/// Age in the largest unit.
fn age(minutes: i64) -> String {
    let (number, unit) = match minutes.max(0) {
        minutes @ 0..60 => (minutes, "minute"),
        minutes @ 60..1_440 => (minutes / 60, "hour"),
        minutes => (minutes / 1_440, "day"),
    };
    format!("{number} {unit}{}", if number == 1 { "" } else { "s" })
}

fn line(report: &ListedReport) -> String {
    let ListedReport { city, region, country, people_count, kind, event_date, .. } = report;
    let place = [city, region, country].map(|name| plain(name, MAX_PLACE));
    let place: Vec<_> = place.into_iter().filter(|name| !name.is_empty()).collect();
    let people = if *people_count == 1 { "person" } else { "people" };
    format!("- {}: {people_count} {people}, {kind}, {event_date}\n", place.join(", "))
}

#[cfg(test)]
mod tests {
    use base::time::{Timestamp, parse_instant};
    use domain::report::Status;

    use super::*;

    fn report(city: &str, people_count: i64, created_at: &str) -> ListedReport {
        ListedReport {
            seq: 1,
            id: "r-1".to_owned(),
            kind: "water".to_owned(),
            status: Status::Pending,
            city: city.to_owned(),
            region: String::new(),
            country: "Brazil".to_owned(),
            people_count,
            event_date: "2026-02-27".to_owned(),
            created_at: Timestamp(parse_instant(created_at).unwrap()),
            published_at: None,
            position: None,
        }
    }

    #[test]
    fn a_mail_has_number_age_newest_reports_and_link() {
        let now = parse_instant("2026-03-01T12:00:00Z").unwrap();
        let oldest = report("Oslo", 1, "2026-02-27T11:00:00Z");
        let newest = vec![report("Campinas", 12, "2026-03-01T11:00:00Z"), oldest.clone()];
        let waiting = Waiting { count: 3, oldest: Some(oldest), newest };
        assert_eq!(
            body(&waiting, now, Some("https://svc.example.org/desk"), 24),
            "3 reports are pending. The oldest is 2 days old: it was reported on 2026-02-27.\n\n\
             The newest:\n- Campinas, Brazil: 12 people, water, 2026-02-27\n- Oslo, Brazil: 1 person, water, 2026-02-27\n\n\
             Decide at the desk: https://svc.example.org/desk\n\n\
             This mail is sent at most once every 24 hours, and only if something has changed.\n"
        );
        assert_eq!(subject(1), "1 report is pending");
        assert_eq!(
            [0, 59, 60, 1_439, 1_440, 9_999].map(age),
            ["0 minutes", "59 minutes", "1 hour", "23 hours", "1 day", "6 days"]
        );
    }

    #[test]
    fn a_name_stays_on_its_line() {
        let report =
            report("Oslo\r\nBcc: eve@example.org\u{2028}\u{202e}x", 2, "2026-03-01T11:00:00Z");
        let line = line(&report);
        assert_eq!(line, "- Oslo  Bcc: eve@example.org  x, Brazil: 2 people, water, 2026-02-27\n");
    }
}
