use super::{
    backend::{Access, Issued, Key, KeyState, Notice, Session, SharedWork},
    functions::{EndSession, Revoke},
    layout::{DeskQuery, Page, action},
    moment::Moment,
    words::{
        data,
        keys::{
            ACTIVE, ALL_KEYS, COPY_IT_NOW, CREATE, CREATE_A_KEY, EXPIRED, FOR, FROM_ADDRESS, KEYS,
            LAST_DAY, LAST_USED_AT, NEVER, NOTE, ONLY_ADMIN, ORIGINS, PARTNER,
            PARTNER_WITHOUT_LIMIT, RATE, REQUESTS_LAST_DAY, REVOKE, REVOKE_KEY, REVOKED, REVOKING,
            SANDBOX_OF_PARTNER, SIGN_SOMEBODY_OUT, TEAM_ADMIN, TEAM_MODERATE, TEAM_READ,
            THE_NEW_KEY, THIS_IS_YOU, UNTIL, WHO_IS_SIGNED_IN,
        },
        lang,
        layout::SIGN_OUT,
        queue::NAME,
        t, with_views, words,
    },
};
use app::shell::link;
use kit::{
    html::{Html, IntoHtml},
    number::neutral,
    words::Word,
};
use leptos::prelude::*;

/// URL to which the form for a new key is sent.
pub const NEW_KEY: &str = "/desk/new-key";

/// Purposes of keys: value in the form, and description.
const PURPOSES: [(&str, Word); 6] = [
    ("operator:moderate", TEAM_MODERATE),
    ("operator:read", TEAM_READ),
    ("operator:admin", TEAM_ADMIN),
    ("partner", PARTNER),
    ("enterprise", PARTNER_WITHOUT_LIMIT),
    ("test", SANDBOX_OF_PARTNER),
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
                        <h2>{t(ALL_KEYS)}</h2>
                        <ol class="entries">{keys.collect_view()}</ol>
                    </section>
                    <section>
                        <h2>{t(WHO_IS_SIGNED_IN)}</h2>
                        <ol class="entries">{sessions.collect_view()}</ol>
                    </section>
                }
                .into_html()
            }
            Err(user_error) => {
                view! { <p class="trouble" role="alert">{user_error.0}</p> }.into_html()
            }
        };
        let form = match may_administer {
            true => view! { <NewKey /> }.into_html(),
            false => view! { <OnlyAdmin /> }.into_html(),
        };
        view! {
            <Page title=t(KEYS)>
                <h1>{t(KEYS)}</h1>
                {issued.map(|issued| view! { <Once issued=issued /> })}
                {form}
                {content}
            </Page>
        }
    })
}

/// Hint for people who may only look.
#[component]
pub(super) fn OnlyAdmin() -> impl IntoView {
    let hint = with_views(&t(ONLY_ADMIN), [("scope", view! { <bdi>"admin"</bdi> }.into_html())]);
    view! { <p class="hint">{hint}</p> }
}

/// A newly created key.
#[component]
fn Once(issued: Issued) -> impl IntoView {
    view! {
        <section class="issued" role="status">
            <h2>{with_views(&t(THE_NEW_KEY), [("holder", data(issued.holder))])}</h2>
            <p>{t(COPY_IT_NOW)}</p>
            <p>
                <code>{issued.key}</code>
            </p>
        </section>
    }
}

#[component]
fn NewKey() -> impl IntoView {
    let purposes = PURPOSES.map(|(value, word)| view! { <option value=value>{t(word)}</option> });
    view! {
        <section class="upload">
            <h2>{t(CREATE_A_KEY)}</h2>
            <form class="fields" method="post" action=link(NEW_KEY)>
                <label>{t(NAME)} <input name="holder" required maxlength="100" /></label>
                <label>{t(FOR)} <select name="purpose">{purposes}</select></label>
                <label>{t(LAST_DAY)} <input type="date" name="last_day" /></label>
                <label>{t(NOTE)} <input name="note" maxlength="200" /></label>
                <label>
                    {t(RATE)} <input type="number" name="rate" min="1" max="100000" />
                </label>
                <label>
                    {t(ORIGINS)} <input name="origins" dir="ltr" placeholder="\u{2068}https://example.org\u{2069}" />
                </label>
                <button class="main" type="submit">
                    {t(CREATE)}
                </button>
            </form>
        </section>
    }
}

/// A purpose in the person's language.
pub(super) fn purpose_in_words(purpose: String) -> Html {
    match PURPOSES.into_iter().find(|(value, _)| *value == purpose) {
        Some((_, word)) => t(word).into_html(),
        None => data(purpose),
    }
}

fn shown(key: Key, may_administer: bool) -> impl IntoView {
    let Key { prefix, holder, purpose, state, last_used, requests, settings } = key;
    let last_used = match last_used {
        None => t(NEVER).into_html(),
        Some(at) => view! { <Moment at=at /> }.into_html(),
    };
    let count = neutral(requests, lang()).into_html();
    let revoke = (may_administer && state != KeyState::Revoked).then(|| {
        view! {
            <details>
                <summary>{t(REVOKE)}</summary>
                <form class="do" method="post" action={action::<Revoke>()}>
                    <input type="hidden" name="prefix" value=prefix.clone() />
                    <p class="hint">{t(REVOKING)}</p>
                    <button class="reject" type="submit">
                        {with_views(&t(REVOKE_KEY), [("key", data(&*prefix))])}
                    </button>
                </form>
            </details>
        }
    });
    let class = if state == KeyState::Active { "" } else { "over" };
    view! {
        <li class=class id=prefix.clone()>
            <b>{data(holder)}</b>
            <code>{prefix.clone()}</code>
            <span>{purpose_in_words(purpose)}</span>
            <span>{t(state_in_words(state))}</span>
            <span>{with_views(&t(LAST_USED_AT), [("time", last_used)])}</span>
            <span>{with_views(&t(REQUESTS_LAST_DAY), [("count", count)])}</span>
            {(!settings.is_empty()).then(|| view! { <span>{data(settings)}</span> })}
            {revoke.map(|revoke| view! { <div class="ways">{revoke}</div> })}
        </li>
    }
}

/// State of a key in words.
pub(super) fn state_in_words(state: KeyState) -> Word {
    match state {
        KeyState::Active => ACTIVE,
        KeyState::Expired => EXPIRED,
        KeyState::Revoked => REVOKED,
    }
}

fn open(session: Session, may_administer: bool) -> impl IntoView {
    let Session { id, holder, key, purpose, from, ends_at, is_own } = session;
    let end = (may_administer && !is_own).then(|| {
        let label = words().with_data(SIGN_SOMEBODY_OUT, &[("holder", &holder)]);
        view! {
            <form method="post" action={action::<EndSession>()}>
                <input type="hidden" name="id" value=id />
                <button type="submit" aria-label=label>
                    {t(SIGN_OUT)}
                </button>
            </form>
        }
    });
    let until = view! { <Moment at=ends_at /> }.into_html();
    view! {
        <li>
            <b>{data(&*holder)}</b>
            <code>{key}</code>
            <span>{purpose_in_words(purpose)}</span>
            <span>{with_views(&t(FROM_ADDRESS), [("address", data(from))])}</span>
            <span>{with_views(&t(UNTIL), [("time", until)])}</span>
            {is_own.then(|| view! { <span>{t(THIS_IS_YOU)}</span> })}
            {end.map(|end| view! { <div class="ways">{end}</div> })}
        </li>
    }
}
