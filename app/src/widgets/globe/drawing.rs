//! The globe as SVG: paths of dots for the land and for the lights of the clusters of zoom 1, and
//! the shade of the night. It looks like the first frame of the live globe.

mod globe_markers;
mod lights;
mod night;
mod path;

pub use self::globe_markers::GlobeMarkers;

use self::{
    lights::lights,
    night::night,
    path::{RADIUS, dots},
};
use super::{
    REACH,
    sphere::{Position, Sphere, point},
};
use crate::{
    contract::options::{Clustering, EmbedOptions, Start},
    land,
};
use model::Markers;
use std::{fmt::Write, sync::LazyLock};

/// The dots of the land on the unit sphere.
static LAND: LazyLock<Vec<[f32; 3]>> =
    LazyLock::new(|| land::coarse_points().map(|(lat, lng)| point(lat, lng)).collect());

/// Depth below which dots are drawn smaller, because they are seen from the side.
const SIDE: f32 = 0.4;
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

/// Contents of the `svg` element for a picture, with day and night at an instant (RFC 3339).
pub(crate) fn pictured(markers: &GlobeMarkers, options: &EmbedOptions, instant: &str) -> String {
    globe(markers, center(markers, options.start), options.cluster, instant)
}

/// Value of `viewBox`.
pub(crate) fn view_box() -> String {
    let reach = (RADIUS * REACH) as i32;
    format!("-{reach} -{reach} {0} {0}", 2 * reach)
}

/// Contents of the `svg` element, made of numbers and type names only.
///
/// The gradients of the edge are on rings: a whole disc would take a renderer twice as long.
pub(super) fn globe(
    markers: &GlobeMarkers,
    center: Position,
    cluster: Clustering,
    instant: &str,
) -> String {
    let sphere = Sphere::facing(center.lat, center.lng);
    let mut svg = String::from(concat!(
        r#"<defs><radialGradient id="lit" cx=".4" cy=".35" r=".7"><stop class="near"/>"#,
        r#"<stop class="far" offset="1"/></radialGradient><radialGradient id="rim">"#,
        r#"<stop class="air" offset=".87" stop-opacity=".6"/>"#,
        r#"<stop class="air" offset=".92" stop-opacity=".14"/>"#,
        r#"<stop class="air" offset="1" stop-opacity="0"/></radialGradient>"#,
        r#"<radialGradient id="edge"><stop class="air" offset=".7" stop-opacity="0"/>"#,
        r#"<stop class="air" offset=".93" stop-opacity=".1"/>"#,
        r#"<stop class="air" offset="1" stop-opacity=".4"/></radialGradient></defs>"#,
    ));
    ring(&mut svg, "rim", 575, 490);
    svg.push_str(r#"<circle r="500" fill="url(#lit)"/>"#);
    for side in [true, false] {
        let class = if side { "land side" } else { "land" };
        let dots = dots(LAND.iter().filter_map(|point| {
            let [x, y, z] = sphere.project(*point);
            // Dots at the very edge would merge into a line.
            (z > 0.06 && (z < SIDE) == side).then_some((x, y))
        }));
        _ = write!(svg, r#"<path class="{class}" d="{dots}"/>"#);
    }
    night(&mut svg, &sphere, instant);
    ring(&mut svg, "edge", 500, 345);
    lights(&mut svg, markers.clusters(cluster), &sphere);
    svg
}

/// Draws the ring between two circles with a gradient.
fn ring(svg: &mut String, gradient: &str, outer: u32, inner: u32) {
    let circle = |r: u32| format!("M-{r} 0a{r} {r} 0 1 0 {0} 0a{r} {r} 0 1 0-{0} 0", 2 * r);
    let (outer, inner) = (circle(outer), circle(inner));
    _ = write!(svg, r#"<path fill="url(#{gradient})" fill-rule="evenodd" d="{outer}{inner}"/>"#);
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::Marker;

    fn globe(markers: &[Marker], center: Position, cluster: Clustering, instant: &str) -> String {
        let markers = Markers { markers: markers.to_vec(), ..Markers::default() };
        super::globe(&markers.into(), center, cluster, instant)
    }

    fn marker(lat: f32, lng: f32, counts: [u64; 3]) -> Marker {
        let [spirit, water, both] = counts;
        Marker(lat, lng, spirit, water, both, "<Name>".into(), 0, 'c')
    }

    const NOON: &str = "2026-03-20T12:00:00.000Z";

    #[test]
    fn what_is_on_the_near_side_is_drawn_where_it_is() {
        let near = [marker(0.0, 10.0, [4, 0, 0]), marker(30.0, 10.0, [0, 1, 0])];
        let svg = globe(&near, Position { lat: 0.0, lng: 10.0 }, Clustering::On, NOON);
        assert!(
            svg.contains(r#"<path class="spirit" stroke-width="19" d="M0 0m0 0h0"/>"#),
            "{svg}"
        );
        assert!(
            svg.contains(r#"<path class="water" stroke-width="14" d="M0 0m0-250h0"/>"#),
            "{svg}"
        );
        let far = globe(&near, Position { lat: 0.0, lng: -170.0 }, Clustering::On, NOON);
        assert!(!far.contains("spirit") && !far.contains("water"));
    }

    #[test]
    fn a_cluster_is_one_light_of_its_leading_type() {
        let markers = [marker(0.0, 10.0, [2, 1, 0]), marker(1.0, 10.0, [0, 0, 1])];
        let svg = globe(&markers, Position { lat: 0.0, lng: 10.0 }, Clustering::On, NOON);
        assert!(svg.contains("spirit") && !svg.contains("water") && !svg.contains("both"), "{svg}");
    }

    #[test]
    fn a_rough_position_has_a_halo_without_a_core() {
        let Marker(lat, lng, spirit, water, both, city, country, _) = marker(0.0, 0.0, [1, 0, 0]);
        let rough = Marker(lat, lng, spirit, water, both, city, country, 'r');
        let svg = globe(&[rough], Position::default(), Clustering::On, NOON);
        assert!(svg.contains(r#"<path class="spirit halo""#), "{svg}");
        assert!(!svg.contains(r#"<path class="spirit" "#) && !svg.contains("hot"), "{svg}");
    }

    #[test]
    fn it_is_short_with_the_most_land_and_markers() {
        let all_over = |n: u64| {
            let (lat, lng) = ((n % 100) as f32 - 30.0, (n / 100) as f32 * 1.3);
            marker(lat, lng, [1_000 - n % 900, n % 700, n % 90])
        };
        let many: Vec<_> = (0..10_000).map(all_over).collect();
        let svg = globe(&many, Position { lat: 30.0, lng: 30.0 }, Clustering::On, NOON);
        assert!(svg.len() < 48_000, "{} bytes", svg.len());
        assert!(!svg.contains("Name"));
    }
}
