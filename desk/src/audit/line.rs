use crate::{
    backend::{AuditChange, AuditLine, AuditSubject},
    moment::Moment,
    words::{
        audit::{CHANGED, SEPARATOR, SET},
        data, t, with_views,
    },
};
use app::shell::link;
use kit::html::{Html, IntoHtml};
use leptos::prelude::*;

/// An entry of the audit log in a list.
#[component]
pub(crate) fn Line(
    line: AuditLine,
    /// Path of the page that shows the line. A link to this page is left out.
    #[prop(optional)]
    page: String,
) -> impl IntoView {
    let AuditLine { at, who, from, sentence, subject, changes, .. } = line;
    let subject = subject.filter(|subject| subject.path != page);
    let subject = subject.map(|AuditSubject { text, path }| {
        view! { <a href=link(path)>{data(text)}</a> }
    });
    let who = view! { <b>{data(who)}</b> };
    let sentence =
        with_views(sentence, [("who", who.into_html()), ("subject", subject.into_html())]);
    let changes =
        (!changes.is_empty()).then(|| view! { <span class="changes">{in_words(changes)}</span> });
    view! {
        <li>
            <Moment at=at />
            <p>{sentence} " " {changes}</p>
            <span class="from">{data(from)}</span>
        </li>
    }
}

/// Changes in words, such as `city: Oslo → Bergen; people: 3 → 4`.
pub(crate) fn in_words(changes: Vec<AuditChange>) -> impl IntoView {
    let changes = changes.into_iter().enumerate().map(|(place, change)| {
        let between = (place > 0).then(|| t(SEPARATOR));
        view! {
            {between}
            {changed(change)}
        }
    });
    changes.collect_view()
}

fn changed(change: AuditChange) -> Vec<Html> {
    let AuditChange { name, before, after } = change;
    let (name, after) = (("name", name.into_html()), ("after", data(after)));
    match before {
        Some(before) => with_views(&t(CHANGED), [name, ("before", data(before)), after]),
        None => with_views(&t(SET), [name, after]),
    }
}
