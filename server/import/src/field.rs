//! Fields of a report, and their names in files.

use base::spelling::{letters, nearest};
use domain::named;

named! {
    /// Fields, with their names in the API.
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

/// Other words for fields. They are only suggested, because they may mean something else.
const OTHER_WORDS: [(Field, &[&str]); 9] = [
    (Field::Type, &["kind", "category", "event", "event type"]),
    (Field::City, &["town", "place", "municipality", "location"]),
    (Field::Region, &["state", "province", "county", "department"]),
    (Field::Country, &["nation", "country name", "country code"]),
    (
        Field::PeopleCount,
        &[
            "people",
            "persons",
            "participants",
            "attendees",
            "attendance",
            "number",
            "number of people",
            "count",
        ],
    ),
    (Field::EventDate, &["date", "day", "date of event", "when"]),
    (Field::CreatedAt, &["created", "timestamp", "time", "reported", "reported at", "date time"]),
    (Field::Lat, &["latitude"]),
    (Field::Lng, &["longitude", "lon", "long"]),
];

impl Field {
    /// Returns the field of a column or key with this name, in any case, with blanks, underscores or hyphens: `People
    /// Count` is `peopleCount`.
    pub(super) fn named(name: &str) -> Option<Self> {
        let is_named = |field: &Self| letters(field.as_str()).eq(letters(name));
        Self::from_name(name).or_else(|| Self::ALL.into_iter().find(is_named))
    }

    /// Returns the field that this name probably means: the name is another word for it, or differs by a typo or two.
    pub(super) fn nearest(name: &str) -> Option<Self> {
        let means = |(_, words): &&(Self, &[&str])| {
            words.iter().any(|word| letters(word).eq(letters(name)))
        };
        let meant = OTHER_WORDS.iter().find(means).map(|(field, _)| *field);
        meant.or_else(|| nearest(name, Self::NAMES).and_then(Self::named))
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
            ("Date", Some(Field::EventDate)),
            ("people", Some(Field::PeopleCount)),
            ("latitude", Some(Field::Lat)),
            ("LONGITUDE", Some(Field::Lng)),
            ("note", None),
            ("it", None),
            ("", None),
        ] {
            assert_eq!(Field::nearest(name), field, "{name}");
        }
    }
}
