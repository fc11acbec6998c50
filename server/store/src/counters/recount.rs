//! Counting again: what the reports come to, bucket by bucket, compared with what is stored.
//!
//! The reports come sorted by day, so that a day is over when the next one begins, and then a month and
//! a year: in memory are the counts of one bucket of each grain, and eight bytes for every report.

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
    engine::sql::Connection,
    error::{Error, Result},
    places::atlas::Atlas,
};

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
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellFault {
    pub place: i64,
    /// None: nothing is stored.
    pub stored: Option<Counts>,
    pub recounted: Counts,
}

/// A page that is not what the reports come to. One without cells is stored for nothing.
#[derive(Debug)]
pub(crate) struct PageFault {
    pub number: i64,
    pub unreadable: bool,
    pub cells: Vec<CellFault>,
}

/// A set of cities that is not what the reports come to.
#[derive(Debug)]
pub(crate) struct PresenceFault {
    /// How many cities; none if it cannot be read.
    pub stored: Option<u64>,
    pub recounted: u64,
}

/// What is wrong in one bucket, if anything is.
#[derive(Debug)]
pub(crate) struct BucketFault {
    pub bucket: Bucket,
    pub pages: Vec<PageFault>,
    pub presence: Option<PresenceFault>,
}

impl BucketFault {
    /// Whether nothing is wrong.
    pub(crate) fn is_none(&self) -> bool {
        self.pages.is_empty() && self.presence.is_none()
    }

    /// How many counts are wrong, where an empty page is one, too.
    pub(crate) fn counts(&self) -> u64 {
        self.pages.iter().map(|page| page.cells.len().max(1) as u64).sum()
    }
}

/// Goes through everything that is counted.
pub(crate) struct Recount {
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
    pub(crate) async fn new(
        tx: &mut Connection,
        Sightings(mut sightings): Sightings,
    ) -> Result<Self> {
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

    /// How many reports are still to be counted.
    pub(crate) fn left(&self) -> u64 {
        self.sightings.len() as u64
    }

    /// What is wrong in the next bucket, which may be nothing. None at the end.
    pub(crate) async fn next(
        &mut self,
        tx: &mut Connection,
        atlas: &Atlas,
    ) -> Result<Option<BucketFault>> {
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
    ) -> Result<BucketFault> {
        let mut by_page: BTreeMap<i64, BTreeMap<i64, Counts>> = BTreeMap::new();
        for (place, counts) in &recounted.counts {
            by_page.entry(page::number(*place)).or_default().insert(*place, *counts);
        }
        let keys: Vec<_> =
            self.pages.remove(&bucket).into_iter().flatten().map(|page| (page, bucket)).collect();
        let mut pages = Vec::new();
        for ((number, _), page) in rollup::stored(tx, &keys).await? {
            let mut recounted = by_page.remove(&number).unwrap_or_default();
            let (unreadable, page) = match page {
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
            if unreadable || !cells.is_empty() || page.is_empty() {
                pages.push(PageFault { number, unreadable, cells });
            }
        }
        pages.extend(by_page.into_iter().map(|(number, recounted)| PageFault {
            number,
            unreadable: false,
            cells: missing(recounted).collect(),
        }));
        let presence = match self.presence.remove(&bucket).transpose() {
            Err(Error::Damaged(_)) => Some(None),
            Err(error) => return Err(error),
            Ok(stored) => {
                let stored = stored.unwrap_or_default();
                (stored != recounted.cities).then_some(Some(stored.len()))
            }
        };
        let presence =
            presence.map(|stored| PresenceFault { stored, recounted: recounted.cities.len() });
        Ok(BucketFault { bucket, pages, presence })
    }
}

fn missing(recounted: BTreeMap<i64, Counts>) -> impl Iterator<Item = CellFault> {
    recounted.into_iter().map(|(place, recounted)| CellFault { place, stored: None, recounted })
}
