use super::{NEW, NEW_YEAR, NO_POSITION, NO_REGION, Subjects, is_new, origin, pairs};
use crate::{
    backend::{CorrectingMany, OldValues},
    layout::DeskQuery,
};
use crate::{
    isolates::{data, marked},
    words::{
        common::COMMA,
        correct::{
            AND_OTHER_VALUES, AS_IT_IS, CANNOT_BE_USED, CHECK, CORRECT_REPORTS, EMPTY_STAYS,
            ONLY_THE_YEAR, REMOVE_POSITION, REMOVE_REGION,
        },
        deciding::CHANGE_NOTHING,
        lang, sentence, t, with, words,
    },
};
use app::{brand::Brand, shell::link};
use kit::{
    html::IntoHtml,
    number::neutral,
    words::{Word, filled},
};
use leptos::prelude::*;
use model::ReportType;
use std::sync::Arc;

/// The form for new values. Empty fields leave the present values.
#[component]
pub(super) fn Fields(asked: DeskQuery, correcting: CorrectingMany) -> impl IntoView {
    let title = sentence(CORRECT_REPORTS, correcting.reports);
    let kept = pairs(&asked).filter(|(name, _)| !is_new(name));
    let kept = kept.map(|(name, value)| view! { <input type="hidden" name=name value=value /> });
    let back = asked.back.clone().unwrap_or_default();
    let fields = NEW.map(|(name, member, label)| {
        let value = asked.value(name);
        let input = match member {
            "type" => view! { <select name=name>{types(&value)}</select> }.into_html(),
            _ => view! { <input type=kind(member) name=name value=value inputmode=mode(member) /> }
                .into_html(),
        };
        let current = correcting.current.iter().find(|(one, _)| *one == member);
        let current =
            current.map(|(_, values)| view! { <small>{marked(&in_words(values))}</small> });
        view! { <label><span>{t(label)}</span> {input} {current}</label> }
    });
    let removal = |name: &'static str, label: Word| {
        view! {
            <label class="check">
                <input type="checkbox" name=name value="1" checked=!asked.value(name).is_empty() />
                <span>{t(label)}</span>
            </label>
        }
    };
    let refusal = correcting.refusal.clone().map(|refusal| {
        let refusal = with(CANNOT_BE_USED, &[("reason", &refusal)]);
        view! { <p class="trouble" role="alert">{marked(&refusal)}</p> }
    });
    let year = asked.value(NEW_YEAR);
    let is_empty = correcting.reports == 0;
    view! {
        <form class="correct-many" method="get" action=link("/desk/correct")>
            <h1>{title}</h1>
            {refusal}
            <Subjects asked=asked.clone() correcting=correcting.clone() />
            {kept.collect_view()}
            <input type="hidden" name="back" value=back />
            <div class="fields">
                {fields.collect_view()}
                <label>
                    <span>{t(ONLY_THE_YEAR)}</span>
                    <input type="number" name=NEW_YEAR min="1" max="9999" value=year />
                </label>
            </div>
            {removal(NO_REGION, REMOVE_REGION)}
            {removal(NO_POSITION, REMOVE_POSITION)}
            <p class="hint">{t(EMPTY_STAYS)}</p>
            <p class="do">
                <button class="main" type="submit" disabled=is_empty>
                    {t(CHECK)}
                </button>
                <a href=link(origin(&asked))>{t(CHANGE_NOTHING)}</a>
            </p>
        </form>
    }
}

fn types(chosen: &str) -> impl IntoView {
    let brand = expect_context::<Arc<Brand>>();
    let types = ReportType::ALL.map(|kind| (kind.as_str(), brand.label(kind, lang()).to_string()));
    let all = [("", t(AS_IT_IS))].into_iter().chain(types);
    let option = |(name, label): (&'static str, String)| {
        view! {
            <option value=name selected=name == chosen>
                {label}
            </option>
        }
    };
    all.map(option).collect_view()
}

/// Type of a member's input.
fn kind(member: &str) -> &'static str {
    match member {
        "eventDate" => "date",
        "peopleCount" => "number",
        _ => "text",
    }
}

/// Keyboard of a member's input on phones.
fn mode(member: &str) -> Option<&'static str> {
    matches!(member, "lat" | "lng").then_some("decimal")
}

/// Values with the number of their reports, such as `Oslo 28, Olso 2`.
fn in_words(OldValues { values, more }: &OldValues) -> String {
    let count = |count: u64| neutral(count, lang());
    let values = values.iter().map(|one| format!("{} {}", data(&one.name), count(one.reports)));
    let values = values.collect::<Vec<_>>().join(&t(COMMA));
    match more {
        0 => values,
        more => {
            let more = *more as u64;
            let values = [("values", &*values), ("n", &*count(more))];
            filled(words().form(AND_OTHER_VALUES, more), &values)
        }
    }
}
