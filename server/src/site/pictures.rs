//! Pictures of widgets, and the preview picture of links, as SVG and as PNG.
//!
//! `app` draws a widget as SVG (`app/src/picture.rs`). The SVG is sent as it is, or rendered to pixels here,
//! since mail clients show no SVG. The results are cached by options and data version, and concurrent requests make one
//! picture.
//!
//! Rendering takes up to some ten milliseconds of computation, and any client can request options that are not cached, so it
//! is [heavy work](limits::HeavyWork). Letters come from the fonts in the binary ([`fonts`]), so pictures are the same
//! on every machine.

mod fonts;
mod raster;

use std::{
    sync::{Arc, LazyLock},
    time::Duration,
};

use app::{
    brand::Brand,
    contract::{options::Theme, snippets::Embed},
    page_data::{PageData, Unavailable},
    picture::{self, Picture},
};
use base::cache::{Cache, Limits};
use edge::representation::Representation;
use resvg::usvg::Options;

use crate::{
    problem::{Problem, Result},
    responses::snapshot::DataState,
    site::{
        pages::{SnapshotPageData, Sources},
        visitors::{Visitor, cost},
    },
};

/// Maximum size of the cache, in bytes.
const MAX_BYTES: u64 = 12 << 20;
/// Approximate size of a cached picture besides its bytes: mostly the texts in the options, of at most 256 characters
/// each.
const OVERHEAD: usize = 4 << 10;

/// Parsed once, at the first request for a PNG.
static OPTIONS: LazyLock<Options<'static>> = LazyLock::new(fonts::options);

/// The pictures. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Pictures {
    sources: Sources,
    cache: Cache<PictureKey, Rendered>,
}

/// Subject of a picture.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// A widget with its options.
    Widget(Embed),
    /// The service, as a preview of links on other sites, at their size: one pixel per CSS pixel.
    Social,
}

/// File format of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    Svg,
    /// With a fixed theme, because pixels cannot follow the reader's.
    Png,
}

/// A picture as a response.
#[derive(Clone, Debug)]
pub struct Rendered {
    pub answer: Representation,
    /// In CSS pixels.
    width: u32,
    height: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct PictureKey {
    subject: Subject,
    format: Format,
    /// State of the data in the picture.
    data: DataState,
}

impl Pictures {
    pub fn new(sources: Sources) -> Self {
        // Pictures of older data are never requested again.
        let idle = Some(Duration::from_secs(60));
        let limits = Limits { weight: MAX_BYTES, idle, age: None };
        let cache = Cache::new(limits, |_, picture: &Rendered| picture.answer.weight(OVERHEAD));
        Self { sources, cache }
    }

    /// Name of the service in pictures.
    pub fn brand(&self) -> &Brand {
        &self.sources.brand
    }

    /// Returns a picture, from the cache if possible.
    ///
    /// # Errors
    /// 404 if the widget has none, 429 if the visitor requested too many uncached ones, 503 if its data cannot be read
    /// or too many are being made, 500 if it cannot be rendered.
    pub async fn get(
        &self,
        subject: Subject,
        format: Format,
        visitor: &Visitor,
    ) -> Result<Arc<Rendered>> {
        let source = SnapshotPageData::new(self.sources.clone());
        let subject = subject.in_format(format);
        let key = PictureKey { subject: subject.clone(), format, data: source.state() };
        if let Some(picture) = self.cache.get(&key).await {
            return Ok(picture);
        }
        visitor.pay(cost::SVG)?;
        let made = async {
            let drawn = subject.draw(&source).await;
            if let Some(problem) = source.failure() {
                return Err(problem);
            }
            let drawn = drawn.map_err(|error| Problem::internal(Arc::new(error)))?;
            Ok(Arc::new(rendered(drawn, format, subject.density(), visitor).await?))
        };
        self.cache.get_or_try(key, made).await
    }

    /// Returns width and height of a widget's PNG, in pixels, without rendering it.
    ///
    /// # Errors
    /// See [`get`](Self::get).
    pub async fn size_of_png(&self, embed: Embed, visitor: &Visitor) -> Result<(u32, u32)> {
        let subject = Subject::Widget(embed);
        let density = subject.density();
        let drawn = self.get(subject, Format::Svg, visitor).await?;
        Ok((drawn.width * density, drawn.height * density))
    }
}

async fn rendered(
    drawn: Picture,
    format: Format,
    density: u32,
    visitor: &Visitor,
) -> Result<Rendered> {
    let Picture { svg, width, height } = drawn;
    let answer = match format {
        Format::Svg => Representation::svg(svg),
        Format::Png => {
            let place = visitor.place().await?;
            let pixels = f64::from(width * density) * f64::from(height * density);
            visitor.pay(cost::MEGAPIXEL * pixels / 1e6)?;
            let png = place.run(move || raster::png(&svg, density, &OPTIONS)).await;
            Representation::png(png.map_err(|error| Problem::internal(Arc::new(error)))?)
        }
    };
    Ok(Rendered { answer, width, height })
}

impl Subject {
    /// Returns the subject with the light theme if the theme is automatic and the format is PNG.
    fn in_format(mut self, format: Format) -> Self {
        if let (Self::Widget(embed), Format::Png) = (&mut self, format)
            && embed.options.theme == Theme::Auto
        {
            embed.options.theme = Theme::Light;
        }
        self
    }

    /// Pixels of a PNG per CSS pixel.
    const fn density(&self) -> u32 {
        match self {
            // Sharp on high-density screens.
            Self::Widget(_) => 2,
            Self::Social => 1,
        }
    }

    async fn draw(&self, source: &dyn PageData) -> Result<Picture, Unavailable> {
        match self {
            Self::Widget(embed) => match picture::draw(embed, source) {
                Some(drawn) => drawn.await,
                // There is no route for such a widget.
                None => Err(Unavailable),
            },
            Self::Social => picture::social(source).await,
        }
    }
}
