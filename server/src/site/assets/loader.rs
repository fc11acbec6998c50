//! Writes the list of widgets into the loader, `embed.js`, when the site is loaded, so that the JavaScript needs no
//! list of its own. Released versions already contain it, and are served unchanged: `scripts/release-loader.mjs` keeps
//! them in `public/`.

use std::collections::BTreeMap;

use app::{contract::snippets::Loader, widgets::registry::WIDGETS};
use kit::lang::Lang;
use serde_json::{Value, json};

/// Global that the script reads. Minifiers do not rename globals that are defined elsewhere.
const PLACEHOLDER: &str = "SVC_WIDGETS";

/// Inserts the widgets into the script; `None` unless it has exactly one placeholder.
pub(super) fn with_widgets(script: &[u8]) -> Option<String> {
    let (before, after) = str::from_utf8(script).ok()?.split_once(PLACEHOLDER)?;
    if after.contains(PLACEHOLDER) {
        return None;
    }
    // Height in pixels, then the titles, in the order of the languages: member names would take 40 of the 2,500 bytes.
    let entries: BTreeMap<&str, Vec<Value>> = WIDGETS
        .iter()
        .map(|widget| {
            let titles = Lang::ALL.map(|lang| json!(widget.title(lang)));
            (widget.name, [vec![json!(widget.height)], titles.into()].concat())
        })
        .collect();
    Some(format!("{before}{}{after}", serde_json::to_string(&entries).ok()?))
}

/// Returns the newest of the released loaders; `None` if the list is empty.
pub(super) fn newest(list: &[u8]) -> Option<Loader> {
    serde_json::from_slice::<Vec<Loader>>(list).ok()?.into_iter().next()
}

/// Whether a path is that of a released loader: `/embed.<digits of its hash>.js`.
pub(super) fn is_release(path: &str) -> bool {
    let hash = path.strip_prefix("/embed.").and_then(|rest| rest.strip_suffix(".js"));
    hash.is_some_and(|hash| !hash.is_empty() && hash.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::{Lang, Value, with_widgets};

    const SOURCE: &[u8] = include_bytes!("../../../../public/embed.js");

    #[test]
    fn the_loader_has_one_place_for_the_widgets() {
        assert!(with_widgets(SOURCE).is_some());
        assert_eq!(with_widgets(b"const widgets = {};"), None);
        assert_eq!(with_widgets(b"[SVC_WIDGETS, SVC_WIDGETS]"), None);
    }

    #[test]
    fn it_learns_height_and_titles_of_each_widget() {
        let known: Value = serde_json::from_str(&with_widgets(b"SVC_WIDGETS").unwrap()).unwrap();
        for (name, height) in [("metrics", 120), ("feed", 320), ("globe", 400), ("trend", 240)] {
            assert_eq!(known[name][0], height, "{name}");
        }
        assert_eq!(known["feed"][1], "Latest reports");
        assert_eq!(known["feed"][5], "Neueste Berichte");
    }

    #[test]
    fn the_loader_knows_the_order_of_the_languages() {
        let order = format!("\"{}\".indexOf", Lang::ALL.map(Lang::tag).concat());
        assert!(str::from_utf8(SOURCE).unwrap().contains(&order), "{order}");
    }
}
