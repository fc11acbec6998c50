use super::{
    backend::{Access, Issued, Key, Notice, Session, SharedWork},
    functions::{EndSession, Revoke},
    layout::{DeskQuery, Page, action},
    moment::Moment,
};
use app::shell::link;
use leptos::prelude::*;

/// URL to which the form for a new key is sent.
pub const NEW_KEY: &str = "/desk/new-key";

/// Purposes of keys: value in the form, and description.
const PURPOSES: [(&str, &str); 5] = [
    ("operator:moderate", "Your team: decide on reports"),
    ("operator:read", "Your team: look at everything"),
    ("operator:admin", "Your team: everything, keys and webhooks too"),
    ("partner", "A partner: API and webhooks"),
    ("enterprise", "A partner: the same without a limit"),
];

/// The page `/desk/keys`: keys and sessions.
#[component]
pub(super) fn KeysPage() -> impl IntoView {
    let work = expect_context::<SharedWork>();
    let issued = match expect_context::<DeskQuery>().notice {
        Some(Notice::Issued(issued)) => Some(issued),
        _ => None,
    };
    Suspend::new(async move {
        let may_administer = work.person().may_administer;
        let content = match work.access().await {
            Ok(Access { keys, sessions }) => {
                let keys = keys.into_iter().map(|key| shown(key, may_administer));
                let sessions = sessions.into_iter().map(|session| open(session, may_administer));
                view! {
                    <section>
                        <h2>"All keys"</h2>
                        <ol class="entries">{keys.collect_view()}</ol>
                    </section>
                    <section>
                        <h2>"Who is signed in"</h2>
                        <ol class="entries">{sessions.collect_view()}</ol>
                    </section>
                }
                .into_any()
            }
            Err(user_error) => {
                view! { <p class="trouble" role="alert">{user_error.0}</p> }.into_any()
            }
        };
        let form = match may_administer {
            true => view! { <NewKey /> }.into_any(),
            false => view! {
                <p class="hint">"Only people whose key has the scope admin can change anything here."</p>
            }
            .into_any(),
        };
        view! {
            <Page title="Keys">
                <h1>"Keys"</h1>
                {issued.map(|issued| view! { <Once issued=issued /> })}
                {form}
                {content}
            </Page>
        }
    })
}

/// A newly created key.
#[component]
fn Once(issued: Issued) -> impl IntoView {
    view! {
        <section class="issued" role="status">
            <h2>"The new key of " {issued.holder}</h2>
            <p>"Copy it now: it is not shown again."</p>
            <p>
                <code>{issued.key}</code>
            </p>
        </section>
    }
}

#[component]
fn NewKey() -> impl IntoView {
    let purposes = PURPOSES.map(|(value, words)| view! { <option value=value>{words}</option> });
    view! {
        <section class="upload">
            <h2>"Create a key"</h2>
            <form class="fields" method="post" action=link(NEW_KEY)>
                <label>"Name" <input name="holder" required maxlength="100" /></label>
                <label>"For" <select name="purpose">{purposes}</select></label>
                <label>"Last day (optional)" <input type="date" name="last_day" /></label>
                <button class="main" type="submit">
                    "Create"
                </button>
            </form>
        </section>
    }
}

fn shown(key: Key, may_administer: bool) -> impl IntoView {
    let Key { prefix, holder, tier, state, last_used } = key;
    let last_used = match last_used == "never" {
        true => last_used.into_any(),
        false => view! { <Moment at=last_used /> }.into_any(),
    };
    let revoke = (may_administer && state != "revoked").then(|| {
        view! {
            <details>
                <summary>"Revoke"</summary>
                <form class="do" method="post" action={action::<Revoke>()}>
                    <input type="hidden" name="prefix" value=prefix.clone() />
                    <p class="hint">
                        "It is refused within 5 seconds and can't be restored. If it is a partner\u{2019}s last key, \
                            the partner\u{2019}s webhooks are disabled."
                    </p>
                    <button class="reject" type="submit">
                        "Revoke " {prefix.clone()}
                    </button>
                </form>
            </details>
        }
    });
    let class = if state == "active" { "" } else { "over" };
    view! {
        <li class=class id=prefix.clone()>
            <b>{holder}</b>
            <code>{prefix.clone()}</code>
            <span>{tier}</span>
            <span>{state}</span>
            <span>"Last used: " {last_used}</span>
            {revoke.map(|revoke| view! { <div class="ways">{revoke}</div> })}
        </li>
    }
}

fn open(session: Session, may_administer: bool) -> impl IntoView {
    let Session { id, holder, key, from, ends_at, is_own } = session;
    let end = (may_administer && !is_own).then(|| {
        view! {
            <form method="post" action={action::<EndSession>()}>
                <input type="hidden" name="id" value=id />
                <button type="submit" aria-label=format!("Sign {holder} out")>
                    "Sign out"
                </button>
            </form>
        }
    });
    view! {
        <li>
            <b>{holder.clone()}</b>
            <code>{key}</code>
            <span>"From " {from}</span>
            <span>"Until " <Moment at=ends_at /></span>
            {is_own.then_some(view! { <span>"This is you."</span> })}
            {end.map(|end| view! { <div class="ways">{end}</div> })}
        </li>
    }
}
