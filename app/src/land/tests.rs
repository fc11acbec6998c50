use super::{MASK, coarse_points, grid, points};

/// Whether the grid point nearest to this position is on land.
fn is_land(lat: f32, lng: f32) -> bool {
    let away = |point: (f32, f32)| {
        let turn = (point.1 - lng + 540.0).rem_euclid(360.0) - 180.0;
        (point.0 - lat).powi(2) + (turn * lat.to_radians().cos()).powi(2)
    };
    let nearest =
        grid::grid().into_iter().min_by(|one, other| away(*one).total_cmp(&away(*other))).unwrap();
    points().into_iter().any(|point| point == nearest)
}

#[test]
fn the_grid_has_41252_points_a_degree_apart() {
    let grid = grid::grid();
    assert_eq!(grid.len(), 41_252);
    assert_eq!(MASK.len(), 41_252_usize.div_ceil(8));
    assert!(grid.iter().all(|(lat, lng)| lat.abs() < 90.0 && (-180.0..180.0).contains(lng)));
    for ring in grid.chunk_by(|one, other| one.0 == other.0) {
        let around = 360.0 * ring[0].0.to_radians().cos();
        assert!((ring.len() as f32 - around).abs() < 1.1, "{} of {around}", ring.len());
    }
    assert_eq!(grid.chunk_by(|one, other| one.0 == other.0).count(), 180);
}

#[test]
fn every_other_ring_is_shifted_by_half_a_point() {
    let grid = grid::grid();
    for (index, ring) in grid.chunk_by(|one, other| one.0 == other.0).enumerate() {
        let start = (ring[0].1 + 180.0) * ring.len() as f32 / 360.0;
        let expected = if index % 2 == 0 { 0.5 } else { 0.0 };
        assert!((start - expected).abs() < 0.01, "{start}");
    }
}

#[test]
fn land_is_its_share_of_the_earth() {
    let share = points().len() as f64 / grid::grid().len() as f64;
    assert!((share - 0.288).abs() < 0.003, "{share}");
}

#[test]
fn land_is_land_and_water_is_water() {
    let land = [
        ("Sahara", 23.0, 10.0),
        ("the Amazon", -5.0, -62.0),
        ("Australia", -25.0, 135.0),
        ("the South Pole", -89.5, 0.0),
        ("Antarctica at the antimeridian", -86.5, 180.0),
        ("eastern Siberia", 67.0, 170.0),
        ("Siberia beyond the antimeridian", 66.5, -175.0),
        ("Yakutia", 66.0, 130.0),
        ("Lapland", 68.0, 25.0),
        ("Wrangel Island", 71.2, -179.6),
        ("Greenland", 75.0, -40.0),
        ("Alaska", 66.0, -152.0),
    ];
    let water = [
        ("the Pacific", 0.0, -150.0),
        ("the Pacific at the antimeridian", 30.0, 180.0),
        ("the Atlantic", 30.0, -40.0),
        ("the Indian Ocean", -20.0, 80.0),
        ("the Beaufort Sea", 72.0, -150.0),
        ("off Alaska at 71° N", 71.5, -165.0),
        ("the North Pole", 89.5, 0.0),
        ("the Southern Ocean", -60.0, 0.0),
        ("the Caspian Sea", 42.0, 50.5),
        ("the Mediterranean", 34.5, 20.0),
    ];
    for (name, lat, lng) in land {
        assert!(is_land(lat, lng), "{name}");
    }
    for (name, lat, lng) in water {
        assert!(!is_land(lat, lng), "{name}");
    }
}

#[test]
fn coarse_points_are_a_quarter_of_all() {
    let share = coarse_points().count() as f64 / points().len() as f64;
    assert!((share - 0.25).abs() < 0.01, "{share}");
}
