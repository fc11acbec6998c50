//! The fields of a report, and the names that files have for them.

use base::spelling::{letters, nearest};
use domain::named;

named! {
    /// A field, with its name in the API.
    Field {
        Id = "id",
        Type = "type",
        City = "city",
        Region = "region",
        Country = "country",
        PeopleCount = "peopleCount",
        EventDate = "eventDate",
        CreatedAt = "createdAt",
        Lat = "lat",
        Lng = "lng",
    }
}

impl Field {
    /// The field that a column or key is named after, in any case, with blanks, underscores or
    /// hyphens: `People Count` is `peopleCount`.
    pub(super) fn named(name: &str) -> Option<Self> {
        let is_named = |field: &Self| letters(field.as_str()).eq(letters(name));
        Self::from_name(name).or_else(|| Self::ALL.into_iter().find(is_named))
    }

    /// The field whose name this is but for a slip or two.
    pub(super) fn nearest(name: &str) -> Option<Self> {
        nearest(name, Self::NAMES).and_then(Self::named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_found_by_its_name_in_any_spelling() {
        for field in Field::ALL {
            assert_eq!(Field::named(field.as_str()), Some(field));
            assert_eq!(Field::named(&field.as_str().to_uppercase()), Some(field));
        }
        for name in ["people_count", "People Count", "PEOPLE-COUNT", " people\u{a0}count "] {
            assert_eq!(Field::named(name), Some(Field::PeopleCount), "{name}");
        }
        assert_eq!(Field::named("people"), None);
        assert_eq!(Field::named(""), None);
    }

    #[test]
    fn a_slip_is_told_from_another_name() {
        for (name, field) in [
            ("contry", Some(Field::Country)),
            ("poeple_count", Some(Field::PeopleCount)),
            ("event date (UTC)", None),
            ("regions", Some(Field::Region)),
            ("note", None),
            ("it", None),
            ("", None),
        ] {
            assert_eq!(Field::nearest(name), field, "{name}");
        }
    }
}
