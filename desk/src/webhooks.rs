use super::{
    backend::{SharedWork, Subscription},
    functions::{Disable, Enable, Test},
    layout::{Page, action},
};
use app::shell::link;
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
                    "No partner has subscribed yet. Partners need a "
                    <a href=link("/desk/keys")>"key"</a> ", with which they "
                    <a href=link("/docs/webhooks")>"subscribe"</a> "."
                </p>
            }
            .into_any(),
            Ok(subscriptions) => {
                let shown = subscriptions.into_iter().map(|one| shown(one, may_administer));
                view! { <ol class="entries">{shown.collect_view()}</ol> }.into_any()
            }
            Err(user_error) => {
                view! { <p class="trouble" role="alert">{user_error.0}</p> }.into_any()
            }
        };
        let hint = (!may_administer).then(|| {
            view! {
                <p class="hint">"Only people whose key has the scope admin can change anything here."</p>
            }
        });
        view! {
            <Page title="Webhooks">
                <h1>"Webhooks"</h1>
                {hint}
                {content}
                <p class="hint">
                    "Deliveries, replays and deletion: "
                    <a href=link("/docs/operator")>"the operators\u{2019} API"</a>
                </p>
            </Page>
        }
    })
}

fn shown(one: Subscription, may_administer: bool) -> impl IntoView {
    let Subscription { id, partner, url, state, note, pending, delivered, failed } = one;
    let own = id.clone();
    let is_disabled = state == "disabled";
    let said = if note.is_empty() { state } else { format!("{state}: {note}") };
    let buttons = may_administer.then(|| {
        let id = || view! { <input type="hidden" name="id" value=id.clone() /> };
        let switch = match is_disabled {
            true => view! {
                <form method="post" action={action::<Enable>()}>
                    {id()}
                    <button class="approve" type="submit">
                        "Enable"
                    </button>
                </form>
            }
            .into_any(),
            false => view! {
                <details>
                    <summary>"Disable"</summary>
                    <form class="do" method="post" action={action::<Disable>()}>
                        {id()}
                        <label>
                            "Reason, which the partner sees"
                            <input name="reason" maxlength="500" />
                        </label>
                        <button class="reject" type="submit">
                            "Disable it"
                        </button>
                    </form>
                </details>
            }
            .into_any(),
        };
        view! {
            <div class="ways">
                {switch} <form method="post" action={action::<Test>()}>
                    {id()}
                    <button type="submit">"Send a test"</button>
                </form>
            </div>
        }
    });
    let class = if is_disabled { "over" } else { "" };
    view! {
        <li class=class id=own>
            <b>{partner}</b>
            <code>{url}</code>
            <span>{said}</span>
            <span>{pending} " pending, " {delivered} " delivered, " {failed} " failed"</span>
            {buttons}
        </li>
    }
}
