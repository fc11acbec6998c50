//! SVG to PNG.

use resvg::{
    tiny_skia::{Pixmap, Transform},
    usvg::{self, Options, Tree},
};

use super::fonts;

/// Reasons why a drawing could not be rendered.
#[derive(Debug, thiserror::Error)]
pub(super) enum RasterError {
    #[error("the drawing cannot be read: {0}")]
    Svg(#[from] usvg::Error),
    #[error("{0} by {1} pixels are too many or none")]
    Size(u32, u32),
    #[error("the pixels cannot be packed: {0}")]
    Png(String),
}

/// Renders the drawing as a PNG, `density` times as large.
pub(super) fn png(svg: &str, density: u32, options: &Options<'_>) -> Result<Vec<u8>, RasterError> {
    let svg = fonts::with_known_letters(svg);
    let tree = Tree::from_str(&svg, options)?;
    let scale = density as f32;
    let [width, height] =
        [tree.size().width(), tree.size().height()].map(|side| (side * scale).round() as u32);
    let mut pixmap = Pixmap::new(width, height).ok_or(RasterError::Size(width, height))?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    pixmap.encode_png().map_err(|error| RasterError::Png(error.to_string()))
}
