/// `theme=`: the colours of the widget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Theme {
    /// The theme that the visitor's system or the embedding page prefers.
    #[default]
    Auto,
    Light,
    Dark,
}

impl Theme {
    /// Name in a query and in `data-theme`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Theme::Auto => "auto",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        [Theme::Auto, Theme::Light, Theme::Dark].into_iter().find(|theme| theme.as_str() == name)
    }
}

/// `bg=`: the background of the widget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Background {
    /// The theme's surface.
    #[default]
    Surface,
    /// Transparent: the embedding page shows through.
    None,
}

impl Background {
    /// Name in a query and in `data-bg`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Background::Surface => "surface",
            Background::None => "none",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        [Background::Surface, Background::None].into_iter().find(|known| known.as_str() == name)
    }
}
