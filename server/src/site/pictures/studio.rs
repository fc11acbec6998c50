//! Where PNGs are rendered: off the threads that answer requests, and never too many at once.

use std::{
    num::NonZero,
    sync::{Arc, LazyLock},
    thread,
};

use resvg::usvg::Options;
use tokio::{sync::Semaphore, task};

use super::{fonts, raster};
use crate::http::problem::{Problem, Result};

/// How many are being rendered or wait for it, before others are refused: those in front of the last
/// take less than a few seconds.
const PLACES: usize = 16;

/// Parsed once, and only where somebody asks for a PNG.
static OPTIONS: LazyLock<Options<'static>> = LazyLock::new(fonts::options);

/// The bounds. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Studio {
    places: Arc<Semaphore>,
    /// As many as are rendered at once.
    easels: Arc<Semaphore>,
}

impl Default for Studio {
    /// Half of the cores, so that everything else goes on whatever is asked for here.
    fn default() -> Self {
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        Self::new(PLACES, (cores / 2).max(1))
    }
}

impl Studio {
    fn new(places: usize, easels: usize) -> Self {
        Self { places: Arc::new(Semaphore::new(places)), easels: Arc::new(Semaphore::new(easels)) }
    }

    /// The picture as a PNG, `density` times as large as it is in pixels of CSS.
    ///
    /// # Errors
    /// 503 where too many are waiting, 500 where the renderer fails.
    pub(super) async fn render(&self, svg: String, density: u32) -> Result<Vec<u8>> {
        let Ok(_place) = self.places.try_acquire() else {
            return Err(Problem::busy(
                "Too many pictures are being rendered at the moment. Try again in a few seconds.",
            ));
        };
        let easel = self.easels.clone().acquire_owned().await;
        let easel = easel.map_err(|error| Problem::internal(Arc::new(error)))?;
        let rendered = task::spawn_blocking(move || {
            // Held until the work is done, even if the client has gone.
            let _easel = easel;
            raster::png(&svg, density, &OPTIONS)
        });
        match rendered.await {
            Ok(Ok(png)) => Ok(png),
            Ok(Err(error)) => Err(Problem::internal(Arc::new(error))),
            Err(panic) => Err(Problem::internal(Arc::new(panic))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::problem::Code;

    const DOT: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\"/>";

    #[tokio::test]
    async fn who_finds_no_place_is_told_to_come_back() {
        let studio = Studio::new(1, 1);
        let held = studio.easels.clone().acquire_owned().await.unwrap();
        let waiting = task::spawn({
            let studio = studio.clone();
            async move { studio.render(DOT.to_owned(), 1).await }
        });
        while studio.places.available_permits() > 0 {
            task::yield_now().await;
        }
        let refused = studio.render(DOT.to_owned(), 1).await.unwrap_err();
        assert_eq!(refused.code, Code::Unavailable);
        assert!(refused.retry_after.is_some());
        drop(held);
        assert!(waiting.await.unwrap().unwrap().starts_with(b"\x89PNG"));
        assert!(studio.render(DOT.to_owned(), 1).await.is_ok());
    }

    #[tokio::test]
    async fn what_cannot_be_rendered_is_a_problem_and_frees_its_place() {
        let studio = Studio::new(1, 1);
        for svg in ["<svg", "", "<html/>"] {
            let failed = studio.render(svg.to_owned(), 1).await.unwrap_err();
            assert_eq!(failed.code, Code::Internal, "{svg}");
            assert!(failed.cause.is_some());
        }
        assert!(studio.render(DOT.to_owned(), 1).await.is_ok());
    }
}
