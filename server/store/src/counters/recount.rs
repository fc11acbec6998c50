//! Counts and sets of places as [derived data](crate::derived). Recounts the reports of each bucket
//! and compares the result with the stored counts.
//!
//! The reports are sorted by day, so the reports of each bucket are adjacent. Memory contains the
//! counts of one bucket and twelve bytes per report.
//!
//! Publications and withdrawals continue while counts are corrected, and add to the stored counts
//! even if those are wrong. The difference between correct and stored counts therefore stays the
//! same until it is corrected. So the correction adds the difference like a publication, instead of
//! overwriting the stored counts. Sets of places are rebuilt from the corrected counts.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::NaiveDate;
use model::ReportType;
use roaring::RoaringBitmap;

use super::{
    grain::Grain,
    page::{self, Counts, CountsPage},
    presence,
    rollup::{self, Bucket, type_index},
};
use crate::{
    derived::{Derived, Difference, Facts, Found, Rebuilt},
    engine::{
        adaptive_batch::AdaptiveBatchSize,
        sql::{self, Connection},
        writes::Writes,
    },
    error::{Error, Result},
    places::{
        place::{CITY, COUNTRY, Lineage},
        place_check::PlaceCheck,
    },
    progress::Stage,
};

/// Check that the pages of counts match the reports.
pub(crate) struct Pages;

impl Derived for Pages {
    type Fault = PageFault;
    const SUM: fn(&mut Rebuilt) -> &mut u64 = |rebuilt| &mut rebuilt.counts;

    fn batch_size() -> AdaptiveBatchSize {
        AdaptiveBatchSize::fixed(if cfg!(test) { 1 } else { 1_024 })
    }

    async fn compare(tx: &mut Connection, found: &mut Found<'_, Self>) -> Result<()> {
        *found.facts = Facts::read(tx, found).await?;
        let Sightings(mut sightings) = std::mem::take(&mut found.facts.sightings);
        sightings.sort_unstable_by_key(|(date, ..)| *date);
        let (mut pages, mut sets) = (rollup::page_numbers(tx).await?, presence::all(tx).await?);
        // After sorting, the reports of each bucket are adjacent.
        let mut buckets: BTreeMap<Bucket, &[Sighting]> = BTreeMap::new();
        for grain in Grain::ALL {
            let bucket = |(date, ..): &Sighting| Bucket { grain, number: grain.bucket(*date) };
            let runs = sightings.chunk_by(|a, b| bucket(a) == bucket(b));
            buckets.extend(runs.filter_map(|run| Some((bucket(run.first()?), run))));
        }
        let countries = sets.remove(&Bucket::COUNTRIES);
        for bucket in pages.keys().chain(sets.keys()) {
            buckets.entry(*bucket).or_default();
        }
        let (mut counted, mut recounted_countries) = (0, RoaringBitmap::new());
        for (bucket, sightings) in buckets {
            let (recounted, cities) = recount(sightings, &found.facts.check)?;
            if bucket == Bucket::ALL_TIME {
                recounted_countries = countries_of(&cities, &found.facts.check)?;
            }
            let stored = pages.remove(&bucket).unwrap_or_default();
            let faults = compare_pages(tx, bucket, stored, recounted).await?;
            let set = compare_set(sets.remove(&bucket), &cities)?;
            if !faults.is_empty() || set.is_some() {
                found.facts.wrong_buckets.push((bucket, set));
            }
            for page in faults {
                page.differ(found);
                found.add(page);
            }
            counted += sightings.len() as u64;
            // Each report is counted in one bucket of each grain.
            let done = counted / Grain::ALL.len() as u64;
            found.progress(Stage::Counting, done, found.facts.counted);
            found.correct_if_many().await?;
        }
        let set = compare_set(countries, &recounted_countries)?;
        let is_wrong = |(bucket, _): &(Bucket, _)| *bucket == Bucket::ALL_TIME;
        if set.is_some() || found.facts.wrong_buckets.iter().any(is_wrong) {
            found.facts.wrong_buckets.push((Bucket::COUNTRIES, set));
        }
        Ok(())
    }

    async fn correct(tx: &mut Connection, faults: &[PageFault]) -> Result<u64> {
        let key = |page: &PageFault| (page.number, page.bucket);
        let unreadable: Vec<_> = faults.iter().filter(|page| page.is_unreadable).map(key).collect();
        rollup::remove(tx, &unreadable).await?;
        let missing = |(place, (stored, recounted)): (&i64, &(Option<Counts>, Counts))| {
            let mut missing = *recounted;
            let stored = stored.unwrap_or_default();
            missing.iter_mut().zip(stored).for_each(|(count, stored)| *count -= stored);
            (*place, missing)
        };
        let changes =
            faults.iter().map(|page| (key(page), page.cells.iter().map(missing).collect()));
        let mut writes = Writes::default();
        rollup::change(tx, &mut writes, changes.collect(), |_, _, _| {}).await?;
        writes.send(tx).await?;
        // A page without cells is one fault too.
        Ok(faults.iter().map(|page| page.cells.len().max(1) as u64).sum())
    }
}

/// Check that the sets of cities and countries contain exactly those with counts.
pub(crate) struct SetsOfCities;

impl Derived for SetsOfCities {
    type Fault = Bucket;
    const SUM: fn(&mut Rebuilt) -> &mut u64 = |rebuilt| &mut rebuilt.sets_of_cities;

    fn batch_size() -> AdaptiveBatchSize {
        AdaptiveBatchSize::fixed(if cfg!(test) { 1 } else { 64 })
    }

    /// Collects the sets found wrong when pages were compared, and the buckets with wrong counts: a
    /// publication or withdrawal may have changed a correct set based on wrong counts.
    async fn compare(_: &mut Connection, found: &mut Found<'_, Self>) -> Result<()> {
        for (bucket, set) in std::mem::take(&mut found.facts.wrong_buckets) {
            if let Some(SetFault { stored, recounted }) = set {
                found.differ(|_| {
                    let (one, many) = match bucket {
                        Bucket::COUNTRIES => ("country", "countries"),
                        _ => ("city", "cities"),
                    };
                    let shown =
                        |number| format!("{number} {}", if number == 1 { one } else { many });
                    let stored = stored.map_or_else(|| "an unreadable set".to_owned(), shown);
                    let subject = format!("the set of {many}");
                    Difference::new(subject, bucket.to_string(), stored, shown(recounted))
                });
            }
            found.add(bucket);
        }
        Ok(())
    }

    async fn correct(tx: &mut Connection, faults: &[Bucket]) -> Result<u64> {
        let (cities, countries) = (of_level(tx, CITY).await?, of_level(tx, COUNTRY).await?);
        let last = page::number(cities.max().map_or(0, i64::from));
        let mut changed = 0;
        for bucket in faults {
            let (places, counted_in) = match *bucket {
                Bucket::COUNTRIES => (&countries, Bucket::ALL_TIME),
                bucket => (&cities, bucket),
            };
            let keys: Vec<_> = (0..=last).map(|number| (number, counted_in)).collect();
            let mut counted = RoaringBitmap::new();
            for (_, page) in rollup::stored(tx, &keys).await? {
                for (place, _) in page?.cells() {
                    counted.insert(presence::bit(*place)?);
                }
            }
            changed += u64::from(presence::replace(tx, *bucket, counted & places).await?);
        }
        Ok(changed)
    }
}

async fn of_level(tx: &mut Connection, level: i64) -> Result<RoaringBitmap> {
    let select = sql::query_scalar("SELECT id FROM places WHERE level = $1");
    let ids: Vec<i64> = select.bind(level).fetch_all(tx).await?;
    ids.into_iter().map(presence::bit).collect()
}

/// Date, city and type of a report.
type Sighting = (NaiveDate, u32, ReportType);

/// Approved reports to count.
#[derive(Debug, Default)]
pub(crate) struct Sightings(Vec<Sighting>);

impl Sightings {
    pub(crate) fn push(&mut self, date: NaiveDate, city: i64, kind: ReportType) -> Result<()> {
        self.0.push((date, presence::bit(city)?, kind));
        Ok(())
    }

    pub(crate) fn len(&self) -> u64 {
        self.0.len() as u64
    }
}

/// Counts by page and place.
type Recounted = BTreeMap<i64, BTreeMap<i64, Counts>>;

/// Counts the reports of a bucket, and collects its cities.
fn recount(sightings: &[Sighting], check: &PlaceCheck) -> Result<(Recounted, RoaringBitmap)> {
    let mut by_city: HashMap<u32, Counts> = HashMap::new();
    for (_, city, kind) in sightings {
        by_city.entry(*city).or_default()[type_index(*kind)] += 1;
    }
    let mut recounted = Recounted::new();
    for (city, counts) in &by_city {
        for place in lineage(*city, check)?.counted_under() {
            let page = recounted.entry(page::number(place)).or_default();
            let sum = page.entry(place).or_default();
            sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
    }
    Ok((recounted, by_city.into_keys().collect()))
}

fn countries_of(cities: &RoaringBitmap, check: &PlaceCheck) -> Result<RoaringBitmap> {
    cities.iter().map(|city| presence::bit(lineage(city, check)?.country)).collect()
}

fn lineage(city: u32, check: &PlaceCheck) -> Result<Lineage> {
    let damaged = || Error::Damaged(format!("place {city}, which is no city"));
    check.lineage(i64::from(city)).ok_or_else(damaged)
}

/// Page that does not match the reports. If it has no cells, the page is not needed.
#[derive(Debug)]
pub(crate) struct PageFault {
    bucket: Bucket,
    number: i64,
    is_unreadable: bool,
    /// Stored counts, if there are any, and correct counts, by place.
    cells: BTreeMap<i64, (Option<Counts>, Counts)>,
}

impl PageFault {
    fn differ(&self, found: &mut Found<'_, Pages>) {
        if self.is_unreadable || self.cells.is_empty() {
            found.differ(|_| {
                let subject = format!("page {} of the counts", self.number);
                let stored =
                    if self.is_unreadable { "an unreadable page" } else { "an empty page" };
                Difference::new(subject, self.bucket.to_string(), stored, "a page")
            });
        }
        let shown =
            |[spirit, water, both]: Counts| format!("{spirit} spirit, {water} water, {both} both");
        for (place, (stored, recounted)) in &self.cells {
            found.differ(|facts| {
                let stored = stored.map_or_else(|| "nothing".to_owned(), shown);
                let (place, bucket) = (facts.check.name(*place), self.bucket.to_string());
                Difference::new(place, bucket, stored, shown(*recounted))
            });
        }
    }
}

/// Set of cities or countries that does not match the reports.
#[derive(Debug)]
pub(crate) struct SetFault {
    /// Number of stored places; `None` if the set cannot be read.
    stored: Option<u64>,
    recounted: u64,
}

/// Compares the `stored` pages of a bucket, by page number, with the recounted reports.
async fn compare_pages(
    tx: &mut Connection,
    bucket: Bucket,
    stored: BTreeSet<i64>,
    mut recounted: Recounted,
) -> Result<Vec<PageFault>> {
    let keys: Vec<_> = stored.into_iter().map(|number| (number, bucket)).collect();
    let mut faults = Vec::new();
    for ((number, _), page) in rollup::stored(tx, &keys).await? {
        let (is_unreadable, page) = match page {
            Ok(page) => (false, page),
            Err(Error::Damaged(_)) => (true, CountsPage::default()),
            Err(error) => return Err(error),
        };
        let cells = differing(&page, recounted.remove(&number).unwrap_or_default());
        if is_unreadable || page.is_empty() || !cells.is_empty() {
            faults.push(PageFault { bucket, number, is_unreadable, cells });
        }
    }
    faults.extend(recounted.into_iter().map(|(number, recounted)| {
        let cells = differing(&CountsPage::default(), recounted);
        PageFault { bucket, number, is_unreadable: false, cells }
    }));
    Ok(faults)
}

/// Returns the places of a page with wrong counts, and those that are stored with zero counts.
fn differing(
    page: &CountsPage,
    recounted: BTreeMap<i64, Counts>,
) -> BTreeMap<i64, (Option<Counts>, Counts)> {
    let cells = recounted.into_iter().map(|(place, recounted)| (place, (None, recounted)));
    let mut cells: BTreeMap<_, (Option<Counts>, Counts)> = cells.collect();
    for (place, stored) in page.cells() {
        cells.entry(*place).or_default().0 = Some(*stored);
    }
    cells.retain(|_, (stored, recounted)| {
        *stored != Some(*recounted) || *recounted == Counts::default()
    });
    cells
}

fn compare_set(
    stored: Option<Result<RoaringBitmap>>,
    recounted: &RoaringBitmap,
) -> Result<Option<SetFault>> {
    let stored = match stored.transpose() {
        Err(Error::Damaged(_)) => None,
        stored => Some(stored?.unwrap_or_default()),
    };
    Ok((stored.as_ref() != Some(recounted)).then(|| SetFault {
        stored: stored.map(|cities| cities.len()),
        recounted: recounted.len(),
    }))
}
