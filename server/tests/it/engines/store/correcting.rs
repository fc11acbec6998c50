//! Corrections of many reports, and undoing them.

use chrono::TimeDelta;
use domain::{
    action::Action,
    actor::Actor,
    report::{NewReport, Status, Step},
};
use model::ReportType::Spirit;
use store::{
    AuditQuery, CorrectedBatch, Mode, OwnDecision, PlaceFilter, ReportsQuery, Selected, Selection,
    Store, Undone,
};

use crate::harness::{But, Database, START, instant, report};

fn acting(store: &Store, name: &str) -> Store {
    store.clone().acting(Actor { name: name.into(), key: None, origin: "web1".into() })
}

async fn filled(rows: &[NewReport]) -> (Database, Store) {
    let database = Database::new().await;
    database.store.reports().import(rows, Mode::Pending).await.unwrap();
    let store = acting(&database.store, "maria");
    (database, store)
}

fn ids(numbers: std::ops::Range<usize>) -> Vec<String> {
    numbers.map(|number| format!("r-{number}")).collect()
}

/// Renames the city of a report, but refuses one report.
fn renamed(report: &NewReport) -> Result<NewReport, &'static str> {
    match &*report.id {
        "r-13" => Err("unlucky"),
        _ => Ok(NewReport { city: "São Paulo".to_owned(), ..report.clone() }),
    }
}

async fn all(store: &Store, selected: &mut Selected) -> CorrectedBatch<&'static str> {
    let mut batches = store.reports().corrections(renamed);
    let mut all = CorrectedBatch { corrected: 0, unchanged: 0, refused: Vec::new() };
    while !selected.is_empty() {
        let batch = batches.next_batch(selected).await.unwrap();
        all.corrected += batch.corrected;
        all.unchanged += batch.unchanged;
        all.refused.extend(batch.refused);
    }
    all
}

async fn own(store: &Store) -> Vec<OwnDecision> {
    let since = instant(START) - TimeDelta::minutes(10);
    store.audit_log().own_decisions(since, 10).await.unwrap()
}

/// Undoes a decision to its end.
async fn undo(store: &Store, number: i64) -> Undone {
    let since = instant(START) - TimeDelta::minutes(10);
    let mut undoing = store.reports().undoing(number, since).await.unwrap().unwrap();
    let mut all = Undone::default();
    while let Some(Undone { undone, left }) = undoing.next_batch().await.unwrap() {
        all = Undone { undone: all.undone + undone, left: all.left + left };
    }
    all
}

/// All reports as the operator sees them, without their times of publication.
async fn stored(store: &Store, count: usize) -> Vec<(String, Status, String, String, i64)> {
    let mut stored = Vec::new();
    for id in ids(0..count) {
        let (report, _) = store.reports().find(&id).await.unwrap().unwrap();
        let place = [report.city, report.region, report.country].join("/");
        stored.push((id, report.status, place, report.event_date, report.people_count));
    }
    stored
}

async fn public(store: &Store) -> Vec<(String, String)> {
    let listed = store.reports().recent(&ReportsQuery::newest(100)).await.unwrap().value;
    listed.into_iter().map(|one| (one.report.id, one.report.city)).collect()
}

#[tokio::test]
async fn reports_of_all_statuses_are_corrected_as_one_decision_and_undone_as_one() {
    const COUNT: usize = 300;
    let cities = ["Sao Paolo", "Sampa", "São Paulo"];
    let rows: Vec<NewReport> = (0..COUNT)
        .map(|number| {
            let city = cities[number % 3].to_owned();
            NewReport { city, ..report(&format!("r-{number}"), Spirit) }
        })
        .collect();
    let (database, store) = filled(&rows).await;
    let reports = store.reports();
    reports.decide(Step::Approve, &ids(0..150)).await.unwrap();
    reports.decide(Step::Withdraw, &ids(140..150)).await.unwrap();
    reports.decide(Step::Reject, &ids(150..160)).await.unwrap();
    let (before, public_before) = (stored(&store, COUNT).await, public(&store).await);

    let mut selected = reports.select_list(&Selection::default()).await.unwrap();
    assert_eq!(selected.len(), COUNT as u64);
    let values = reports.values(&selected, &["city"]).await.unwrap();
    assert_eq!(values.statuses, [140, 140, 10, 10]);
    let counts: Vec<_> =
        values.groups.iter().map(|(city, count)| (city["city"].as_str(), *count)).collect();
    assert_eq!(counts.len(), 3);
    assert!(counts.contains(&(Some("Sampa"), 100)), "{counts:?}");
    let corrected = all(&store, &mut selected).await;
    assert_eq!((corrected.corrected, corrected.unchanged), (199, 100));
    assert_eq!(corrected.refused, ["unlucky"]);
    let after = stored(&store, COUNT).await;
    for ((id, status, place, ..), (_, was, ..)) in after.iter().zip(&before) {
        let expected = if id == "r-13" { "Sampa" } else { "São Paulo" };
        assert_eq!((status, place.split('/').next()), (was, Some(expected)), "{id}");
    }
    assert!(public(&store).await.iter().all(|(id, city)| city == "São Paulo" || id == "r-13"));
    assert_eq!(store.check().await.unwrap().differences, []);
    let updated = "SELECT count(*) FROM events WHERE name = 'report.updated'";
    let changed = (0..140).filter(|number| number % 3 != 2 && *number != 13).count() as i64;
    assert_eq!(database.count(updated).await, changed);

    let decisions = own(&store).await;
    let decision = &decisions[0];
    assert_eq!((decision.action, decision.reports), (Action::Correct, 199));
    // Others have changed two of the reports since.
    let jo = acting(&database.store, "jo");
    jo.reports().decide(Step::Approve, &["r-298".to_owned()]).await.unwrap();
    let moved = |report: &NewReport| Ok::<_, ()>(NewReport { people_count: 9, ..report.clone() });
    jo.reports().correct("r-0", moved).await.unwrap();
    assert_eq!(undo(&store, decision.number).await, Undone { undone: 197, left: 2 });
    let mut expected = before;
    expected[0].2 = expected[0].2.replace("Sao Paolo", "São Paulo");
    expected[0].4 = 9;
    expected[298].1 = Status::Approved;
    expected[298].2 = expected[298].2.replace("Sampa", "São Paulo");
    assert_eq!(stored(&store, COUNT).await, expected);
    let names = |public: Vec<(String, String)>| -> Vec<String> {
        public
            .into_iter()
            .filter(|(id, _)| !["r-0", "r-298"].contains(&&**id))
            .map(|one| one.1)
            .collect()
    };
    let (now, then) = (names(public(&store).await), names(public_before));
    assert_eq!(now[..50], then[..50]);
    assert_eq!(store.check().await.unwrap().differences, []);
    assert!(own(&store).await.iter().all(|one| one.action != Action::Correct));
}

#[tokio::test]
async fn a_correction_that_broke_off_is_undone_or_completed() {
    let rows: Vec<NewReport> =
        (0..300).map(|number| report(&format!("r-{number}"), Spirit)).collect();
    let (_database, store) = filled(&rows).await;
    let reports = store.reports();
    let ids = ids(0..300);
    reports.decide(Step::Approve, &ids[..200]).await.unwrap();
    let before = stored(&store, 300).await;
    let broken_off = async || {
        let mut selected = reports.select_ids(&ids).await.unwrap();
        let mut batches = reports.corrections(renamed);
        let first = batches.next_batch(&mut selected).await.unwrap();
        assert!(first.corrected > 0 && first.corrected < 200, "{first:?}");
        assert_eq!(store.check().await.unwrap().differences, []);
        first.corrected
    };
    let first = broken_off().await;
    let decision = own(&store).await.remove(0);
    assert_eq!((decision.action, decision.reports), (Action::Correct, first));
    assert_eq!(undo(&store, decision.number).await, Undone { undone: first, left: 0 });
    assert_eq!(stored(&store, 300).await, before);
    let first = broken_off().await;
    let mut selected = reports.select_ids(&ids).await.unwrap();
    let rest = all(&store, &mut selected).await;
    assert_eq!((rest.corrected, rest.unchanged), (299 - first, first));
    assert_eq!(store.check().await.unwrap().differences, []);
}

#[tokio::test]
async fn every_member_is_restored_and_the_history_has_both_changes() {
    let row =
        NewReport { position: Some((-22.9, -47.06)), ..report("r-0", Spirit).on("2026-02-01") };
    let (_database, store) = filled(&[row]).await;
    let reports = store.reports();
    let before = stored(&store, 1).await;
    let other = NewReport {
        kind: model::ReportType::Both,
        city: "Oslo".to_owned(),
        region: String::new(),
        country: "Norway".to_owned(),
        people_count: 77,
        event_date: instant("2026-02-03T00:00:00.000Z").date_naive(),
        position: None,
        ..report("r-0", Spirit)
    };
    let mut selected = reports.select_ids(&ids(0..1)).await.unwrap();
    let to_other = |_: &NewReport| Ok::<_, ()>(other.clone());
    reports.corrections(to_other).next_batch(&mut selected).await.unwrap();
    assert_ne!(stored(&store, 1).await, before);
    let decision = own(&store).await.remove(0);
    assert_eq!(decision.only.as_deref(), Some("r-0"));
    undo(&store, decision.number).await;
    assert_eq!(stored(&store, 1).await, before);
    let position = reports.find("r-0").await.unwrap().unwrap().0.position.unwrap();
    assert_eq!((position.lat, position.lng), (-22.9, -47.06));
    let about = AuditQuery { report: Some("r-0".to_owned()), limit: 9, ..AuditQuery::default() };
    let entries = store.audit_log().entries(&about).await.unwrap().entries;
    assert_eq!(entries[0].action, Action::Undo);
    assert_eq!((&entries[0].before, &entries[0].after), (&entries[1].after, &entries[1].before));
}

#[tokio::test]
async fn a_place_without_a_region_is_not_all_regions() {
    let with = |id: &str, region: &str, city: &str| NewReport {
        region: region.to_owned(),
        city: city.to_owned(),
        ..report(id, Spirit)
    };
    let rows = [
        with("r-0", "", "Campinas"),
        with("r-1", "São Paulo", "Campinas"),
        with("r-2", "", "CAMPINAS"),
        with("r-3", "", "Santos"),
    ];
    let (_database, store) = filled(&rows).await;
    store.reports().decide(Step::Approve, &ids(0..2)).await.unwrap();
    let part = |text: &str| Some(text.to_owned());
    let place = PlaceFilter { country: part("BR"), region: part(""), city: part("campinas") };
    let selection = Selection { place, ..Selection::default() };
    let selected = store.reports().select_list(&selection).await.unwrap();
    let found = store.reports().examples(&selected, 9).await.unwrap();
    let found: Vec<&str> = found.iter().map(|report| &*report.id).collect();
    assert_eq!(found, ["r-0", "r-2"]);
    let pairs = store.reports().similar_places().await.unwrap();
    let counts: Vec<_> =
        pairs.iter().map(|pair| pair.places.each_ref().map(|place| place.statuses)).collect();
    assert_eq!(counts, [[[1, 1, 0, 0], [0, 1, 0, 0]]]);
}
