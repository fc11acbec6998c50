mod angle;

pub(super) use self::angle::sin_cos;

/// A position on the Earth, in degrees.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Position {
    pub(super) lat: f32,
    pub(super) lng: f32,
}

kit::from_json! { Position { lat: "lat", lng: "lng" } }

#[cfg(feature = "ssr")]
impl serde::Serialize for Position {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // A conversion to `f64` adds decimals, so this rounds to the precision of positions.
        let degrees = |degrees: f32| (f64::from(degrees) * 100.0).round() / 100.0;
        serializer.collect_map([("lat", degrees(self.lat)), ("lng", degrees(self.lng))])
    }
}

/// The globe as seen from far away, with one point in the centre and north up. The rows of the
/// matrix that rotates the Earth into view.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sphere([[f32; 3]; 3]);

impl Sphere {
    /// Creates a view centred on a point in degrees.
    pub(super) fn facing(lat: f32, lng: f32) -> Self {
        let ((sin_lat, cos_lat), (sin_lng, cos_lng)) = (sin_cos(lat), sin_cos(lng));
        Self([
            [cos_lng, 0.0, -sin_lng],
            [-sin_lat * sin_lng, cos_lat, -sin_lat * cos_lng],
            [cos_lat * sin_lng, sin_lat, cos_lat * cos_lng],
        ])
    }

    /// Projects a [`point`] to coordinates to the right, up and towards the viewer, in radii. The
    /// third is positive on the near side.
    pub(super) fn project(&self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        self.0.map(|row| row[0] * x + row[1] * y + row[2] * z)
    }

    /// The matrix by columns, as WebGL expects it.
    pub(super) fn columns(&self) -> [f32; 9] {
        let [[a, b, c], [d, e, f], [g, h, i]] = self.0;
        [a, d, g, b, e, h, c, f, i]
    }
}

/// Point of the unit sphere at a latitude and longitude in degrees. The second axis passes through
/// the North Pole, the third through latitude 0 and longitude 0.
pub(super) fn point(lat: f32, lng: f32) -> [f32; 3] {
    let ((sin_lat, cos_lat), (sin_lng, cos_lng)) = (sin_cos(lat), sin_cos(lng));
    [cos_lat * sin_lng, sin_lat, cos_lat * cos_lng]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_faces_is_in_the_middle_and_north_is_up() {
        let close = |one: [f32; 3], other: [f32; 3]| {
            assert!(one.iter().zip(other).all(|(a, b)| (a - b).abs() < 1e-5), "{one:?} {other:?}");
        };
        let sphere = Sphere::facing(40.0, -70.0);
        close(sphere.project(point(40.0, -70.0)), [0.0, 0.0, 1.0]);
        close(sphere.project(point(-40.0, 110.0)), [0.0, 0.0, -1.0]);
        assert!(sphere.project(point(50.0, -70.0))[1] > 0.1);
        assert!(sphere.project(point(40.0, -60.0))[0] > 0.1);
    }
}
