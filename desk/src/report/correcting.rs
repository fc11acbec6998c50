use crate::{
    functions::Correct,
    layout::action,
    model::{Correction, Item, Position},
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
    /// The types with their labels.
    kinds: Vec<(&'static str, String)>,
) -> impl IntoView {
    let is_open = !typed.is_empty();
    let values = if is_open { read(&typed) } else { current(&item) };
    let options = kinds.into_iter().map(|(name, label)| {
        view! {
            <option value=name selected=name == values.kind>
                {label}
            </option>
        }
    });
    let text = |name: &'static str, label: &'static str, value: String, required: bool| {
        view! {
            <label>
                {label}
                <input name=format!("correction[{name}]") value=value required=required />
            </label>
        }
    };
    let is_approved = item.status == "APPROVED";
    view! {
        <details class="correct" open=is_open>
            <summary data-key="e">"Correct this report"</summary>
            <form class="fields" method="post" action={action::<Correct>()}>
                <input type="hidden" name="id" value=item.id />
                {list.map(|list| view! { <input type="hidden" name="list" value=list /> })}
                <label>
                    "Type" <select name="correction[kind]">{options.collect_view()}</select>
                </label>
                {text("city", "City", values.city, true)}
                {text("region", "Region", values.region, false)}
                {text("country", "Country", values.country, true)}
                <label>
                    "People"
                    <input
                        type="number"
                        name="correction[people]"
                        min="1"
                        required
                        value=values.people
                    />
                </label>
                <label>
                    "Date"
                    <input
                        type="date"
                        name="correction[event_date]"
                        required
                        value=values.event_date
                    />
                </label>
                {text("lat", "Latitude", values.lat, false)}
                {text("lng", "Longitude", values.lng, false)}
                <p class="hint">
                    {is_approved
                        .then_some(
                            "This report is published: a correction updates the counters, and webhooks receive \
                                report.updated.",
                        )}
                </p>
                <button class="main" type="submit">
                    "Save"
                </button>
            </form>
        </details>
    }
}

/// The values of a report, as in the form.
fn current(item: &Item) -> Correction {
    let degrees = |degrees: fn(Position) -> f64| {
        item.position.map(|position| degrees(position).to_string()).unwrap_or_default()
    };
    Correction {
        kind: item.kind.clone(),
        city: item.city.clone(),
        region: item.region.clone(),
        country: item.country.clone(),
        people: item.people.to_string(),
        event_date: item.event_date.clone(),
        lat: degrees(|position| position.lat),
        lng: degrees(|position| position.lng),
    }
}

fn read(typed: &str) -> Correction {
    let value = |name: &str| {
        let mut pairs = form_urlencoded::parse(typed.as_bytes());
        let found = pairs.find(|(given, _)| given == name);
        found.map(|(_, value)| value.into_owned()).unwrap_or_default()
    };
    Correction {
        kind: value("correction[kind]"),
        city: value("correction[city]"),
        region: value("correction[region]"),
        country: value("correction[country]"),
        people: value("correction[people]"),
        event_date: value("correction[event_date]"),
        lat: value("correction[lat]"),
        lng: value("correction[lng]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::DeskQuery;

    #[test]
    fn a_refused_correction_survives_the_address() {
        let position = Some(Position { lat: -95.5, lng: 10.0 });
        let item = Item { city: "São & Paulo".to_owned(), people: 3, position, ..Item::default() };
        let correction = Correction { region: String::new(), ..current(&item) };
        let path = with_typed("/desk/report?id=a&list=", &correction);
        assert!(path.bytes().all(|byte| byte.is_ascii_graphic()), "{path}");
        let asked = DeskQuery::of(path.split_once('?').unwrap().1);
        assert_eq!(read(&asked.value(TYPED)), correction);
        assert_eq!((asked.id.as_deref(), asked.list.as_deref()), (Some("a"), Some("")));
    }
}
