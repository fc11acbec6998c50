//! Message about a chosen place that does not exist.

use crate::{
    contract::{EmbedOptions, Place, options::Name, snippets::Embed},
    page_data::{PageData, Unavailable},
    pages::{
        home::words::{DID_YOU_MEAN, NO_SUCH_PLACE, QUESTION_MARK},
        in_language::{address, text},
    },
    request::PageRequest,
    shell::link,
    words::common::COMMA,
};
use leptos::prelude::*;

/// Places with similar names, if there is no such place as in the options. A place with reports exists, even if no
/// gazetteer has it.
pub(in crate::pages::home) async fn similar_places(
    source: &dyn PageData,
    options: &EmbedOptions,
) -> Result<Option<Vec<Place>>, Unavailable> {
    let place = options.place();
    let Some(similar) = source.similar_places(&place) else { return Ok(None) };
    let EmbedOptions { country, region, city, .. } = options.clone();
    let here = EmbedOptions { country, region, city, ..EmbedOptions::default() };
    let is_reported = source.metrics(&here).await?.total > 0;
    Ok((!is_reported).then_some(similar))
}

/// "No such place. Did you mean Lyon, France?" Each place is a link to the page with that place.
pub(super) fn no_such_place(embed: &Embed, similar: Vec<Place>) -> impl IntoView + use<> {
    let PageRequest { lang, is_lang_chosen, .. } = expect_context();
    let link_to = |(index, place): (usize, Place)| {
        let named = |name: &Option<String>| name.as_deref().and_then(Name::from_text);
        let mut embed = embed.clone();
        embed.options.country = named(&place.country);
        embed.options.region = named(&place.region);
        embed.options.city = named(&place.city);
        let page = if is_lang_chosen { address(lang) + "&" } else { "/?".to_owned() };
        let href =
            format!("{page}widget={}&{}#builder", embed.widget.name, embed.options.to_query());
        view! {
            {(index > 0).then_some(COMMA.text(lang))}
            <a href=link(href)>
                <bdi>{place.name(COMMA.text(lang))}</bdi>
            </a>
        }
    };
    let question = (!similar.is_empty()).then(|| {
        view! {
            " " {text(DID_YOU_MEAN)} " " {similar.into_iter().enumerate().map(link_to).collect_view()}
            {text(QUESTION_MARK)}
        }
    });
    view! {
        <p class="hint">
            {text(NO_SUCH_PLACE)} {question}
        </p>
    }
}
