use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use super::{Entry, SettingsFile, Value, check_owner, parse};

fn parsed(text: &str) -> Result<Vec<Entry>, String> {
    parse(Path::new("svc.toml"), text).map_err(|error| error.to_string())
}

fn entry(name: &str, value: Value, line: usize) -> Entry {
    Entry { name: name.to_owned(), value, line }
}

#[test]
fn texts_numbers_switches_and_lists_are_read_with_their_lines() {
    let text = "# Where\naddr = \"[::]:80\"\n\nstreams-per-address = 1_000\nwebhook-allow-http = true\n\
                trusted-proxies = [\n  \"10.0.0.0/8\",\n  '::1',\n]\n";
    let list = Value::List(vec!["10.0.0.0/8".to_owned(), "::1".to_owned()]);
    let expected = vec![
        entry("addr", Value::Text("[::]:80".to_owned()), 2),
        entry("streams-per-address", Value::Text("1000".to_owned()), 4),
        entry("webhook-allow-http", Value::Switch(true), 5),
        entry("trusted-proxies", list, 6),
    ];
    assert_eq!(parsed(text), Ok(expected));
    assert_eq!(parsed(""), Ok(vec![]));
}

#[test]
fn whatever_is_wrong_is_said_with_its_line() {
    for (text, said) in [
        ("addr = 1\naddr = 2\n", "svc.toml:2: this is not TOML: duplicate key"),
        (
            "[serve]\naddr = \"x\"\n",
            "svc.toml:1: write serve = VALUE, with a text, a number, true, false or a list",
        ),
        (
            "\n\nday = 2026-01-01",
            "svc.toml:3: write day = VALUE, with a text, a number, true, false or a list",
        ),
        ("\"\\u0007\" = {}", "svc.toml:1: write NAME = VALUE"),
    ] {
        assert_eq!(parsed(text), Err(said.to_owned()), "{text:?}");
    }
    let not_toml = parsed("addr = \"x\"\nfoo bar\n").unwrap_err();
    assert!(not_toml.starts_with("svc.toml:2: this is not TOML: "), "{not_toml}");
}

#[test]
fn a_password_is_only_for_those_who_may_read_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("svc.toml");
    let found = |text: &str, mode| {
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        SettingsFile::find(Some(&path)).map(|file| file.unwrap().entries.len())
    };
    let secret = "addr = \"[::]:80\"\ndatabase-url = \"postgres://svc:secret@db/svc\"\n";
    let shown = path.display();
    assert_eq!(
        found(secret, 0o644).unwrap_err().to_string(),
        format!(
            "{shown}:2: the URL in database-url has a password, and every user of this machine may read \
             the file: take that away with chmod o-rwx {shown}"
        )
    );
    assert_eq!(found(secret, 0o640).unwrap(), 2);
    for secret in [
        "database-url = 'postgres://svc:secret@db1:5432,db2:5432/svc'",
        "redis-url = 'rediss+cluster://:secret@a:6379,b:6379'",
        "database-url = 'postgres:///svc?host=/run&password=secret'",
        "redis-url = 'unix:///run/redis?pass=secret'",
        "otlp-endpoint = 'https://otlp.example.org/?api-key=secret'",
    ] {
        let error = found(secret, 0o644).unwrap_err().to_string();
        assert!(error.contains("has a password"), "{secret}: {error}");
        assert_eq!(found(secret, 0o640).unwrap(), 1, "{secret}");
    }
    assert_eq!(found("database-url = \"postgres://svc@db/svc\"", 0o644).unwrap(), 1);
}

#[test]
fn a_file_that_is_named_has_to_be_there_and_small() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("made-up.toml");
    let missing = SettingsFile::find(Some(&path)).unwrap_err().to_string();
    let shown = path.display();
    let expected =
        format!("{shown}: the settings cannot be read: No such file or directory (os error 2)");
    assert_eq!(missing, expected);
    fs::write(&path, "#".repeat(1 << 21)).unwrap();
    assert_eq!(
        SettingsFile::find(Some(&path)).unwrap_err().to_string(),
        format!("{shown}: this is too large for a settings file: at most 1048576 bytes are read")
    );
}

#[test]
fn a_file_that_was_found_has_to_be_this_users_or_roots_and_nobody_elses_to_write() {
    let refused = |owner, mode, user| {
        check_owner(Path::new("svc.toml"), owner, mode, user).err().map(|error| error.to_string())
    };
    assert_eq!(
        [refused(1000, 0o664, 1000), refused(0, 0o644, 1000), refused(0, 0o600, 0)],
        [const { None }; 3]
    );
    let foreign = "svc.toml: this file belongs to user 1001, and not to you or root: if you trust it, name it with \
                   --config svc.toml";
    assert_eq!(refused(1001, 0o600, 1000).as_deref(), Some(foreign));
    assert_eq!(refused(1001, 0o600, 0).as_deref(), Some(foreign));
    let writable = "svc.toml: every user of this machine may write to this file: take that away with chmod o-w svc.toml";
    assert_eq!(refused(1000, 0o666, 1000).as_deref(), Some(writable));
}
