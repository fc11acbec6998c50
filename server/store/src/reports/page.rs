//! Pages of a list of one status, with its total and the choices of its filters, and the neighbours
//! of a report.
//!
//! If few reports can match, they are all read and sorted. If many match, the next ones are near in
//! the order of the list, and a [`Walk`] finds them. [`FEW`] divides the two: among a million
//! reports, a page of 50 with 5,000 matches is found after about 10,000 rows.

#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;

use base::time::{date_of_day, day_number, parse_date};
use chrono::NaiveDate;
use domain::report::Status;
use model::ReportType;

use super::{
    approved,
    facets::{Choices, Group, countries_of, groups_in, groups_of, number_of},
    list::{Listed, ListedReport, ReportList, listed},
    name_match::NameMatch,
    report,
    select::ranges,
    selection::{Key, Order, Selection},
    walk::{Access, Candidate, Walk, candidates, parse, push_ids_from, sorted},
};
use crate::{
    Store, areas,
    engine::sql::{Builder, Connection},
    error::{Error, Result},
    filter::Period,
};

/// Maximum number of reports that are read and sorted for a page.
const FEW: u64 = if cfg!(test) { 20 } else { 5_000 };
/// Number of reports among which those of a period are looked for in the order of the list, before
/// all of the period are sorted.
const NEAR: i64 = if cfg!(test) { 15 } else { 20_000 };
/// Number of reports of a period, or with similar ids, up to which the numbers of the first and the last one are
/// determined, which takes 10 ms.
const MANY: u64 = if cfg!(test) { 30 } else { 200_000 };
/// Maximum number of reports of a period or an import that are counted.
const COUNTED: u64 = if cfg!(test) { 40 } else { 20_000 };

/// A page of a list.
#[derive(Clone, Debug)]
pub struct Page {
    pub listed: Listed,
    /// Number of reports in the whole list; `None` if counting would take long.
    pub total: Option<u64>,
    pub choices: Choices,
}

impl areas::Reports<'_> {
    /// Returns a page of a list of one status, its total, and the choices of its filters. The page
    /// is full, or the last one.
    ///
    /// # Errors [`Error::UnknownImport`](crate::Error::UnknownImport).
    pub async fn page(self, status: Status, list: &ReportList) -> Result<Page> {
        let store = self.store;
        store
            .read(move |tx| {
                Box::pin(async move {
                    let mut search = Search::of(tx, store, status, &list.selection).await?;
                    let listed = search.listed(tx, list).await?;
                    let (total, choices) = search.sums(tx).await?;
                    Ok(Page { listed, total, choices })
                })
            })
            .await
    }

    /// Returns a page of a list of one status and its total, without the choices of its filters.
    ///
    /// # Errors [`Error::UnknownImport`](crate::Error::UnknownImport).
    pub async fn page_without_choices(
        self,
        status: Status,
        list: &ReportList,
    ) -> Result<(Listed, Option<u64>)> {
        let store = self.store;
        store
            .read(move |tx| {
                Box::pin(async move {
                    let mut search = Search::of(tx, store, status, &list.selection).await?;
                    Ok((search.listed(tx, list).await?, search.total(tx).await?))
                })
            })
            .await
    }

    /// Returns the reports before and after a report in a list of one status, on any page. The list
    /// need not contain the report: one that was just decided on still has its place in the order.
    ///
    /// # Errors [`Error::UnknownImport`](crate::Error::UnknownImport).
    pub async fn neighbours(
        self,
        report: &ListedReport,
        status: Status,
        list: &ReportList,
    ) -> Result<Neighbours> {
        let store = self.store;
        let day = parse_date(&report.event_date).map_or(0, day_number);
        store
            .read(move |tx| {
                Box::pin(async move {
                    let mut search = Search::of(tx, store, status, &list.selection).await?;
                    let mut first_after = async |order: Order| {
                        let after = Some(order.key(day, report.seq));
                        let selection = list.selection.clone();
                        let list =
                            ReportList { selection, order, after, limit: 1, most_examined: None };
                        let first = search.listed(tx, &list).await?.reports.pop();
                        Ok::<_, Error>(first.map(|report| report.id))
                    };
                    Ok(Neighbours {
                        previous: first_after(list.order.reversed()).await?,
                        next: first_after(list.order).await?,
                    })
                })
            })
            .await
    }

    /// Returns only the reports of such a page.
    pub(super) async fn of_status(self, status: Status, list: &ReportList) -> Result<Listed> {
        let store = self.store;
        store
            .read(move |tx| {
                Box::pin(async move {
                    Search::of(tx, store, status, &list.selection).await?.listed(tx, list).await
                })
            })
            .await
    }
}

/// Ids of the reports before and after a report in a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Neighbours {
    pub previous: Option<String>,
    pub next: Option<String>,
}

/// Returns the numbers of all reports of a status in a selection.
pub(super) async fn numbers(
    tx: &mut Connection,
    store: &Store,
    status: Status,
    selection: &Selection,
) -> Result<Vec<i64>> {
    let list = ReportList { limit: u32::MAX, ..ReportList::default() };
    let keys = Search::of(tx, store, status, selection).await?.keys(tx, &list).await?;
    Ok(keys.into_iter().map(|key| key.seq).collect())
}

/// Search for the reports of a status in a selection.
struct Search<'s> {
    store: &'s Store,
    status: Status,
    selection: &'s Selection,
    names: NameMatch<'s>,
    /// Ranges of numbers that contain the reports.
    ranges: Vec<RangeInclusive<i64>>,
    /// Counts by place: of approved reports in the period of the selection, of others in general.
    /// Empty for others if the selection has no conditions on names: the search needs none then.
    groups: Vec<Group>,
    /// Number of reports in those groups whose names match.
    named: u64,
    /// Number of reports, of any status, whose ids begin with the text of the selection.
    by_id: u64,
    /// All matching reports, if they are few.
    few: Option<Vec<Match>>,
}

/// A matching report.
struct Match {
    key: Key,
    kind: ReportType,
    names: [String; 3],
}

impl Match {
    fn of(candidate: &Candidate<'_>) -> Result<Self> {
        Ok(Self {
            key: Key { day: candidate.day, seq: candidate.seq },
            kind: report::kind(&candidate.kind)?,
            names: candidate.names().map(str::to_owned),
        })
    }
}

impl<'s> Search<'s> {
    async fn of(
        tx: &mut Connection,
        store: &'s Store,
        status: Status,
        selection: &'s Selection,
    ) -> Result<Self> {
        let mut names = NameMatch::of(selection);
        let ranges = ranges(tx, selection).await?;
        let groups = match status {
            Status::Approved => approved::groups(tx, store, selection.period).await?,
            status if names.is_asked() => groups_of(tx, status).await?,
            _ => Vec::new(),
        };
        let named = named(&groups, &mut names).map(|group| group.count(selection.kind)).sum();
        let by_id = ids_from(tx, names.ids(), FEW + 1).await?.reports;
        let mut search =
            Self { store, status, selection, names, ranges, groups, named, by_id, few: None };
        search.few = search.few(tx).await?;
        Ok(search)
    }

    /// Reads all matching reports, if they are few.
    async fn few(&mut self, tx: &mut Connection) -> Result<Option<Vec<Match>>> {
        let is_approved = self.status == Status::Approved;
        let numbers = self.ranges.iter().map(|range| range.end() - range.start() + 1);
        if numbers.sum::<i64>().cast_unsigned() <= FEW {
            let ranges = self.ranges.clone();
            return self.read(tx, Access::Numbers(&ranges)).await.map(Some);
        }
        if (is_approved || self.names.is_asked()) && self.named + self.by_id <= FEW {
            let mut found = self.read_named(tx).await?;
            if self.by_id > 0 {
                let ids = self.names.ids().to_vec();
                found.extend(self.read(tx, Access::IdsFrom(&ids)).await?);
                found.sort_unstable_by_key(|one| one.key.seq);
                found.dedup_by_key(|one| one.key.seq);
            }
            return Ok(Some(found));
        }
        let period = self.selection.period;
        if !is_approved
            && !period.is_open()
            && in_period(tx, self.status, period.ends(), FEW + 1).await?.reports <= FEW
        {
            return self.read(tx, Access::Days).await.map(Some);
        }
        Ok(None)
    }

    /// Reads the reports from places whose names match.
    async fn read_named(&mut self, tx: &mut Connection) -> Result<Vec<Match>> {
        if self.named == 0 {
            return Ok(Vec::new());
        }
        if self.status == Status::Approved {
            let (places, period) = (self.places(false), self.selection.period);
            return self.read_approved(tx, &places, period, self.named).await;
        }
        let named = named(&self.groups, &mut self.names);
        let places: Vec<_> = named.map(|group| group.names().map(str::to_owned)).collect();
        self.read(tx, Access::Places(&places)).await
    }

    /// Reads the matching approved reports of a period from `places`, which have `count` or fewer.
    async fn read_approved(
        &mut self,
        tx: &mut Connection,
        places: &[i64],
        period: Period,
        count: u64,
    ) -> Result<Vec<Match>> {
        let ids = approved::ids(tx, self.store, self.selection, period, places, count).await?;
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        self.read(tx, Access::Ids(&ids)).await
    }

    /// Numbers of the places whose names match, and of those whose reports may match by their ids;
    /// for approved reports.
    fn places(&mut self, or_by_id: bool) -> Vec<i64> {
        let groups = self.groups.iter().filter(|group| {
            let place = self.names.place(group.names());
            place.is_selected && (place.has_text || or_by_id)
        });
        groups.map(|group| group.place).collect()
    }

    /// Reads the reports that are found this way and match all conditions.
    async fn read(&mut self, tx: &mut Connection, access: Access<'_>) -> Result<Vec<Match>> {
        let text = candidates(tx, self.status, self.selection, access).await?;
        let mut found = parse(&text)?;
        found.retain(|one| {
            self.ranges.iter().any(|range| range.contains(&one.seq))
                && self.names.matches(&one.id, one.names())
        });
        found.iter().map(Match::of).collect()
    }

    async fn listed(&mut self, tx: &mut Connection, list: &ReportList) -> Result<Listed> {
        let keys = self.keys(tx, list).await?;
        listed(tx, keys, list.limit).await
    }

    /// Returns the keys of the first reports of a list, one more than its limit if there are more.
    async fn keys(&mut self, tx: &mut Connection, list: &ReportList) -> Result<Vec<Key>> {
        let most = list.limit as usize + 1;
        match &self.few {
            Some(few) => Ok(first(few, list, most)),
            None if self.status == Status::Approved && list.order.is_by_event() => {
                self.by_event(tx, list, most).await
            }
            None if list.order.is_by_event() => {
                // The order is another one than that of the ranges.
                let whole = self.ends().map(|(first, last)| first..=last);
                self.walk(tx, list, most, whole.as_slice()).await
            }
            None => self.by_number(tx, list, most).await,
        }
    }

    /// The lowest and the highest number of the ranges.
    fn ends(&self) -> Option<(i64, i64)> {
        let ends = self.ranges.first().zip(self.ranges.last());
        ends.map(|(first, last)| (*first.start(), *last.end()))
    }

    /// Finds the first of many reports in an order of numbers: near the start of the list, or else
    /// where the matches are. Those of an old period are all far from the newest reports.
    async fn by_number(
        &mut self,
        tx: &mut Connection,
        list: &ReportList,
        most: usize,
    ) -> Result<Vec<Key>> {
        let (order, after) = (list.order, list.after);
        let Some((mut first, mut last)) = self.ends() else { return Ok(Vec::new()) };
        let near = match order.is_descending() {
            true => {
                last = after.map_or(last, |after| after.seq);
                last.saturating_sub(NEAR)..=last
            }
            false => {
                first = after.map_or(first, |after| after.seq);
                first..=first.saturating_add(NEAR)
            }
        };
        let mut keys = self.walk(tx, list, most, &within(&self.ranges, &near)).await?;
        if keys.len() == most {
            return Ok(keys);
        }
        let selection = self.selection;
        let has_period = self.status != Status::Approved && !selection.period.is_open();
        if has_period && selection.import.is_none() && !self.names.is_asked() {
            return sorted(tx, self.status, selection, order, after, most).await;
        }
        let mut rest = match order.is_descending() {
            true => first..=near.start() - 1,
            false => near.end() + 1..=last,
        };
        if has_period {
            let extent = in_period(tx, self.status, selection.period.ends(), MANY).await?;
            rest = common(&rest, &extent.numbers);
        }
        if self.by_id > 0 && self.named == 0 {
            let extent = ids_from(tx, self.names.ids(), MANY).await?;
            rest = common(&rest, &extent.numbers);
        }
        let (list, most) = (ReportList { after: None, ..list.clone() }, most - keys.len());
        keys.extend(self.walk(tx, &list, most, &within(&self.ranges, &rest)).await?);
        Ok(keys)
    }

    /// Finds the first reports of a list in these ranges.
    async fn walk(
        &mut self,
        tx: &mut Connection,
        list: &ReportList,
        most: usize,
        ranges: &[RangeInclusive<i64>],
    ) -> Result<Vec<Key>> {
        let mut keys = Vec::new();
        let ordered: Vec<_> = match list.order.is_descending() {
            true => ranges.iter().rev().cloned().collect(),
            false => ranges.to_vec(),
        };
        for range in ordered {
            let walk = Walk {
                status: Some(self.status),
                range,
                selection: self.selection,
                order: list.order,
                after: list.after,
                most: usize::MAX,
            };
            walk.each(tx, &mut self.names, |key| {
                if self.ranges.iter().any(|range| range.contains(&key.seq)) {
                    keys.push(key);
                }
                keys.len() < most
            })
            .await?;
            if keys.len() >= most {
                break;
            }
        }
        Ok(keys)
    }

    /// Finds the first of many approved reports in the order of their event dates, period by period.
    async fn by_event(
        &mut self,
        tx: &mut Connection,
        list: &ReportList,
        most: usize,
    ) -> Result<Vec<Key>> {
        let mut keys = Vec::new();
        let Some(days) = approved::days(tx).await? else { return Ok(keys) };
        let (places, kind) = (self.places(self.by_id > 0), self.selection.kind);
        let (from, to) = self.selection.period.ends();
        let (mut low, mut high) = (day_number(from.max(days.0)), day_number(to.min(days.1)));
        let is_descending = list.order.is_descending();
        match list.after {
            Some(after) if is_descending => high = high.min(after.day),
            Some(after) => low = low.max(after.day),
            None => {}
        }
        let mut width = 1;
        while low <= high && keys.len() < most {
            let (from, to) = match is_descending {
                true => (low.max(high - width + 1), high),
                false => (low, high.min(low + width - 1)),
            };
            let period = Period { from: Some(date_of_day(from)), to: Some(date_of_day(to)) };
            let count = approved::count(tx, &places, kind, period).await?;
            if count > FEW && width > 1 {
                width = 1;
                continue;
            }
            if count > 0 {
                let found = self.read_approved(tx, &places, period, count).await?;
                keys.extend(first(&found, list, most - keys.len()));
            }
            match is_descending {
                true => high = from - 1,
                false => low = to + 1,
            }
            width *= 4;
        }
        Ok(keys)
    }

    /// Whether the counts by place are those of the reports, apart from names and type.
    fn is_by_place(&self) -> bool {
        let Selection { import, before, period, .. } = self.selection;
        import.is_none()
            && before.is_none()
            && (self.status == Status::Approved || period.is_open())
    }

    /// Whether the counts by country suffice: without a country, there are no choices of regions and
    /// cities.
    fn is_by_country(&self) -> bool {
        self.is_by_place() && self.status != Status::Approved && !self.names.is_asked()
    }

    /// Returns the number of matching reports.
    async fn total(self, tx: &mut Connection) -> Result<Option<u64>> {
        match &self.few {
            Some(few) => Ok(Some(few.len() as u64)),
            None if self.is_by_country() => {
                number_of(tx, self.status, self.selection.kind).await.map(Some)
            }
            None => Ok(self.counted(tx).await?.and_then(|counted| counted.total)),
        }
    }

    /// Returns the number of matching reports, and the choices of the filters.
    async fn sums(self, tx: &mut Connection) -> Result<(Option<u64>, Choices)> {
        let Some(mut counted) = self.counted(tx).await? else {
            return Ok((None, Choices::default()));
        };
        let choices = Choices::of(&counted.groups, &mut counted.names, counted.kind);
        Ok((counted.total, choices))
    }

    /// Counts the matching reports; `None` if that would take long.
    async fn counted(mut self, tx: &mut Connection) -> Result<Option<Counted<'s>>> {
        let is_by_place = self.is_by_place();
        let groups = match &self.few {
            _ if self.is_by_country() => countries_of(tx, self.status).await?,
            _ if is_by_place => self.groups,
            Some(few) => {
                let few =
                    few.iter().map(|one| (one.names.each_ref().map(String::as_str), one.kind, 1));
                Group::all_of(few)
            }
            None => {
                let counted = groups_in(tx, self.status, self.selection, &self.ranges, COUNTED);
                let Some(groups) = counted.await? else { return Ok(None) };
                groups
            }
        };
        let kind = self.selection.kind.filter(|_| is_by_place);
        let total = match self.few {
            Some(few) => Some(few.len() as u64),
            None if self.by_id > 0 => None,
            None => Some(named(&groups, &mut self.names).map(|group| group.count(kind)).sum()),
        };
        Ok(Some(Counted { groups, names: self.names, kind, total }))
    }
}

/// Counts of matching reports.
struct Counted<'s> {
    groups: Vec<Group>,
    names: NameMatch<'s>,
    /// Type that the groups are not yet restricted to.
    kind: Option<ReportType>,
    total: Option<u64>,
}

/// The groups whose names match.
fn named<'g>(groups: &'g [Group], names: &mut NameMatch<'_>) -> impl Iterator<Item = &'g Group> {
    groups.iter().filter(|group| names.place(group.names()).is_both())
}

/// The first of these reports in a list.
fn first(found: &[Match], list: &ReportList, most: usize) -> Vec<Key> {
    let order = list.order;
    let key = |one: &Match| order.key(one.key.day, one.key.seq);
    let mut keys: Vec<Key> = found.iter().map(key).collect();
    keys.retain(|key| list.after.is_none_or(|after| order.compare(after, *key).is_lt()));
    keys.sort_unstable_by(|a, b| order.compare(*a, *b));
    keys.truncate(most);
    keys
}

/// Number of reports that an index finds, and a range that contains their numbers.
struct Extent {
    reports: u64,
    numbers: RangeInclusive<i64>,
}

impl Extent {
    /// Reads the extent of the selected reports, of which at most `most` are counted.
    async fn read(tx: &mut Connection, mut reports: Builder, most: u64) -> Result<Self> {
        reports.push(" LIMIT ").push_bind(most.cast_signed()).push(") AS found");
        let (count, first, last): (i64, Option<i64>, Option<i64>) =
            reports.build_as().fetch_one(tx).await?;
        let reports = count.cast_unsigned();
        let is_complete = reports < most;
        let numbers = first.unwrap_or_default()..=last.unwrap_or_default();
        Ok(Self { reports, numbers: if is_complete { numbers } else { 0..=i64::MAX } })
    }
}

const EXTENT: &str = "SELECT count(*), min(seq), max(seq) FROM (SELECT seq FROM reports ";

/// Extent of the reports of any status whose ids begin with one of these texts.
async fn ids_from(tx: &mut Connection, starts: &[String], most: u64) -> Result<Extent> {
    if starts.is_empty() {
        return Ok(Extent { reports: 0, numbers: 0..=0 });
    }
    let mut query = Builder::new(tx.engine(), EXTENT);
    push_ids_from(query.push(" WHERE "), starts);
    Extent::read(tx, query, most).await
}

/// Extent of the reports of a status other than approved in a period.
async fn in_period(
    tx: &mut Connection,
    status: Status,
    (from, to): (NaiveDate, NaiveDate),
    most: u64,
) -> Result<Extent> {
    let mut query = Builder::new(tx.engine(), EXTENT);
    query.push(&tx.engine().indexed_by("reports_by_day"));
    query.push(" WHERE status <> 'APPROVED' AND status = ").push_bind(status.as_str());
    query.push(" AND event_day BETWEEN ").push_bind(day_number(from));
    query.push(" AND ").push_bind(day_number(to));
    Extent::read(tx, query, most).await
}

/// The numbers of both ranges.
fn common(one: &RangeInclusive<i64>, other: &RangeInclusive<i64>) -> RangeInclusive<i64> {
    *one.start().max(other.start())..=*one.end().min(other.end())
}

/// The parts of these ranges that are within another one.
fn within(ranges: &[RangeInclusive<i64>], other: &RangeInclusive<i64>) -> Vec<RangeInclusive<i64>> {
    ranges.iter().map(|range| common(range, other)).filter(|range| !range.is_empty()).collect()
}
