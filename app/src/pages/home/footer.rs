use super::words::{CREDITS, DOCUMENTATION, LICENCE, OPEN_DATA, THE_SOURCE};
use crate::{
    contract::options::LANGUAGE,
    pages::in_language::{address, rich, text},
    request::PageRequest,
    shell::link,
};
use kit::lang::Lang;
use leptos::prelude::*;

/// Address of the source code, from `Cargo.toml`; empty if that names none.
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");
const LICENCES: &str = env!("CARGO_PKG_LICENSE");

/// Links to the API and the source, the languages of the page, licence and credits.
#[component]
pub(in crate::pages) fn Footer() -> impl IntoView {
    let PageRequest { lang, .. } = expect_context();
    let language = |of: Lang| {
        view! {
            <li>
                <a
                    href=link(address(of))
                    lang=of.tag()
                    hreflang=of.tag()
                    aria-current=(of == lang).then_some("page")
                >
                    {of.name()}
                </a>
            </li>
        }
    };
    let source = Some(REPOSITORY).filter(|address| !address.is_empty()).map(|address| {
        view! {
            <li>
                <a href=address>{text(THE_SOURCE)}</a>
            </li>
        }
    });
    view! {
        <footer>
            <div class="grid">
                <ul>
                    <li>
                        <a href=link("/docs")>{text(DOCUMENTATION)}</a>
                    </li>
                    <li>
                        <a href=link("/data")>{text(OPEN_DATA)}</a>
                    </li>
                    <li>
                        <a href=link("/docs/api")>"API"</a>
                    </li>
                    <li>
                        <a href=link("/api/v1/openapi.json")>"OpenAPI"</a>
                    </li>
                    {source}
                </ul>
                <nav aria-label=text(LANGUAGE)>
                    <ul>{Lang::ALL.map(language).collect_view()}</ul>
                </nav>
                <p>
                    {text(LICENCE)} ": " <span dir="ltr">{LICENCES}</span> ". "
                    <span inner_html=rich(CREDITS)></span>
                </p>
            </div>
        </footer>
    }
}
