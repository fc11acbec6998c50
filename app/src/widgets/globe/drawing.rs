//! The globe as SVG: one path of dots for the land, and small pies for the clusters of zoom 1.

use super::{
    REACH,
    clusters::{ALONE, APART, Cluster, Clusters, HOLE, Site},
    counts::Counts,
    sphere::{Position, Sphere, point},
};
use crate::{
    contract::options::{Clustering, EmbedOptions, Start},
    land,
};
use model::{Marker, Markers, ReportType};
use std::{f32::consts::TAU, fmt::Write};

/// Radius of the globe in units of the drawing. Integers are precise enough, and short.
const RADIUS: f32 = 500.0;
/// Depth below which dots are drawn smaller, because they are seen from the side.
const SIDE: f32 = 0.4;

/// Maximum number of markers in a drawing without clusters.
const MAX_MARKERS: usize = 500;
/// Centre of the globe if there are no reports: the view with most of the land.
const CENTER: Position = Position { lat: 20.0, lng: 10.0 };
/// Maximum latitude of the centre. Seen from above a pole, the continents are hard to recognise.
const STEEPEST: f32 = 50.0;

/// Initial centre of the globe: the requested start, else the newest report.
pub(super) fn center(markers: &Markers, start: Option<Start>) -> Position {
    let start = start.map(|start| Position { lat: start.lat(), lng: start.lng() });
    let newest = markers.newest.first().map(|newest| Position { lat: newest.1, lng: newest.2 });
    let Position { lat, lng } = start.or(newest).unwrap_or(CENTER);
    Position { lat: lat.clamp(-STEEPEST, STEEPEST), lng }
}

/// Contents of the `svg` element for a picture.
pub(crate) fn pictured(markers: &Markers, options: &EmbedOptions) -> String {
    globe(&markers.markers, center(markers, options.start), options.cluster)
}

/// Value of `viewBox`.
pub(crate) fn view_box() -> String {
    let reach = (RADIUS * REACH) as i32;
    format!("-{reach} -{reach} {0} {0}", 2 * reach)
}

/// Contents of the `svg` element, made of numbers and type names only. Without clustering, only the
/// [`MAX_MARKERS`] largest markers are drawn; `markers` is sorted by size, largest first.
pub(super) fn globe(markers: &[Marker], center: Position, cluster: Clustering) -> String {
    let sphere = Sphere::facing(center.lat, center.lng);
    let mut svg = String::from(concat!(
        r#"<defs><radialGradient id="lit" cx=".4" cy=".35" r=".7"><stop class="near"/>"#,
        r#"<stop class="far" offset="1"/></radialGradient><radialGradient id="rim">"#,
        r#"<stop class="air" offset=".93"/><stop class="air" offset="1" stop-opacity="0"/>"#,
        r#"</radialGradient></defs><circle class="rim" r="538" fill="url(#rim)"/>"#,
        r#"<circle r="500" fill="url(#lit)"/>"#,
    ));
    for side in [true, false] {
        let class = if side { "land side" } else { "land" };
        _ = write!(svg, r#"<path class="{class}" d="{}"/>"#, dots(&sphere, side));
    }
    svg.push_str("<g>");
    let (most, apart) = match cluster {
        Clustering::On => (usize::MAX, APART),
        Clustering::Off => (MAX_MARKERS, ALONE),
    };
    let sites: Vec<Site> = markers.iter().take(most).map(site).collect();
    let clusters = Clusters::new(&sites, apart);
    for cluster in clusters.on(0) {
        disc(&mut svg, cluster, &sphere);
    }
    svg.push_str("</g>");
    svg
}

fn site(marker: &Marker) -> Site {
    let position = Position { lat: marker.0, lng: marker.1 };
    Site { position, counts: Counts(marker.counts()), rough: marker.is_rough() }
}

/// Draws a disc in the colour of its leading type, with a sector for each other type, and a hole if
/// the cluster splits.
fn disc(svg: &mut String, cluster: &Cluster, sphere: &Sphere) {
    let [x, y, z] = sphere.project(cluster.point);
    // The canvas shows no discs at the very edge either.
    if z < 0.1 {
        return;
    }
    let (x, y) = drawn(x, y);
    // Smaller towards the edge, where the ground is seen from the side.
    let radius = cluster.radius * RADIUS * (0.5 + 0.5 * z);
    let leading = leading(cluster.counts);
    let name = |kind: usize| ReportType::ALL.get(kind).map_or("", |kind| kind.as_str());
    let rough = if cluster.rough { " rough" } else { "" };
    let kind = name(leading);
    _ = write!(svg, r#"<circle class="{kind}{rough}" cx="{x}" cy="{y}" r="{radius:.0}"/>"#);
    let mut start = 0.0;
    for (kind, share) in cluster.counts.shares().into_iter().enumerate() {
        let end = start + share;
        if kind != leading && share > 0.0 {
            let kind = name(kind);
            let [from, to] = [start, end].map(|turn: f32| {
                let (sin, cos) = (turn * TAU).sin_cos();
                ((sin * radius).round() as i32, (-cos * radius).round() as i32)
            });
            let large = u8::from(share > 0.5);
            _ = write!(
                svg,
                r#"<path class="{kind}{rough}" d="M{x} {y}l{} {}a{radius:.0} {radius:.0} 0 {large} 1 {} {}z"/>"#,
                from.0,
                from.1,
                to.0 - from.0,
                to.1 - from.1,
            );
        }
        start = end;
    }
    if cluster.splits_at.is_some() {
        let hole = radius * HOLE;
        _ = write!(svg, r#"<circle class="hole" cx="{x}" cy="{y}" r="{hole:.0}"/>"#);
    }
}

/// Index of the type with the most reports; the first one if several have the same number.
fn leading(Counts([spirit, water, both]): Counts) -> usize {
    if spirit >= water && spirit >= both {
        0
    } else if water >= both {
        1
    } else {
        2
    }
}

/// Path of the land's dots, either those near the edge or the others: zero-length strokes with
/// round ends, each relative to the one before.
fn dots(sphere: &Sphere, side: bool) -> String {
    let mut path = String::from("M0 0");
    let mut last = (0, 0);
    for (lat, lng) in land::coarse_points() {
        let [x, y, z] = sphere.project(point(lat, lng));
        // Dots at the very edge would merge into a line.
        if z > 0.06 && (z < SIDE) == side {
            let (x, y) = drawn(x, y);
            let (dx, dy) = (x - last.0, y - last.1);
            let gap = if dy < 0 { "" } else { " " };
            _ = write!(path, "m{dx}{gap}{dy}h0");
            last = (x, y);
        }
    }
    path
}

fn drawn(x: f32, y: f32) -> (i32, i32) {
    ((x * RADIUS).round() as i32, (-y * RADIUS).round() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marker(lat: f32, lng: f32, counts: [u64; 3]) -> Marker {
        let [spirit, water, both] = counts;
        Marker(lat, lng, spirit, water, both, "<Name>".into(), 0, 'c')
    }

    #[test]
    fn what_is_on_the_near_side_is_drawn_where_it_is() {
        let near = [marker(0.0, 10.0, [4, 0, 0]), marker(30.0, 10.0, [0, 1, 0])];
        let svg = globe(&near, Position { lat: 0.0, lng: 10.0 }, Clustering::On);
        assert!(svg.contains(r#"<circle class="spirit" cx="0" cy="0" r="41"/>"#), "{svg}");
        assert!(svg.contains(r#"<circle class="water" cx="0" cy="-250" r="24"/>"#), "{svg}");
        let far = globe(&near, Position { lat: 0.0, lng: -170.0 }, Clustering::On);
        assert!(!far.contains("spirit") && !far.contains("water"));
    }

    #[test]
    fn a_cluster_shows_all_of_its_types() {
        let markers = [marker(0.0, 10.0, [2, 1, 0]), marker(1.0, 10.0, [0, 0, 1])];
        let svg = globe(&markers, Position { lat: 0.0, lng: 10.0 }, Clustering::On);
        let disc = concat!(
            r#"<circle class="spirit" cx="0" cy="0" r="41"/>"#,
            r#"<path class="water" d="M0 0l0 41a41 41 0 0 1 -41 -41z"/>"#,
            r#"<path class="both" d="M0 0l-41 0a41 41 0 0 1 41 -41z"/>"#,
            r#"<circle class="hole" cx="0" cy="0" r="17"/></g>"#,
        );
        assert!(svg.ends_with(disc), "{svg}");
    }

    #[test]
    fn the_leading_type_is_the_one_with_the_most_reports_and_the_first_of_equals() {
        let leading = |counts| leading(Counts(counts));
        assert_eq!([[2, 1, 1], [1, 2, 1], [1, 1, 2]].map(leading), [0, 1, 2]);
        assert_eq!([[2, 2, 2], [1, 2, 2], [0, 0, 0]].map(leading), [0, 1, 0]);
    }

    #[test]
    fn it_is_short_with_the_most_land_and_markers() {
        let all_over = |n: u64| {
            let (lat, lng) = ((n % 100) as f32 - 30.0, (n / 100) as f32 * 1.3);
            marker(lat, lng, [1_000 - n % 900, n % 700, n % 90])
        };
        let many: Vec<_> = (0..10_000).map(all_over).collect();
        let svg = globe(&many, Position { lat: 30.0, lng: 30.0 }, Clustering::On);
        assert!(svg.len() < 40_000, "{} bytes", svg.len());
        assert!(!svg.contains("Name"));
    }
}
