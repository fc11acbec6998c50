//! SVG to PNG.

use png::{BitDepth, ColorType, DeflateCompression, Encoder, EncodingError, Filter};
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
    Png(#[from] EncodingError),
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
    Ok(packed(pixmap)?)
}

/// Packs the pixels. Rows are not filtered: drawings have areas of one colour and repeated letters,
/// which are smaller as they are. The default level takes half as long again, for a twentieth of the
/// bytes.
fn packed(pixmap: Pixmap) -> Result<Vec<u8>, EncodingError> {
    let mut png = Vec::new();
    let mut encoder = Encoder::new(&mut png, pixmap.width(), pixmap.height());
    encoder.set_color(ColorType::Rgba);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_filter(Filter::NoFilter);
    encoder.set_deflate_compression(DeflateCompression::Level(4));
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&pixmap.take_demultiplied())?;
    writer.finish()?;
    Ok(png)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_png_has_the_colours_and_the_transparency_of_the_drawing() {
        let svg = r##"<svg xmlns="http://www.w3.org/2000/svg" width="3" height="1">
            <path fill="#ff0000" d="M0 0h1v1H0z"/>
            <path fill="#0000ff" fill-opacity=".5" d="M1 0h1v1H1z"/></svg>"##;
        let png = png(svg, 2, &fonts::options()).unwrap();
        let pixels = Pixmap::decode_png(&png).unwrap();
        assert_eq!((pixels.width(), pixels.height()), (6, 2));
        let colours = [0, 1, 2, 3, 4, 5].map(|x| {
            let pixel = pixels.pixel(x, 1).unwrap().demultiply();
            [pixel.red(), pixel.green(), pixel.blue(), pixel.alpha()]
        });
        let [red, blue, none] = [[255, 0, 0, 255], [0, 0, 255, 128], [0; 4]];
        assert_eq!(colours, [red, red, blue, blue, none, none]);
    }
}
