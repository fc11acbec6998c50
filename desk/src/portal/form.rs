use super::subscription::{Selection, page_of};
use crate::{
    model::Label,
    words::{
        common::{CITY, COUNTRY, REGION, SAVE},
        portal::{
            CANCEL, CHANGE_SUBSCRIPTION, ENDPOINT_URL, EVENTS, NEW_SUBSCRIPTION, ONLY_REPORTS_FROM,
            ONLY_TYPES, SUBSCRIBE, TRY_FILTER,
        },
        t,
    },
};
use app::shell::link;
use leptos::prelude::*;

/// Values of the form of a subscription, which also tries its filter.
#[derive(Clone, Debug, Default)]
pub struct Form {
    /// Id of the subscription that the form changes; `None` for a new one.
    pub changed: Option<String>,
    pub url: String,
    pub selection: Selection,
    /// Names of all events that a subscription can have.
    pub events: Vec<String>,
    /// Token of this form: sent twice, it subscribes once.
    pub once: String,
}

/// The form of a subscription.
#[component]
pub(super) fn SubscriptionForm(form: Form) -> impl IntoView {
    let Form { changed, url, selection, events, once } = form;
    let (title, action, button) = match changed {
        None => (NEW_SUBSCRIPTION, "/partners/do/subscribe", SUBSCRIBE),
        Some(_) => (CHANGE_SUBSCRIPTION, "/partners/do/change", SAVE),
    };
    let cancel = changed
        .as_deref()
        .map(|id| view! { <a class="button" href=link(page_of(id))>{t(CANCEL)}</a> });
    let event = |name: String| {
        let is_chosen = selection.events.contains(&name);
        view! {
            <label class="choice">
                <input type="checkbox" name="event" value=name.clone() checked=is_chosen />
                <code>{name}</code>
            </label>
        }
    };
    let kind = |Label { kind, text }: Label| {
        let is_chosen = selection.types.iter().any(|chosen| chosen.as_str() == kind);
        view! {
            <label class="choice">
                <input type="checkbox" name="type" value=kind checked=is_chosen />
                {text}
            </label>
        }
    };
    let events = events.into_iter().map(event).collect_view();
    let types = Label::all().into_iter().map(kind).collect_view();
    let parts = [
        ("country", COUNTRY, selection.country),
        ("region", REGION, selection.region),
        ("city", CITY, selection.city),
    ];
    let parts = parts.map(|(name, label, value)| {
        view! {
            <label>
                {t(label)} <input name=name value=value maxlength="256" autocomplete="off" />
            </label>
        }
    });
    view! {
        <section id="form">
            <h2>{t(title)}</h2>
            <form class="subscription" method="post" action=link(action)>
                <label>
                    {t(ENDPOINT_URL)}
                    <input
                        type="url"
                        name="url"
                        value=url
                        dir="ltr"
                        maxlength="2048"
                        autocomplete="off"
                        spellcheck="false"
                        required
                    />
                </label>
                <fieldset>
                    <legend>{t(EVENTS)}</legend>
                    {events}
                </fieldset>
                <fieldset>
                    <legend>{t(ONLY_REPORTS_FROM)}</legend>
                    <div class="fields">{parts}</div>
                </fieldset>
                <fieldset>
                    <legend>{t(ONLY_TYPES)}</legend>
                    {types}
                </fieldset>
                <input type="hidden" name="id" value=changed.unwrap_or_default() />
                <input type="hidden" name="once" value=once />
                <div class="do">
                    <button class="main" type="submit">
                        {t(button)}
                    </button>
                    <button type="submit" formaction=link("/partners/do/try") formnovalidate>
                        {t(TRY_FILTER)}
                    </button>
                    {cancel}
                </div>
            </form>
        </section>
    }
}
