//! How a widget is asked for: the options of `/embed/…?…`.
//!
//! A name or a value that is not known falls back to the default in silence: somebody else's page
//! must not break over a misspelt option.

mod accent;
mod place;
mod theme;

pub use self::{
    accent::Accent,
    place::Place,
    theme::{Background, Theme},
};
use crate::{
    lang::Lang,
    model::{ReportType, Types},
};

/// The options. Equal ones give the same document, so they can be a cache key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct EmbedOptions {
    pub theme: Theme,
    pub background: Background,
    pub accent: Option<Accent>,
    /// `None`: the visitor's own.
    pub lang: Option<Lang>,
    pub place: Place,
    pub types: Types,
    /// `None`: the widget's own heading.
    pub title: Option<String>,
}

impl EmbedOptions {
    /// Reads the options out of a query string (without `?`). Of a repeated name the last
    /// value that means something counts; repeated `types` add up, as a form sends them.
    pub fn from_query(query: &str) -> Self {
        let mut options = Self::default();
        let mut types = Vec::new();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            match &*name {
                "theme" => options.theme = Theme::from_name(&value).unwrap_or(options.theme),
                "bg" => {
                    options.background = Background::from_name(&value).unwrap_or(options.background)
                }
                "accent" => options.accent = Accent::parse(&value).or(options.accent),
                "lang" => options.lang = Lang::from_tag(&value).or(options.lang),
                "title" => options.title = place::name(&value).or(options.title),
                "types" => {
                    let names = value.split(',').map(str::trim);
                    types.extend(names.filter_map(ReportType::from_name));
                }
                name => options.place.set(name, &value),
            }
        }
        options.types = Types::of(types);
        options
    }

    /// The options that are not the default, each by its name in a query.
    pub fn pairs(&self) -> Vec<(&'static str, String)> {
        // Taken apart, so that a new option cannot be forgotten here.
        let Self { theme, background, accent, lang, place, types, title } = self;
        let Place { country, region, city } = place;
        let theme = (*theme != Theme::default()).then(|| theme.as_str().to_owned());
        let bg = (*background != Background::default()).then(|| background.as_str().to_owned());
        let types = (!types.is_all()).then(|| types.list().join(","));
        let named = [
            ("theme", theme),
            ("bg", bg),
            ("accent", accent.map(Accent::digits)),
            ("lang", lang.map(|lang| lang.tag().to_owned())),
            ("country", country.clone()),
            ("region", region.clone()),
            ("city", city.clone()),
            ("types", types),
            ("title", title.clone()),
        ];
        named.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }

    /// The value of an option, unless it is the default.
    pub fn chosen(&self, name: &str) -> Option<String> {
        self.pairs().into_iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// The query (without `?`) that asks for these options.
    pub fn to_query(&self) -> String {
        form_urlencoded::Serializer::new(String::new()).extend_pairs(self.pairs()).finish()
    }

    /// The stream that has what the options ask for.
    pub fn stream(&self) -> String {
        let query = self.place.query();
        let mark = if query.is_empty() { "" } else { "?" };
        format!("/api/v1/stream{mark}{query}")
    }

    /// Where the newest reports of the options' types are, with names in `lang`; empty where the
    /// stream will do: it has all types, with names as they were given.
    pub fn reports(&self, lang: Lang) -> String {
        match self.types.is_all() && lang == Lang::En {
            true => String::new(),
            false => self.narrowed("/embed/feed/reports", lang),
        }
    }

    /// The globe's markers that the options ask for, for a page in `lang`.
    pub fn markers(&self, lang: Lang) -> String {
        self.narrowed("/embed/globe/markers", lang)
    }

    /// A path with the place, the types and a language as its query.
    fn narrowed(&self, path: &str, lang: Lang) -> String {
        let types = self.types.list().join(",");
        let types = if self.types.is_all() { String::new() } else { format!("types={types}") };
        let parts = [self.place.query(), types, format!("lang={}", lang.tag())];
        let query: Vec<_> =
            parts.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
        format!("{path}?{}", query.join("&"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_query_gives_the_defaults() {
        assert_eq!(EmbedOptions::from_query(""), EmbedOptions::default());
    }

    #[test]
    fn known_values_are_taken() {
        let options = EmbedOptions::from_query(
            "theme=dark&bg=none&accent=%23C0FFEE&lang=pt-BR&country=Brazil&city=S%C3%A3o+Paulo\
             &types=water,spirit&utm_source=x",
        );
        assert_eq!(options.theme, Theme::Dark);
        assert_eq!(options.background, Background::None);
        assert_eq!(options.accent, Accent::parse("c0ffee"));
        assert!(options.accent.is_some());
        assert_eq!(options.lang, Some(Lang::Pt));
        assert_eq!(options.stream(), "/api/v1/stream?country=Brazil&city=S%C3%A3o+Paulo");
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
            "accent=c0ffee&lang=pt&country=Brazil&region=x&city=S%C3%A3o+Paulo&types=spirit%2Cboth\
             &title=My+title",
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
}
