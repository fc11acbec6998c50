//! Everything for people and browsers: pages and widgets, pictures, files, and what crawlers and
//! editors read.

pub mod assets;
pub mod docs;
pub mod embed;
pub mod oembed;
pub mod pages;
pub mod pictures;
pub mod robots;
pub mod sitemap;
pub mod social;
pub mod visitors;

use axum::response::Response;
use http::HeaderValue;

/// Lets any origin embed a response: sandboxed widgets have one of their own.
fn embeddable(mut response: Response) -> Response {
    let anywhere = HeaderValue::from_static("cross-origin");
    response.headers_mut().insert("cross-origin-resource-policy", anywhere);
    response
}
