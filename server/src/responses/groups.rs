//! Counts by country, region, city, type or day, sorted and page by page.
//!
//! The counts of all places under a filter are read once for each data version, and kept for the pages, orders and
//! languages of the same selection. They come from the same rollups as the markers of the globe.

mod rank;

use std::{collections::HashMap, hash::Hash, ptr::null, sync::Arc};

use base::time::{day_number, parse_date};
use edge::representation::Representation;
use geo::{gazetteer::Gazetteer, places::fold};
use kit::lang::Lang;
use limits::Permit;
use model::{PlacePosition, ReportType};
use schemars::JsonSchema;
use serde::Serialize;
use store::{ALL_TYPES, CityCounts, CityName, Filter, LastChange, TooLong, Versioned};

pub use self::rank::{GroupRank, Grouping, Sort};
use super::{
    ResponseCache,
    cache::{Cached, OVERHEAD},
    names::{city_name, country_code, country_name},
    report_form::place_position,
};

/// Maximum number of characters of a text that groups are sorted by, because it is part of `page`.
const MAX_SORT_CHARACTERS: usize = 64;

/// Query of groups.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GroupsQuery {
    pub by: Grouping,
    pub filter: Filter,
    /// Whether reports of each type count, in the order of [`ReportType::ALL`].
    pub types: [bool; 3],
    pub sort: Sort,
    /// Language of the names. `None`: countries in English, others as reported.
    pub lang: Option<Lang>,
    pub limit: usize,
    /// Last group of the previous page.
    pub after: Option<GroupRank>,
}

/// A page of groups.
#[derive(Debug)]
pub struct GroupPage {
    pub sent: Representation,
    /// The `page` of the next page, if there is one.
    pub next: Option<String>,
}

/// Counters by country, region, city, type or day.
#[derive(Serialize, JsonSchema)]
pub struct GroupList<'n> {
    /// Groups with reports, in the requested order.
    groups: Vec<ReportGroup<'n>>,
    /// The `page` of the next page, if there is one. Its content may change.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<&'n str>,
}

/// Counters of a group.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ReportGroup<'n> {
    /// Identifies the group, and does not change: the ISO 3166-1 alpha-2 code of a known country, the id of any other
    /// place, the name of the type, or the date.
    key: String,
    /// Name of the place in the requested language; the key of a type or day. Empty for a place that was reported
    /// without one.
    name: &'n str,
    /// Name of the region of a city.
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<&'n str>,
    /// Name of the country of a region or city.
    #[serde(skip_serializing_if = "Option::is_none")]
    country: Option<&'n str>,
    /// ISO 3166-1 alpha-2 code of the country, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("pattern" = "^[A-Z]{2}$"))]
    country_code: Option<&'static str>,
    /// Position of the place, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<PlacePosition>,
    /// Reports of the type `spirit`.
    spirit: u64,
    /// Reports of the type `water`.
    water: u64,
    /// Reports of the type `both`.
    both: u64,
    /// Reports of all types.
    total: u64,
}

/// Groups under a filter, in no order.
#[derive(Debug)]
pub(super) struct Groups {
    all: Vec<Group>,
    last: LastChange,
}

#[derive(Clone, Debug)]
struct Group {
    subject: Subject,
    counts: [u64; 3],
    /// Start of the text that the groups are sorted by; empty if they are sorted by a number.
    text: Box<str>,
    /// Distinguishes groups of equal rank.
    tie: u64,
}

/// Groups under a filter, with the texts that they are sorted by. The language matters only for names.
pub(super) type GroupsKey = (Filter, Grouping, Option<(Sort, Option<Lang>)>);

#[derive(Clone, Debug)]
enum Subject {
    /// For a country or region, a city in it, with the counts of all of its cities.
    Place(CityCounts),
    Type(ReportType),
    Day(Box<str>),
}

/// Weight of a page in a cache that is limited by bytes.
pub(super) fn page_weight(query: &GroupsQuery, page: &Result<GroupPage, TooLong>) -> u32 {
    let after = query.after.as_ref().map_or(0, |after| after.text.len());
    let bytes = query.filter.place.bytes() + after + size_of::<GroupsQuery>() + OVERHEAD;
    match page {
        Ok(page) => page.sent.weight(bytes + page.next.as_ref().map_or(0, String::len)),
        Err(_) => u32::try_from(bytes).unwrap_or(u32::MAX),
    }
}

impl Groups {
    /// Memory that the groups take in a cache. Names are shared with the index of places.
    pub(super) fn weight((filter, ..): &GroupsKey, groups: &Self) -> u32 {
        let texts: usize = groups.all.iter().map(|group| group.text.len()).sum();
        let groups = groups.all.len() * size_of::<Group>();
        u32::try_from(groups + texts + filter.place.bytes() + OVERHEAD).unwrap_or(u32::MAX)
    }

    /// Returns the groups with the texts that the query sorts by.
    fn with_texts(&self, query: &GroupsQuery) -> Self {
        let with_text = |group: &Group| {
            let text = match query.sort {
                Sort::Name => start_of(&fold(group.name(query))),
                _ => start_of(&group.key(query.by)),
            };
            Group { text, ..group.clone() }
        };
        Self { all: self.all.iter().map(with_text).collect(), last: self.last }
    }

    fn of_cities(Versioned { value: cities, last }: Versioned<Vec<CityCounts>>) -> Self {
        let group = |city: CityCounts| Group {
            counts: city.counts,
            text: Box::default(),
            tie: city.id.cast_unsigned(),
            subject: Subject::Place(city),
        };
        Self { all: cities.into_iter().map(group).collect(), last }
    }

    /// Adds the cities of each region or country.
    fn merged(&self, by: Grouping) -> Self {
        // First by the addresses of the names: most names of equal text are shared, and comparing the
        // texts of twenty thousand cities takes as long as all else.
        let shared = sums(&self.all, |name| {
            let region = if by == Grouping::Region { name.region.as_ptr() } else { null() };
            (name.country.as_ptr(), region)
        });
        let named = sums(shared.values(), |name| {
            (&*name.country, if by == Grouping::Region { &*name.region } else { "" })
        });
        Self { all: named.into_values().collect(), last: self.last }
    }

    /// Returns the groups of a page, and whether more follow.
    fn page(&self, query: &GroupsQuery) -> (Vec<(GroupRank, Group)>, bool) {
        let GroupsQuery { types, sort, limit, after, .. } = query;
        let ranked = self.all.iter().filter_map(|group| {
            let mut types = types.iter();
            let counts =
                group.counts.map(|count| if types.next() == Some(&true) { count } else { 0 });
            if counts == [0; 3] {
                return None;
            }
            let text = group.text.to_string();
            let number = std::cmp::Reverse(sort.number(counts));
            let rank = GroupRank { number, text, tie: group.tie };
            after.as_ref().is_none_or(|after| rank > *after).then_some((rank, counts, group))
        });
        let mut ranked: Vec<_> = ranked.collect();
        let has_more = ranked.len() > *limit;
        if has_more {
            ranked.select_nth_unstable_by(*limit, |(one, ..), (other, ..)| one.cmp(other));
            ranked.truncate(*limit);
        }
        ranked.sort_unstable_by(|(one, ..), (other, ..)| one.cmp(other));
        let group =
            |(rank, counts, group): (_, _, &Group)| (rank, Group { counts, ..group.clone() });
        (ranked.into_iter().map(group).collect(), has_more)
    }
}

/// Adds the groups of places with the same key.
fn sums<'g, K: Eq + Hash>(
    groups: impl IntoIterator<Item = &'g Group>,
    key: impl Fn(&'g CityName) -> K,
) -> HashMap<K, Group> {
    let mut sums: HashMap<K, Group> = HashMap::new();
    for group @ Group { subject, counts, tie, .. } in groups {
        let Subject::Place(city) = subject else { continue };
        let empty = || Group { counts: [0; 3], ..group.clone() };
        let sum = sums.entry(key(&city.name)).or_insert_with(empty);
        // The first city that was ever reported there, which rarely changes.
        sum.tie = sum.tie.min(*tie);
        sum.counts.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    sums
}

impl Group {
    /// Stable key of the group.
    fn key(&self, by: Grouping) -> String {
        match &self.subject {
            Subject::Type(kind) => kind.as_str().to_owned(),
            Subject::Day(day) => day.to_string(),
            Subject::Place(city) => match by {
                Grouping::City => city.name.id().to_string(),
                Grouping::Region => city.name.region_id().to_string(),
                _ => {
                    let code = country_code(&city.name.country);
                    code.map_or_else(|| city.name.country_id().to_string(), str::to_owned)
                }
            },
        }
    }

    fn name(&self, GroupsQuery { by, lang, .. }: &GroupsQuery) -> &str {
        match &self.subject {
            Subject::Type(kind) => kind.as_str(),
            Subject::Day(day) => day,
            Subject::Place(city) => {
                let CityName { country, region, city, .. } = &*city.name;
                match by {
                    Grouping::City => {
                        let named = |lang| city_name(country, region, city, lang);
                        lang.and_then(named).unwrap_or(city)
                    }
                    Grouping::Region => region,
                    _ => shown_country(country, *lang),
                }
            }
        }
    }

    fn shown<'g>(
        &'g self,
        query: &GroupsQuery,
        position: Option<PlacePosition>,
    ) -> ReportGroup<'g> {
        let place = match &self.subject {
            Subject::Place(city) => Some(&*city.name),
            Subject::Type(_) | Subject::Day(_) => None,
        };
        let country = place.filter(|_| query.by != Grouping::Country);
        let [spirit, water, both] = self.counts;
        ReportGroup {
            key: self.key(query.by),
            name: self.name(query),
            region: place.filter(|_| query.by == Grouping::City).map(|name| &*name.region),
            country: country.map(|name| shown_country(&name.country, query.lang)),
            country_code: place.and_then(|name| country_code(&name.country)),
            position,
            spirit,
            water,
            both,
            total: spirit + water + both,
        }
    }
}

fn shown_country(given: &str, lang: Option<Lang>) -> &str {
    country_name(given, lang.unwrap_or_default()).unwrap_or(given)
}

fn start_of(text: &str) -> Box<str> {
    text.chars().take(MAX_SORT_CHARACTERS).collect::<String>().into()
}

impl ResponseCache {
    /// Returns a page of groups if it is cached.
    pub async fn known_groups(
        &self,
        query: &GroupsQuery,
    ) -> Option<Arc<Result<GroupPage, TooLong>>> {
        self.pages_of_groups.known(&self.snapshot(), query.clone()).await
    }

    /// Returns a page of groups; an error if a list of days would be too long.
    pub async fn groups(
        &self,
        query: &GroupsQuery,
        place: &Permit,
    ) -> Cached<Result<GroupPage, TooLong>> {
        let compute = || async {
            let groups = match query.by {
                Grouping::Day => match self.days(query).await? {
                    Ok(days) => Arc::new(days),
                    Err(too_long) => return Ok(Err(too_long)),
                },
                Grouping::Type => Arc::new(self.types(query).await?),
                by => self.places_by(&query.filter, by).await?,
            };
            let groups = match query.sort {
                Sort::Name | Sort::Key => self.with_texts(groups, query, place).await?,
                _ => groups,
            };
            let (last, asked) = (groups.last, query.clone());
            let (listed, has_more) = place.run(move || groups.page(&asked)).await;
            let positions = self.positions_of(query.by, &listed, &last).await?;
            let query = query.clone();
            let page = move || page(&query, &listed, positions, has_more);
            Ok(Ok(place.run(page).await))
        };
        self.pages_of_groups.get(&self.snapshot(), query.clone(), compute).await
    }

    /// Returns the counts of all places under a filter.
    async fn places_by(&self, filter: &Filter, by: Grouping) -> Cached<Groups> {
        let compute = || async {
            let cities = self.cities(filter).await?;
            Ok(cities.merged(by))
        };
        if by == Grouping::City {
            return self.cities(filter).await;
        }
        self.groups.get(&self.snapshot(), (filter.clone(), by, None), compute).await
    }

    async fn with_texts(
        &self,
        groups: Arc<Groups>,
        query: &GroupsQuery,
        place: &Permit,
    ) -> Cached<Groups> {
        let compute = || async {
            let query = query.clone();
            Ok(place.run(move || groups.with_texts(&query)).await)
        };
        if matches!(query.by, Grouping::Day | Grouping::Type) {
            return compute().await.map(Arc::new);
        }
        let lang = query.lang.filter(|_| query.sort == Sort::Name);
        let key = (query.filter.clone(), query.by, Some((query.sort, lang)));
        self.groups.get(&self.snapshot(), key, compute).await
    }

    async fn cities(&self, filter: &Filter) -> Cached<Groups> {
        let compute = || async {
            let read = self.store.counters().largest_cities(filter, ALL_TYPES, usize::MAX).await?;
            self.snapshots.reach(&read.last).await;
            Ok(Groups::of_cities(read))
        };
        self.groups.get(&self.snapshot(), (filter.clone(), Grouping::City, None), compute).await
    }

    async fn days(
        &self,
        query: &GroupsQuery,
    ) -> Result<Result<Groups, TooLong>, Arc<store::Error>> {
        let snapshot = self.snapshot();
        let last = snapshot.last;
        let by = model::Interval::Day;
        let series = self.series_of(snapshot, query.filter.clone(), query.types, by).await?;
        let day = |point: &model::SeriesPoint| Group {
            subject: Subject::Day(point.from.as_str().into()),
            counts: [point.spirit, point.water, point.both],
            text: Box::default(),
            tie: parse_date(&point.from).map_or(0, day_number).cast_unsigned(),
        };
        Ok(match &*series {
            Ok(series) => Ok(Groups { all: series.value.points.iter().map(day).collect(), last }),
            // Days are the only interval of groups.
            Err(too_long) => Err(TooLong { fits: None, ..*too_long }),
        })
    }

    async fn types(&self, query: &GroupsQuery) -> Result<Groups, Arc<store::Error>> {
        let snapshot = self.snapshot();
        let last = snapshot.last;
        let metrics = self.metrics_of(snapshot, query.filter.clone(), query.types).await?;
        let all = (0..).zip(ReportType::ALL).map(|(tie, kind)| {
            let counts =
                ReportType::ALL.map(|one| if one == kind { metrics.value.of(kind) } else { 0 });
            Group { subject: Subject::Type(kind), counts, text: Box::default(), tie }
        });
        Ok(Groups { all: all.collect(), last })
    }

    /// Returns the positions of the groups of a page.
    async fn positions_of(
        &self,
        by: Grouping,
        listed: &[(GroupRank, Group)],
        last: &LastChange,
    ) -> Result<Vec<Option<PlacePosition>>, Arc<store::Error>> {
        let cities = listed.iter().filter_map(|(_, group)| match &group.subject {
            Subject::Place(city) => Some(city),
            Subject::Type(_) | Subject::Day(_) => None,
        });
        let located = match by {
            Grouping::City => {
                let cities: Vec<&CityCounts> = cities.collect();
                let located = self.markers.positions().of(&self.store, &cities, last).await?;
                located.into_iter().map(|located| Some(located?.position)).collect()
            }
            _ => {
                let locate = |city: &CityCounts| {
                    let CityName { country, region, .. } = &*city.name;
                    let region = if by == Grouping::Region { region } else { "" };
                    Gazetteer::get().locate(country, region, "")
                };
                cities.map(locate).collect::<Vec<_>>()
            }
        };
        Ok(located.iter().map(|position| position.as_ref().map(place_position)).collect())
    }
}

fn page(
    query: &GroupsQuery,
    listed: &[(GroupRank, Group)],
    positions: Vec<Option<PlacePosition>>,
    has_more: bool,
) -> GroupPage {
    let last = listed.last().filter(|_| has_more);
    let next = last.map(|(rank, _)| rank.encode(query.by, query.sort));
    let positions = positions.into_iter().chain(std::iter::repeat(None));
    let groups = listed.iter().zip(positions);
    let groups = groups.map(|((_, group), position)| group.shown(query, position)).collect();
    let sent = Representation::json(&GroupList { groups, next: next.as_deref() });
    GroupPage { sent, next }
}
