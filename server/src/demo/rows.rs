use chrono::{DateTime, Utc};
use domain::{report::NewReport, report_id::ReportId};
use geo::cities::{City, cities};
use model::ReportType;

use super::{calendar::Calendar, cities::pick, rng::Rng, spelling};

const KINDS: [(u64, ReportType); 3] =
    [(47, ReportType::Spirit), (40, ReportType::Water), (13, ReportType::Both)];

/// Ranges of the number of people, with weights in per mille of the reports.
const PEOPLE: [(u64, (u64, u64)); 6] = [
    (420, (1, 1)),
    (430, (2, 5)),
    (100, (6, 20)),
    (39, (21, 120)),
    (9, (121, 900)),
    (2, (901, 6_000)),
];

/// Returns reports of the ten years that end with `until`, in order of `created_at`, with the ids `demo-<seed>-<number
/// of rows>-<row>`: files of different sizes have different reports, so they must not share ids.
pub fn rows(count: u64, seed: u64, until: DateTime<Utc>) -> impl Iterator<Item = NewReport> {
    let mut rng = Rng::with_stream(seed, 0);
    let calendar = Calendar::new(seed, until);
    // A place is shown in the spelling of its first report, so that one has the usual spelling: "SAO PAULO" in a
    // demonstration would look like a bug.
    let mut seen = vec![false; cities().len()];
    (0..count).map(move |row| {
        let created_at = calendar.instant(row, count, &mut rng);
        let event_date = calendar.event_date(created_at, &mut rng);
        let index = pick(&mut rng);
        let city = &cities()[index];
        let spelled = match std::mem::replace(&mut seen[index], true) {
            true => spelling::any(city, &mut rng),
            false => spelling::usual(city),
        };
        let id = format!("demo-{seed}-{count}-{}", row + 1);
        NewReport { event_date, ..report(id, city, spelled, created_at, &mut rng) }
    })
}

/// Returns a report about an event on the day of the report.
pub(super) fn report(
    id: String,
    place: &City,
    [city, region, country]: spelling::Spelled,
    created_at: DateTime<Utc>,
    rng: &mut Rng,
) -> NewReport {
    let (fewest, most) = *rng.pick(&PEOPLE);
    // The smaller of two draws: small groups are more likely within a range, too.
    let people = rng.between(fewest, most).min(rng.between(fewest, most));
    NewReport {
        id: ReportId::stored(id),
        kind: *rng.pick(&KINDS),
        city,
        region,
        country,
        people_count: people as u32,
        event_date: created_at.date_naive(),
        created_at,
        event_date_given: true,
        created_at_given: true,
        position: (rng.below(3) == 0).then_some(place.point),
    }
}
