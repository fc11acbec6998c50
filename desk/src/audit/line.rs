use crate::{
    backend::{AuditLine, AuditSubject},
    moment::Moment,
};
use app::shell::link;
use leptos::prelude::*;

/// An entry of the audit log in a list.
#[component]
pub(crate) fn Line(
    line: AuditLine,
    /// Path of the page that shows the line. A link to this page is left out.
    #[prop(optional)]
    page: String,
) -> impl IntoView {
    let AuditLine { at, who, from, what, subject, changes, .. } = line;
    let subject = subject.filter(|subject| subject.path != page);
    let subject = subject.map(|AuditSubject { text, path }| {
        view! {
            " "
            <a href=link(path)>{text}</a>
        }
    });
    let changes = (!changes.is_empty()).then(|| view! { <span class="changes">{changes}</span> });
    view! {
        <li>
            <Moment at=at />
            <p>
                <b>{who}</b> " " {what} {subject} " " {changes}
            </p>
            <span class="from">{from}</span>
        </li>
    }
}
