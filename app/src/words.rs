//! The words that widgets show, in one place, so that a further language is a further constant.

/// The words of one language.
pub(crate) struct Words {
    pub(crate) total: &'static str,
    pub(crate) spirit: &'static str,
    pub(crate) water: &'static str,
    pub(crate) both: &'static str,
    /// After today's number: "+12 today".
    pub(crate) today: &'static str,
    pub(crate) country: Noun,
    pub(crate) city: Noun,
    /// Before the time that standing numbers are from: "as of 14:05 UTC".
    pub(crate) as_of: &'static str,
    pub(crate) live: &'static str,
    pub(crate) reconnecting: &'static str,
}

/// A counted thing.
pub(crate) struct Noun {
    one: &'static str,
    other: &'static str,
}

impl Noun {
    /// The form that goes with `count`.
    pub(crate) fn form(&self, count: u64) -> &'static str {
        if count == 1 { self.one } else { self.other }
    }
}

/// English.
pub(crate) const EN: Words = Words {
    total: "Total",
    spirit: "Spirit",
    water: "Water",
    both: "Both",
    today: "today",
    country: Noun { one: "country", other: "countries" },
    city: Noun { one: "city", other: "cities" },
    as_of: "as of",
    live: "live",
    reconnecting: "reconnecting",
};

/// The names of the widgets, for titles and for those who hear them. Documents alone have them,
/// so they are no part of what an island carries into the browser.
#[cfg(feature = "ssr")]
pub(crate) struct Headings {
    pub(crate) metrics: &'static str,
}

/// English.
#[cfg(feature = "ssr")]
pub(crate) const EN_HEADINGS: Headings = Headings { metrics: "Reports so far" };
