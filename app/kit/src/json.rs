//! Reads JSON with the browser's own parser, because serde_json would add kilobytes of wasm.

use js_sys::{Array, Reflect};
use model::{Interval, Metrics, Report, ReportType, Series, SeriesPoint, Types};
use wasm_bindgen::{JsCast, JsValue};

/// A member of an object, or `undefined`.
pub fn field(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &JsValue::from_str(name)).unwrap_or_default()
}

/// A string member; empty if it is not a string.
pub fn text(object: &JsValue, name: &str) -> String {
    String::from_json(&field(object, name))
}

/// A value that can be read from a JavaScript value.
pub trait FromJson: Sized {
    /// Missing and wrong values are zero, empty and false. Infallible, because each possible failure
    /// of a member would cost the code that drops the members before it.
    fn from_json(value: &JsValue) -> Self;

    /// Whether this version supports the value. Lists leave out other elements.
    fn is_supported(_: &JsValue) -> bool {
        true
    }
}

impl FromJson for String {
    fn from_json(value: &JsValue) -> Self {
        value.as_string().unwrap_or_default()
    }
}

impl<T: FromJson> FromJson for Option<T> {
    fn from_json(value: &JsValue) -> Self {
        (!value.is_null() && !value.is_undefined()).then(|| T::from_json(value))
    }
}

impl FromJson for bool {
    fn from_json(value: &JsValue) -> Self {
        value.is_truthy()
    }
}

impl FromJson for u64 {
    fn from_json(value: &JsValue) -> Self {
        value.as_f64().unwrap_or_default() as u64
    }
}

impl FromJson for u32 {
    fn from_json(value: &JsValue) -> Self {
        value.as_f64().unwrap_or_default() as u32
    }
}

impl FromJson for i64 {
    fn from_json(value: &JsValue) -> Self {
        value.as_f64().unwrap_or_default() as i64
    }
}

impl FromJson for f64 {
    fn from_json(value: &JsValue) -> Self {
        value.as_f64().unwrap_or_default()
    }
}

impl FromJson for f32 {
    fn from_json(value: &JsValue) -> Self {
        value.as_f64().unwrap_or_default() as f32
    }
}

impl<T: FromJson> FromJson for Vec<T> {
    fn from_json(value: &JsValue) -> Self {
        let mut list = Vec::new();
        each(value, &mut |element| {
            if T::is_supported(element) {
                list.push(T::from_json(element));
            }
        });
        list
    }
}

/// Visits the elements of an array.
pub fn each(value: &JsValue, visit: &mut dyn FnMut(&JsValue)) {
    if let Some(list) = value.dyn_ref::<Array>() {
        list.iter().for_each(|element| visit(&element));
    }
}

impl FromJson for ReportType {
    fn from_json(value: &JsValue) -> Self {
        Self::from_name(&String::from_json(value)).unwrap_or(Self::Both)
    }

    fn is_supported(value: &JsValue) -> bool {
        Self::from_name(&String::from_json(value)).is_some()
    }
}

impl FromJson for Types {
    fn from_json(value: &JsValue) -> Self {
        Self::of(Vec::from_json(value))
    }
}

impl FromJson for Interval {
    fn from_json(value: &JsValue) -> Self {
        Self::from_name(&String::from_json(value)).unwrap_or_default()
    }

    fn is_supported(value: &JsValue) -> bool {
        Self::from_name(&String::from_json(value)).is_some()
    }
}

/// Implements [`FromJson`] for structs, from the names of their members in JSON. A struct is
/// supported if the member after `if` is. Members after `;` are not read.
#[macro_export]
macro_rules! from_json {
    ($(
        $Type:ident $(if $kind:literal: $Kind:ty)? {
            $($member:ident: $name:literal),* $(,)? $(; $($other:ident: $value:expr),*)?
        }
    )*) => {
        $(impl $crate::json::FromJson for $Type {
            fn from_json(object: &wasm_bindgen::JsValue) -> Self {
                Self {
                    $($member: $crate::json::FromJson::from_json(&$crate::json::field(object, $name)),)*
                    $($($other: $value,)*)?
                }
            }

            $(fn is_supported(object: &wasm_bindgen::JsValue) -> bool {
                <$Kind as $crate::json::FromJson>::is_supported(&$crate::json::field(object, $kind))
            })?
        })*
    };
}

from_json! {
    Metrics {
        spirit: "spirit",
        water: "water",
        both: "both",
        total: "total",
        spirit_today: "spiritToday",
        water_today: "waterToday",
        both_today: "bothToday",
        total_today: "totalToday",
        countries: "countries",
        cities: "cities",
        updated_at: "updatedAt",
    }

    Series if "interval": Interval { interval: "interval", from: "from", to: "to", points: "points", updated_at: "updatedAt" }

    SeriesPoint {
        from: "from",
        to: "to",
        spirit: "spirit",
        water: "water",
        both: "both",
        total: "total",
    }

    Report if "type": ReportType {
        id: "id",
        city: "city",
        country: "country",
        people_count: "peopleCount",
        kind: "type",
        created_at: "createdAt",
        event_date: "eventDate";
        included: None
    }
}
