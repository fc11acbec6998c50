//! Places that are too close together to be told apart are drawn as one cluster, which splits as
//! one comes nearer.
//!
//! [`Clusters::new`] works out a hierarchy once for each set of sites, from the nearest zoom to
//! the farthest: on each level the busiest clusters of the level below it absorb their neighbours
//! within a distance that is the same on the screen at every zoom. A cluster is drawn where its
//! busiest site is, so it stands on a real city, and two clusters are never closer than that
//! distance. "Busiest" goes by powers of two: one more report moves nothing.
//!
//! Sizes are in *screen radii*: 1 is the radius that the globe has on the screen at zoom 1. A disc
//! is equally large at every zoom of its level, while the ground grows.

mod grid;

use self::grid::Grid;
use super::{
    counts::Counts,
    sphere::{Position, point},
};
use std::ops::Range;

/// The zooms from which each level is shown.
const ZOOMS: [f32; 9] = [1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0, 11.0, 15.0];
/// How near one can come.
pub(super) const NEAREST: f32 = 16.0;
/// The least distance between two clusters, in screen radii.
pub(super) const APART: f32 = 0.18;
/// The same where only places at one point are to be one disc.
pub(super) const ALONE: f32 = 1e-5;
/// The radii of the smallest and the largest disc. Two of the largest don't touch.
const SMALLEST: f32 = 0.022;
const LARGEST: f32 = 0.082;
/// The hole in a disc that splits, as a part of its radius.
pub(super) const HOLE: f32 = 0.42;

/// Reports at one position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Site {
    pub(super) position: Position,
    pub(super) counts: Counts,
    /// Whether the position is only that of a region or country.
    pub(super) rough: bool,
}

/// One disc on the globe: a single site, or several.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cluster {
    /// The index of its busiest site, which is where it is drawn.
    pub(super) site: usize,
    pub(super) position: Position,
    /// The same on the unit sphere.
    pub(super) point: [f32; 3],
    pub(super) counts: Counts,
    /// Whether all of its positions are rough.
    pub(super) rough: bool,
    /// In screen radii.
    pub(super) radius: f32,
    /// The zoom at which it splits; `None` for a single site, and for sites that stay together
    /// however near one comes.
    pub(super) splits_at: Option<f32>,
    /// Where its sites are in [`Clusters::sites`].
    members: Range<usize>,
}

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub(super) struct Clusters {
    /// One for each of [`ZOOMS`]; the clusters of each in the order of `order`.
    levels: Vec<Vec<Cluster>>,
    /// The indices of the sites, so that those of every cluster are next to each other.
    order: Vec<u32>,
}

/// A cluster while the hierarchy is built.
struct Group {
    site: u32,
    counts: Counts,
    rough: bool,
    /// Its index on the next level.
    parent: u32,
}

impl Clusters {
    /// `apart` is [`APART`] or [`ALONE`].
    pub(super) fn new(sites: &[Site], apart: f32) -> Self {
        let points: Vec<[f32; 3]> =
            sites.iter().map(|site| point(site.position.lat, site.position.lng)).collect();
        let single = |(index, site): (usize, &Site)| Group {
            site: index as u32,
            counts: site.counts,
            rough: site.rough,
            parent: 0,
        };
        let mut groups: Vec<Group> = sites.iter().enumerate().map(single).collect();
        // From the sites themselves to the farthest zoom.
        let mut tiers = Vec::new();
        for zoom in ZOOMS.into_iter().rev() {
            let merged = merge(&mut groups, sites, &points, apart / zoom);
            tiers.push(std::mem::replace(&mut groups, merged));
        }
        tiers.push(groups);
        sorted(&mut tiers);
        Self {
            order: tiers.first().into_iter().flatten().map(|group| group.site).collect(),
            levels: levels(&tiers, sites, &points),
        }
    }

    /// Which level is shown at a zoom. Draw again what is drawn of [`Self::on`] when it changes.
    pub(super) fn level(&self, zoom: f32) -> usize {
        // Half a percent less is the same zoom: it may be the sum of many small steps.
        ZOOMS.iter().take_while(|from| **from <= zoom * 1.005).count().saturating_sub(1)
    }

    /// The clusters of a level.
    pub(super) fn on(&self, level: usize) -> &[Cluster] {
        self.levels.get(level).map_or(&[], Vec::as_slice)
    }

    /// The cluster that a site is part of on a level.
    pub(super) fn of_site(&self, level: usize, site: usize) -> Option<&Cluster> {
        let at = self.order.iter().position(|index| *index as usize == site)?;
        let clusters = self.on(level);
        clusters.get(clusters.partition_point(|cluster| cluster.members.end <= at))
    }

    /// The zoom from which a site is on its own, or with those that it never parts from.
    pub(super) fn alone_from(&self, site: usize) -> f32 {
        let together = |level: &usize| {
            self.of_site(*level, site).is_some_and(|cluster| cluster.splits_at.is_some())
        };
        let level = (0..ZOOMS.len()).take_while(together).count();
        ZOOMS.get(level).copied().unwrap_or(NEAREST)
    }
}

/// Makes clusters that are at least `apart` from groups that may be closer, and tells each group
/// its cluster.
fn merge(groups: &mut [Group], sites: &[Site], points: &[[f32; 3]], apart: f32) -> Vec<Group> {
    let at = |group: &Group| points.get(group.site as usize).copied().unwrap_or_default();
    let mut busiest: Vec<(u64, u32)> =
        groups.iter().zip(0..).map(|(group, index)| (rank(group, sites), index)).collect();
    busiest.sort_unstable();
    let mut grid = Grid::new(apart, groups.len());
    let mut merged = Vec::new();
    for (_, index) in busiest {
        let Some(group) = groups.get_mut(index as usize) else { continue };
        let place = at(group);
        if grid.nearest(place).is_none() {
            group.parent = merged.len() as u32;
            grid.insert(place);
            let (site, counts, rough) = (group.site, Counts::default(), true);
            merged.push(Group { site, counts, rough, parent: 0 });
        } else {
            group.parent = u32::MAX;
        }
    }
    // Only now are all clusters known: to the nearest of them, not to the busiest.
    for group in groups {
        if group.parent == u32::MAX {
            group.parent = grid.nearest(at(group)).unwrap_or_default();
        }
        if let Some(cluster) = merged.get_mut(group.parent as usize) {
            cluster.counts.add(group.counts);
            cluster.rough &= group.rough;
        }
    }
    merged
}

/// Sorts the busiest first; among those about as busy, by position: the order of the sites says
/// nothing, as it changes with every report.
fn rank(group: &Group, sites: &[Site]) -> u64 {
    let Position { lat, lng } =
        sites.get(group.site as usize).map_or(Position::default(), |site| site.position);
    let busy = u64::from(group.counts.total().max(1).leading_zeros());
    let cell = |degrees: f32, from: f32| ((degrees + from) * 100.0) as u64;
    busy << 32 | cell(lat, 90.0) << 16 | cell(lng, 180.0)
}

/// Sorts each tier by its parents, from the farthest on, so that the parts of a cluster are next
/// to each other on all of them. Parents are replaced by their new indices.
fn sorted(tiers: &mut [Vec<Group>]) {
    let mut moved: Vec<u32> = Vec::new();
    for tier in tiers.iter_mut().rev() {
        for group in tier.iter_mut() {
            group.parent = moved.get(group.parent as usize).copied().unwrap_or_default();
        }
        let mut order: Vec<(u64, u32)> =
            tier.iter().zip(0..).map(|(group, index)| (u64::from(group.parent), index)).collect();
        order.sort_unstable();
        moved = vec![0; order.len()];
        for ((_, index), new) in order.into_iter().zip(0..) {
            if let Some(moved) = moved.get_mut(index as usize) {
                *moved = new;
            }
        }
        let mut at = moved.clone();
        // In place: each swap puts one group where it belongs.
        for index in 0..at.len() {
            while at[index] as usize != index {
                let to = at[index] as usize;
                tier.swap(index, to);
                at.swap(index, to);
            }
        }
    }
}

/// The finished levels, the farthest first.
fn levels(tiers: &[Vec<Group>], sites: &[Site], points: &[[f32; 3]]) -> Vec<Vec<Cluster>> {
    let [single, shown @ ..] = tiers else { return Vec::new() };
    // Of each part of the tier before: where its members end, and where it splits.
    let mut parts: Vec<(usize, Option<f32>)> = (1..=single.len()).map(|end| (end, None)).collect();
    let mut children = single;
    // Sites that are together on the nearest level stay together.
    let mut splits = None;
    let mut levels = Vec::new();
    for (tier, zoom) in shown.iter().zip(ZOOMS.into_iter().rev()) {
        let most = tier.iter().map(|group| group.counts.total()).max().unwrap_or_default();
        let mut left = children.iter().zip(&parts).peekable();
        let mut start = 0;
        let mut level = Vec::new();
        for (group, index) in tier.iter().zip(0..) {
            let (mut count, mut end, mut splits_at) = (0, start, None);
            while let Some((_, part)) = left.next_if(|(child, _)| child.parent == index) {
                count += 1;
                (end, splits_at) = *part;
            }
            if count > 1 {
                splits_at = splits;
            }
            let site = group.site as usize;
            level.push(Cluster {
                site,
                position: sites.get(site).map_or(Position::default(), |site| site.position),
                point: points.get(site).copied().unwrap_or_default(),
                counts: group.counts,
                rough: group.rough,
                radius: radius(group.counts.total(), most),
                splits_at,
                members: start..end,
            });
            start = end;
        }
        parts = level.iter().map(|cluster| (cluster.members.end, cluster.splits_at)).collect();
        children = tier;
        splits = Some(zoom);
        levels.push(level);
    }
    levels.reverse();
    levels
}

/// The radius of a disc, in screen radii: its area goes by the count.
fn radius(count: u64, most: u64) -> f32 {
    SMALLEST + (LARGEST - SMALLEST) * (count as f32 / most.max(1) as f32).sqrt()
}

#[cfg(test)]
mod tests;
