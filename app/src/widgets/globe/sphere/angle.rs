/// Sine and cosine of an angle in degrees, computed by the browser. The standard library's
/// functions would add kilobytes of wasm.
#[cfg(target_arch = "wasm32")]
pub(super) fn sin_cos(degrees: f32) -> (f32, f32) {
    let angle = f64::from(degrees.to_radians());
    (js_sys::Math::sin(angle) as f32, js_sys::Math::cos(angle) as f32)
}

/// Sine and cosine of an angle in degrees.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn sin_cos(degrees: f32) -> (f32, f32) {
    degrees.to_radians().sin_cos()
}
