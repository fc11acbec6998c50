/// Sine and cosine of an angle in degrees, precise to 0.00001.
///
/// Polynomials instead of the standard library's functions, which would add kilobytes of wasm, and
/// instead of the browser's, because a call of JavaScript for each of ten thousands of angles takes
/// longer.
pub(in super::super) fn sin_cos(degrees: f32) -> (f32, f32) {
    (sin(degrees), sin(degrees + 90.0))
}

fn sin(degrees: f32) -> f32 {
    // The nearest multiple of half a turn; the sine changes its sign with each.
    let half = (degrees / 180.0 + 0.5).floor();
    let x = (degrees - 180.0 * half).to_radians();
    let square = x * x;
    let series = 1.0
        + square
            * (-0.166_666_67
                + square * (0.008_333_33 + square * (-0.000_198_41 + square * 0.000_002_76)));
    let is_odd = half as i32 & 1 == 1;
    if is_odd { -x * series } else { x * series }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_as_precise_as_a_pixel_needs() {
        for tenth in -7_200_i16..7_200 {
            let degrees = f32::from(tenth) / 10.0;
            let (sin, cos) = sin_cos(degrees);
            let (exact_sin, exact_cos) = f64::from(degrees).to_radians().sin_cos();
            assert!((f64::from(sin) - exact_sin).abs() < 1e-5, "{degrees}: {sin}");
            assert!((f64::from(cos) - exact_cos).abs() < 1e-5, "{degrees}: {cos}");
        }
    }
}
