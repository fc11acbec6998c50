use super::{
    address::AddressForm,
    form::{Form, SubscriptionForm},
    layout::{Frame, document},
    live::live,
    log::{Log, NewestEvents},
    subscription::{Subscription, facts, page_of, shown_state},
    usage::{Usage, used},
};
use crate::words::{
    data,
    portal::{NO_SUBSCRIPTION_YET, PORTAL, SUBSCRIPTIONS, USAGE},
    t,
};
use app::shell::link;
use kit::html::{Html, IntoHtml};
use leptos::prelude::*;

/// Content of the first page.
#[derive(Clone, Debug)]
pub struct Overview {
    pub usage: Usage,
    pub subscriptions: Vec<Subscription>,
    /// Address for mails, which may be empty; `None` if the service sends none.
    pub address: Option<String>,
    pub form: Form,
    pub log: Log,
}

/// The page `/partners`.
pub fn overview(frame: Frame, overview: Overview) -> impl IntoView {
    let Overview { usage, subscriptions, address, form, log } = overview;
    let address = address.map(|address| view! { <AddressForm address=address /> });
    let content = view! {
        <h1>{t(PORTAL)}</h1>
        <section>
            <h2>{t(USAGE)}</h2>
            {live("usage", used(usage))}
        </section>
        <section>
            <h2>{t(SUBSCRIPTIONS)}</h2>
            {live("subscriptions", listed(subscriptions))}
        </section>
        <SubscriptionForm form=form />
        <NewestEvents log=log />
        {address}
    };
    document(frame, t(PORTAL), content.into_html())
}

fn listed(subscriptions: Vec<Subscription>) -> Html {
    if subscriptions.is_empty() {
        return view! { <p class="hint">{t(NO_SUBSCRIPTION_YET)}</p> }.into_html();
    }
    let row = |subscription: Subscription| {
        let facts = facts(&subscription);
        let Subscription { id, url, state, .. } = subscription;
        view! {
            <li>
                <a class="endpoint" href=link(page_of(&id))>
                    {data(url)}
                </a>
                {shown_state(state)}
                {facts}
            </li>
        }
    };
    view! { <ol class="entries cards">{subscriptions.into_iter().map(row).collect_view()}</ol> }
        .into_html()
}
