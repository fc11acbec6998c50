//! Options of a widget, from the query of `/embed/…?…`.
//!
//! An unknown name or value falls back to the default without an error, because a misspelt option
//! must not break the embedding page.

mod accent;
mod dates;
mod globe;
mod limit;
mod period;
mod place;
mod theme;

use model::{ReportType, Types};

pub use self::{
    accent::Accent,
    dates::Dates,
    globe::{GlobeOptions, Start},
    limit::Limit,
    period::Period,
    place::Place,
    theme::{Background, Theme},
};
use kit::lang::Lang;

/// Options of a widget. Equal options give the same document, so they can be a cache key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct EmbedOptions {
    pub theme: Theme,
    pub background: Background,
    pub accent: Option<Accent>,
    /// `None`: the visitor's language.
    pub lang: Option<Lang>,
    pub place: Place,
    pub period: Period,
    pub types: Types,
    pub limit: Limit,
    pub dates: Dates,
    pub globe: GlobeOptions,
    /// `None`: the widget's own heading.
    pub title: Option<String>,
}

impl EmbedOptions {
    /// Reads the options from a query string (without `?`). If a name is repeated, the last valid
    /// value counts. Repeated `types` add up, as forms send them.
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
                "limit" => options.limit = Limit::parse(&value).unwrap_or(options.limit),
                "dates" => options.dates = Dates::from_name(&value).unwrap_or(options.dates),
                name if options.period.set(name, &value) => {}
                name if options.globe.set(name, &value) => {}
                name => options.place.set(name, &value),
            }
        }
        options.types = Types::of(types);
        options.period = options.period.checked();
        options
    }

    /// The options that differ from their defaults, each by its name in a query.
    pub fn pairs(&self) -> Vec<(&'static str, String)> {
        // Destructured, so that a new option cannot be forgotten here.
        let Self {
            theme,
            background,
            accent,
            lang,
            place,
            period,
            types,
            limit,
            dates,
            globe,
            title,
        } = self;
        let Place { country, region, city } = place;
        let Period { from, to } = period;
        let theme = (*theme != Theme::default()).then(|| theme.as_str().to_owned());
        let bg = (*background != Background::default()).then(|| background.as_str().to_owned());
        let types = (!types.is_all()).then(|| types.list().join(","));
        let limit = (*limit != Limit::DEFAULT).then(|| limit.get().to_string());
        let dates = (*dates != Dates::default()).then(|| dates.as_str().to_owned());
        let named = [
            ("theme", theme),
            ("bg", bg),
            ("accent", accent.map(Accent::digits)),
            ("lang", lang.map(|lang| lang.tag().to_owned())),
            ("country", country.clone()),
            ("region", region.clone()),
            ("city", city.clone()),
            ("from", from.clone()),
            ("to", to.clone()),
            ("types", types),
            ("limit", limit),
            ("dates", dates),
            ("title", title.clone()),
        ];
        let named = named.into_iter().chain(globe.pairs());
        named.filter_map(|(name, value)| Some((name, value?))).collect()
    }

    /// Value of an option, unless it is the default.
    pub fn chosen(&self, name: &str) -> Option<String> {
        self.pairs().into_iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// The query (without `?`) for these options.
    pub fn to_query(&self) -> String {
        form_urlencoded::Serializer::new(String::new()).extend_pairs(self.pairs()).finish()
    }

    /// Query of the stream's view for these options, with place names in `lang`.
    pub fn view(&self, lang: Lang) -> String {
        let of_view = ["country", "region", "city", "from", "to", "types", "limit", "dates"];
        form_urlencoded::Serializer::new(String::new())
            .extend_pairs(self.pairs().into_iter().filter(|(name, _)| of_view.contains(name)))
            .append_pair("lang", lang.tag())
            .finish()
    }

    /// URL of the trend's series for these options, relative to the trend's page.
    pub fn series(&self) -> String {
        let of_series = ["country", "region", "city", "from", "to"];
        let pairs = self.pairs().into_iter().filter(|(name, _)| of_series.contains(name));
        let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
        format!("trend/series?{query}")
    }

    /// URL of the globe's markers for these options, relative to the globe's page in `lang`.
    pub fn markers(&self, lang: Lang) -> String {
        format!("globe/markers?{}", self.view(lang))
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
             &types=water,spirit&from=2026-01-01&to=2026-03-31&limit=5&utm_source=x",
        );
        assert_eq!(options.theme, Theme::Dark);
        assert_eq!(options.background, Background::None);
        assert_eq!(options.accent, Accent::parse("c0ffee"));
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
}
