//! The receivers of `docs/webhooks.md`, for pages that show them with values of a subscription. They have one source,
//! which `server/tests/slow/receivers.rs` tests.

use super::{PublicPage, prose::cut};
use crate::pages::highlight;

/// A program that receives webhooks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receiver {
    /// Name of the language, for people.
    pub name: &'static str,
    /// Command that runs it, without its environment.
    pub run: &'static str,
    /// Name of the language, as in Markdown.
    pub language: String,
    pub code: String,
}

/// Headings of the receivers, with the commands that run them.
const RECEIVERS: [(&str, &str); 4] = [
    ("Node", "node receiver.mjs"),
    ("Python", "python3 receiver.py"),
    ("Go", "go run receiver.go"),
    ("Rust", "cargo run"),
];

impl Receiver {
    /// Code with its colours, as HTML.
    pub fn highlighted(language: &str, code: &str) -> String {
        highlight::highlighted(language, code)
    }
}

/// All receivers.
pub fn receivers() -> Vec<Receiver> {
    let section = cut(PublicPage::Webhooks.markdown().unwrap_or_default(), "Receive").0;
    let receiver = |(name, run): (&'static str, &'static str)| {
        let (_, part) = section.split_once(&format!("\n### {name}\n"))?;
        let (_, block) = part.split_once("\n```")?;
        let (language, code) = block.split_once('\n')?;
        let (code, _) = code.split_once("\n```")?;
        Some(Receiver { name, run, language: language.to_owned(), code: code.to_owned() })
    };
    RECEIVERS.into_iter().filter_map(receiver).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_receiver_of_the_documentation_is_found_as_a_whole() {
        let receivers = receivers();
        let found: Vec<_> = receivers.iter().map(|one| (one.name, &*one.language)).collect();
        assert_eq!(found, [("Node", "js"), ("Python", "python"), ("Go", "go"), ("Rust", "rust")]);
        for Receiver { name, run, code, .. } in receivers {
            assert!(code.contains("SVC_WEBHOOK_SECRET") && code.contains("PORT"), "{name}");
            assert!(!code.contains("```"), "{name}");
            let file = run.rsplit(' ').next().filter(|file| file.contains('.'));
            assert!(file.is_none_or(|file| code.lines().next().unwrap().ends_with(file)), "{name}");
        }
    }
}
