use super::{super::lines::Lines, *};

/// Makes `count` sites, most of them in a few crowded regions, with few to many reports.
fn sites(count: u32) -> Vec<Site> {
    let mut state = 1_u32;
    let mut random = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32
    };
    let crowds = [(50.0, 10.0), (23.0, 78.0), (35.0, 110.0), (-15.0, -50.0), (0.0, 179.0)];
    (0..count)
        .map(|index| {
            let (lat, lng) = match crowds.get(index as usize % 7) {
                Some((lat, lng)) => (lat + 16.0 * (random() - 0.5), lng + 20.0 * (random() - 0.5)),
                None => (170.0 * (random() - 0.5), 360.0 * (random() - 0.5)),
            };
            let busy = (1.0 / (random() + 0.001)) as u64;
            let counts = Counts([1 + busy, busy / 2, u64::from(index % 5 == 0)]);
            Site { position: Position { lat, lng }, counts, rough: index % 9 == 0 }
        })
        .collect()
}

fn site(lat: f32, lng: f32, counts: [u64; 3]) -> Site {
    Site { position: Position { lat, lng }, counts: Counts(counts), rough: false }
}

/// Indices of a cluster's sites.
fn members(clusters: &Clusters, cluster: &Cluster) -> impl Iterator<Item = usize> {
    clusters.order[cluster.members.clone()].iter().map(|index| *index as usize)
}

fn gap(one: &Cluster, other: &Cluster) -> f32 {
    let square = |(a, b): (f32, f32)| (a - b) * (a - b);
    one.point.into_iter().zip(other.point).map(square).sum::<f32>().sqrt()
}

#[test]
fn every_site_is_in_one_cluster_of_every_level_and_no_report_is_lost() {
    let sites = sites(2_000);
    let clusters = Clusters::new(&sites, APART);
    for level in 0..ZOOMS.len() {
        let mut seen = vec![0; sites.len()];
        for cluster in clusters.on(level) {
            let mut counts = Counts::default();
            for index in members(&clusters, cluster) {
                seen[index] += 1;
                counts.add(sites[index].counts);
                assert_eq!(clusters.of_site(level, index), Some(cluster));
            }
            assert_eq!(counts, cluster.counts);
            assert!(members(&clusters, cluster).any(|index| index == cluster.site));
            assert_eq!(cluster.position, sites[cluster.site].position);
        }
        assert!(seen.iter().all(|count| *count == 1));
    }
}

#[test]
fn lights_never_overlap_at_any_zoom() {
    let clusters = Clusters::new(&sites(3_000), APART);
    for (level, zoom) in ZOOMS.into_iter().enumerate() {
        let shown = clusters.on(level);
        for (index, one) in shown.iter().enumerate() {
            for other in &shown[index + 1..] {
                let room = gap(one, other) * zoom - one.radius - other.radius;
                assert!(room > 0.0, "{one:?} and {other:?} at zoom {zoom}");
            }
        }
    }
}

#[test]
fn few_lights_are_shown_from_afar_and_more_the_nearer_one_comes() {
    let clusters = Clusters::new(&sites(10_000), APART);
    let counts: Vec<usize> = (0..ZOOMS.len()).map(|level| clusters.on(level).len()).collect();
    assert!(counts[0] < 1_800 && counts[ZOOMS.len() - 1] > 3_000, "{counts:?}");
    assert!(counts.is_sorted(), "{counts:?}");
}

#[test]
fn a_cluster_tells_at_which_zoom_it_splits() {
    let sites =
        [site(48.0, 2.0, [50, 0, 0]), site(49.0, 3.0, [1, 2, 0]), site(-30.0, 20.0, [0, 0, 4])];
    let clusters = Clusters::new(&sites, APART);
    let [both, alone] = clusters.on(0) else { panic!("{clusters:?}") };
    let (both, alone) = if both.members.len() == 2 { (both, alone) } else { (alone, both) };
    assert_eq!((both.site, both.counts, alone.site), (0, Counts([51, 2, 0]), 2));
    assert_eq!(alone.splits_at, None);
    let zoom = both.splits_at.unwrap();
    let split = clusters.level(zoom);
    assert_eq!(clusters.of_site(split - 1, 0), clusters.of_site(split - 1, 1));
    assert_ne!(clusters.of_site(split, 0), clusters.of_site(split, 1));
    assert_eq!([0, 1, 2].map(|site| clusters.alone_from(site)), [zoom, zoom, 1.0]);
}

#[test]
fn sites_at_one_position_never_split() {
    let sites = [site(10.0, 10.0, [1, 0, 0]), site(10.0, 10.0, [2, 0, 0])];
    let clusters = Clusters::new(&sites, APART);
    for level in 0..ZOOMS.len() {
        let [cluster] = clusters.on(level) else { panic!("{clusters:?}") };
        assert_eq!((cluster.members.len(), cluster.splits_at), (2, None));
    }
}

#[test]
fn a_new_report_changes_no_cluster_but_its_own() {
    let mut sites = sites(2_000);
    let before = Clusters::new(&sites, APART);
    sites[700].counts.0[1] += 1;
    let after = Clusters::new(&sites, APART);
    for level in 0..ZOOMS.len() {
        let [before, after] = [&before, &after].map(|clusters| {
            clusters.on(level).iter().map(|one| (one.site, one.members.clone())).collect::<Vec<_>>()
        });
        assert_eq!(before, after);
    }
}

#[test]
fn one_more_report_is_counted_in_every_level_or_changes_nothing() {
    let mut sites = sites(600);
    let mut clusters = Clusters::new(&sites, APART);
    let mut refused = 0;
    for site in (0..sites.len()).step_by(5) {
        let from = sites[site].counts;
        let mut to = from;
        to.0[site % 3] += 1;
        let before = clusters.levels.clone();
        if clusters.recount(site, from, to) {
            sites[site].counts = to;
        } else {
            assert_eq!(clusters.levels, before);
            refused += 1;
        }
    }
    assert!((1..100).contains(&refused), "{refused}");
    assert_eq!(clusters.levels, Clusters::new(&sites, APART).levels);
}

#[test]
fn the_order_of_the_sites_does_not_matter() {
    let mut sites = sites(500);
    let shown = |sites: &[Site], level| {
        let mut shown: Vec<_> = Clusters::new(sites, APART)
            .on(level)
            .iter()
            .map(|cluster| (cluster.position.lat.to_bits(), cluster.counts.0))
            .collect();
        shown.sort_unstable();
        shown
    };
    let before: Vec<_> = (0..ZOOMS.len()).map(|level| shown(&sites, level)).collect();
    sites.reverse();
    let after: Vec<_> = (0..ZOOMS.len()).map(|level| shown(&sites, level)).collect();
    assert_eq!(before, after);
}

#[test]
fn a_zoom_shows_the_level_that_begins_at_or_before_it() {
    let clusters = Clusters::default();
    let levels = [0.5, 1.0, 1.2, 1.4, 3.0, NEAREST].map(|zoom| clusters.level(zoom));
    assert_eq!(levels, [0, 0, 0, 1, 3, ZOOMS.len() - 1]);
}

#[test]
fn without_sites_there_is_nothing() {
    let clusters = Clusters::new(&[], APART);
    assert_eq!(clusters.on(0), []);
    assert_eq!(clusters.of_site(0, 0), None);
}

#[test]
#[ignore = "measures; run it with --release --nocapture"]
fn ten_thousand_sites_take_milliseconds() {
    let sites = sites(10_000);
    let start = std::time::Instant::now();
    let clusters = Clusters::new(&sites, APART);
    println!("{:?}, {} clusters at zoom 1", start.elapsed(), clusters.on(0).len());
}

#[test]
fn without_clustering_only_places_at_one_point_are_one_light() {
    let mut sites = sites(3_000);
    let first = sites[0];
    sites.push(first);
    let mut points: Vec<_> = sites
        .iter()
        .map(|site| (site.position.lat.to_bits(), site.position.lng.to_bits()))
        .collect();
    points.sort_unstable();
    points.dedup();
    let clusters = Clusters::new(&sites, ALONE);
    for level in 0..ZOOMS.len() {
        assert_eq!(clusters.on(level).len(), points.len());
    }
}

#[test]
fn at_the_nearest_zoom_half_of_the_coasts_have_a_point_every_eight_pixels() {
    // Radius of the globe in the highest widget that fits its content.
    let radius = 221.0 * NEAREST;
    let edge = |[from, to]: [[f32; 2]; 2]| {
        let wide = (to[1] - from[1]) * from[0].to_radians().cos();
        (to[0] - from[0]).hypot(wide).to_radians() * radius
    };
    let Lines { coasts, .. } =
        Lines::decode(include_bytes!("../../../../../public/globe-lines.bin")).unwrap();
    let pairs = coasts.iter().flat_map(|line| line.windows(2));
    let mut edges: Vec<f32> = pairs.map(|pair| edge([pair[0], pair[1]])).collect();
    edges.sort_unstable_by(f32::total_cmp);
    let median = edges[edges.len() / 2];
    assert!(median <= 8.0, "{median} pixels");
}
