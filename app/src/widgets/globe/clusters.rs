//! Places that are too close together to be distinguished are drawn as one cluster, which splits as
//! the visitor zooms in.
//!
//! [`Draft`] computes a hierarchy once per set of sites, from the nearest zoom to the
//! farthest. On each level, the busiest clusters of the level below absorb their neighbours within
//! a distance that is the same on the screen at every zoom. A cluster is drawn at its busiest site,
//! so it is always at a real city, and two clusters are never closer than that distance. "Busiest"
//! compares powers of two, so one more report moves nothing.
//!
//! Sizes are in *screen radii*: 1 is the radius of the globe on the screen at zoom 1. A light keeps
//! its size at all zooms of its level, while the ground grows.

mod grid;

use self::grid::Grid;
use super::{
    counts::Counts,
    sphere::{Position, point},
};
use std::ops::Range;

/// Zoom from which each level is shown.
const ZOOMS: [f32; 6] = [1.0, 1.4, 2.0, 2.8, 4.0, 5.6];
/// Maximum zoom. Nearer, the points of the coasts would be too far apart: see [`lines`](super::lines).
pub(super) const NEAREST: f32 = 6.0;
/// Minimum distance between two clusters, in screen radii.
pub(super) const APART: f32 = 0.045;
/// Minimum distance if only places at the same point are to share a light.
pub(super) const ALONE: f32 = 1e-5;
/// Radii of the smallest and the largest light, in screen radii: 3 and 6 pixels wide in a widget of
/// 400 pixels. Two of the largest don't touch.
const SMALLEST: f32 = 0.009;
const LARGEST: f32 = 0.019;

/// Reports at one position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Site {
    pub(super) position: Position,
    pub(super) counts: Counts,
    /// Whether the position is only that of a region or country.
    pub(super) rough: bool,
}

/// One light on the globe: one site or several.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cluster {
    /// Index of the busiest site, where the cluster is drawn.
    pub(super) site: usize,
    pub(super) position: Position,
    /// The position on the unit sphere.
    pub(super) point: [f32; 3],
    pub(super) counts: Counts,
    /// Whether all positions are rough.
    pub(super) rough: bool,
    /// Radius in screen radii.
    pub(super) radius: f32,
    /// Zoom at which the cluster splits; `None` for a single site, and for sites that stay together
    /// at every zoom.
    pub(super) splits_at: Option<f32>,
    /// Range of the cluster's sites in [`Clusters::order`].
    members: Range<usize>,
}

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub(super) struct Clusters {
    /// Clusters of each of [`ZOOMS`], in the order of `order`.
    levels: Vec<Vec<Cluster>>,
    /// Indices of the sites. The sites of each cluster are adjacent.
    order: Vec<u32>,
}

/// A cluster while the hierarchy is built.
struct Group {
    site: u32,
    counts: Counts,
    rough: bool,
    /// Index of the parent on the next level.
    parent: u32,
}

/// Clusters while they are computed, one level after the other. A browser computes other things in
/// between.
pub(super) struct Draft {
    apart: f32,
    points: Vec<[f32; 3]>,
    groups: Vec<Group>,
    /// From the sites themselves to the farthest zoom.
    tiers: Vec<Vec<Group>>,
}

impl Draft {
    /// `apart` is [`APART`] or [`ALONE`].
    pub(super) fn new(sites: &[Site], apart: f32) -> Self {
        let single = |(index, site): (usize, &Site)| Group {
            site: index as u32,
            counts: site.counts,
            rough: site.rough,
            parent: 0,
        };
        Self {
            apart,
            points: sites.iter().map(|site| point(site.position.lat, site.position.lng)).collect(),
            groups: sites.iter().enumerate().map(single).collect(),
            tiers: Vec::new(),
        }
    }

    /// Computes the next level. Returns whether it was not the last.
    pub(super) fn step(&mut self, sites: &[Site]) -> bool {
        let Some(zoom) = ZOOMS.iter().rev().nth(self.tiers.len()) else { return false };
        let merged = merge(&mut self.groups, sites, &self.points, self.apart / zoom);
        self.tiers.push(std::mem::replace(&mut self.groups, merged));
        self.tiers.len() < ZOOMS.len()
    }

    /// Returns the clusters, after the last step.
    pub(super) fn finish(self, sites: &[Site]) -> Clusters {
        let Self { mut tiers, groups, points, .. } = self;
        tiers.push(groups);
        sorted(&mut tiers);
        Clusters {
            order: tiers.first().into_iter().flatten().map(|group| group.site).collect(),
            levels: levels(&tiers, sites, &points),
        }
    }
}

impl Clusters {
    /// Computes all levels at once. `apart` is [`APART`] or [`ALONE`].
    #[cfg(any(feature = "ssr", test))]
    pub(super) fn new(sites: &[Site], apart: f32) -> Self {
        let mut draft = Draft::new(sites, apart);
        while draft.step(sites) {}
        draft.finish(sites)
    }

    /// Changes the counts of a site. Returns false, and changes nothing, if that may change which
    /// sites are together.
    pub(super) fn recount(&mut self, site: usize, from: Counts, to: Counts) -> bool {
        let Some(at) = self.order.iter().position(|index| *index as usize == site) else {
            return false;
        };
        let changed = |counts: Counts| {
            let mut changed = counts;
            for ((count, from), to) in changed.0.iter_mut().zip(from.0).zip(to.0) {
                *count = count.wrapping_add(to).wrapping_sub(from);
            }
            changed
        };
        let index_in = |level: &[Cluster]| level.partition_point(|one| one.members.end <= at);
        let is_as_busy = |one: Counts, other: Counts| busy(one) == busy(other);
        let keeps = |level: &Vec<Cluster>| {
            level
                .get(index_in(level))
                .is_some_and(|one| is_as_busy(one.counts, changed(one.counts)))
        };
        if !is_as_busy(from, to) || !self.levels.iter().all(keeps) {
            return false;
        }
        for level in &mut self.levels {
            let index = index_in(level);
            if let Some(cluster) = level.get_mut(index) {
                cluster.counts = changed(cluster.counts);
            }
            let total = |cluster: &Cluster| cluster.counts.total();
            let most = level.iter().map(total).max().unwrap_or_default();
            for cluster in level {
                cluster.radius = radius(total(cluster), most);
            }
        }
        true
    }

    /// Level for a zoom. When it changes, draw the clusters of [`Self::on`] again.
    pub(super) fn level(&self, zoom: f32) -> usize {
        // A tolerance of half a percent, because the zoom may be the sum of many small steps.
        ZOOMS.iter().take_while(|from| **from <= zoom * 1.005).count().saturating_sub(1)
    }

    /// Clusters of a level.
    pub(super) fn on(&self, level: usize) -> &[Cluster] {
        self.levels.get(level).map_or(&[], Vec::as_slice)
    }

    /// Cluster that contains a site on a level.
    pub(super) fn of_site(&self, level: usize, site: usize) -> Option<&Cluster> {
        let at = self.order.iter().position(|index| *index as usize == site)?;
        let clusters = self.on(level);
        clusters.get(clusters.partition_point(|cluster| cluster.members.end <= at))
    }

    /// Zoom from which a site is separate from all others, except those that never separate from
    /// it.
    pub(super) fn alone_from(&self, site: usize) -> f32 {
        let together = |level: &usize| {
            self.of_site(*level, site).is_some_and(|cluster| cluster.splits_at.is_some())
        };
        let level = (0..ZOOMS.len()).take_while(together).count();
        ZOOMS.get(level).copied().unwrap_or(NEAREST)
    }
}

/// Makes clusters that are at least `apart` from groups that may be closer, and sets the parent of
/// each group.
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
    // Assigned in a second pass, when all clusters exist: each group joins the nearest one, not the
    // busiest.
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

/// Sort key: busiest first, then by position among groups about as busy. The order of the sites
/// changes with every report, so it cannot break ties.
fn rank(group: &Group, sites: &[Site]) -> u64 {
    let Position { lat, lng } =
        sites.get(group.site as usize).map_or(Position::default(), |site| site.position);
    let busy = u64::from(busy(group.counts));
    let cell = |degrees: f32, from: f32| ((degrees + from) * 100.0) as u64;
    busy << 32 | cell(lat, 90.0) << 16 | cell(lng, 180.0)
}

/// Sort key of the counts, in powers of two: busiest first.
fn busy(counts: Counts) -> u32 {
    counts.total().max(1).leading_zeros()
}

/// Sorts each tier by its parents, from the farthest on, so that the parts of a cluster are
/// adjacent on all tiers. Replaces parents by their new indices.
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
        // In place: each swap puts one group into its final position.
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
    // For each part of the previous tier: the end of its members, and the zoom at which it splits.
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

/// Radius of a light, in screen radii. Its area grows with the count.
fn radius(count: u64, most: u64) -> f32 {
    SMALLEST + (LARGEST - SMALLEST) * (count as f32 / most.max(1) as f32).sqrt()
}

#[cfg(test)]
mod tests;
