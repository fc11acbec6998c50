use super::{
    backend::{Counted, SharedWork},
    functions::DecideOnAll,
    layout::{DeskQuery, Page, action},
    model::Verdict,
    reason::ReasonFields,
};
use crate::words::{
    common::{CITY, COUNTRY, REGION, TYPE},
    deciding::{
        CHANGE_NOTHING, CURRENT_STATUS, DECIDE_ON_ALL, IF_APPROVED, IF_REJECTED, IF_REOPENED,
        IF_RESTORED, IF_WITHDRAWN, IN_FILE, NO_REPORT_FOR_THIS, UNNAMED_IMPORT,
    },
    lang,
    queue::{FROM, TEXT, TO},
    sentence, status, t, with,
};
use app::{brand::Brand, shell::link};
use kit::{html::IntoHtml, words::Word};
use leptos::prelude::*;
use model::ReportType;
use std::sync::Arc;

/// The page `/desk/all`: confirmation before a decision on all reports of a list.
#[component]
pub(super) fn ConfirmBulkPage() -> impl IntoView {
    let asked = expect_context::<DeskQuery>();
    let work = expect_context::<SharedWork>();
    Suspend::new(async move {
        let verdict = asked.step.as_deref().and_then(Verdict::named).unwrap_or(Verdict::Reject);
        let import = asked.value("import");
        let file = match &*import {
            "" => None,
            id => work.import(id).await.ok().flatten().map(|(import, _)| import.file),
        };
        let file = file.map(|file| file.unwrap_or_else(|| t(UNNAMED_IMPORT)));
        let form = match work.count(verdict, &asked.query).await {
            Ok(counted) => {
                view! { <Confirm verdict=verdict asked=asked counted=counted file=file /> }
                    .into_html()
            }
            Err(user_error) => view! {
                <h1>{t(DECIDE_ON_ALL)}</h1>
                <p class="trouble" role="alert">{user_error.0}</p>
            }
            .into_html(),
        };
        view! { <Page title=t(DECIDE_ON_ALL)>{form}</Page> }
    })
}

#[component]
fn Confirm(
    verdict: Verdict,
    asked: DeskQuery,
    counted: Counted,
    /// Name of the file, if the list is narrowed to an import.
    file: Option<String>,
) -> impl IntoView {
    let Counted { reports: count, status: status_name, token } = counted;
    let act = sentence(verdict.on_reports(), count);
    let back = asked.back.clone().unwrap_or_else(|| format!("/desk?{}", asked.query));
    let import = asked.value("import");
    let of_import = file.map(|file| {
        let href = link(format!("/desk/import?id={import}"));
        view! {
            " "
            {t(IN_FILE)}
            " "
            <a href=href>
                <bdi>{file}</bdi>
            </a>
        }
    });
    let status = with(CURRENT_STATUS, &[("status", &status(&status_name))]);
    let nothing = (count == 0).then(|| [&*t(NO_REPORT_FOR_THIS), " "].concat());
    let title = match count {
        0 => t(verdict.word()),
        _ => [&*act, "?"].concat(),
    };
    let others: Vec<_> = form_urlencoded::parse(asked.query.as_bytes())
        .filter(|(name, _)| !matches!(&**name, "status" | "import" | "order" | "limit"))
        .map(|(name, value)| view! { <li><b>{label(&name)}</b> " " <bdi>{shown(&name, &value)}</bdi></li> })
        .collect();
    let others = (!others.is_empty()).then(|| view! { <ul class="selected">{others}</ul> });
    let hint = (count > 0).then(|| view! { <p class="hint">{t(consequences(verdict))}</p> });
    let reason =
        (count > 0).then(|| view! { <ReasonFields offers_reasons=verdict == Verdict::Reject /> });
    view! {
        <form class="confirm" method="post" action={action::<DecideOnAll>()}>
            <h1>{title}</h1>
            <p>{nothing} <b>{status}</b> {of_import}</p>
            {others}
            {hint}
            {reason}
            <input type="hidden" name="step" value=verdict.as_str() />
            <input type="hidden" name="selected" value=asked.query />
            <input type="hidden" name="confirmed" value=token />
            <input type="hidden" name="back" value=asked.back.unwrap_or_default() />
            {(count > 0)
                .then(|| {
                    view! {
                        <button class=format!("main {}", verdict.as_str()) type="submit">
                            {act}
                        </button>
                    }
                })}
            <a href=link(back)>{t(CHANGE_NOTHING)}</a>
        </form>
    }
}

/// Label of a filter.
pub(super) fn label(name: &str) -> String {
    t(match name {
        "q" => TEXT,
        "type" => TYPE,
        "country" => COUNTRY,
        "region" => REGION,
        "city" => CITY,
        "from" => FROM,
        "to" => TO,
        other => return other.to_owned(),
    })
}

/// Value of a filter in words.
pub(super) fn shown(name: &str, value: &str) -> String {
    let kind = ReportType::ALL.into_iter().find(|kind| name == "type" && kind.as_str() == value);
    match kind {
        Some(kind) => expect_context::<Arc<Brand>>().label(kind, lang()).to_string(),
        None => value.to_owned(),
    }
}

/// Consequences of a decision for the public and partners.
const fn consequences(verdict: Verdict) -> Word {
    match verdict {
        Verdict::Approve => IF_APPROVED,
        Verdict::Reject => IF_REJECTED,
        Verdict::Withdraw => IF_WITHDRAWN,
        Verdict::Reopen => IF_REOPENED,
        Verdict::Restore => IF_RESTORED,
    }
}
