//! Options of a widget, from the query of `/embed/…?…`: one table, [`OPTIONS`].
//!
//! Reading and writing of queries, the snippet builder, the lists in JavaScript and the table in
//! `docs/embed.md` follow from the table. A new option is one entry here, and the view that uses it.

mod accent;
mod choices;
mod period;
mod place;
mod start;
mod value;
mod words;

use self::words::{
    ACCENT, BACKGROUND, CITY_NAME, CLUSTERING, COUNTRY_NAME, FROM, HEADING, LABELS, REGION_NAME,
    ROTATION, ROWS, START, THEME, TIMES, TO, TYPES,
};
pub(crate) use self::words::{LANGUAGE, THE_VISITORS};
pub use self::{
    accent::Accent,
    choices::{Background, Clustering, Dates, Labels, Limit, Rotation, Theme},
    period::{Date, Period},
    place::{Name, Place},
    start::Start,
    value::{Input, OptionValue},
};
use crate::words::Word;
use kit::lang::Lang;
use model::Types;

/// An option of a widget.
#[derive(Debug)]
pub struct EmbedOption {
    /// Name in a query, in `data-<name>` of the script form, and in messages of the host page.
    pub name: &'static str,
    /// Label in the snippet builder.
    pub(crate) label: Word,
    /// Names of the widgets with this option; all of them if empty.
    pub widgets: &'static [&'static str],
    pub effect: Effect,
    pub input: Input,
    /// Values, in Markdown; those of `input` if empty.
    pub values: &'static str,
    /// Meaning, in Markdown.
    pub meaning: &'static str,
}

/// Part of a widget that an option changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Only colours: an attribute `data-<name>` of the document, without a new render.
    Style,
    /// The HTML that the server renders.
    Html,
    /// The HTML, and the view that is followed on the stream.
    View,
    /// The HTML, the view, and the series over time.
    Series,
}

/// Declares the options, in the order of the builder and the documentation.
macro_rules! options {
    ($(
        $(#[doc = $meaning:literal])+
        $name:ident: $Value:ty {
            label: $label:ident, effect: $effect:ident $(, widgets: [$($widget:literal),+])?
            $(, values: $values:literal)?
        }
    )*) => {
        /// Options of a widget. Equal options give the same document, so they can be a cache key.
        ///
        /// An unknown name or value falls back to the default without an error. Pages refuse names that are probably
        /// misspelt before they read the options.
        #[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
        pub struct EmbedOptions {
            $($(#[doc = $meaning])+ pub $name: $Value),*
        }

        /// All options.
        pub static OPTIONS: &[EmbedOption] = &[$(EmbedOption {
            name: stringify!($name),
            label: $label,
            widgets: &[$($($widget),+)?],
            effect: Effect::$effect,
            input: <$Value as OptionValue>::INPUT,
            values: concat!($($values)?),
            meaning: concat!($($meaning),+),
        }),*];

        impl EmbedOptions {
            /// Sets the option with this name, unless the value is invalid.
            fn set(&mut self, name: &str, value: &str) {
                match name {
                    $(stringify!($name) => self.$name.set(value),)*
                    _ => {}
                }
            }

            /// The options that differ from their defaults, each by its name in a query.
            pub fn pairs(&self) -> Vec<(&'static str, String)> {
                let values = [$((stringify!($name), self.$name.text())),*];
                values.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
            }
        }
    };
}

options! {
    /// colours; `auto` follows the visitor, or the page around the widget if it declares a scheme
    theme: Theme { label: THEME, effect: Style }
    /// background; `none` lets the page show through
    bg: Background { label: BACKGROUND, effect: Style }
    /// a colour of your page, for the most important number. It is darkened or lightened until it is readable
    accent: Option<Accent> { label: ACCENT, effect: Style, values: "`c2410c`, `#f60`" }
    /// language; by default the visitor's
    lang: Option<Lang> {
        label: LANGUAGE, effect: Html,
        values: "`en`, `pt`, `es`, `fr`, `de`, `ar`; with the script also `page`"
    }
    /// only reports from this place, live updates included
    country: Option<Name> { label: COUNTRY_NAME, effect: Series, values: "as in [the API](api.md)" }
    /// only reports from this place, live updates included
    region: Option<Name> { label: REGION_NAME, effect: Series, values: "as in [the API](api.md)" }
    /// only reports from this place, live updates included
    city: Option<Name> { label: CITY_NAME, effect: Series, values: "as in [the API](api.md)" }
    /// only events from `from` to `to`, both included
    from: Option<Date> { label: FROM, effect: Series, values: "dates such as `2026-01-31`" }
    /// only events from `from` to `to`, both included
    to: Option<Date> { label: TO, effect: Series, values: "dates such as `2026-01-31`" }
    /// only these types
    types: Types { label: TYPES, effect: View, values: "some of `spirit,water,both`" }
    /// number of reports in the feed, 20 by default
    limit: Limit { label: ROWS, effect: View, widgets: ["feed"], values: "1 to 100" }
    /// date in the feed: submission time or event date
    dates: Dates { label: TIMES, effect: View, widgets: ["feed"] }
    /// heading, instead of the widget's own
    title: Option<Name> { label: HEADING, effect: Html, values: "text" }
    /// centre of the globe at first: latitude and longitude in degrees; by default the newest report
    start: Option<Start> {
        label: START, effect: Html, widgets: ["globe"], values: "`48.85,2.35`"
    }
    /// `on`: the globe turns slowly while nobody uses it
    rotate: Rotation { label: ROTATION, effect: Html, widgets: ["globe"] }
    /// `on`: the globe names the busiest visible places
    labels: Labels { label: LABELS, effect: Html, widgets: ["globe"] }
    /// `on`: the globe draws nearby places as one light
    cluster: Clustering { label: CLUSTERING, effect: Html, widgets: ["globe"] }
}

impl EmbedOption {
    /// The option with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        OPTIONS.iter().find(|option| option.name == name)
    }

    /// Whether a widget has the option.
    pub fn is_of(&self, widget: &str) -> bool {
        self.widgets.is_empty() || self.widgets.contains(&widget)
    }
}

impl EmbedOptions {
    /// Reads the options from a query string (without `?`). If a name is repeated, the last valid
    /// value counts. Repeated `types` add up, as forms send them.
    pub fn from_query(query: &str) -> Self {
        let mut options = Self::default();
        let mut types = String::new();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            if name == "types" {
                types = types + "," + &value;
            }
            options.set(&name, &value);
        }
        options.set("types", &types);
        if self::period::is_reversed(&options.from, &options.to) {
            (options.from, options.to) = (None, None);
        }
        options
    }

    /// Value of an option, unless it is the default.
    pub fn chosen(&self, name: &str) -> Option<String> {
        self.pairs().into_iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// The query (without `?`) for these options.
    pub fn to_query(&self) -> String {
        form_urlencoded::Serializer::new(String::new()).extend_pairs(self.pairs()).finish()
    }

    /// Place of the shown reports.
    pub fn place(&self) -> Place {
        let text = |name: &Option<Name>| name.as_ref().map(|name| name.to_string());
        Place { country: text(&self.country), region: text(&self.region), city: text(&self.city) }
    }

    /// Period of the shown reports.
    pub fn period(&self) -> Period {
        Period { from: self.from.clone(), to: self.to.clone() }
    }

    /// Query of the stream's view for these options, with place names in `lang`.
    pub fn view(&self, lang: Lang) -> String {
        self.query_of(&[Effect::View, Effect::Series]).append_pair("lang", lang.tag()).finish()
    }

    /// Query of lists of the reports that these options select.
    pub fn filters(&self) -> String {
        let names = ["country", "region", "city", "from", "to", "types"];
        let pairs = self.pairs().into_iter().filter(|(name, _)| names.contains(name));
        form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
    }

    /// URL of the trend's series for these options, relative to the trend's page.
    pub fn series(&self) -> String {
        format!("trend/series?{}", self.query_of(&[Effect::Series]).finish())
    }

    /// URL of the globe's markers for these options, relative to the globe's page in `lang`.
    pub fn markers(&self, lang: Lang) -> String {
        format!("globe/markers?{}", self.view(lang))
    }

    fn query_of(&self, effects: &[Effect]) -> form_urlencoded::Serializer<'static, String> {
        let has_effect =
            |name| EmbedOption::named(name).is_some_and(|option| effects.contains(&option.effect));
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(self.pairs().into_iter().filter(|(name, _)| has_effect(name)));
        query
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::ReportType;

    #[test]
    fn an_empty_query_gives_the_defaults() {
        assert_eq!(EmbedOptions::from_query(""), EmbedOptions::default());
    }

    #[test]
    fn known_values_are_taken() {
        let options = EmbedOptions::from_query(
            "theme=dark&bg=none&accent=%23C0FFEE&lang=pt-BR&country=Brazil&city=S%C3%A3o+Paulo\
             &types=water,spirit&from=2026-01-01&to=2026-03-31&limit=5&utm_source=x",
        );
        assert_eq!(options.theme, Theme::Dark);
        assert_eq!(options.bg, Background::None);
        assert_eq!(options.accent, Accent::from_text("c0ffee"));
        assert!(options.accent.is_some());
        assert_eq!(options.lang, Some(Lang::Pt));
        assert_eq!(options.limit.get(), 5);
        assert_eq!(
            options.view(Lang::Pt),
            "country=Brazil&city=S%C3%A3o+Paulo&from=2026-01-01&to=2026-03-31\
             &types=spirit%2Cwater&limit=5&lang=pt"
        );
        assert!(options.types.has(ReportType::Spirit) && options.types.has(ReportType::Water));
        assert!(!options.types.has(ReportType::Both));
    }

    #[test]
    fn a_query_made_of_options_gives_them_back() {
        for query in [
            "",
            "theme=light",
            "bg=none",
            "theme=dark&bg=none",
            "accent=c0ffee&lang=pt&country=Brazil&region=x&city=S%C3%A3o+Paulo\
             &from=2026-01-01&to=2026-03-31&types=spirit%2Cboth&limit=100&dates=event&title=My+title\
             &start=48.85%2C-2.3&rotate=on&labels=on&cluster=off",
        ] {
            assert_eq!(EmbedOptions::from_query(query).to_query(), query);
        }
    }

    #[test]
    fn unknown_and_malformed_values_fall_back() {
        for query in [
            "theme=Dark",
            "theme=%22%3E%3Cscript%3E",
            "theme",
            "=",
            "&&",
            "theme=%ff",
            "bg=1",
            "accent=red",
            "accent=%2312",
            "accent=12345g",
            "accent=%23%23c0ffee",
            "lang=xx",
            "lang=",
            "types=",
            "types=fire",
            "types=,",
            "country=%20",
            "city=%00",
            "region=a%0ab",
            "from=2026-02-30",
            "from=2026-02-02&to=2026-02-01",
            "to=tomorrow",
            "limit=0",
            "limit=101",
            "limit=ten",
            "limit=-1",
            "dates=reported",
            "dates=Event",
            "start=91,0",
            "rotate=off&labels=off&cluster=on",
            "rotate=1",
        ] {
            assert_eq!(EmbedOptions::from_query(query), EmbedOptions::default(), "{query}");
        }
        let over_long = format!("city={}", "x".repeat(257));
        assert_eq!(EmbedOptions::from_query(&over_long), EmbedOptions::default());
    }

    #[test]
    fn of_a_repeated_option_the_last_that_means_something_counts() {
        assert_eq!(EmbedOptions::from_query("theme=dark&theme=light").theme, Theme::Light);
        assert_eq!(EmbedOptions::from_query("theme=dark&theme=pink").theme, Theme::Dark);
        assert_eq!(EmbedOptions::from_query("lang=de&lang=xx").lang, Some(Lang::De));
    }

    #[test]
    fn repeated_types_add_up() {
        let read = |query| EmbedOptions::from_query(query).types.list();
        assert_eq!(read("types=both&types=fire&types=spirit"), ["spirit", "both"]);
        assert_eq!(read("types=spirit&types=water&types=both"), ["spirit", "water", "both"]);
    }

    #[test]
    fn every_choice_is_one_that_the_widgets_know() {
        for EmbedOption { name, input, .. } in OPTIONS {
            let read = |value: &str| EmbedOptions::from_query(&format!("{name}={value}"));
            let names =
                |values: &[(&'static str, Word)]| values.iter().map(|(value, _)| *value).collect();
            let (default, others): (_, Vec<_>) = match input {
                Input::One([(default, _), others @ ..]) => (*default, names(others)),
                Input::One([]) => panic!("{name} has no values"),
                Input::Any(values) => ("", names(values)),
                Input::Language => ("", Lang::ALL.map(Lang::tag).to_vec()),
                Input::Colour => ("", vec!["c2410c"]),
                Input::Text if *name == "start" => ("", vec!["48.85,2.35"]),
                Input::Text => ("", vec!["São Paulo"]),
                Input::Date => ("", vec!["2026-03-31"]),
                Input::Number { .. } => ("20", vec!["1", "100"]),
            };
            assert_eq!(read(default), EmbedOptions::default(), "{name}");
            assert!(!others.is_empty(), "{name}");
            for value in others {
                assert_eq!(read(value).chosen(name).as_deref(), Some(value), "{name}={value}");
            }
        }
    }

    /// The table in `docs/embed.md`. Options that differ only in their names share a row.
    fn documented() -> String {
        let mut rows: Vec<(Vec<String>, String)> = Vec::new();
        for option in OPTIONS {
            let values = match option.input {
                Input::One(values) if option.values.is_empty() => {
                    let values = values.iter().map(|(value, _)| format!("`{value}`"));
                    values.collect::<Vec<_>>().join(", ")
                }
                _ => option.values.to_owned(),
            };
            let rest = format!("{values} | {}", option.meaning.trim());
            let name = format!("`{}`", option.name);
            match rows.last_mut().filter(|(_, last)| *last == rest) {
                Some((names, _)) => names.push(name),
                None => rows.push((vec![name], rest)),
            }
        }
        let row =
            |(names, rest): &(Vec<String>, String)| format!("| {} | {rest} |\n", names.join(", "));
        format!(
            "| Option | Values | Meaning |\n|---|---|---|\n{}",
            rows.iter().map(row).collect::<String>()
        )
    }

    #[test]
    fn the_documentation_has_every_option() {
        let (documentation, expected) = (include_str!("../../../docs/embed.md"), documented());
        assert!(documentation.contains(&expected), "docs/embed.md should contain:\n{expected}");
    }
}
