//! Entries of the audit log in words, for all pages of the desk.

use std::sync::Arc;

use app::brand::Brand;
use desk::backend::{AuditLine, AuditSubject};
use domain::action::Action;
use kit::{
    lang::Lang,
    number::neutral,
    time::{date, minute},
};
use model::ReportType;
use serde_json::{Map, Value};
use store::{AuditEntry, Mode};
use url::form_urlencoded::byte_serialize;

use crate::state::AppState;

/// Describes entries with the operator's labels of the types.
pub(in crate::desk) struct Words {
    brand: Arc<Brand>,
}

impl Words {
    pub(in crate::desk) fn of(app: &AppState) -> Self {
        Self { brand: app.pages.sources().brand.clone() }
    }

    pub(in crate::desk) fn line(&self, entry: AuditEntry) -> AuditLine {
        AuditLine {
            entry: entry.seq,
            at: entry.at.to_string(),
            what: what(&entry).to_owned(),
            subject: subject(&entry),
            changes: self.changes(&entry),
            who: entry.actor,
            from: entry.origin,
        }
    }

    /// Describes how the members of `after` differ from `before`, which has at least the compared ones.
    pub(in crate::desk) fn difference(
        &self,
        before: &Map<String, Value>,
        after: &Map<String, Value>,
    ) -> String {
        let change = |(name, was): (&String, &Value)| {
            let is = after.get(name).unwrap_or(&Value::Null);
            (self.value(name, was) != self.value(name, is))
                .then(|| self.change(name, Some(was), is))
        };
        before.iter().filter_map(change).collect::<Vec<_>>().join("; ")
    }

    /// Describes the change of a member.
    fn change(&self, name: &str, was: Option<&Value>, is: &Value) -> String {
        let (label, is) = (label(name), self.value(name, is));
        match was {
            Some(was) => format!("{label}: {} → {is}", self.value(name, was)),
            None => format!("{label}: {is}"),
        }
    }

    /// Describes the changed members, such as "city: Oslo → Bergen; people: 3 → 4".
    fn changes(&self, entry: &AuditEntry) -> String {
        let none = Map::new();
        let members = |value: &Option<Value>| value.as_ref().and_then(Value::as_object).cloned();
        let (before, after) = (members(&entry.before), members(&entry.after));
        let (before, after) = (before.as_ref().unwrap_or(&none), after.as_ref().unwrap_or(&none));
        let gone = before.keys().filter(|name| !after.contains_key(*name));
        let names = after.keys().chain(gone).filter(|name| !is_in_verb(entry.action, name));
        let change = |name: &String| {
            self.change(name, before.get(name), after.get(name).unwrap_or(&Value::Null))
        };
        names.map(change).collect::<Vec<_>>().join("; ")
    }

    pub(in crate::desk) fn value(&self, name: &str, value: &Value) -> String {
        match value {
            Value::Null => "none".to_owned(),
            Value::Bool(is) => if *is { "yes" } else { "no" }.to_owned(),
            Value::Number(number) => number.to_string(),
            Value::String(text) => match (name, &**text) {
                (_, "") => "none".to_owned(),
                ("type", kind) => self.kind(kind),
                ("status", status) => status.to_lowercase(),
                ("eventDate", day) => date(day),
                (_, text) if is_instant(text) => minute(text),
                (_, text) => text.to_owned(),
            },
            Value::Array(values) if values.is_empty() => "none".to_owned(),
            Value::Array(values) => {
                let values = values.iter().map(|value| self.value(name, value));
                values.collect::<Vec<_>>().join(", ")
            }
            Value::Object(members) => {
                let members = members.iter();
                let members = members
                    .map(|(name, value)| format!("{} {}", label(name), self.value(name, value)));
                members.collect::<Vec<_>>().join(", ")
            }
        }
    }

    fn kind(&self, name: &str) -> String {
        let kind = ReportType::ALL.into_iter().find(|kind| kind.as_str() == name);
        kind.map_or_else(|| name.to_owned(), |kind| self.brand.in_sentence(kind, Lang::En))
    }
}

/// Verb of an action, in the past tense.
pub(super) fn done(action: Action) -> &'static str {
    match action {
        Action::Import => "imported",
        Action::Approve => "approved",
        Action::Reject => "rejected",
        Action::Withdraw => "withdrew",
        Action::Reopen => "reopened",
        Action::Restore => "published again",
        Action::Undo => "undid a decision on",
        Action::Correct => "corrected",
        Action::CreateKey => "created the key",
        Action::RevokeKey => "revoked the key",
        Action::EnableWebhook => "enabled the webhook",
        Action::DisableWebhook => "disabled the webhook",
        Action::DeleteWebhook => "deleted the webhook",
        Action::ReplayWebhook => "replayed events for the webhook",
        Action::Redeliver => "sent the delivery again:",
        Action::BeginSession => "signed in with the key",
        Action::RefuseSession => "was refused with the key",
        Action::EndSession => "ended a session of the key",
    }
}

fn what(entry: &AuditEntry) -> &'static str {
    let mode = entry.after.as_ref().and_then(|after| after.get("mode")?.as_str());
    match (entry.action, mode) {
        (Action::Import, Some(mode)) if mode == Mode::Approve.as_str() => "imported and published",
        (Action::Import, Some(mode)) if mode == Mode::Backfill.as_str() => "imported as history",
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

fn subject(entry: &AuditEntry) -> Option<AuditSubject> {
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
        Action::EnableWebhook
        | Action::DisableWebhook
        | Action::DeleteWebhook
        | Action::ReplayWebhook => format!("/desk/webhooks#{id}"),
        Action::Redeliver => "/desk/webhooks".to_owned(),
    };
    let text = match entry.is_about_one || entry.reports == 0 {
        true => entry.subject.clone(),
        false => format!("{} reports", neutral(entry.reports.unsigned_abs(), Lang::En)),
    };
    (!text.is_empty()).then_some(AuditSubject { text, path })
}

/// Name of a member in words: "peopleCount" is "people".
fn label(name: &str) -> String {
    match name {
        "peopleCount" => "people".to_owned(),
        "eventDate" => "date".to_owned(),
        "lat" => "latitude".to_owned(),
        "lng" => "longitude".to_owned(),
        _ => {
            let mut label = String::with_capacity(name.len() + 4);
            for character in name.chars() {
                if character.is_ascii_uppercase() {
                    label.push(' ');
                }
                label.push(character.to_ascii_lowercase());
            }
            label
        }
    }
}

/// Whether a text has the form of this service's instants.
fn is_instant(text: &str) -> bool {
    chrono::DateTime::parse_from_rfc3339(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::time::Timestamp;
    use serde_json::json;

    fn entry(action: Action, subject: &str, before: Value, after: Value) -> AuditEntry {
        let some = |value: Value| (!value.is_null()).then_some(value);
        AuditEntry {
            seq: 7,
            at: Timestamp::from_millis(1_772_366_400_000),
            actor: "Ada".to_owned(),
            key: None,
            origin: "web1".to_owned(),
            action,
            subject: subject.to_owned(),
            is_about_one: !subject.ends_with(" reports"),
            reports: if subject.ends_with(" reports") { 75 } else { 0 },
            own_reports: 0,
            before: some(before),
            after: some(after),
        }
    }

    #[test]
    fn changes_are_words_without_json() {
        let words = Words { brand: Arc::default() };
        for (action, before, after, expected) in [
            (
                Action::Correct,
                json!({ "city": "Oslo", "peopleCount": 3, "lat": null, "region": "" }),
                json!({ "city": "Bergen", "peopleCount": 4, "lat": 60.39, "region": "Vestland" }),
                "city: Oslo → Bergen; people: 3 → 4; latitude: none → 60.39; region: none → Vestland",
            ),
            (
                Action::Correct,
                json!({ "eventDate": "2026-02-01", "type": "water" }),
                json!({ "eventDate": "2026-02-11", "type": "both" }),
                "date: 1 Feb 2026 → 11 Feb 2026; type: water → both",
            ),
            (
                Action::Approve,
                json!({ "status": "PENDING" }),
                json!({ "status": "APPROVED", "reason": "seen it" }),
                "reason: seen it",
            ),
            (
                Action::Reopen,
                json!({ "status": "REJECTED" }),
                json!({ "status": "PENDING" }),
                "status: rejected → pending",
            ),
            (
                Action::Import,
                Value::Null,
                json!({ "file": "a.csv", "mode": "pending" }),
                "file: a.csv",
            ),
            (
                Action::CreateKey,
                Value::Null,
                json!({ "partner": "Jo", "tier": "operator", "expiresAt": "2026-03-05T00:00:00.000Z" }),
                "partner: Jo; tier: operator; expires at: 5 Mar 2026, 00:00",
            ),
            (
                Action::RevokeKey,
                Value::Null,
                json!({ "disabledSubscriptions": ["sub_a", "sub_b"] }),
                "disabled subscriptions: sub_a, sub_b",
            ),
            (Action::EndSession, Value::Null, Value::Null, ""),
        ] {
            let line = words.line(entry(action, "x", before, after));
            assert_eq!(line.changes, expected, "{action:?}");
        }
    }

    #[test]
    fn every_subject_leads_to_its_page() {
        for (action, subject_of, path) in [
            (Action::Approve, "a b/c", "/desk/report?id=a%20b%2Fc"),
            (Action::Approve, "75 reports", "/desk/audit/entry?id=7"),
            (Action::Import, "imp_1", "/desk/import?id=imp_1"),
            (Action::RevokeKey, "svc_4fT0aQx9", "/desk/keys#svc_4fT0aQx9"),
            (Action::DisableWebhook, "sub_1", "/desk/webhooks#sub_1"),
        ] {
            let subject = subject(&entry(action, subject_of, Value::Null, Value::Null));
            let expected = AuditSubject { text: subject_of.to_owned(), path: path.to_owned() };
            assert_eq!(subject, Some(expected));
        }
        assert_eq!(subject(&entry(Action::RefuseSession, "", Value::Null, Value::Null)), None);
    }

    #[test]
    fn the_verb_of_an_import_has_what_became_of_its_reports() {
        for (mode, expected) in [
            ("pending", "imported"),
            ("approve", "imported and published"),
            ("backfill", "imported as history"),
        ] {
            let entry = entry(Action::Import, "imp_1", Value::Null, json!({ "mode": mode }));
            assert_eq!(what(&entry), expected);
        }
    }
}
