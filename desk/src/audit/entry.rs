use super::Line;
use crate::{
    backend::{Audited, SharedWork},
    layout::{DeskQuery, Page},
    model::Item,
    queue_list::encoded,
    words::{
        audit::{ABOUT_NO_REPORT, ENTRY, NO_SUCH_ENTRY, NOW, TO_THE_AUDIT},
        common::MORE,
        data,
        list::PAGES,
        status, t, with, with_views,
    },
};
use app::shell::link;
use kit::html::IntoHtml;
use leptos::prelude::*;

/// The page `/desk/audit/entry?id=…`: the reports of an action.
#[component]
pub(crate) fn EntryPage() -> impl IntoView {
    let asked = expect_context::<DeskQuery>();
    let work = expect_context::<SharedWork>();
    Suspend::new(async move {
        let id = asked.id.clone().unwrap_or_default();
        let content = match work.audited(&id, &asked.value("after")).await {
            Ok(Some(audited)) => view! { <Shown id=id audited=audited /> }.into_html(),
            Ok(None) => view! {
                <h1>{t(ENTRY)}</h1>
                <p class="trouble">{t(NO_SUCH_ENTRY)}</p>
            }
            .into_html(),
            Err(user_error) => view! {
                <h1>{t(ENTRY)}</h1>
                <p class="trouble" role="alert">{user_error.0}</p>
            }
            .into_html(),
        };
        view! {
            <Page title=t(ENTRY)>
                {content} <p>
                    <a href=link("/desk/audit")>{t(TO_THE_AUDIT)}</a>
                </p>
            </Page>
        }
    })
}

#[component]
fn Shown(id: String, audited: Audited) -> impl IntoView {
    let Audited { line, reports, next } = audited;
    let subject = line.subject.as_ref().map(|subject| subject.text.clone()).unwrap_or_default();
    let names = [("who", data(&*line.who)), ("subject", data(subject))];
    let title = with_views(line.sentence, names);
    let empty = reports.is_empty().then_some(view! { <p class="empty">{t(ABOUT_NO_REPORT)}</p> });
    let reports = reports.into_iter().map(row).collect_view();
    let next = next.map(|after| {
        let href = link(format!("/desk/audit/entry?id={}&after={}", encoded(&id), encoded(&after)));
        view! {
            <nav class="on" aria-label=t(PAGES)>
                <a href=href>{t(MORE)}</a>
            </nav>
        }
    });
    view! {
        <h1>{title}</h1>
        <ol class="history">
            <Line line=line page=format!("/desk/audit/entry?id={id}") />
        </ol>
        <ol class="entries">{reports}</ol>
        {empty}
        {next}
    }
}

fn row(item: Item) -> impl IntoView {
    let place = if item.city.is_empty() {
        item.country
    } else {
        format!("{}, {}", item.city, item.country)
    };
    view! {
        <li>
            <a href=link(format!("/desk/report?id={}", encoded(&item.id)))>{data(&*item.id)}</a>
            <span>{data(place)}</span>
            <span>{with(NOW, &[("status", &status(&item.status))])}</span>
        </li>
    }
}
