use std::str::FromStr;

use anyhow::anyhow;
use base::time::parse_instant;
use clap::Args;
use domain::{cursor::Cursor, subscription::SubscriptionStatus};
use serde_json::json;
use store::{LogPosition, LostPlace, Replay, Replayed, Store};

use super::unknown;
use crate::{
    cli::{Exit, output},
    config::Output,
};

#[derive(Args, Debug)]
#[group(required = true, multiple = true)]
pub(in crate::cli) struct Again {
    /// First event: an instant such as 2026-03-01T12:00:00Z, or a cursor of the event log such as c_4ce61
    #[arg(long, value_name = "INSTANT|CURSOR")]
    from: Option<From>,
    /// Only deliveries that have failed for good
    #[arg(long)]
    failed: bool,
}

#[derive(Clone, Copy, Debug)]
pub(in crate::cli) struct From(LogPosition);

impl FromStr for From {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let cursor = || Some(LogPosition::After(text.parse::<Cursor>().ok()?.seq()));
        parse_instant(text)
            .map(LogPosition::From)
            .or_else(cursor)
            .map(From)
            .ok_or("give an instant such as 2026-03-01T12:00:00Z, or a cursor of the log of events")
    }
}

pub(super) async fn run(
    store: &Store,
    Output { json }: Output,
    id: &str,
    Again { from, failed }: &Again,
    to: Option<From>,
) -> anyhow::Result<Exit> {
    let [place, to] = [*from, to].map(|place| place.map(|From(place)| place));
    let replay = match place {
        Some(place) if !failed => Replay::Everything(place),
        place => Replay::Failed(place),
    };
    let events = match store.deliveries().replay_up_to(None, id, replay, to).await? {
        Replayed::Events(events) => events,
        Replayed::Unknown => return Err(unknown(id)),
        Replayed::Lost(LostPlace::Pruned) => {
            return Err(anyhow!(
                "events after this cursor are no longer kept: give an instant to begin with the oldest"
            ));
        }
        Replayed::Lost(LostPlace::Ahead) => {
            return Err(anyhow!("this cursor is ahead of the log: was the database restored?"));
        }
    };
    if json {
        output::json(&json!({ "subscription": id, "events": events }))?;
    } else {
        let listed = store.subscriptions().find(id).await?.ok_or_else(|| unknown(id))?;
        output::line(&sentence(id, listed.subscription.status, events))?;
    }
    Ok(Exit::Done)
}

fn sentence(id: &str, status: SubscriptionStatus, events: u64) -> String {
    let counted = output::count(events, "event");
    match (events, status) {
        (0, _) => format!("There is nothing to send to {id} again."),
        (_, SubscriptionStatus::Active) => {
            format!("{counted} will be sent to {id} again by the running service.")
        }
        (_, SubscriptionStatus::Disabled) => {
            format!("{id} is disabled: {counted} will be sent to it again once it is enabled.")
        }
    }
}
