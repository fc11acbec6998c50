use domain::{report::Step, scope::Scope};
use model::ReportType::Spirit;
use store::Mode;

use crate::{
    desk::{Browser, confirmed, plain, running},
    harness::{Running, report},
};

const CORRECT: &str = "/desk/do/correct-many";

/// A service with 28 reports from "Sao Paolo", two from "Sao Paulo", and one from Campinas; ten of the
/// first are approved.
async fn filled() -> Running {
    let running = running().await;
    let cities = (0..28).map(|_| "Sao Paolo").chain(["Sao Paulo", "Sao Paulo", "Campinas"]);
    let rows: Vec<_> = cities
        .enumerate()
        .map(|(number, city)| domain::report::NewReport {
            city: city.to_owned(),
            ..report(&format!("r-{number}"), Spirit)
        })
        .collect();
    let reports = running.database.store.reports();
    reports.import(&rows, Mode::Pending).await.unwrap();
    let first: Vec<String> = (0..10).map(|number| format!("r-{number}")).collect();
    reports.decide(Step::Approve, &first).await.unwrap();
    running
}

async fn total(running: &Running, city: &str) -> u64 {
    running.service.app.snapshots.refresh().await;
    let path = format!("/api/v1/metrics?country=BR&city={}", city.replace(' ', "%20"));
    running.json(&path).await["total"].as_u64().unwrap()
}

fn has(page: &str, expected: &[&str]) {
    let page = plain(page);
    for text in expected {
        assert!(page.contains(text), "{text}: {page}");
    }
}

#[tokio::test]
async fn a_list_gets_a_new_value_after_a_confirmation() {
    let running = filled().await;
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    let list = maria.get("/desk?city=Sao+Paolo").await.text();
    has(&list, &["href=\"/desk/correct?city=Sao+Paolo\""]);
    let form = maria.get("/desk/correct?city=Sao+Paolo").await.text();
    has(&form, &["<h1>Correct 18 reports</h1>", "<small>Sao Paolo 18</small>", "name=\"newCity\""]);
    let query = "city=Sao+Paolo&newCity=S%C3%A3o+Paulo&newRegion=&newYear=2025";
    let page = maria.get(&format!("/desk/correct?{query}")).await.text();
    has(
        &page,
        &[
            "Correct 18 reports?",
            "pending: 18",
            "city: Sao Paolo → São Paulo",
            "Nothing public changes",
        ],
    );
    let fields = [("query", query), ("confirmed", &*confirmed(&page))];
    let done = maria.send(CORRECT, &fields).await;
    assert_eq!((done.status, done.header("location")), (302, "/desk?city=Sao+Paolo"));
    assert!(maria.told().ends_with("Corrected 18 reports."), "{}", maria.told());
    assert_eq!(maria.ids("/desk?city=Sao+Paolo").await, [""; 0]);
    assert_eq!(maria.ids("/desk?city=S%C3%A3o+Paulo&to=2025-12-31").await.len(), 18);
    // A form that is sent again no longer fits the list.
    maria.send(CORRECT, &fields).await;
    assert!(maria.told().contains("the reports have changed"), "{}", maria.told());
    let page = maria.get("/desk").await.text();
    let (_, rest) = page.split_once("name=\"entry\" value=\"").unwrap();
    let entry = rest.split('"').next().unwrap();
    has(&page, &["Corrected"]);
    maria.send("/desk/do/undo", &[("entry", entry)]).await;
    let told = maria.told();
    assert!(told.ends_with("Undone: 18 reports have their earlier values again."), "{told}");
    assert_eq!(maria.ids("/desk?city=Sao+Paolo").await.len(), 18);
    let audit = maria.get("/desk/audit").await.text();
    has(&audit, &["corrected", ">18 reports</a>", "undid a decision on"]);
    let checked = running.database.store.check().await.unwrap();
    assert_eq!(checked.differences, []);
}

#[tokio::test]
async fn only_the_confirmed_reports_with_the_confirmed_values_are_corrected() {
    let running = filled().await;
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    let jo = Browser::of(&running, "Jo", Scope::Moderate).await;
    let query = "ids%5B%5D=r-28&ids%5B%5D=r-30&selected=1&newPeople=12";
    let page =
        maria.get(&format!("/desk/correct?{query}&back=%2Fdesk%3Ftype%3Dspirit")).await.text();
    has(&page, &["Correct 2 reports?", "people: 1 → 12", "href=\"/desk/report?id=r-28\""]);
    let token = confirmed(&page);
    let fields = [("query", query), ("confirmed", &*token), ("back", "/desk?type=spirit")];
    jo.send("/desk/do/decide", &[("one", "approve:r-28")]).await;
    let other = "ids%5B%5D=r-30&newPeople=3";
    let others = confirmed(&jo.get(&format!("/desk/correct?{other}")).await.text());
    jo.send(CORRECT, &[("query", other), ("confirmed", &*others)]).await;
    let refused = maria.send(CORRECT, &fields).await;
    assert!(maria.told().contains("Nothing was corrected"), "{}", maria.told());
    let page = maria.get(refused.header("location")).await.text();
    has(&page, &["people: 3 → 12", "1 published report among them"]);
    let again =
        [("query", query), ("confirmed", &*confirmed(&page)), ("back", "/desk?type=spirit")];
    assert_eq!(maria.send(CORRECT, &again).await.header("location"), "/desk?type=spirit");
    let counters = running.database.store.check().await.unwrap();
    assert_eq!(counters.differences, []);

    let wrong = maria.get("/desk/correct?ids[]=r-1&newDate=2027-01-01").await.text();
    has(&wrong, &["These values cannot be used.", "eventDate", "value=\"2027-01-01\""]);
    let none = maria.get("/desk/correct?selected=1&back=%2Fdesk").await.text();
    has(&none, &["select at least one report"]);
    let reader = Browser::of(&running, "Ann", Scope::Read).await;
    has(&reader.get("/desk/correct?ids[]=r-1").await.text(), &["Your key has the scope read"]);
}

#[tokio::test]
async fn two_spellings_of_a_place_become_one() {
    let running = filled().await;
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    assert_eq!(total(&running, "Sao Paolo").await, 10);
    let page = maria.get("/desk/places").await.text();
    has(&page, &["pending: 18, approved: 10", "pending: 2", "at the same position"]);
    // The second of two links gives the reports of the first place the other spelling.
    let rest = page.split("href=\"/desk/correct?").last().unwrap();
    let query = rest.split('"').next().unwrap().replace("&amp;", "&");
    assert!(
        query.starts_with("ofCountry=Brazil&ofRegion=S%C3%A3o+Paulo&ofCity=Sao+Paolo&"),
        "{query}"
    );
    let page = maria.get(&format!("/desk/correct?{query}")).await.text();
    has(
        &page,
        &["Correct 28 reports?", "Sao Paolo, São Paulo, Brazil", "10 published reports among them"],
    );
    let fields = [("query", &*query), ("confirmed", &*confirmed(&page))];
    let done = maria.send(CORRECT, &fields).await;
    assert_eq!(done.header("location"), "/desk/places");
    assert_eq!((total(&running, "Sao Paolo").await, total(&running, "Sao Paulo").await), (0, 10));
    let page = maria.get("/desk/places").await.text();
    has(&page, &["Corrected 28 reports.", "No two places look like spellings of one place."]);
    let (_, rest) = page.split_once("name=\"entry\" value=\"").unwrap();
    let fields = [("entry", rest.split('"').next().unwrap()), ("back", "/desk/places")];
    maria.send("/desk/do/undo", &fields).await;
    assert_eq!((total(&running, "Sao Paolo").await, total(&running, "Sao Paulo").await), (10, 0));
    assert_eq!(running.database.store.check().await.unwrap().differences, []);
}

#[tokio::test]
async fn places_that_people_keep_apart_are_no_pair_until_they_are_paired_again() {
    let running = filled().await;
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    let jo = Browser::of(&running, "Jo", Scope::Moderate).await;
    let ann = Browser::of(&running, "Ann", Scope::Read).await;
    let page = maria.get("/desk/places").await.text();
    has(&page, &["at the same position", "These are two places"]);
    let hidden = |page: &str, name: &str| {
        let (_, rest) = page.split_once(&format!("name=\"{name}\" value=\"")).unwrap();
        rest.split('"').next().unwrap().to_owned()
    };
    let names = ["country", "region", "city"];
    let names = ["one", "other"].map(|place| names.map(|name| format!("{place}[{name}]")));
    let fields: Vec<_> =
        names.as_flattened().iter().map(|name| (&**name, hidden(&page, name))).collect();
    let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, &**value)).collect();
    assert!(!ann.get("/desk/places").await.text().contains("These are two places"));
    ann.send("/desk/do/keep-apart", &fields).await;
    assert!(ann.told().contains("scope"), "{}", ann.told());

    let done = maria.send("/desk/do/keep-apart", &fields).await;
    assert_eq!((done.status, done.header("location")), (302, "/desk/places"));
    let told = maria.told();
    let pair = "Sao Paolo, São Paulo, Brazil; Sao Paulo, São Paulo, Brazil";
    assert!(told.ends_with(&format!("Kept apart: {pair}.")), "{told}");
    // Other numbers of reports do not bring it back.
    running.database.store.reports().decide(Step::Reject, &["r-29".to_owned()]).await.unwrap();
    for browser in [&maria, &jo, &ann] {
        let page = browser.get("/desk/places").await.text();
        has(
            &page,
            &[
                "No two places look like spellings of one place.",
                "1 pair that you and others keep apart",
                "<b>Sao Paulo, São Paulo, Brazil</b>",
                "Maria",
            ],
        );
        let may_decide = !std::ptr::eq(browser, &ann);
        assert_eq!(page.contains("Pair again"), may_decide);
    }
    jo.send("/desk/do/keep-apart", &fields).await;
    let page = jo.get("/desk/places").await.text();
    has(&page, &["1 pair that"]);
    let again = [("id", &*hidden(&page, "id"))];
    jo.send("/desk/do/pair-again", &again).await;
    assert!(jo.told().ends_with(&format!("A pair again: {pair}.")), "{}", jo.told());
    maria.send("/desk/do/pair-again", &again).await;
    assert!(maria.told().ends_with("Nobody keeps this pair apart any more."), "{}", maria.told());
    let page = maria.get("/desk/places").await.text();
    has(&page, &["at the same position", "pending: 18, approved: 10"]);
    assert!(!page.contains("<details"), "{page}");
    let audit = maria.get("/desk/audit").await.text();
    has(&audit, &["kept apart", "paired again", "Sao Paolo / Sao Paulo", "href=\"/desk/places\""]);

    let same = [
        ("one[country]", "Brazil"),
        ("one[city]", "Recife"),
        ("other[country]", "BR"),
        ("other[city]", "recife"),
    ];
    let empty =
        [("one[country]", "Brazil"), ("other[country]", "Brazil"), ("other[city]", "Recife")];
    for fields in [&same[..], &empty] {
        maria.send("/desk/do/keep-apart", fields).await;
        assert!(
            maria.told().ends_with("These are not the names of two places."),
            "{}",
            maria.told()
        );
    }
}
