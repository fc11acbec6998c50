//! A subscription of the partner, and its page.

use super::{
    deliveries::{Deliveries, DeliveryHistory},
    layout::{Frame, document},
    live::live,
    receiver::Receivers,
};
use crate::{
    backend::{Issued, Notice, SubscriptionState},
    moment::Moment,
    webhooks::state_in_words,
    words::{
        common::COMMA,
        data, lang,
        portal::{
            BACKLOG, CHANGE, CREATED, DELETE, DELETE_HINT, DELETE_IT, EVENTS, FILTER,
            FILTER_MAY_BE_WRONG, LAST_FAILURE, NEW_SECRET, NEW_SECRET_HINT, NEXT_ATTEMPT, PAUSE,
            REPLACE_THE_SECRET, RESPONSE_WAS, SHOWN_ONCE, SINCE, SUBSCRIPTION, TEST_EVENT,
            THE_SECRET,
        },
        t,
        webhooks::{ENABLE, SEND_A_TEST},
        with_views,
    },
};
use app::{brand::Brand, shell::link};
use kit::{
    html::{Html, IntoHtml},
    number::neutral,
    words::Word,
};
use leptos::prelude::*;
use model::ReportType;
use std::sync::Arc;

/// A subscription and the health of its endpoint, with instants as RFC 3339.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscription {
    pub id: String,
    pub url: String,
    pub created_at: String,
    pub selection: Selection,
    pub state: SubscriptionState,
    /// Start of the current failures.
    pub since: Option<String>,
    pub failure: Option<Failure>,
    /// Time of the next attempt while the endpoint fails.
    pub next_attempt_at: Option<String>,
    pub backlog: u64,
}

/// Events that a subscription receives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Names of the events.
    pub events: Vec<String>,
    /// Place of the reports; empty parts select all.
    pub country: String,
    pub region: String,
    pub city: String,
    /// Types of the reports. Empty means all types.
    pub types: Vec<ReportType>,
}

/// Reason of a failed attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Status of the response.
    Status(String),
    /// Reason why there was no response, in English.
    Error(String),
}

impl Failure {
    fn shown(self) -> Html {
        match self {
            Self::Status(status) => {
                with_views(&t(RESPONSE_WAS), [("status", data(status))]).into_html()
            }
            Self::Error(error) => view! { <bdi lang="en">{error}</bdi> }.into_html(),
        }
    }
}

impl Selection {
    fn events_shown(&self) -> impl IntoView + use<> {
        let codes = self.events.iter().map(|event| view! { <code>{event.clone()}</code> " " });
        codes.collect_view()
    }

    /// The filter in words, if there is one.
    fn filter_shown(&self) -> Option<Vec<Html>> {
        let brand = expect_context::<Arc<Brand>>();
        let places = [&self.city, &self.region, &self.country].into_iter();
        let places = places.filter(|part| !part.is_empty()).map(|part| data(&**part));
        let types = self.types.iter().map(|kind| brand.label(*kind, lang()).into_html());
        let mut shown = Vec::new();
        for part in places.chain(types) {
            if !shown.is_empty() {
                shown.push(t(COMMA).into_html());
            }
            shown.push(part);
        }
        (!shown.is_empty()).then_some(shown)
    }
}

/// State of a subscription.
pub(super) fn shown_state(state: SubscriptionState) -> impl IntoView {
    let class = match state {
        SubscriptionState::Active => "state well",
        SubscriptionState::Failing { .. } | SubscriptionState::Paused { .. } => "state bad",
        SubscriptionState::Disabled { .. } => "state",
    };
    view! { <span class=class>{state_in_words(state)}</span> }
}

/// Events, filter and health of a subscription.
pub(super) fn facts(subscription: &Subscription) -> impl IntoView + use<> {
    let Subscription { selection, since, failure, next_attempt_at, .. } = subscription.clone();
    let moment = |at: String| view! { <Moment at=at /> }.into_html();
    // The state has the other one of the two instants.
    let is_paused = matches!(subscription.state, SubscriptionState::Paused { .. });
    let facts = [
        (EVENTS, Some(selection.events_shown().into_html())),
        (FILTER, selection.filter_shown().map(IntoHtml::into_html)),
        (BACKLOG, Some(neutral(subscription.backlog, lang()).into_html())),
        (SINCE, since.filter(|_| is_paused).map(moment)),
        (LAST_FAILURE, failure.map(Failure::shown)),
        (NEXT_ATTEMPT, next_attempt_at.filter(|_| !is_paused).map(moment)),
        (CREATED, Some(moment(subscription.created_at.clone()))),
    ];
    let fact = |(name, value): (Word, Option<Html>)| {
        value.map(|value| view! { <div><dt>{t(name)}</dt> <dd>{value}</dd></div> })
    };
    view! { <dl class="facts">{facts.map(fact)}</dl> }
}

/// Content of the page of a subscription.
#[derive(Clone, Debug)]
pub struct SubscriptionPage {
    pub subscription: Subscription,
    /// Possible mistakes in the filter, in English.
    pub warnings: Vec<String>,
    pub deliveries: Deliveries,
    pub test: TestForm,
}

/// Events with which an endpoint can be tested.
#[derive(Clone, Debug)]
pub struct TestForm {
    pub events: Vec<String>,
    /// Event of the previous test.
    pub chosen: String,
}

/// Path and query of the page of a subscription.
pub fn page_of(id: &str) -> String {
    let id: String = form_urlencoded::byte_serialize(id.as_bytes()).collect();
    format!("/partners/subscription?id={id}")
}

/// The page `/partners/subscription?id=…`.
pub fn subscription(frame: Frame, page: SubscriptionPage) -> impl IntoView {
    let SubscriptionPage { subscription, warnings, deliveries, test } = page;
    let id = subscription.id.clone();
    let secret = match &frame.notice {
        Some(Notice::Issued(Issued { holder, key })) if *holder == id => Some(key.clone()),
        _ => None,
    };
    let issued = secret.clone().map(|secret| {
        view! {
            <section class="issued" role="status">
                <h2>{t(THE_SECRET)}</h2>
                <p>{t(SHOWN_ONCE)}</p>
                <p>
                    <code>{secret}</code>
                </p>
            </section>
        }
    });
    let warning = |detail: String| {
        let detail = view! { <bdi lang="en">{detail}</bdi> }.into_html();
        let text = with_views(&t(FILTER_MAY_BE_WRONG), [("detail", detail)]);
        view! { <p class="trouble">{text}</p> }
    };
    let content = view! {
        <h1>{t(SUBSCRIPTION)}</h1>
        <p class="endpoint">{data(subscription.url.clone())}</p>
        {issued}
        {warnings.into_iter().map(warning).collect_view()}
        {live("health", health(subscription))}
        {tested(id.clone(), test)}
        <DeliveryHistory id=id deliveries=deliveries />
        <Receivers secret=secret />
    };
    document(frame, t(SUBSCRIPTION), content.into_html())
}

/// The form that sends a test.
fn tested(id: String, TestForm { events, chosen }: TestForm) -> impl IntoView {
    let option = |event: String| {
        let is_chosen = event == chosen;
        view! {
            <option value=event.clone() selected=is_chosen>
                {event.clone()}
            </option>
        }
    };
    view! {
        <form class="again" method="post" action=link("/partners/do/test")>
            <input type="hidden" name="id" value=id />
            <label>
                {t(TEST_EVENT)}
                <select name="event" lang="en" dir="ltr">
                    {events.into_iter().map(option).collect_view()}
                </select>
            </label>
            <button type="submit">{t(SEND_A_TEST)}</button>
        </form>
    }
}

/// Health of a subscription, and the actions that are possible.
fn health(subscription: Subscription) -> impl IntoView {
    let facts = facts(&subscription);
    let Subscription { id, state, .. } = subscription;
    let action = |path: &str, word: Word| {
        view! {
            <form method="post" action=link(format!("/partners/do/{path}"))>
                <input type="hidden" name="id" value=id.clone() />
                <button type="submit">{t(word)}</button>
            </form>
        }
    };
    let confirmed = |path: &'static str, word: Word, hint: Word, button: Word| {
        view! {
            <details id=path>
                <summary>{t(word)}</summary>
                <form class="do" method="post" action=link(format!("/partners/do/{path}"))>
                    <input type="hidden" name="id" value=id.clone() />
                    <p class="hint">{t(hint)}</p>
                    <button class="reject" type="submit">
                        {t(button)}
                    </button>
                </form>
            </details>
        }
    };
    let (path, word) = match state {
        SubscriptionState::Disabled { .. } => ("enable", ENABLE),
        _ => ("pause", PAUSE),
    };
    view! {
        <p>
            {shown_state(state)}
        </p>
        {facts}
        <div class="ways">
            {action(path, word)}
            <a class="button" href=link(format!("/partners?change={id}#form"))>
                {t(CHANGE)}
            </a> {confirmed("rotate", NEW_SECRET, NEW_SECRET_HINT, REPLACE_THE_SECRET)}
            {confirmed("delete", DELETE, DELETE_HINT, DELETE_IT)}
        </div>
    }
}
