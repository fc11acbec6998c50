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

fn in_lang(lang: Lang) -> Words {
    Words { brand: Arc::default(), words: words::Words::all(lang) }
}

#[test]
fn changes_are_words_without_json() {
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
        (Action::Import, Value::Null, json!({ "file": "a.csv", "mode": "pending" }), "file: a.csv"),
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
        (
            Action::KeepApart,
            Value::Null,
            json!({ "place": "Lens, France", "otherPlace": "Sens, France" }),
            "place: Lens, France; other place: Sens, France",
        ),
        (Action::EndSession, Value::Null, Value::Null, ""),
    ] {
        let line = in_lang(Lang::En).line(entry(action, "x", before, after));
        assert_eq!(listed(&line.changes), expected, "{action:?}");
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
        (Action::KeepApart, "Lens / Sens", "/desk/places"),
    ] {
        let subject =
            in_lang(Lang::En).subject(&entry(action, subject_of, Value::Null, Value::Null));
        let expected = AuditSubject { text: subject_of.to_owned(), path: path.to_owned() };
        assert_eq!(subject, Some(expected));
    }
    let nobody = entry(Action::RefuseSession, "", Value::Null, Value::Null);
    assert_eq!(in_lang(Lang::En).subject(&nobody), None);
}

#[test]
fn the_verb_of_an_import_has_what_became_of_its_reports() {
    for (mode, expected) in [
        ("pending", "imported"),
        ("approve", "imported and published"),
        ("backfill", "imported as history"),
    ] {
        let entry = entry(Action::Import, "imp_1", Value::Null, json!({ "mode": mode }));
        assert_eq!(without_names(what(&entry).text(Lang::En)), expected);
    }
}

#[test]
fn an_entry_is_a_sentence_in_each_language() {
    for lang in Lang::ALL {
        let words = in_lang(lang);
        for action in Action::ALL {
            let sentence = words.line(entry(action, "x", Value::Null, Value::Null)).sentence;
            for name in ["{who}", "{subject}"] {
                assert_eq!(sentence.matches(name).count(), 1, "{sentence}");
            }
            let done = words.done(action);
            assert!(!done.is_empty() && !done.contains([':', '{', '}']), "{done}");
        }
    }
    let reopened = |lang| {
        let (before, after) = (json!({ "status": "REJECTED" }), json!({ "status": "PENDING" }));
        let line = in_lang(lang).line(entry(Action::Reopen, "2 reports", before, after));
        let subject = line.subject.map(|subject| subject.text).unwrap_or_default();
        (line.sentence, subject, listed(&line.changes))
    };
    for (lang, sentence, subject, changes) in [
        (Lang::En, "{who} reopened {subject}", "75 reports", "status: rejected → pending"),
        (Lang::De, "{who}: {subject} wieder geöffnet", "75 Berichte", "Status: abgelehnt → offen"),
        (Lang::Ar, "{who}: إعادة فتح {subject}", "75 بلاغًا", "الحالة: مرفوض → قيد الانتظار"),
    ] {
        assert_eq!(reopened(lang), (sentence, subject.to_owned(), changes.to_owned()));
    }
}
