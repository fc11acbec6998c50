//! The snippet builder: a plain GET form. The response is the page with the selected widget and its
//! snippets. `public/home.js` fetches that page after each choice and replaces the changed parts,
//! so the snippets are made in one place only.

mod field;
mod place;

use self::place::no_such_place;
pub(super) use self::place::similar_places;
use super::words::{
    A_SCRIPT_THAT_NEVER_CHANGES, AN_IFRAME_IS_ENOUGH, AS_A_PINNED_SCRIPT, AS_A_SCRIPT,
    AS_AN_IFRAME, COPIED, COPY, FILES_AND_FEEDS, FOR_STRICT_PAGES, FULL, PREVIEW,
    PUT_IT_ON_YOUR_PAGE, SELECTED, SHOW, THE_SCRIPT_DOES_THE_SAME, WIDGET,
};
use crate::{
    brand::Brand,
    contract::{
        Place,
        options::{EmbedOption, OPTIONS},
    },
    page_data::SharedPageData,
    pages::{
        figure::{Labels, figure},
        in_language::{rich, text},
    },
    request::PageRequest,
    shell::{Assets, link},
    widgets::registry::{FORM, WIDGETS},
};
use kit::html::{Html, IntoHtml};
use leptos::prelude::*;
use std::sync::Arc;

/// Widths of the preview, in pixels. `style/page.css` applies them.
const WIDTHS: [&str; 2] = ["320", "600"];

/// Downloads and feeds, which take the filters of widgets.
const FILES: [(&str, &str); 5] = [
    ("/api/v1/reports.csv", "CSV"),
    ("/api/v1/reports.geojson", "GeoJSON"),
    ("/api/v1/reports.ndjson", "NDJSON"),
    ("/feeds/reports.atom", "Atom"),
    ("/feeds/reports.json", "JSON Feed"),
];

/// The form, and the resulting preview and snippets. `similar` has places with similar names, if the chosen place does
/// not exist.
pub(super) fn builder(similar: Option<Vec<Place>>) -> Html {
    let PageRequest { embed, base_url, lang, is_lang_chosen, .. } = expect_context();
    let words = expect_context::<Arc<Brand>>().words(lang);
    let height = embed.widget.height.to_string();
    let iframe = embed.iframe(base_url.as_str(), "100%", &height, "\n  ");
    let script = embed.script(base_url.as_str());
    let pinned = embed.pinned_script(base_url.as_str(), &expect_context::<Arc<Assets>>().loader);
    let form = expect_context::<SharedPageData>().report_form().map(|_| FORM);
    let widgets = WIDGETS.iter().chain(form);
    let widgets: Vec<_> =
        widgets.map(|widget| (widget.name, text(widget.label).to_owned())).collect();
    let option = |option: &EmbedOption| {
        let field = field::of(option, embed.options.chosen(option.name), &words);
        if option.widgets.is_empty() {
            return field;
        }
        view! { <div class="only" hidden=!option.is_of(embed.widget.name)>{field}</div> }
            .into_html()
    };
    let end_of_place =
        OPTIONS.iter().position(|option| option.name == "city").map_or(0, |at| at + 1);
    let (first, rest) = OPTIONS.split_at(end_of_place);
    let hint = similar.map(|similar| no_such_place(&embed, similar));
    let preview = view! {
        <iframe
            id="preview"
            class="widget"
            src=link(embed.address())
            width="100%"
            height=height
            title=[embed.title(), " (", text(PREVIEW), ")"].concat()
            data-theme=embed.options.theme.as_str()
            data-bg=embed.options.bg.as_str()
        ></iframe>
    }
    .attr("loading", "lazy");
    let labels = Labels { copy: text(COPY), copied: text(COPIED), selected: text(SELECTED) };
    let filters = embed.options.filters();
    let mark = if filters.is_empty() { "" } else { "?" };
    let file = |(path, name): &(&str, &'static str)| {
        view! {
            " "
            <a href=link(format!("{path}{mark}{filters}")) dir="ltr">
                {*name}
            </a>
        }
    };
    let language =
        is_lang_chosen.then(|| view! { <input type="hidden" name="language" value=lang.tag() /> });
    view! {
        <section class="builder" aria-labelledby="builder">
            <h2 id="builder">{text(PUT_IT_ON_YOUR_PAGE)}</h2>
            <p>{text(AN_IFRAME_IS_ENOUGH)}</p>
            <div class="columns">
                <form method="get" action=link("/#builder")>
                    {language}
                    {field::one("widget", text(WIDGET), &widgets, embed.widget.name)}
                    {first.iter().map(option).collect_view()}
                    <div id="no-such-place" role="status">
                        {hint}
                    </div>
                    {rest.iter().map(option).collect_view()}
                    <button type="submit">{text(SHOW)}</button>
                </form>
                <div class="sight">
                    {widths()}
                    <div class="stage">{preview}</div>
                    {figure(text(AS_AN_IFRAME), "iframe".to_owned(), ("html", &iframe), labels)}
                </div>
            </div>
            <div class="columns">
                <div>
                    <p inner_html=rich(THE_SCRIPT_DOES_THE_SAME)></p>
                    <details>
                        <summary>{text(A_SCRIPT_THAT_NEVER_CHANGES)}</summary>
                        <p inner_html=rich(FOR_STRICT_PAGES)></p>
                        {figure(text(AS_A_PINNED_SCRIPT), "pinned".to_owned(), ("html", &pinned), labels)}
                    </details>
                </div>
                {figure(text(AS_A_SCRIPT), "script".to_owned(), ("html", &script), labels)}
            </div>
            <p id="files">
                {text(FILES_AND_FEEDS)} {FILES.iter().map(file).collect_view()}
            </p>
        </section>
    }
    // Boxed, because the full type exceeds the compiler's limits inside the page's type.
    .into_html()
}

/// Radio buttons for the width of the preview, outside the form: they change styles only.
fn widths() -> impl IntoView {
    let narrow = WIDTHS.map(|width| (width, format!("{width} px"), false));
    let width = |(value, label, is_checked): (&'static str, String, bool)| {
        view! {
            <label>
                <input type="radio" name="width" value=value checked=is_checked />
                <span dir="auto">{label}</span>
            </label>
        }
    };
    let all = narrow.into_iter().chain([("full", text(FULL).to_owned(), true)]);
    view! {
        <fieldset class="widths">
            <legend>{text(PREVIEW)}</legend>
            <div>{all.map(width).collect_view()}</div>
        </fieldset>
    }
}
