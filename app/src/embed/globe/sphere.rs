mod angle;

use self::angle::sin_cos;

/// A position on the Earth, in degrees.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Position {
    pub(super) lat: f32,
    pub(super) lng: f32,
}

/// The globe as seen from afar, with one point in the middle and north up: the rotation that brings
/// the Earth before the eye, as the rows of a matrix.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sphere([[f32; 3]; 3]);

impl Sphere {
    /// Facing this point, in degrees.
    pub(super) fn facing(lat: f32, lng: f32) -> Self {
        let ((sin_lat, cos_lat), (sin_lng, cos_lng)) = (sin_cos(lat), sin_cos(lng));
        Self([
            [cos_lng, 0.0, -sin_lng],
            [-sin_lat * sin_lng, cos_lat, -sin_lat * cos_lng],
            [cos_lat * sin_lng, sin_lat, cos_lat * cos_lng],
        ])
    }

    /// A [`point`] as it is seen: to the right, up, and towards the eye, in radii. It is on the near
    /// side where the last is positive.
    pub(super) fn project(&self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        self.0.map(|row| row[0] * x + row[1] * y + row[2] * z)
    }

    /// The matrix by columns, as WebGL takes it.
    pub(super) fn columns(&self) -> [f32; 9] {
        let [[a, b, c], [d, e, f], [g, h, i]] = self.0;
        [a, d, g, b, e, h, c, f, i]
    }
}

/// The point of the unit sphere at this latitude and longitude in degrees; the third axis goes
/// through where both are zero, the second through the North Pole.
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
