//! Writes the lists of widgets and options into the loader, `embed.js`, when the site is loaded, so that the JavaScript
//! needs no lists of its own. Released versions already contain them, and are served unchanged:
//! `scripts/release-loader.mjs` keeps them in `public/`.

use std::collections::BTreeMap;

use app::{
    contract::{options::OPTIONS, snippets::Loader},
    widgets::registry::all_widgets,
};

/// Inserts the lists in place of the globals that the script reads; `None` unless each of them occurs exactly once.
/// Minifiers do not rename globals that are defined elsewhere.
pub(super) fn with_lists(script: &[u8]) -> Option<String> {
    let script = replace(str::from_utf8(script).ok()?, "SVC_WIDGETS", &widgets())?;
    replace(&script, "SVC_OPTIONS", &options())
}

fn replace(script: &str, placeholder: &str, list: &str) -> Option<String> {
    let (before, after) = script.split_once(placeholder)?;
    (!after.contains(placeholder)).then(|| [before, list, after].concat())
}

/// Object with the heights of each widget. Without a prototype, it has no widget called `constructor`.
fn widgets() -> String {
    let sorted: BTreeMap<&str, String> = all_widgets()
        .map(|widget| {
            (widget.name, format!("[{},{}]", widget.height, widget.content_height.script()))
        })
        .collect();
    let entries: String =
        sorted.iter().map(|(name, heights)| format!(",\"{name}\":{heights}")).collect();
    format!("{{__proto__:null{entries}}}")
}

/// String with the names of all options, which takes fewer bytes than an array.
fn options() -> String {
    format!("\"{}\"", OPTIONS.iter().map(|option| option.name).collect::<Vec<_>>().join(" "))
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
    use super::*;

    const SOURCE: &[u8] = include_bytes!("../../../../public/embed.js");

    #[test]
    fn the_loader_has_one_place_for_each_list() {
        let script = with_lists(SOURCE).unwrap();
        assert!(!script.contains("SVC_"), "{script}");
        for script in [
            "SVC_WIDGETS",
            "SVC_OPTIONS",
            "SVC_WIDGETS, SVC_OPTIONS, SVC_WIDGETS",
            "SVC_OPTIONS, SVC_WIDGETS, SVC_OPTIONS",
        ] {
            assert_eq!(with_lists(script.as_bytes()), None, "{script}");
        }
    }

    #[test]
    fn it_has_the_heights_of_each_widget() {
        let script = with_lists(SOURCE).unwrap();
        for entry in [
            ",\"metrics\":[120,w=>",
            ",\"feed\":[320,(w,n)=>",
            ",\"globe\":[400,w=>",
            ",\"trend\":[240,w=>",
            ",\"report\":[560,w=>",
        ] {
            assert!(script.contains(entry), "{entry}");
        }
        assert_eq!(widgets().matches(":[").count(), all_widgets().count());
    }

    #[test]
    fn it_has_the_name_of_each_option() {
        let script = with_lists(SOURCE).unwrap();
        let (_, list) = script.split_once("const OPTIONS = \"").unwrap();
        let names: Vec<&str> = list.split('"').next().unwrap().split(' ').collect();
        assert_eq!(names, OPTIONS.iter().map(|option| option.name).collect::<Vec<_>>());
    }
}
