mod apart;

use self::apart::{KeepApartButton, PairsApart};
use super::{
    backend::{SharedWork, Similar, Spelling, Spellings},
    correct::{NO_REGION, OF_PLACE},
    functions::Undo,
    layout::{Page, action},
    model::{Decision, PlaceNames},
};
use crate::{
    correct::status_count,
    words::{
        common::{COMMA, UNDO},
        correct::{
            CHOOSE_SPELLING, KEEP_THIS, KEEP_THIS_PLACE, MORE_PAIRS, NO_PAIRS, PLACES,
            TWO_SPELLINGS,
        },
        list::JUST_DECIDED,
        sentence, t, with,
    },
};
use app::shell::link;

use kit::html::IntoHtml;
use leptos::prelude::*;

/// The page `/desk/places`: places that may be spelled in two ways.
#[component]
pub(super) fn PlacesPage() -> impl IntoView {
    let work = expect_context::<SharedWork>();
    Suspend::new(async move {
        let may_decide = work.person().may_decide;
        let content = match work.spellings().await {
            Ok(spellings) => {
                view! { <Pairs spellings=spellings may_decide=may_decide /> }.into_html()
            }
            Err(user_error) => {
                view! { <p class="trouble" role="alert">{user_error.0}</p> }.into_html()
            }
        };
        view! {
            <Page title=t(PLACES)>
                <h1>{t(TWO_SPELLINGS)}</h1>
                {content}
            </Page>
        }
    })
}

#[component]
fn Pairs(spellings: Spellings, may_decide: bool) -> impl IntoView {
    let Spellings { pairs, more, apart, decisions } = spellings;
    let about = match pairs.is_empty() {
        true => view! { <p class="empty">{t(NO_PAIRS)}</p> }.into_html(),
        false => view! {
            <p class="hint">
                {t(CHOOSE_SPELLING)}
            </p>
        }
        .into_html(),
    };
    let pairs = pairs.into_iter().map(|pair| {
        let keep_apart = may_decide.then(|| view! { <KeepApartButton pair=pair.clone() /> });
        let Similar { places: [one, other], reason } = pair;
        let one_stays = may_decide.then(|| merge(&other, &one));
        let other_stays = may_decide.then(|| merge(&one, &other));
        view! {
            <li>
                <Side spelling=one merge=one_stays />
                <Side spelling=other merge=other_stays />
                <div class="both">
                    <span class="reason">{reason}</span>
                    {keep_apart}
                </div>
            </li>
        }
    });
    let more = (more > 0).then(|| {
        view! { <p class="hint">{sentence(MORE_PAIRS, more as u64)}</p> }
    });
    let decisions = decisions.into_iter().map(|Decision { entry, text, .. }| {
        view! {
            <li>
                <span>{text}</span>
                <form method="post" action={action::<Undo>()}>
                    <input type="hidden" name="entry" value=entry.to_string() />
                    <input type="hidden" name="back" value="/desk/places" />
                    <button type="submit">{t(UNDO)}</button>
                </form>
            </li>
        }
    });
    let decisions: Vec<_> = decisions.collect();
    let decisions = (!decisions.is_empty()).then(|| {
        view! {
            <section class="decisions">
                <h2>{t(JUST_DECIDED)}</h2>
                <ol>{decisions}</ol>
            </section>
        }
    });
    view! {
        {about}
        <ol class="pairs">{pairs.collect_view()}</ol>
        {more}
        {decisions}
        <PairsApart pairs=apart may_decide=may_decide />
    }
}

/// A spelling of a place, beside the other one.
#[component]
fn Side(
    spelling: Spelling,
    /// Path of the page that gives the other place this spelling.
    merge: Option<String>,
) -> impl IntoView {
    let Spelling { city, region, country, statuses } = spelling;
    let place = [region, country].into_iter().filter(|part| !part.is_empty());
    let place = place.collect::<Vec<_>>().join(", ");
    let counts = statuses.iter().map(|one| status_count(&one.name, one.reports));
    let counts = counts.collect::<Vec<_>>().join(&t(COMMA));
    let label = with(KEEP_THIS_PLACE, &[("place", &format!("{city}, {place}"))]);
    let merge = merge.map(|path| {
        view! {
            <a class="button" href=link(path) aria-label=label>
                {t(KEEP_THIS)}
            </a>
        }
    });
    view! {
        <div>
            <p class="place">
                <b>
                    <bdi>{city}</bdi>
                </b>
                " "
                <span>
                    <bdi>{place}</bdi>
                </span>
            </p>
            <span class="count">{counts}</span>
            {merge}
        </div>
    }
}

/// Path of the page that gives all reports from `from` the names of `to`.
fn merge(from: &Spelling, to: &Spelling) -> String {
    let names = |one: &Spelling| [one.country.clone(), one.region.clone(), one.city.clone()];
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(OF_PLACE.into_iter().zip(names(from)));
    query.extend_pairs(["newCountry", "newRegion", "newCity"].into_iter().zip(names(to)));
    if to.region.is_empty() {
        query.append_pair(NO_REGION, "1");
    }
    format!("/desk/correct?{}", query.finish())
}

/// Names of a place, such as `Campinas, São Paulo, Brazil`.
fn full_name(PlaceNames { country, region, city }: &PlaceNames) -> String {
    let names = [city, region, country].map(String::as_str);
    names.into_iter().filter(|name| !name.is_empty()).collect::<Vec<_>>().join(", ")
}
