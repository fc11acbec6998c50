use indicatif::HumanCount;
use serde_json::json;
use store::{Enabled, Store};

use super::unknown;
use crate::{
    cli::{Exit, output},
    config::Output,
};

pub(super) async fn run(store: &Store, output: Output, id: &str) -> anyhow::Result<Exit> {
    let (text, missed) = match store.subscriptions().enable(id).await? {
        Enabled::Now { missed } => (format!("{id} is active again; {}.", told(missed)), missed),
        Enabled::Before => (format!("{id} is active already."), 0),
        Enabled::Unknown => return Err(unknown(id)),
    };
    let value = json!({ "subscription": id, "enabled": true, "missed": missed });
    output::result(output, &value, || text)
}

fn told(missed: u64) -> String {
    match missed {
        0 => "it missed nothing".to_owned(),
        1 => "1 delivery that it missed is due".to_owned(),
        _ => format!("{} deliveries that it missed are due", HumanCount(missed)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_missed_is_told_in_words() {
        assert_eq!(told(0), "it missed nothing");
        assert_eq!(told(1), "1 delivery that it missed is due");
        assert_eq!(told(1_234), "1,234 deliveries that it missed are due");
    }
}
