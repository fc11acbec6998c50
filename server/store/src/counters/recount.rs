//! Counts and sets of cities as [derived data](crate::derived): what the reports come to, bucket by bucket, compared
//! with what is stored.
//!
//! The reports come sorted by day, so that a day is over when the next one begins, and then a month and
//! a year: in memory are the counts of one bucket of each grain, and eight bytes for every report.
//!
//! Others go on publishing and withdrawing while counts are corrected. They add to what is stored, whether it is right
//! or not. What is missing therefore stays the same until it is added: it is added like a publication, and not
//! written over what is stored by then. Sets of cities are made again from the corrected counts.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use chrono::NaiveDate;
use model::ReportType;
use roaring::RoaringBitmap;

use super::{
    packed,
    page::{self, Counts},
    presence,
    rollup::{self, Bucket, type_index},
};
use crate::{
    derived::{Derived, Difference, Facts, Found, Rebuilt, Stage},
    engine::{
        pace::Pace,
        sql::{self, Connection},
    },
    error::{Error, Result},
    places::atlas::Atlas,
};

/// Pages of counts are what the reports come to.
pub(crate) struct Pages;

impl Derived for Pages {
    type Fault = PageFault;
    const SUM: fn(&mut Rebuilt) -> &mut u64 = |rebuilt| &mut rebuilt.counts;

    fn pace() -> Pace {
        Pace::fixed(if cfg!(test) { 1 } else { 1_024 })
    }

    async fn compare(tx: &mut Connection, found: &mut Found<'_, Self>) -> Result<()> {
        *found.facts = Facts::read(tx, found).await?;
        let of = found.facts.counted;
        let mut recount = Recount::new(tx, std::mem::take(&mut found.facts.sightings)).await?;
        while let Some(BucketFaults { bucket, pages, set }) =
            recount.next(tx, &found.facts.atlas).await?
        {
            let left = recount.sightings.len() as u64;
            found.progress(Stage::Counting, of - left, of);
            if !pages.is_empty() || set.is_some() {
                found.facts.wrong_buckets.push((bucket, set));
            }
            for page in pages {
                page.differ(found);
                found.add(page);
            }
            found.correct_if_many().await?;
        }
        Ok(())
    }

    async fn correct(tx: &mut Connection, faults: &[PageFault]) -> Result<u64> {
        let key = |page: &PageFault| (page.number, page.bucket);
        let unreadable: Vec<_> = faults.iter().filter(|page| page.is_unreadable).map(key).collect();
        rollup::remove(tx, &unreadable).await?;
        let missing = |cell: &CellFault| {
            let mut missing = cell.recounted;
            let stored = cell.stored.unwrap_or_default();
            missing.iter_mut().zip(stored).for_each(|(count, stored)| *count -= stored);
            (cell.place, missing)
        };
        let changes =
            faults.iter().map(|page| (key(page), page.cells.iter().map(missing).collect()));
        rollup::change(tx, changes.collect(), |change| change).await?;
        // A page without cells is one fault, too.
        Ok(faults.iter().map(|page| page.cells.len().max(1) as u64).sum())
    }
}

/// Sets of cities have the cities that have counts.
pub(crate) struct SetsOfCities;

impl Derived for SetsOfCities {
    type Fault = Bucket;
    const SUM: fn(&mut Rebuilt) -> &mut u64 = |rebuilt| &mut rebuilt.sets_of_cities;

    fn pace() -> Pace {
        Pace::fixed(if cfg!(test) { 1 } else { 64 })
    }

    /// The sets have been compared with their counts. Where counts are corrected, a set that was right may have been
    /// changed by a publication or withdrawal that saw the wrong counts.
    async fn compare(_: &mut Connection, found: &mut Found<'_, Self>) -> Result<()> {
        for (bucket, set) in std::mem::take(&mut found.facts.wrong_buckets) {
            if let Some(SetFault { stored, recounted }) = set {
                found.differ(|_| {
                    let stored = stored.map(|cities| format!("{cities} cities"));
                    let stored = stored.unwrap_or_else(|| "an unreadable set".to_owned());
                    let recounted = format!("{recounted} cities");
                    Difference::new("the set of cities", bucket.to_string(), stored, recounted)
                });
            }
            found.add(bucket);
        }
        Ok(())
    }

    async fn correct(tx: &mut Connection, faults: &[Bucket]) -> Result<u64> {
        let cities: Vec<i64> =
            sql::query_scalar("SELECT id FROM places WHERE level = 3").fetch_all(&mut *tx).await?;
        let cities: RoaringBitmap = cities.into_iter().map(presence::bit).collect::<Result<_>>()?;
        let last = page::number(cities.max().map_or(0, i64::from));
        let mut changed = 0;
        for bucket in faults {
            let keys: Vec<_> = (0..=last).map(|number| (number, *bucket)).collect();
            let mut counted = RoaringBitmap::new();
            for (_, page) in rollup::stored(tx, &keys).await? {
                for (place, _) in page?.cells() {
                    counted.insert(presence::bit(*place)?);
                }
            }
            changed += u64::from(presence::replace(tx, *bucket, counted & &cities).await?);
        }
        Ok(changed)
    }
}

/// Approved reports as they count, each as a [number](packed::sighting).
#[derive(Debug, Default)]
pub(crate) struct Sightings(Vec<u64>);

impl Sightings {
    pub(crate) fn push(&mut self, date: NaiveDate, city: i64, kind: ReportType) -> Result<()> {
        self.0.push(packed::sighting(date, presence::bit(city)?, type_index(kind)));
        Ok(())
    }

    pub(crate) fn len(&self) -> u64 {
        self.0.len() as u64
    }
}

/// What a bucket comes to.
#[derive(Clone, Default)]
struct Cells {
    counts: HashMap<i64, Counts>,
    cities: RoaringBitmap,
}

impl Cells {
    fn add(&mut self, other: Self) {
        if self.counts.is_empty() {
            *self = other;
            return;
        }
        for (place, counts) in other.counts {
            let sum = self.counts.entry(place).or_default();
            sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        self.cities |= other.cities;
    }
}

/// What is stored of a place in a bucket, where it is not what the reports come to.
#[derive(Debug)]
struct CellFault {
    place: i64,
    /// None: nothing is stored.
    stored: Option<Counts>,
    recounted: Counts,
}

/// A page that is not what the reports come to. One without cells is stored for nothing.
#[derive(Debug)]
pub(crate) struct PageFault {
    bucket: Bucket,
    number: i64,
    is_unreadable: bool,
    cells: Vec<CellFault>,
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
        for CellFault { place, stored, recounted } in &self.cells {
            found.differ(|facts| {
                let stored = stored.map_or_else(|| "nothing".to_owned(), shown);
                let (place, bucket) = (facts.atlas.name(*place), self.bucket.to_string());
                Difference::new(place, bucket, stored, shown(*recounted))
            });
        }
    }
}

/// A set of cities that is not what the reports come to.
#[derive(Debug)]
pub(crate) struct SetFault {
    /// Number of cities; none if it cannot be read.
    stored: Option<u64>,
    recounted: u64,
}

/// What is wrong in one bucket.
#[derive(Debug)]
struct BucketFaults {
    bucket: Bucket,
    pages: Vec<PageFault>,
    set: Option<SetFault>,
}

/// Goes through everything that is counted.
struct Recount {
    sightings: std::iter::Peekable<std::vec::IntoIter<u64>>,
    /// Largest grain first.
    open: [(Bucket, Cells); 4],
    over: VecDeque<(Bucket, Cells)>,
    pages: BTreeMap<Bucket, BTreeSet<i64>>,
    presence: BTreeMap<Bucket, Result<RoaringBitmap>>,
    ended: bool,
}

impl Recount {
    /// Begins with reports and what is stored, in one consistent read.
    async fn new(tx: &mut Connection, Sightings(mut sightings): Sightings) -> Result<Self> {
        sightings.sort_unstable();
        let first = sightings.first().map_or(NaiveDate::MIN, |first| packed::sighted(*first).0);
        Ok(Self {
            sightings: sightings.into_iter().peekable(),
            open: Bucket::of(first).map(|bucket| (bucket, Cells::default())),
            over: VecDeque::new(),
            pages: rollup::page_numbers(tx).await?,
            presence: presence::all(tx).await?,
            ended: false,
        })
    }

    /// What is wrong in the next bucket, which may be nothing. None at the end.
    async fn next(&mut self, tx: &mut Connection, atlas: &Atlas) -> Result<Option<BucketFaults>> {
        loop {
            if let Some((bucket, cells)) = self.over.pop_front() {
                return Ok(Some(self.compare(tx, bucket, &cells).await?));
            }
            if self.count_day(atlas)? {
                continue;
            }
            if std::mem::replace(&mut self.ended, true) {
                return Ok(None);
            }
            let unvisited = self.pages.keys().chain(self.presence.keys()).copied();
            let unvisited: BTreeSet<Bucket> = unvisited.collect();
            self.over.extend(unvisited.into_iter().map(|bucket| (bucket, Cells::default())));
        }
    }

    /// Counts the reports of one day. False if there are no more.
    fn count_day(&mut self, atlas: &Atlas) -> Result<bool> {
        let Some((date, ..)) = self.sightings.peek().map(|next| packed::sighted(*next)) else {
            return Ok(false);
        };
        let mut cells = Cells::default();
        while let Some(next) = self.sightings.next_if(|next| packed::sighted(*next).0 == date) {
            let mut count = 1;
            while self.sightings.next_if_eq(&next).is_some() {
                count += 1;
            }
            let (_, city, kind) = packed::sighted(next);
            let lineage = atlas
                .lineage(i64::from(city))
                .ok_or_else(|| Error::Damaged(format!("place {city}, which is no city")))?;
            for place in lineage.counted_under() {
                cells.counts.entry(place).or_default()[kind] += count;
            }
            cells.cities.insert(city);
        }
        // The day is over; with the last one of a month the month, and so on.
        let after = self.sightings.peek().map(|next| Bucket::of(packed::sighted(*next).0));
        for grain in (0..self.open.len()).rev() {
            let Some((bucket, open)) = self.open.get_mut(grain) else { continue };
            open.add(cells);
            let next = after.and_then(|after| after.get(grain).copied());
            if next == Some(*bucket) {
                break;
            }
            cells = std::mem::take(open);
            self.over.push_back((*bucket, cells.clone()));
            *bucket = next.unwrap_or(*bucket);
        }
        Ok(true)
    }

    async fn compare(
        &mut self,
        tx: &mut Connection,
        bucket: Bucket,
        recounted: &Cells,
    ) -> Result<BucketFaults> {
        let mut by_page: BTreeMap<i64, BTreeMap<i64, Counts>> = BTreeMap::new();
        for (place, counts) in &recounted.counts {
            by_page.entry(page::number(*place)).or_default().insert(*place, *counts);
        }
        let keys: Vec<_> =
            self.pages.remove(&bucket).into_iter().flatten().map(|page| (page, bucket)).collect();
        let mut pages = Vec::new();
        for ((number, _), page) in rollup::stored(tx, &keys).await? {
            let mut recounted = by_page.remove(&number).unwrap_or_default();
            let (is_unreadable, page) = match page {
                Ok(page) => (false, page),
                Err(Error::Damaged(_)) => (true, page::Page::default()),
                Err(error) => return Err(error),
            };
            let mut cells = Vec::new();
            for (place, stored) in page.cells() {
                let counts = recounted.remove(place).unwrap_or_default();
                if *stored != counts || counts == Counts::default() {
                    cells.push(CellFault {
                        place: *place,
                        stored: Some(*stored),
                        recounted: counts,
                    });
                }
            }
            cells.extend(missing(recounted));
            if is_unreadable || !cells.is_empty() || page.is_empty() {
                pages.push(PageFault { bucket, number, is_unreadable, cells });
            }
        }
        pages.extend(by_page.into_iter().map(|(number, recounted)| PageFault {
            bucket,
            number,
            is_unreadable: false,
            cells: missing(recounted).collect(),
        }));
        let stored = match self.presence.remove(&bucket).transpose() {
            Err(Error::Damaged(_)) => None,
            Err(error) => return Err(error),
            Ok(stored) => Some(stored.unwrap_or_default()),
        };
        let set = (stored.as_ref() != Some(&recounted.cities)).then(|| SetFault {
            stored: stored.map(|cities| cities.len()),
            recounted: recounted.cities.len(),
        });
        Ok(BucketFaults { bucket, pages, set })
    }
}

fn missing(recounted: BTreeMap<i64, Counts>) -> impl Iterator<Item = CellFault> {
    recounted.into_iter().map(|(place, recounted)| CellFault { place, stored: None, recounted })
}
