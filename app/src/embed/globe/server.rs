/// A rendered page stands still.
pub(super) fn keep() {}

/// Sine and cosine of an angle in degrees.
pub(super) fn sin_cos(degrees: f32) -> (f32, f32) {
    degrees.to_radians().sin_cos()
}
