//! The loader, `embed.js`, is told which widgets there are when the site is loaded, so that none
//! has to be listed a second time in JavaScript.

use std::collections::BTreeMap;

use app::{embed::registry::WIDGETS, lang::Lang};
use serde::Serialize;

/// The global that the script reads. Minifiers keep the name of what they do not see defined.
const PLACEHOLDER: &str = "SVC_WIDGETS";

/// What the loader knows of a widget.
#[derive(Serialize)]
struct Known {
    /// In pixels.
    height: u32,
    /// By language.
    titles: BTreeMap<&'static str, &'static str>,
}

/// The script with the widgets in it. Nothing where it does not ask for them in one place.
pub(super) fn with_widgets(script: &[u8]) -> Option<String> {
    let (before, after) = str::from_utf8(script).ok()?.split_once(PLACEHOLDER)?;
    if after.contains(PLACEHOLDER) {
        return None;
    }
    let known: BTreeMap<&str, Known> = WIDGETS
        .iter()
        .map(|widget| {
            let titles = Lang::ALL.map(|lang| (lang.tag(), widget.title(lang)));
            (widget.name, Known { height: widget.height, titles: titles.into() })
        })
        .collect();
    Some(format!("{before}{}{after}", serde_json::to_string(&known).ok()?))
}

#[cfg(test)]
mod tests {
    use super::with_widgets;
    use serde_json::Value;

    const SOURCE: &[u8] = include_bytes!("../../../public/embed.js");

    #[test]
    fn the_loader_has_one_place_for_the_widgets() {
        assert!(with_widgets(SOURCE).is_some());
        assert_eq!(with_widgets(b"const widgets = {};"), None);
        assert_eq!(with_widgets(b"[SVC_WIDGETS, SVC_WIDGETS]"), None);
    }

    #[test]
    fn it_learns_height_and_titles_of_each_widget() {
        let known: Value = serde_json::from_str(&with_widgets(b"SVC_WIDGETS").unwrap()).unwrap();
        for (name, height) in [("metrics", 120), ("feed", 320), ("globe", 400)] {
            assert_eq!(known[name]["height"], height, "{name}");
        }
        assert_eq!(known["feed"]["titles"]["en"], "Latest reports");
        assert_eq!(known["feed"]["titles"]["de"], "Neueste Berichte");
    }
}
