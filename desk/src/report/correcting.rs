use crate::words::{common::SAVE, list::PUBLISHED_ALREADY, report::CORRECT_THIS_REPORT, t};
use crate::{
    correction::{CORRECT, CorrectionFields},
    functions::Correct,
    layout::action,
    model::{Correction, Item, Label},
};
use leptos::prelude::*;

/// Parameter with a refused correction, as its form was sent.
pub(super) const TYPED: &str = "typed";

/// Path of a report's page with a refused correction, so that nothing typed is lost.
pub(crate) fn with_typed(page: &str, correction: &Correction) -> String {
    let mut typed = form_urlencoded::Serializer::new(String::new());
    let typed = typed.extend_pairs(correction.fields()).finish();
    let mut query = form_urlencoded::Serializer::new(String::new());
    format!("{page}&{}", query.append_pair(TYPED, &typed).finish())
}

/// The form that corrects a report.
#[component]
pub(super) fn Correcting(
    item: Item,
    /// Query of the list that the page was opened from.
    list: Option<String>,
    /// Values of the parameter [`TYPED`]; empty without it.
    typed: String,
    /// Whether the form is open, although nothing was typed yet.
    open: bool,
    labels: Vec<Label>,
) -> impl IntoView {
    let values = if typed.is_empty() { Correction::of(&item) } else { read(&typed) };
    let is_approved = item.status == "APPROVED";
    view! {
        <details class="correct" id=CORRECT open=open || !typed.is_empty()>
            <summary data-key="e">{t(CORRECT_THIS_REPORT)}</summary>
            <form class="fields" method="post" action={action::<Correct>()}>
                <input type="hidden" name="id" value=item.id />
                {list.map(|list| view! { <input type="hidden" name="list" value=list /> })}
                <CorrectionFields values=values labels=labels form=None />
                <p class="hint">
                    {is_approved.then(|| t(PUBLISHED_ALREADY))}
                </p>
                <button class="main" type="submit">
                    {t(SAVE)}
                </button>
            </form>
        </details>
    }
}

fn read(typed: &str) -> Correction {
    Correction::read(&|name| {
        let mut pairs = form_urlencoded::parse(typed.as_bytes());
        let found = pairs.find(|(given, _)| given == name);
        found.map(|(_, value)| value.into_owned()).unwrap_or_default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{layout::DeskQuery, model::Position};

    #[test]
    fn a_refused_correction_survives_the_address() {
        let position = Some(Position { lat: -95.5, lng: 10.0 });
        let item = Item { city: "São & Paulo".to_owned(), people: 3, position, ..Item::default() };
        let correction = Correction { region: String::new(), ..Correction::of(&item) };
        let path = with_typed("/desk/report?id=a&list=", &correction);
        assert!(path.bytes().all(|byte| byte.is_ascii_graphic()), "{path}");
        let asked = DeskQuery::of(path.split_once('?').unwrap().1);
        assert_eq!(read(&asked.value(TYPED)), correction);
        assert_eq!((asked.id.as_deref(), asked.list.as_deref()), (Some("a"), Some("")));
    }
}
