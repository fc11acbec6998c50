//! Entries of the audit log in words, for all pages of the desk.

use std::sync::Arc;

use app::brand::Brand;
use desk::{
    backend::{AuditChange, AuditLine, AuditSubject},
    date_in, minute_in, status_in,
};
use domain::action::Action;
use kit::{
    lang::Lang,
    words::{self, Word, filled},
};
use model::ReportType;
use serde_json::{Map, Value};
use store::{AuditEntry, Mode};
use url::form_urlencoded::byte_serialize;

use crate::{desk::words::audit as text, state::AppState};

/// Describes entries in a language, with the operator's labels of the types.
pub(in crate::desk) struct Words {
    brand: Arc<Brand>,
    words: words::Words,
}

impl Words {
    pub(in crate::desk) fn of(app: &AppState, lang: Lang) -> Self {
        Self { brand: app.pages.sources().brand.clone(), words: words::Words::all(lang) }
    }

    /// An action in words without a person and an object, such as "approved".
    pub(super) fn done(&self, action: Action) -> String {
        without_names(done(action).text(self.words.lang))
    }

    pub(in crate::desk) fn line(&self, entry: AuditEntry) -> AuditLine {
        AuditLine {
            entry: entry.seq,
            at: entry.at.to_string(),
            sentence: what(&entry).text(self.words.lang),
            subject: self.subject(&entry),
            changes: self.changes(&entry),
            who: entry.actor,
            from: entry.origin,
        }
    }

    /// Differences of the members of `after` from `before`, which has at least the compared ones.
    pub(in crate::desk) fn difference(
        &self,
        before: &Map<String, Value>,
        after: &Map<String, Value>,
    ) -> Vec<AuditChange> {
        let change = |(name, was): (&String, &Value)| {
            let is = after.get(name).unwrap_or(&Value::Null);
            let (was, is) = (self.value(name, was), self.value(name, is));
            (was != is).then(|| AuditChange {
                name: self.label(name),
                before: Some(was),
                after: is,
            })
        };
        before.iter().filter_map(change).collect()
    }

    /// The changed members in words, such as "city: Oslo → Bergen".
    fn changes(&self, entry: &AuditEntry) -> Vec<AuditChange> {
        let none = Map::new();
        let members = |value: &Option<Value>| value.as_ref().and_then(Value::as_object).cloned();
        let (before, after) = (members(&entry.before), members(&entry.after));
        let (before, after) = (before.as_ref().unwrap_or(&none), after.as_ref().unwrap_or(&none));
        let gone = before.keys().filter(|name| !after.contains_key(*name));
        let names = after.keys().chain(gone).filter(|name| !is_in_verb(entry.action, name));
        let change = |name: &String| {
            let shown = |value: Option<&Value>| self.value(name, value.unwrap_or(&Value::Null));
            AuditChange {
                name: self.label(name),
                before: before.get(name).map(|was| shown(Some(was))),
                after: shown(after.get(name)),
            }
        };
        names.map(change).collect()
    }

    pub(in crate::desk) fn value(&self, name: &str, value: &Value) -> String {
        let word = |word| self.words.text(word).to_owned();
        match value {
            Value::Null => word(text::NONE),
            Value::Bool(is) => word(if *is { text::YES } else { text::NO }),
            Value::Number(number) => number.to_string(),
            Value::String(text) => match (name, &**text) {
                (_, "") => word(text::NONE),
                ("type", kind) => self.kind(kind),
                ("status", name) => status_in(&self.words, name),
                ("eventDate", day) => date_in(&self.words, day),
                (_, text) if is_instant(text) => minute_in(&self.words, text),
                (_, text) => text.to_owned(),
            },
            Value::Array(values) if values.is_empty() => word(text::NONE),
            Value::Array(values) => {
                let values = values.iter().map(|value| self.value(name, value));
                values.collect::<Vec<_>>().join(", ")
            }
            Value::Object(members) => {
                let members = members.iter();
                let members = members.map(|(name, value)| {
                    format!("{} {}", self.label(name), self.value(name, value))
                });
                members.collect::<Vec<_>>().join(", ")
            }
        }
    }

    fn kind(&self, name: &str) -> String {
        let kind = ReportType::ALL.into_iter().find(|kind| kind.as_str() == name);
        kind.map_or_else(|| name.to_owned(), |kind| self.brand.in_sentence(kind, self.words.lang))
    }

    fn subject(&self, entry: &AuditEntry) -> Option<AuditSubject> {
        let id: String = byte_serialize(entry.subject.as_bytes()).collect();
        let path = match entry.action {
            Action::Import => format!("/desk/import?id={id}"),
            Action::Approve
            | Action::Reject
            | Action::Withdraw
            | Action::Reopen
            | Action::Restore
            | Action::Undo
            | Action::Correct => match entry.is_about_one {
                true => format!("/desk/report?id={}", id.replace('+', "%20")),
                false => format!("/desk/audit/entry?id={}", entry.seq),
            },
            Action::CreateKey
            | Action::RevokeKey
            | Action::BeginSession
            | Action::RefuseSession
            | Action::EndSession => format!("/desk/keys#{id}"),
            Action::CreateWebhook
            | Action::ChangeWebhook
            | Action::RotateWebhook
            | Action::EnableWebhook
            | Action::DisableWebhook
            | Action::DeleteWebhook
            | Action::ReplayWebhook => format!("/desk/webhooks#{id}"),
            Action::Redeliver => "/desk/webhooks".to_owned(),
            Action::KeepApart | Action::PairAgain => "/desk/places".to_owned(),
        };
        let text = match entry.is_about_one || entry.reports == 0 {
            true => entry.subject.clone(),
            false => self.words.sentence(text::REPORTS, entry.reports.unsigned_abs()),
        };
        (!text.is_empty()).then_some(AuditSubject { text, path })
    }

    /// Name of a member in words: "peopleCount" is "people".
    fn label(&self, name: &str) -> String {
        let word = match name {
            "type" => text::TYPE,
            "city" => text::CITY,
            "region" => text::REGION,
            "country" => text::COUNTRY,
            "peopleCount" => text::PEOPLE,
            "eventDate" => text::DATE,
            "lat" => text::LATITUDE,
            "lng" => text::LONGITUDE,
            "status" => text::STATUS,
            "reason" => text::REASON,
            "place" => text::PLACE,
            "otherPlace" => text::OTHER_PLACE,
            "file" => text::FILE,
            "partner" => text::PARTNER,
            "tier" => text::TIER,
            "scope" => text::SCOPE,
            "expiresAt" => text::EXPIRES_AT,
            "disabledSubscriptions" => text::DISABLED_SUBSCRIPTIONS,
            "lostKey" => text::LOST_KEY,
            "events" => text::EVENTS,
            other => return other.to_owned(),
        };
        self.words.text(word).to_owned()
    }
}

/// Sentence about an action, with `{who}` and `{subject}`.
fn done(action: Action) -> Word {
    match action {
        Action::Import => text::IMPORTED,
        Action::Approve => text::APPROVED,
        Action::Reject => text::REJECTED,
        Action::Withdraw => text::WITHDREW,
        Action::Reopen => text::REOPENED,
        Action::Restore => text::PUBLISHED_AGAIN,
        Action::Undo => text::UNDID,
        Action::Correct => text::CORRECTED,
        Action::KeepApart => text::KEPT_APART,
        Action::PairAgain => text::PAIRED_AGAIN,
        Action::CreateKey => text::CREATED_KEY,
        Action::RevokeKey => text::REVOKED_KEY,
        Action::CreateWebhook => text::CREATED_WEBHOOK,
        Action::ChangeWebhook => text::CHANGED_WEBHOOK,
        Action::RotateWebhook => text::ROTATED_WEBHOOK,
        Action::EnableWebhook => text::ENABLED_WEBHOOK,
        Action::DisableWebhook => text::DISABLED_WEBHOOK,
        Action::DeleteWebhook => text::DELETED_WEBHOOK,
        Action::ReplayWebhook => text::REPLAYED_EVENTS,
        Action::Redeliver => text::SENT_DELIVERY_AGAIN,
        Action::BeginSession => text::SIGNED_IN,
        Action::RefuseSession => text::WAS_REFUSED,
        Action::EndSession => text::ENDED_SESSION,
    }
}

/// A sentence without its names in braces: "{who} approved {subject}" is "approved".
pub(super) fn without_names(sentence: &str) -> String {
    let text = filled(sentence, &[]);
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ").trim_matches([':', ' ']).to_owned()
}

/// Changes as a text in English, such as "city: Oslo → Bergen; people: 3 → 4".
pub(super) fn listed(changes: &[AuditChange]) -> String {
    let change = |AuditChange { name, before, after }: &AuditChange| match before {
        Some(before) => format!("{name}: {before} → {after}"),
        None => format!("{name}: {after}"),
    };
    changes.iter().map(change).collect::<Vec<_>>().join("; ")
}

fn what(entry: &AuditEntry) -> Word {
    let mode = entry.after.as_ref().and_then(|after| after.get("mode")?.as_str());
    match (entry.action, mode) {
        (Action::Import, Some(mode)) if mode == Mode::Approve.as_str() => {
            text::IMPORTED_AND_PUBLISHED
        }
        (Action::Import, Some(mode)) if mode == Mode::Backfill.as_str() => {
            text::IMPORTED_AS_HISTORY
        }
        (action, _) => done(action),
    }
}

/// Whether the verb already describes this change.
fn is_in_verb(action: Action, member: &str) -> bool {
    match action {
        Action::Approve | Action::Reject | Action::Withdraw | Action::Restore => member == "status",
        Action::Import => member == "mode",
        _ => false,
    }
}

/// Whether a text has the form of this service's instants.
fn is_instant(text: &str) -> bool {
    chrono::DateTime::parse_from_rfc3339(text).is_ok()
}

#[cfg(test)]
mod tests;
