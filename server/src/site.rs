//! The part for people and browsers: pages and widgets, pictures, files, and resources for crawlers and editors.

pub mod assets;
pub mod docs;
pub mod embed;
pub mod feeds;
pub mod oembed;
pub mod pages;
pub mod pictures;
pub mod robots;
pub mod sitemap;
pub mod social;
pub mod visitors;

use axum::response::Response;
use http::{HeaderName, HeaderValue};

const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// Lets all origins embed a response: a sandboxed widget has an origin of its own.
fn embeddable(mut response: Response) -> Response {
    let anywhere = HeaderValue::from_static("cross-origin");
    response.headers_mut().insert(RESOURCE_POLICY, anywhere);
    response
}
