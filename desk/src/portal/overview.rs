use super::{
    address::AddressForm,
    form::{Form, SubscriptionForm},
    layout::{Frame, document},
    live::live,
    log::{Log, NewestEvents},
    subscription::{Subscription, facts, page_of, shown_state},
};
use crate::{
    moment::Moment,
    words::{
        data, lang,
        portal::{
            EXPIRES, KEY, NO_SUBSCRIPTION_YET, PORTAL, REQUESTS_USED, SUBSCRIPTIONS, TIER, USAGE,
            WITHOUT_LIMIT,
        },
        t, with,
    },
};
use app::shell::link;
use kit::number::neutral;
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

/// The key and its use.
#[derive(Clone, Debug)]
pub struct Usage {
    pub prefix: String,
    pub tier: String,
    /// End of validity as RFC 3339.
    pub expires_at: Option<String>,
    /// Requests used and allowed in the last 60 seconds; `None` without a limit.
    pub requests: Option<(u32, u32)>,
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
    document(frame, t(PORTAL), content)
}

fn used(Usage { prefix, tier, expires_at, requests }: Usage) -> impl IntoView {
    let requests = match requests {
        None => view! { <p>{t(WITHOUT_LIMIT)}</p> }.into_any(),
        Some((used, limit)) => {
            let [shown, most] = [used, limit].map(|number| neutral(u64::from(number), lang()));
            let text = with(REQUESTS_USED, &[("used", &shown), ("limit", &most)]);
            view! {
                <p>
                    <label for="requests">{text}</label>
                    <meter id="requests" min="0" max=limit high={limit / 10 * 9} value=used></meter>
                </p>
            }
            .into_any()
        }
    };
    let expires_at =
        expires_at.map(|at| view! { <div><dt>{t(EXPIRES)}</dt> <dd><Moment at=at /></dd></div> });
    view! {
        {requests}
        <dl class="facts">
            <div>
                <dt>{t(KEY)}</dt>
                <dd>
                    <code>{prefix}</code>
                </dd>
            </div>
            <div>
                <dt>{t(TIER)}</dt>
                <dd>
                    <code>{tier}</code>
                </dd>
            </div>
            {expires_at}
        </dl>
    }
}

fn listed(subscriptions: Vec<Subscription>) -> AnyView {
    if subscriptions.is_empty() {
        return view! { <p class="hint">{t(NO_SUBSCRIPTION_YET)}</p> }.into_any();
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
        .into_any()
}
