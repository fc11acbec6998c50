//! Comparing everything that is derived with the reports.

use super::{
    difference::Difference,
    scan::{Misplaced, Scan},
};
use crate::{
    Store,
    counters::{
        recount::{BucketFault, CellFault, Recount},
        rollup::Counts,
    },
    engine::{
        sql::{self, Connection},
        sqlite::backup::integrity,
    },
    error::Result,
    events,
    places::{atlas::Atlas, place::PlaceKey},
    reports::audit,
};

/// So many differences are kept: the others are only counted.
const KEPT: usize = 1_000;

/// What a check found.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Checked {
    /// The first of the differences.
    pub differences: Vec<Difference>,
    /// How many more there are.
    pub more: u64,
    /// Whether the file itself is damaged, which nothing but a backup can repair.
    #[serde(skip)]
    pub is_file_damaged: bool,
}

impl Checked {
    /// How many differences there are.
    #[must_use]
    pub fn found(&self) -> u64 {
        self.differences.len() as u64 + self.more
    }

    fn push(&mut self, difference: impl FnOnce() -> Difference) {
        if self.differences.len() < KEPT {
            self.differences.push(difference());
        } else {
            self.more += 1;
        }
    }

    fn push_lasting(&mut self, subject: &str, stored: String, recounted: &str) {
        self.push(|| Difference {
            subject: subject.to_owned(),
            bucket: "all time".to_owned(),
            stored,
            recounted: recounted.to_owned(),
        });
    }
}

impl Store {
    /// Compares places, counts, sets of cities, lists and what is to be delivered with the reports, in
    /// one consistent read, and asks the engine whether its file is sound. Reads every report; memory
    /// grows by some bytes for each, and by the number of places.
    pub async fn check(&self) -> Result<Checked> {
        self.read(|tx| Box::pin(check(tx))).await
    }
}

/// Makes the same comparison in a transaction that may be writing.
pub(crate) async fn check(tx: &mut Connection) -> Result<Checked> {
    let mut checked = Checked::default();
    let faults = match tx {
        Connection::Sqlite(tx) => integrity(tx).await?,
        // Its pages have checksums of their own, if the server was set up with them.
        Connection::Postgres(_) => Vec::new(),
    };
    for fault in faults {
        checked.is_file_damaged = true;
        checked.push_lasting("the file", fault, "a sound database");
    }
    let atlas = Atlas::read(tx).await?;
    let misplaced = |report: &Misplaced<'_>| checked.push(|| place_of(report, &atlas));
    let scan = Scan::read(tx, &atlas, misplaced, |_| {}).await?;
    compare_places(&atlas, &scan, &mut checked);
    compare_time(tx, &scan, &mut checked).await?;
    let mut recount = Recount::new(tx, scan.sightings).await?;
    while let Some(fault) = recount.next(tx, &atlas).await? {
        push_bucket(&fault, &atlas, &mut checked);
    }
    for sentence in audit::faults(tx, |_, _| {}).await?.sentences {
        checked.push_lasting("the lists", sentence, "none");
    }
    for orphans in events::audit::orphans(tx).await? {
        checked.push(|| Difference {
            subject: orphans.what.to_owned(),
            bucket: orphans.without.to_owned(),
            stored: format!("{} without", orphans.count),
            recounted: "none without".to_owned(),
        });
    }
    Ok(checked)
}

fn place_of(report: &Misplaced<'_>, atlas: &Atlas) -> Difference {
    Difference {
        subject: format!("report {:?}", report.id),
        bucket: "its place".to_owned(),
        stored: report.place.map_or_else(|| "none".to_owned(), |place| atlas.name(place)),
        recounted: slashed(&report.spelling.key()),
    }
}

fn slashed(PlaceKey { country, region, city }: &PlaceKey) -> String {
    format!("{country}/{region}/{city}")
}

fn compare_places(atlas: &Atlas, scan: &Scan, checked: &mut Checked) {
    for place in atlas.astray() {
        checked.push(|| Difference {
            subject: atlas.name(place.id),
            bucket: "where it lies".to_owned(),
            stored: place.parent_id.map_or_else(|| "nowhere".to_owned(), |id| atlas.name(id)),
            recounted: slashed(&place.container().map(|(_, key)| key).unwrap_or_default()),
        });
    }
    let mut misnamed: Vec<_> = scan.names.iter().collect();
    misnamed.sort_unstable_by_key(|(id, _)| **id);
    for (id, (_, names)) in misnamed {
        checked.push(|| Difference {
            subject: atlas.name(*id),
            bucket: "its name".to_owned(),
            stored: atlas.name(*id),
            recounted: names.joined().unwrap_or_default(),
        });
    }
    // Where the last report was corrected away, a place is left, as it is after a withdrawal. One that has another key
    // than its names may hide the one that its reports are under.
    let is_misnamed = |place: &i64| atlas.get(*place).is_none_or(|known| !known.is_well_named);
    for place in atlas.unused(&scan.used).into_iter().filter(is_misnamed) {
        checked.push_lasting(&atlas.name(place), "a place".to_owned(), "no report");
    }
}

/// No change may be earlier than a publication.
async fn compare_time(tx: &mut Connection, scan: &Scan, checked: &mut Checked) -> Result<()> {
    let changed_at: i64 =
        sql::query_scalar("SELECT changed_at FROM data_version WHERE id = 1").fetch_one(tx).await?;
    if let Some(published_at) = scan.last_published_at.filter(|at| *at > changed_at) {
        let shown = |millis| base::time::format_instant(base::time::instant_of_millis(millis));
        checked.push_lasting("the last change", shown(changed_at), &shown(published_at));
    }
    Ok(())
}

fn push_bucket(fault: &BucketFault, atlas: &Atlas, checked: &mut Checked) {
    for page in &fault.pages {
        let named = |stored: &str| Difference {
            subject: format!("page {} of the counts", page.number),
            bucket: fault.bucket.to_string(),
            stored: stored.to_owned(),
            recounted: "a page".to_owned(),
        };
        if page.unreadable {
            checked.push(|| named("an unreadable page"));
        } else if page.cells.is_empty() {
            checked.push(|| named("an empty page"));
        }
        for CellFault { place, stored, recounted } in &page.cells {
            checked.push(|| Difference {
                subject: atlas.name(*place),
                bucket: fault.bucket.to_string(),
                stored: stored.map_or_else(|| "nothing".to_owned(), shown),
                recounted: shown(*recounted),
            });
        }
    }
    if let Some(presence) = &fault.presence {
        checked.push(|| Difference {
            subject: "the set of cities".to_owned(),
            bucket: fault.bucket.to_string(),
            stored: presence.stored.map_or_else(
                || "an unreadable set".to_owned(),
                |cities| format!("{cities} cities"),
            ),
            recounted: format!("{} cities", presence.recounted),
        });
    }
}

fn shown([spirit, water, both]: Counts) -> String {
    format!("{spirit} spirit, {water} water, {both} both")
}
