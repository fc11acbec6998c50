use domain::{report::NewReport, scope::Scope};
use model::ReportType::Spirit;
use store::Mode;

use crate::{
    desk::{Browser, plain, running},
    harness::{But, Running, report},
};

fn people(report: NewReport, people_count: u32) -> NewReport {
    NewReport { people_count, ..report }
}

fn city(report: NewReport, city: &str) -> NewReport {
    NewReport { city: city.to_owned(), ..report }
}

fn region(report: NewReport, region: &str) -> NewReport {
    NewReport { region: region.to_owned(), ..report }
}

/// Report `r-1`: from Campinas in São Paulo, with ten people.
fn first() -> NewReport {
    people(report("r-1", Spirit).on("2026-02-01"), 10)
}

async fn filled(published: &[NewReport], waiting: &[NewReport]) -> Running {
    let running = running().await;
    running.publish(published).await;
    running.database.store.reports().import(waiting, Mode::Pending).await.unwrap();
    running
}

/// The badge of the report `r-1` in the list.
async fn badge(maria: &Browser<'_>) -> Option<String> {
    let page = maria.get("/desk").await.text();
    let (_, row) = page.split_once("data-id=\"r-1\"").unwrap();
    let (_, badge) = row.split_once("class=\"alike\"").unwrap();
    let (_, badge) = badge.split_once('>').unwrap();
    let badge = badge.split("</a>").next().unwrap().replace("<!>", "");
    Some(badge.trim().to_owned()).filter(|badge| !badge.is_empty())
}

#[tokio::test]
async fn a_report_names_what_it_may_be_a_duplicate_of_and_why() {
    let other = || first().named("r-2");
    let with_region = "same city, only one with a region, same day, as many people";
    for (other, comparison) in [
        (other(), "same place, same day, as many people"),
        (city(other(), "CAMPINAS"), "same place, same day, as many people"),
        (region(other(), ""), with_region),
        (city(other(), "Campina"), "Campina instead of Campinas, same day, as many people"),
        (other().on("2026-02-02"), "same place, a day later, as many people"),
        (people(other(), 12), "same place, same day, 12 instead of 10 people"),
        (people(other().on("2026-01-31"), 8), "same place, a day earlier, 8 instead of 10 people"),
    ] {
        for is_published in [true, false] {
            let (published, waiting) = match is_published {
                true => (vec![other.clone()], vec![first()]),
                false => (vec![], vec![first(), other.clone()]),
            };
            let running = filled(&published, &waiting).await;
            let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
            let status = if is_published { "already published" } else { "pending" };
            let expected = format!("Perhaps the same as r-2 ({status}): {comparison}");
            assert_eq!(badge(&maria).await, Some(expected));
        }
    }
}

#[tokio::test]
async fn other_reports_are_no_duplicates() {
    let other = |number: u8| first().named(&format!("r-{number}"));
    let others = [
        people(other(2), 13),
        people(other(3), 7),
        other(4).on("2026-02-03"),
        city(other(5), "Campino Sul"),
        city(other(6), "Xampinas"),
        region(other(7), "Goiás"),
        NewReport { country: "Portugal".to_owned(), ..other(8) },
        // All three differ.
        people(city(other(9), "Campina").on("2026-02-02"), 11),
    ];
    for is_published in [true, false] {
        let waiting = if is_published { vec![first()] } else { [&[first()], &others[..]].concat() };
        let running = filled(if is_published { &others } else { &[] }, &waiting).await;
        let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
        assert_eq!(badge(&maria).await, None, "published: {is_published}");
    }
}

#[tokio::test]
async fn many_duplicates_are_counted_and_three_are_shown() {
    let waiting: Vec<NewReport> =
        (1..=40).map(|number| first().named(&format!("r-{number}"))).collect();
    let running = filled(&[], &waiting).await;
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    let badge = badge(&maria).await.unwrap();
    assert!(badge.ends_with("same place, same day, as many people and 38 more"), "{badge}");
    let list = maria.call("/desk/do/look", &[("query", "")]).await;
    let items = list["items"].as_array().unwrap();
    assert!(items.iter().all(|item| item["duplicates"].as_array().unwrap().len() == 3));
    let page = maria.get("/desk/report?id=r-1").await.text().replace("<!>", "");
    assert!(page.contains("And 36 more."), "{page}");
}

#[tokio::test]
async fn a_report_is_rejected_as_the_duplicate_of_the_one_beside_it() {
    let published = people(first().named("r-17"), 12);
    let running = filled(&[published], &[first()]).await;
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    let list = maria.get("/desk").await.text();
    assert!(list.contains("href=\"/desk/report?id=r-1&amp;list=#duplicates\""), "{list}");
    let page = plain(&maria.get("/desk/report?id=r-1").await.text());
    for text in [
        "<section id=\"duplicates\"",
        "<a href=\"/desk/report?id=r-17\">r-17</a>",
        "<th scope=\"row\">People</th><td>10</td><td><mark>12</mark></td>",
        "<th scope=\"row\">City</th><td>Campinas</td><td>Campinas</td>",
        "name=\"reason\" value=\"Duplicate of r-17\"",
        "value=\"reject:r-1\"",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    let fields =
        [("one", "reject:r-1"), ("reason", "Duplicate of r-17"), ("back", "/desk/report?id=r-1")];
    let rejected = maria.send("/desk/do/decide", &fields).await;
    let page = plain(&maria.get(rejected.header("location")).await.text());
    assert!(page.contains("reason: Duplicate of r-17"), "{page}");
    assert!(!page.contains("as duplicate of"), "{page}");
}
