//! The fields of a report, and the names that files have for them.

use base::spelling::{letters, nearest};

/// The fields by the names of the API, in the order of [`Field`].
pub const FIELDS: [&str; 10] = [
    "id",
    "type",
    "city",
    "region",
    "country",
    "peopleCount",
    "eventDate",
    "createdAt",
    "lat",
    "lng",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Id,
    Type,
    City,
    Region,
    Country,
    PeopleCount,
    EventDate,
    CreatedAt,
    Lat,
    Lng,
}

impl Field {
    pub(super) const ALL: [Self; FIELDS.len()] = [
        Self::Id,
        Self::Type,
        Self::City,
        Self::Region,
        Self::Country,
        Self::PeopleCount,
        Self::EventDate,
        Self::CreatedAt,
        Self::Lat,
        Self::Lng,
    ];

    pub(super) fn name(self) -> &'static str {
        FIELDS[self as usize]
    }

    /// The field that a column or key is named after, in any case, with blanks, underscores or
    /// hyphens: `People Count` is `peopleCount`.
    pub(super) fn named(name: &str) -> Option<Self> {
        let exact = Self::ALL.into_iter().find(|field| field.name() == name);
        exact
            .or_else(|| Self::ALL.into_iter().find(|field| letters(field.name()).eq(letters(name))))
    }

    /// The field whose name this is but for a slip or two.
    pub(super) fn nearest(name: &str) -> Option<Self> {
        nearest(name, FIELDS).and_then(Self::named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_found_by_its_name_in_any_spelling() {
        for field in Field::ALL {
            assert_eq!(Field::named(field.name()), Some(field));
            assert_eq!(Field::named(&field.name().to_uppercase()), Some(field));
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
