use crate::contract::options::{Accent, EmbedOptions, Theme};
use std::fmt::Write;

/// Colours of a theme, by their names in `style/`.
struct Colours {
    surface: &'static str,
    text: &'static str,
    muted: &'static str,
    spirit: &'static str,
    water: &'static str,
    both: &'static str,
    line: &'static str,
    /// Colours of the globe.
    near: &'static str,
    far: &'static str,
    dark: &'static str,
    hot: &'static str,
    air: &'static str,
    land: &'static str,
    accent: fn(Accent) -> String,
}

const LIGHT: Colours = Colours {
    surface: "#ffffff",
    text: "#14213d",
    muted: "#5a6478",
    spirit: "#b45309",
    water: "#0369a1",
    both: "#7c3aed",
    line: "#e3e7ee",
    near: "#ffffff",
    far: "#e4e9f2",
    dark: "#cad4e4",
    hot: "none",
    air: "#9db4d6",
    land: "#7b879c",
    accent: Accent::on_light,
};

const DARK: Colours = Colours {
    surface: "#0b1220",
    text: "#e8edf7",
    muted: "#9aa7bd",
    spirit: "#fbbf24",
    water: "#38bdf8",
    both: "#c4b5fd",
    line: "#1f2a3d",
    near: "#1a2740",
    far: "#0d1628",
    dark: "#050a14",
    hot: "#ffffff",
    air: "#4f7ec4",
    land: "#8495b3",
    accent: Accent::on_dark,
};

/// CSS rules that set the colours of the classes for the theme in the options.
pub(crate) fn rules(options: &EmbedOptions) -> String {
    match options.theme {
        Theme::Light => LIGHT.rules(options.accent),
        Theme::Dark => DARK.rules(options.accent),
        Theme::Auto => {
            let [light, dark] = [LIGHT, DARK].map(|colours| colours.rules(options.accent));
            format!("{light}@media (prefers-color-scheme:dark){{{dark}}}")
        }
    }
}

impl Colours {
    fn rules(&self, accent: Option<Accent>) -> String {
        let Self { surface, text, muted, line, near, far, dark, hot, air, land, .. } = self;
        let accent = accent.map_or_else(|| (*text).to_owned(), self.accent);
        let mut rules = format!(
            ".text{{fill:{text}}}.muted{{fill:{muted}}}.accent{{fill:{accent}}}.spark{{stroke:{accent}}}\
             .ground{{fill:{surface};stroke:{line}}}.line{{stroke:{line}}}\
             .near{{stop-color:{near}}}.far{{stop-color:{far}}}.air{{stop-color:{air}}}\
             .land{{stroke:{land}}}.night{{fill:{dark}}}.hot{{stroke:{hot}}}"
        );
        for (name, colour) in [("spirit", self.spirit), ("water", self.water), ("both", self.both)]
        {
            _ = write!(
                rules,
                ".{name}{{fill:{colour}}}.ring-{name},.lights .{name}{{stroke:{colour}}}"
            );
        }
        rules
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_colours_are_those_of_the_style_sheets() {
        let sheets = [
            include_str!("../../../style/parts/tokens.css"),
            include_str!("../../../style/globe.css"),
        ]
        .concat();
        let all = |colours: Colours| {
            let Colours { surface, text, muted, spirit, water, both, line, .. } = colours;
            let Colours { near, far, dark, hot, air, land, .. } = colours;
            [
                ("surface", surface),
                ("text", text),
                ("muted", muted),
                ("spirit", spirit),
                ("water", water),
                ("both", both),
                ("line", line),
                ("near", near),
                ("far", far),
                ("dark", dark),
                ("hot", hot),
                ("air", air),
                ("land", land),
            ]
        };
        for ((name, light), (_, dark)) in all(LIGHT).into_iter().zip(all(DARK)) {
            let declaration = format!("--{name}: var(--if-light, {light}) var(--if-dark, {dark});");
            assert!(sheets.contains(&declaration), "{declaration}");
        }
    }

    #[test]
    fn the_theme_is_the_readers_unless_it_is_chosen() {
        let rules = |query| rules(&EmbedOptions::from_query(query));
        assert_eq!(
            rules(""),
            format!(
                "{}@media (prefers-color-scheme:dark){{{}}}",
                rules("theme=light"),
                rules("theme=dark")
            )
        );
        assert!(rules("theme=dark").starts_with(".text{fill:#e8edf7}"));
        assert!(!rules("theme=dark").contains("@media"));
    }

    #[test]
    fn an_accent_can_be_read_in_either_theme() {
        let rules = |query| rules(&EmbedOptions::from_query(query));
        assert!(rules("accent=c2410c&theme=light").contains(".accent{fill:#c2410c}"));
        let dark = rules("accent=c2410c&theme=dark");
        assert!(dark.contains(".accent{fill:#") && !dark.contains("c2410c"), "{dark}");
    }
}
