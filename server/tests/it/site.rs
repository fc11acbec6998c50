//! Pages for people and their assets, over real HTTP.

mod below_a_path;
mod brand;
mod content_security_policy;
mod crawlers;
mod docs;
mod forwarded;
mod home;
mod loader;
mod not_found;
mod oembed;
mod pictures;
mod report_form;
mod slashes;
mod uncached;
mod websub;

/// The source of a snippet on the start page, without the elements that colour it, and with the entities of its text.
fn snippet(html: &str, id: &str) -> String {
    let (_, rest) = html.split_once(&format!("<code id=\"{id}\">")).unwrap();
    let code = rest.split("</code>").next().unwrap();
    code.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text)).collect()
}
