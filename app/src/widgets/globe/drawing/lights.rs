use super::{
    super::{clusters::Cluster, sphere::Sphere},
    path::{RADIUS, dots},
};
use model::ReportType;
use std::fmt::Write;

/// Sizes of lights, as upper limits of their radii in screen radii.
const SIZES: [f32; 5] = [0.0105, 0.012, 0.014, 0.016, 1.0];
/// Layers of a halo: width relative to the core, and opacity.
const HALO: [(f32, &str); 2] = [(3.2, ".08"), (1.9, ".2")];

/// Draws a light for each cluster, in the colour of its leading type, which is white in the middle on
/// a dark ground. All lights of one type and size are one path.
pub(super) fn lights(svg: &mut String, clusters: &[Cluster], sphere: &Sphere) {
    svg.push_str(r#"<g class="lights">"#);
    for (kind, name) in ReportType::ALL.iter().map(|kind| kind.as_str()).enumerate() {
        let mut smallest = 0.0;
        for largest in SIZES {
            let mut radius = 0.0;
            let mut lights = |is_rough: bool| {
                let of_group = |cluster: &&Cluster| {
                    cluster.rough == is_rough
                        && cluster.counts.leading() == kind
                        && (smallest..largest).contains(&cluster.radius)
                };
                let mut seen = clusters
                    .iter()
                    .filter(of_group)
                    .filter_map(|cluster| {
                        let [x, y, z] = sphere.project(cluster.point);
                        radius = cluster.radius.max(radius);
                        // The canvas shows no lights at the very edge either.
                        (z > 0.1).then_some((x, y))
                    })
                    .peekable();
                seen.peek().is_some().then(|| dots(seen))
            };
            let (exact, rough) = (lights(false), lights(true));
            let width = 2.0 * radius * RADIUS;
            for path in [&exact, &rough].into_iter().flatten() {
                for (wider, opacity) in HALO {
                    let width = width * wider;
                    _ = write!(
                        svg,
                        r#"<path class="{name} halo" stroke-width="{width:.0}" stroke-opacity="{opacity}" d="{path}"/>"#
                    );
                }
            }
            if let Some(path) = exact {
                let hot = width / 2.0;
                _ = write!(
                    svg,
                    r#"<path class="{name}" stroke-width="{width:.0}" d="{path}"/><path class="hot" stroke-width="{hot:.0}" d="{path}"/>"#
                );
            }
            smallest = largest;
        }
    }
    svg.push_str("</g>");
}
