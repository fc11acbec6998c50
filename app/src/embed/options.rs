/// How a widget is asked for: the options of `/embed/…?…`.
///
/// Every field is a closed set, so options can be a cache key and can be written into a page
/// without a thought. A name or a value that is not known falls back to the default in silence:
/// somebody else's page must not break over a misspelt option.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct EmbedOptions {
    pub theme: Theme,
    pub background: Background,
}

impl EmbedOptions {
    /// Reads the options out of a query string (without `?`). Of a repeated name the last
    /// value that means something counts.
    pub fn from_query(query: &str) -> Self {
        let mut options = Self::default();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            match &*name {
                "theme" => options.theme = Theme::from_name(&value).unwrap_or(options.theme),
                "bg" if value == "none" => options.background = Background::None,
                _ => {}
            }
        }
        options
    }

    /// The options that are not the default, each by its name in a query.
    pub fn pairs(&self) -> Vec<(&'static str, &str)> {
        // Taken apart, so that a new option cannot be forgotten here.
        let Self { theme, background } = self;
        let mut pairs = Vec::new();
        if *theme != Theme::default() {
            pairs.push(("theme", theme.as_str()));
        }
        if *background != Background::default() {
            pairs.push(("bg", background.as_str()));
        }
        pairs
    }

    /// The value of an option, unless it is the default.
    pub fn chosen(&self, name: &str) -> Option<&str> {
        self.pairs().into_iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// The query (without `?`) that asks for these options.
    pub fn to_query(&self) -> String {
        form_urlencoded::Serializer::new(String::new()).extend_pairs(self.pairs()).finish()
    }
}

/// `theme=`: which colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Theme {
    /// As the visitor's system, or the page around it, prefers.
    #[default]
    Auto,
    Light,
    Dark,
}

impl Theme {
    /// The name in a query and in `data-theme`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Theme::Auto => "auto",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        [Theme::Auto, Theme::Light, Theme::Dark].into_iter().find(|theme| theme.as_str() == name)
    }
}

/// `bg=`: what the widget is painted on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Background {
    /// The theme's own surface.
    #[default]
    Surface,
    /// Nothing: the page around it shows through.
    None,
}

impl Background {
    /// The name in a query and in `data-bg`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Background::Surface => "surface",
            Background::None => "none",
        }
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
        let options = EmbedOptions::from_query("theme=dark&bg=none&utm_source=x");
        assert_eq!(options.theme, Theme::Dark);
        assert_eq!(options.background, Background::None);
    }

    #[test]
    fn a_query_made_of_options_gives_them_back() {
        for query in ["", "theme=light", "bg=none", "theme=dark&bg=none"] {
            assert_eq!(EmbedOptions::from_query(query).to_query(), query);
        }
    }

    #[test]
    fn unknown_and_malformed_values_fall_back() {
        for query in
            ["theme=Dark", "theme=%22%3E%3Cscript%3E", "theme", "=", "&&", "theme=%ff", "bg=1"]
        {
            assert_eq!(EmbedOptions::from_query(query), EmbedOptions::default(), "{query}");
        }
    }

    #[test]
    fn of_a_repeated_option_the_last_that_means_something_counts() {
        assert_eq!(EmbedOptions::from_query("theme=dark&theme=light").theme, Theme::Light);
        assert_eq!(EmbedOptions::from_query("theme=dark&theme=pink").theme, Theme::Dark);
    }
}
