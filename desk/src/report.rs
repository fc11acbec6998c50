use model::ReportType;

use super::{
    audit::Line,
    backend::{AuditLine, SharedWork},
    duplicates::Duplicates,
    functions::{Correct, Decide},
    layout::{DeskQuery, Page, action},
    map::{Land, Map},
    model::{Item, Position, Verdict},
    reason::ReasonFields,
};
use crate::queue_list::{anchor, encoded};
use app::{brand::Brand, shell::link};
use kit::{
    lang::Lang,
    time::{date, minute},
};
use leptos::prelude::*;
use std::sync::Arc;

/// The page `/desk/report?id=…`: a report of any status, with its history.
#[component]
pub(super) fn ReportPage() -> impl IntoView {
    let asked = expect_context::<DeskQuery>();
    let work = expect_context::<SharedWork>();
    Suspend::new(async move {
        let id = asked.id.unwrap_or_default();
        let may_decide = work.person().may_decide;
        let content = match work.report(&id).await {
            Ok(Some((item, deeds))) => {
                let list = asked.list.unwrap_or_default();
                view! { <Shown item=item deeds=deeds may_decide=may_decide list=list /> }.into_any()
            }
            Ok(None) => {
                view! { <p class="trouble">"There is no report with this id."</p> }.into_any()
            }
            Err(user_error) => {
                view! { <p class="trouble" role="alert">{user_error.0}</p> }.into_any()
            }
        };
        view! { <Page title="Report">{content}</Page> }
    })
}

#[component]
fn Shown(
    item: Item,
    deeds: Vec<AuditLine>,
    may_decide: bool,
    /// Query of the list that the page was opened from.
    list: String,
) -> impl IntoView {
    let back_to_list = link(format!("/desk?{list}#{}", anchor(&item.id)));
    let place = [&item.city, &item.region, &item.country];
    let place: Vec<&str> =
        place.into_iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
    let brand = expect_context::<Arc<Brand>>();
    let kinds = ReportType::ALL.map(|kind| (kind.as_str(), brand.label(kind, Lang::En)));
    let kind = kinds.iter().find(|(name, _)| *name == item.kind);
    let kind = kind.map_or_else(|| item.kind.clone(), |(_, label)| label.to_string());
    let facts = [
        ("Place", place.join(", ")),
        ("Date", date(&item.event_date)),
        ("People", item.people.to_string()),
        ("Type", kind),
        ("Received", minute(&item.created_at)),
        ("Status", item.status.to_lowercase()),
    ];
    let facts = facts.map(|(name, value)| view! { <dt>{name}</dt> <dd>{value}</dd> });
    let back = format!("/desk/report?id={}", encoded(&item.id));
    let button = |verdict: &Verdict| {
        view! {
            <button
                class=verdict.as_str()
                type="submit"
                name="one"
                value=format!("{}:{}", verdict.as_str(), item.id)
            >
                {verdict.word()}
            </button>
        }
    };
    let buttons = Verdict::possible(&item.status).iter().map(button).collect_view();
    let is_pending = item.status == "PENDING";
    let decide = may_decide.then(|| {
        view! {
            <form class="decide" method="post" action={action::<Decide>()}>
                <input type="hidden" name="back" value=back />
                <ReasonFields offers_reasons=is_pending />
                <div class="do">{buttons}</div>
            </form>
        }
    });
    let correct = may_decide.then(|| {
        let kinds = kinds.clone().map(|(name, label)| (name, label.to_string()));
        view! { <Correcting item=item.clone() kinds=kinds.to_vec() /> }
    });
    let map = item.position.map(|position| {
        view! {
            <Land />
            <Map position=position />
            <p>
                <a href=open_street_map(position) rel="noreferrer">
                    "See it in OpenStreetMap"
                </a>
            </p>
        }
    });
    let of_place = super::correct::of_place(&item);
    let own = format!("/desk/report?id={}", encoded(&item.id));
    let history = deeds.into_iter().map(|line| view! { <Line line=line page=own.clone() /> });
    view! {
        <article class="report">
            <h1>{item.id.clone()}</h1>
            <dl>{facts}</dl>
            {map}
            {decide}
            {correct}
            {may_decide.then(|| view! { <p><a href=of_place>"Correct this place in all reports"</a></p> })}
            <Duplicates item=item.clone() may_decide=may_decide />
            <section>
                <h2>"What was done"</h2>
                <ol class="history">{history.collect_view()}</ol>
            </section>
            <p>
                <a href=back_to_list>"Back to the list"</a>
            </p>
        </article>
    }
}

/// Link to a position in OpenStreetMap.
fn open_street_map(Position { lat, lng }: Position) -> String {
    format!("https://www.openstreetmap.org/?mlat={lat}&mlon={lng}#map=10/{lat}/{lng}")
}

/// The form that corrects a report.
#[component]
fn Correcting(
    item: Item,
    /// The types with their labels.
    kinds: Vec<(&'static str, String)>,
) -> impl IntoView {
    let options = kinds.into_iter().map(|(name, label)| {
        view! {
            <option value=name selected=name == item.kind>
                {label}
            </option>
        }
    });
    let (lat, lng) =
        item.position.map(|Position { lat, lng }| (lat.to_string(), lng.to_string())).unzip();
    let text = |name: &'static str, label: &'static str, value: String, required: bool| {
        view! {
            <label>
                {label}
                <input name=format!("correction[{name}]") value=value required=required />
            </label>
        }
    };
    let is_approved = item.status == "APPROVED";
    view! {
        <details class="correct">
            <summary>"Correct this report"</summary>
            <form class="fields" method="post" action={action::<Correct>()}>
                <input type="hidden" name="id" value=item.id />
                <label>
                    "Type" <select name="correction[kind]">{options.collect_view()}</select>
                </label>
                {text("city", "City", item.city, true)}
                {text("region", "Region", item.region, false)}
                {text("country", "Country", item.country, true)}
                <label>
                    "People"
                    <input
                        type="number"
                        name="correction[people]"
                        min="1"
                        required
                        value=item.people.to_string()
                    />
                </label>
                <label>
                    "Date"
                    <input
                        type="date"
                        name="correction[event_date]"
                        required
                        value=item.event_date
                    />
                </label>
                {text("lat", "Latitude", lat.unwrap_or_default(), false)}
                {text("lng", "Longitude", lng.unwrap_or_default(), false)}
                <p class="hint">
                    {is_approved
                        .then_some(
                            "This report is published: a correction updates the counters, and webhooks receive \
                                report.updated.",
                        )}
                </p>
                <button class="main" type="submit">
                    "Save"
                </button>
            </form>
        </details>
    }
}
