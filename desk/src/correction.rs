//! Fields that correct a report: in its row, and on its page.

use crate::{
    map::number,
    model::{Correction, Item, Label, Position},
    words::{
        common::{CITY, COUNTRY, DATE_LABEL, LATITUDE, LONGITUDE, PEOPLE, REGION, TYPE},
        t,
    },
};
use kit::{number::plain, words::Word};
use leptos::prelude::*;

/// Id of the form on a report's page, and the parameter that opens it.
pub(crate) const CORRECT: &str = "correct";

impl Correction {
    /// The current values of a report.
    pub(crate) fn of(item: &Item) -> Self {
        let Item { kind, city, region, country, people, event_date, position, .. } = item.clone();
        let degrees = |degrees: fn(Position) -> f64| {
            position.map(|position| number(degrees(position))).unwrap_or_default()
        };
        let (lat, lng) = (degrees(|position| position.lat), degrees(|position| position.lng));
        Self { kind, city, region, country, people: plain(people.into()), event_date, lat, lng }
    }

    /// The values of fields, given their names.
    pub(crate) fn read(value: &dyn Fn(&str) -> String) -> Self {
        Self {
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
}

/// The fields, which have the names of [`Correction::fields`].
#[component]
pub(crate) fn CorrectionFields(
    values: Correction,
    /// The operator's labels of the types.
    labels: Vec<Label>,
    /// Id of the form that the fields belong to, if it is not the one around them.
    form: Option<&'static str>,
) -> impl IntoView {
    let options = labels.into_iter().map(|Label { kind, text }| {
        let selected = kind == values.kind;
        view! {
            <option value=kind selected=selected>
                {text}
            </option>
        }
    });
    let options: Vec<_> = options.collect();
    let field = |label: Word, kind: &'static str, required: bool, value: (&'static str, &str)| {
        let (name, value) = value;
        view! {
            <label>
                {t(label)}
                " "
                <input
                    type=kind
                    name=name
                    value=value.to_owned()
                    min=(kind == "number").then_some("1")
                    required=required
                    form=form
                />
            </label>
        }
    };
    let [kind, city, region, country, people, event_date, lat, lng] = values.fields();
    view! {
        <label>
            {t(TYPE)} " " <select name=kind.0 form=form>{options}</select>
        </label>
        {[
            field(CITY, "text", true, city),
            field(REGION, "text", false, region),
            field(COUNTRY, "text", true, country),
            field(PEOPLE, "number", true, people),
            field(DATE_LABEL, "date", true, event_date),
            field(LATITUDE, "text", false, lat),
            field(LONGITUDE, "text", false, lng),
        ]}
    }
}
