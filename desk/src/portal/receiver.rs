use crate::words::{
    portal::{COPIED, COPY, HOW_RECEIVERS_WORK, RECEIVER, RECEIVER_HINT, SELECTED},
    t,
};
use app::{
    pages::docs::{Receiver, receivers},
    shell::link,
};
use leptos::prelude::*;

/// Programs that receive the events of a subscription. They are those of the documentation.
#[component]
pub(super) fn Receivers(
    /// Secret of the subscription, if it may be shown.
    secret: Option<String>,
) -> impl IntoView {
    let secret = secret.unwrap_or_else(|| "whsec_…".to_owned());
    let shown = |(number, receiver): (usize, Receiver)| {
        let Receiver { name, run, language, code } = receiver;
        let command = format!("SVC_WEBHOOK_SECRET={secret} PORT=8080 {run}");
        let (id, run_id) = (format!("receiver-{number}"), format!("run-{number}"));
        let code = Receiver::highlighted(&language, &code);
        view! {
            <details id=format!("details-{number}")>
                <summary>
                    <bdi>{name}</bdi>
                </summary>
                <Code id=run_id label="sh" html=Receiver::highlighted("sh", &command) />
                <Code id=id label=name html=code />
            </details>
        }
    };
    view! {
        <section class="receivers">
            <h2>{t(RECEIVER)}</h2>
            <p class="hint">
                {t(RECEIVER_HINT)} " " <a href=link("/docs/webhooks#receive")>{t(HOW_RECEIVERS_WORK)}</a>
            </p>
            {receivers().into_iter().enumerate().map(shown).collect_view()}
        </section>
    }
}

/// Code with a button that copies it.
#[component]
fn Code(id: String, label: &'static str, html: String) -> impl IntoView {
    let label_id = format!("{id}-label");
    view! {
        <figure>
            <figcaption>
                <bdi id=label_id.clone()>{label}</bdi>
                <button
                    type="button"
                    data-copy=id.clone()
                    data-copied=t(COPIED)
                    data-selected=t(SELECTED)
                    hidden
                    aria-live="polite"
                >
                    {t(COPY)}
                </button>
            </figcaption>
            <pre tabindex="0" role="group" aria-labelledby=label_id>
                <code id=id inner_html=html></code>
            </pre>
        </figure>
    }
}
