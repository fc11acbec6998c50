use super::{
    backend::{SharedWork, Subscription, SubscriptionState},
    functions::{Disable, Enable, Test},
    keys::OnlyAdmin,
    layout::{Page, action},
    words::{
        data, lang, minute, t,
        webhooks::{
            ACTIVE, DELIVERIES, DELIVERIES_REPLAYS_AND_DELETION, DISABLE, DISABLE_IT, DISABLED,
            DISABLED_BECAUSE, ENABLE, FAILING, HOW_PARTNERS_SUBSCRIBE, KEYS_FOR_PARTNERS,
            NO_PARTNER_HAS_SUBSCRIBED_YET, OPERATORS_API, PAUSED, REASON_FOR_THE_PARTNER,
            SEND_A_TEST, WEBHOOKS,
        },
        with_views, words,
    },
};
use app::shell::link;
use kit::{
    html::{Html, IntoHtml},
    number::neutral,
};
use leptos::prelude::*;

/// The page `/desk/webhooks`: the subscriptions of all partners.
#[component]
pub(super) fn WebhooksPage() -> impl IntoView {
    let work = expect_context::<SharedWork>();
    Suspend::new(async move {
        let may_administer = work.person().may_administer;
        let content = match work.subscriptions().await {
            Ok(subscriptions) if subscriptions.is_empty() => view! {
                <p class="empty">
                    {t(NO_PARTNER_HAS_SUBSCRIBED_YET)} " "
                    <a href=link("/desk/keys")>{t(KEYS_FOR_PARTNERS)}</a> " · "
                    <a href=link("/docs/webhooks")>{t(HOW_PARTNERS_SUBSCRIBE)}</a>
                </p>
            }
            .into_html(),
            Ok(subscriptions) => {
                let shown = subscriptions.into_iter().map(|one| shown(one, may_administer));
                view! { <ol class="entries">{shown.collect_view()}</ol> }.into_html()
            }
            Err(user_error) => {
                view! { <p class="trouble" role="alert">{user_error.0}</p> }.into_html()
            }
        };
        let hint = (!may_administer).then(|| view! { <OnlyAdmin /> });
        view! {
            <Page title=t(WEBHOOKS)>
                <h1>{t(WEBHOOKS)}</h1>
                {hint}
                {content}
                <p class="hint">
                    {t(DELIVERIES_REPLAYS_AND_DELETION)} " "
                    <a href=link("/docs/operator")>{t(OPERATORS_API)}</a>
                </p>
            </Page>
        }
    })
}

fn shown(one: Subscription, may_administer: bool) -> impl IntoView {
    let Subscription { id, partner, url, state, pending, delivered, failed } = one;
    let own = id.clone();
    let is_disabled = matches!(state, SubscriptionState::Disabled { .. });
    let buttons = may_administer.then(|| {
        let id = || view! { <input type="hidden" name="id" value=id.clone() /> };
        let switch = match is_disabled {
            true => view! {
                <form method="post" action={action::<Enable>()}>
                    {id()}
                    <button class="approve" type="submit">
                        {t(ENABLE)}
                    </button>
                </form>
            }
            .into_html(),
            false => view! {
                <details>
                    <summary>{t(DISABLE)}</summary>
                    <form class="do" method="post" action={action::<Disable>()}>
                        {id()}
                        <label>
                            {t(REASON_FOR_THE_PARTNER)}
                            <input name="reason" maxlength="500" />
                        </label>
                        <button class="reject" type="submit">
                            {t(DISABLE_IT)}
                        </button>
                    </form>
                </details>
            }
            .into_html(),
        };
        view! {
            <div class="ways">
                {switch} <form method="post" action={action::<Test>()}>
                    {id()}
                    <button type="submit">{t(SEND_A_TEST)}</button>
                </form>
            </div>
        }
    });
    let class = if is_disabled { "over" } else { "" };
    let [pending, delivered, failed] =
        [pending, delivered, failed].map(|number| neutral(number.unsigned_abs(), lang()));
    let numbers = [("pending", &*pending), ("delivered", &delivered), ("failed", &failed)];
    let deliveries = words().with(DELIVERIES, &numbers);
    view! {
        <li class=class id=own>
            <b>{data(partner)}</b>
            <code>{url}</code>
            <span>{state_in_words(state)}</span>
            <span>{deliveries}</span>
            {buttons}
        </li>
    }
}

/// State of a subscription in words.
pub(super) fn state_in_words(state: SubscriptionState) -> Html {
    match state {
        SubscriptionState::Active => t(ACTIVE).into_html(),
        SubscriptionState::Failing { since } => {
            words().with(FAILING, &[("time", &minute(&since))]).into_html()
        }
        SubscriptionState::Paused { until } => {
            words().with(PAUSED, &[("time", &minute(&until))]).into_html()
        }
        SubscriptionState::Disabled { reason } if reason.is_empty() => t(DISABLED).into_html(),
        SubscriptionState::Disabled { reason } => {
            with_views(&t(DISABLED_BECAUSE), [("reason", data(reason))]).into_html()
        }
    }
}
