mod around;
mod correcting;
mod map;

use crate::words::{
    common::{DATE_LABEL, PEOPLE, PLACE, RECEIVED, STATUS, TYPE},
    correct::CORRECT_PLACE,
    date, for_island,
    list::{
        KEY_BACK, KEY_CORRECT, KEY_KEYS, KEY_NEXT, KEY_PREVIOUS, KEY_REJECT_BECAUSE, KEY_UNDO, KEYS,
    },
    minute,
    report::{
        CONTACT, HISTORY, NO_SUCH_REPORT, NOTE, OPEN_STREET_MAP, REPORT, SOURCE,
        STATUS_AND_DECISION,
    },
    status, t, with, words,
};

pub(crate) use self::correcting::with_typed;

use self::{
    around::Around,
    correcting::{Correcting, TYPED},
    map::Surroundings,
};
use super::{
    audit::Line,
    backend::{AuditLine, Beside, Origin, SharedWork},
    correct,
    correction::CORRECT,
    duplicates::{Duplicates, duplicates},
    functions::Decide,
    layout::{DeskQuery, Page, action, list_path},
    model::{Item, Label, Position, PossibleDuplicate, Verdict},
    reason::ReasonFields,
    report_keys::ReportKeys,
    shortcuts::described,
};
use crate::queue_list::encoded;
use app::shell::Assets;
use kit::{html::IntoHtml, words::Word};
use leptos::prelude::*;
use std::sync::Arc;

/// Path of a report's page, with the query of the list that it is opened from, if there is one.
pub(crate) fn path_of(id: &str, list: Option<&str>) -> String {
    let list = list.map(|list| format!("&list={}", encoded(list)));
    format!("/desk/report?id={}{}", encoded(id), list.unwrap_or_default())
}

/// The page `/desk/report?id=…`: a report of any status, with its history.
#[component]
pub(super) fn ReportPage() -> impl IntoView {
    let asked = expect_context::<DeskQuery>();
    let work = expect_context::<SharedWork>();
    let assets = expect_context::<Arc<Assets>>();
    Suspend::new(async move {
        let (typed, is_open) = (asked.value(TYPED), !asked.value(CORRECT).is_empty());
        let (id, list) = (asked.id.unwrap_or_default(), asked.list);
        let may_decide = work.person().may_decide;
        let content = match work.report(&id).await {
            Ok(Some((item, deeds))) => match work.beside(&id, list.as_deref()).await {
                Ok(beside) => {
                    let others = duplicates(&work, &item).await;
                    view! {
                        <Shown item=item others=others deeds=deeds beside=beside may_decide=may_decide list=list typed=typed is_open=is_open />
                    }
                    .into_html()
                }
                Err(user_error) => trouble(user_error.0).into_html(),
            },
            Ok(None) => view! {
                <h1>{t(REPORT)}</h1>
                <p class="trouble">{t(NO_SUCH_REPORT)}</p>
            }
            .into_html(),
            Err(user_error) => trouble(user_error.0).into_html(),
        };
        view! { <Page title=t(REPORT) script=assets.desk.clone()>{content}</Page> }
    })
}

fn trouble(sentence: String) -> impl IntoView {
    view! {
        <h1>{t(REPORT)}</h1>
        <p class="trouble" role="alert">{sentence}</p>
    }
}

#[component]
fn Shown(
    item: Item,
    /// Possible duplicates of the report.
    others: Vec<(PossibleDuplicate, Item)>,
    deeds: Vec<AuditLine>,
    beside: Beside,
    may_decide: bool,
    /// Query of the list that the page was opened from.
    list: Option<String>,
    /// A correction that was refused.
    typed: String,
    /// Whether the form that corrects the report is open.
    is_open: bool,
) -> impl IntoView {
    let own = path_of(&item.id, list.as_deref());
    let after = after_decision(&beside, list.as_deref()).unwrap_or_else(|| own.clone());
    let place = [&item.city, &item.region, &item.country];
    let place: Vec<&str> =
        place.into_iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
    let labels = Label::all();
    let kind = labels.iter().find(|label| label.kind == item.kind);
    let kind = kind.map_or_else(|| item.kind.clone(), |label| label.text.clone());
    let current = match &beside.decided {
        Some(decision) => {
            let values = [("status", &*status(&item.status)), ("decision", decision)];
            with(STATUS_AND_DECISION, &values)
        }
        None => status(&item.status),
    };
    let facts = [
        (PLACE, place.join(", ")),
        (DATE_LABEL, date(&item.event_date)),
        (PEOPLE, item.people.to_string()),
        (TYPE, kind),
        (RECEIVED, minute(&item.created_at)),
        (STATUS, current),
    ];
    let facts = facts.into_iter().chain(origin(beside.origin.clone()));
    let facts = facts.map(|(name, value)| view! { <dt>{t(name)}</dt> <dd><bdi>{value}</bdi></dd> });
    let facts = facts.collect_view();
    let button = |verdict: &Verdict| {
        view! {
            <button
                class=verdict.as_str()
                type="submit"
                name="one"
                value=format!("{}:{}", verdict.as_str(), item.id)
                data-key=verdict.key()
            >
                {t(verdict.word())}
            </button>
        }
    };
    let buttons = Verdict::possible(&item.status).iter().map(button).collect_view();
    let is_pending = item.status == "PENDING";
    let decide = may_decide.then(|| {
        view! {
            <form class="decide" method="post" action={action::<Decide>()}>
                <input type="hidden" name="back" value=after.clone() />
                <input type="hidden" name="page" value=own.clone() />
                <ReasonFields offers_reasons=is_pending />
                <div class="do">{buttons}</div>
            </form>
        }
    });
    let correct = may_decide.then(|| {
        let item = item.clone();
        view! { <Correcting item=item list=list.clone() typed=typed open=is_open labels=labels /> }
    });
    let map = item.position.map(|position| {
        view! {
            <div class="where">
                <Surroundings position=position name=item.city.clone() />
                <a href=open_street_map(position) rel="noreferrer">
                    {t(OPEN_STREET_MAP)}
                </a>
            </div>
        }
    });
    let keys = keys(&item.status, &beside, may_decide);
    let keys = keys.into_iter().map(|(key, what)| described(key, what)).collect_view();
    let page = own.clone();
    let history = deeds.into_iter().map(|line| view! { <Line line=line page=page.clone() /> });
    let of_place = correct::of_place(&item, &own);
    view! {
        <article class="report">
            <Around
                id=item.id.clone()
                list=list.clone()
                beside=beside.clone()
                may_decide=may_decide
            />
            <h1>
                <bdi>{item.id.clone()}</bdi>
            </h1>
            <dl>{facts}</dl>
            {map}
            {decide}
            {correct}
            {may_decide.then(|| view! { <p><a href=of_place>{t(CORRECT_PLACE)}</a></p> })}
            {(!others.is_empty())
                .then(|| {
                    view! {
                        <Duplicates item=item others=others list=list after=after may_decide=may_decide />
                    }
                })}
            <section>
                <h2>{t(HISTORY)}</h2>
                <ol class="history">{history.collect_view()}</ol>
            </section>
        </article>
        <div class="keys">
            {for_island(&[KEYS])}
            <ReportKeys />
            {keys}
        </div>
    }
}

/// Source, note and contact of a report, as far as they are known.
fn origin(origin: Option<Origin>) -> impl Iterator<Item = (Word, String)> {
    let origin = origin.into_iter().flat_map(|Origin { source, note, contact }| {
        [(SOURCE, source.in_words(&words())), (NOTE, note), (CONTACT, contact)]
    });
    origin.filter(|(_, text)| !text.is_empty())
}

/// Page to open after a decision: as in the list, the next report, or else the one before. `None`
/// without a list.
fn after_decision(beside: &Beside, list: Option<&str>) -> Option<String> {
    let list = list?;
    let next = beside.next.as_ref().or(beside.previous.as_ref());
    Some(next.map_or_else(|| list_path(list), |next| path_of(next, Some(list))))
}

/// The keys of the page with their descriptions.
fn keys(status: &str, beside: &Beside, may_decide: bool) -> Vec<(String, String)> {
    let verdicts = if may_decide { Verdict::possible(status) } else { &[] };
    let decisions = verdicts.iter().map(|verdict| (verdict.key(), verdict.of_key()));
    let others = [
        ("j", KEY_NEXT, beside.next.is_some()),
        ("k", KEY_PREVIOUS, beside.previous.is_some()),
        ("e", KEY_CORRECT, may_decide),
        ("u", KEY_UNDO, may_decide && beside.last.is_some()),
        ("o", KEY_BACK, true),
        ("?", KEY_KEYS, true),
    ];
    let others =
        others.into_iter().filter(|(.., exists)| *exists).map(|(key, what, _)| (key, what));
    let keys = decisions.chain(others).map(|(key, what)| (key.to_owned(), t(what)));
    let reasons = match verdicts.contains(&Verdict::Reject) {
        true => expect_context::<SharedWork>().reasons(),
        false => Vec::new(),
    };
    let reasons = (1..=9).zip(reasons);
    let reasons = reasons.map(|(number, reason)| {
        (number.to_string(), with(KEY_REJECT_BECAUSE, &[("reason", &reason)]))
    });
    keys.chain(reasons).collect()
}

/// Link to a position in OpenStreetMap.
fn open_street_map(Position { lat, lng }: Position) -> String {
    format!("https://www.openstreetmap.org/?mlat={lat}&mlon={lng}#map=10/{lat}/{lng}")
}
