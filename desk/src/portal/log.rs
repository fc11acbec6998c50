use super::live::live;
use crate::{
    moment::Moment,
    words::{
        data, lang,
        portal::{
            BODY, IS_LEFT_OUT, NEWEST_EVENTS, NO_EVENTS_YET, PASS_THE_FILTER, PASSES, SAMPLE_EVENTS,
        },
        t, with,
    },
};
use app::brand::Brand;
use kit::{html::IntoHtml, number::neutral, words::Word};
use leptos::prelude::*;
use model::ReportType;
use std::sync::Arc;

/// The newest events, and whether each passes the filter of the form.
#[derive(Clone, Debug, Default)]
pub struct Log {
    pub events: Vec<LoggedEvent>,
    /// Whether these are made-up events, for a sandbox.
    pub is_made_up: bool,
}

/// An event of the log.
#[derive(Clone, Debug)]
pub struct LoggedEvent {
    pub id: String,
    pub name: String,
    /// Time of the event as RFC 3339.
    pub at: String,
    /// Place and type of the report that the event is about.
    pub report: Option<(String, Option<ReportType>)>,
    pub passes: bool,
    /// JSON that is signed and sent.
    pub body: String,
}

/// The newest events.
#[component]
pub(super) fn NewestEvents(log: Log) -> impl IntoView {
    let title = if log.is_made_up { SAMPLE_EVENTS } else { NEWEST_EVENTS };
    let content = match log.events.len() {
        0 => view! { <p class="hint">{t(NO_EVENTS_YET)}</p> }.into_html(),
        all => {
            let sent = log.events.iter().filter(|event| event.passes).count();
            let [sent, all] = [sent, all].map(|number| neutral(number as u64, lang()));
            let numbers = with(PASS_THE_FILTER, &[("sent", &sent), ("all", &all)]);
            view! {
                <p class="hint">{numbers}</p>
                <ol class="entries">{log.events.into_iter().map(shown).collect_view()}</ol>
            }
            .into_html()
        }
    };
    view! {
        <section id="events">
            <h2>{t(title)}</h2>
            {live("log", content)}
        </section>
    }
}

fn shown(event: LoggedEvent) -> impl IntoView {
    let LoggedEvent { id, name, at, report, passes, body } = event;
    let brand = expect_context::<Arc<Brand>>();
    let report = report.map(|(place, kind)| {
        let kind = kind.map(|kind| brand.label(kind, lang()));
        view! {
            <span>{data(place)}</span>
            {kind.map(|kind| view! { <span>{kind}</span> })}
        }
    });
    let (class, mark) = if passes { ("state well", PASSES) } else { ("state", IS_LEFT_OUT) };
    view! {
        <li>
            <code>{name}</code>
            <span>
                <Moment at=at />
            </span>
            {report}
            <span class=class>{t(mark)}</span>
            <div class="ways">
                <Text id=id title=BODY text=body />
            </div>
        </li>
    }
}

/// Text that was sent or received, which opens on demand.
#[component]
pub(super) fn Text(
    /// Id of the element, which stays open while the page follows.
    id: String,
    title: Word,
    text: String,
) -> impl IntoView {
    view! {
        <details id=id>
            <summary>{t(title)}</summary>
            <pre class="body">
                <code>{text}</code>
            </pre>
        </details>
    }
}
