//! `svc.toml`, `svc config`, and reloading with SIGHUP.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, chown},
    process::Command,
};

use serde_json::{Value, json};

use crate::harness::{Ran, Svc};

/// Creates a folder with a settings file.
fn with_file(text: &str) -> Svc {
    let svc = Svc::migrated();
    fs::write(svc.path("svc.toml"), text).unwrap();
    svc
}

/// Setting in the output of `svc config`.
fn shown(command: &mut Command, name: &str) -> Value {
    let ran = Ran::of(command.output().unwrap());
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let all: Value = serde_json::from_str(&ran.out).unwrap();
    let mut found = all["settings"].as_array().unwrap().iter().filter(|one| one["name"] == name);
    let setting = found.next().unwrap_or_else(|| panic!("{name} in {all}")).clone();
    assert_eq!(found.next(), None);
    setting
}

#[test]
fn flags_win_over_variables_which_win_over_the_file_which_wins_over_defaults() {
    let svc = with_file("# Where\naddr = '[::1]:80'\n");
    let setting = |value: &str, from: Value| json!({ "name": "addr", "variable": "SVC_ADDR", "value": value, "from": from });
    let config = |arguments: &[&str]| svc.command(&[&["config", "--json"], arguments].concat());
    let file = setting("[::1]:80", json!({ "kind": "file", "path": "svc.toml", "line": 2 }));
    assert_eq!(shown(&mut config(&[]), "addr"), file);
    let variable = setting("[::1]:81", json!({ "kind": "variable" }));
    assert_eq!(shown(config(&[]).env("SVC_ADDR", "[::1]:81"), "addr"), variable);
    let flag = setting("[::1]:82", json!({ "kind": "flag" }));
    let flags = ["--addr", "[::1]:82"];
    assert_eq!(shown(config(&flags).env("SVC_ADDR", "[::1]:81"), "addr"), flag);
    fs::remove_file(svc.path("svc.toml")).unwrap();
    let default = setting("127.0.0.1:3000", json!({ "kind": "default" }));
    assert_eq!(shown(&mut config(&[]), "addr"), default);
}

#[test]
fn lists_switches_and_numbers_mean_what_their_flags_mean() {
    let svc = with_file(
        "trusted-proxies = ['10.0.0.0/8', '::1']\nframe-ancestors = [\"'self'\", 'https://example.org']\n\
         webhook-allow-http = true\nwebhook-allow-private = true\ndrain-delay = 5\n",
    );
    for (name, value) in [
        ("trusted-proxies", "10.0.0.0/8,::1"),
        ("frame-ancestors", "'self' https://example.org"),
        ("webhook-allow-http", "true"),
        ("webhook-allow-private", "true"),
        ("drain-delay", "5"),
    ] {
        let setting = shown(&mut svc.command(&["config", "--json"]), name);
        assert_eq!(
            (&setting["value"], &setting["from"]["kind"]),
            (&json!(value), &json!("file")),
            "{name}"
        );
    }
}

#[test]
fn each_command_takes_from_the_file_what_it_has_a_use_for() {
    let svc = with_file("");
    let elsewhere = format!("sqlite://{}", svc.path("elsewhere.db").display());
    let text =
        format!("addr = '[::1]:80'\nwebhook-deny = '192.0.2.0/24'\ndatabase-url = '{elsewhere}'\n");
    fs::write(svc.path("svc.toml"), text).unwrap();
    let out = |arguments: &[&str]| {
        let ran = Ran::of(svc.command(arguments).env_remove("DATABASE_URL").output().unwrap());
        assert_eq!(ran.code, Some(0), "{arguments:?}: {}{}", ran.out, ran.err);
        ran.out
    };
    out(&["db", "migrate"]);
    assert!(svc.path("elsewhere.db").exists());
    assert_eq!(out(&["--log", "warn", "keys", "list", "--json"]), "{\"keys\":[]}\n");
}

#[test]
fn what_is_wrong_with_the_file_is_said_with_its_line_and_nothing_is_done() {
    for (text, said) in [
        ("addr = '[::1]:80'\naddr = 2\n", "svc.toml:2: this is not TOML: duplicate key"),
        ("\nadr = '[::1]:80'\n", "svc.toml:2: there is no setting \"adr\"; did you mean addr?"),
        ("demo = true\n", "svc.toml:1: there is no setting \"demo\""),
        ("config = 'other.toml'\n", "svc.toml:1: there is no setting \"config\""),
        (
            "webhook-allow-http = 'yes'\n",
            "svc.toml:1: write webhook-allow-http = true or webhook-allow-http = false",
        ),
        ("addr = ['[::1]:80']\n", "svc.toml:1: addr is not a list: write addr = VALUE"),
        (
            "\nstreams-per-address = 0\n",
            "svc.toml:2: invalid value '0' for '--streams-per-address <NUMBER>': 0 is not in 1..=4294967295",
        ),
    ] {
        let svc = with_file(text);
        let ran = svc.run(&["config"]);
        assert_eq!((ran.code, &*ran.out), (Some(2), ""), "{text}: {}", ran.err);
        assert_eq!(ran.err.lines().next(), Some(&*format!("error: {said}")), "{text}");
    }
    let svc = with_file("");
    let ran = svc.run(&["--config", "made-up.toml", "serve"]);
    let said =
        "error: made-up.toml: the settings cannot be read: No such file or directory (os error 2)";
    assert_eq!((ran.code, ran.err.lines().next()), (Some(2), Some(said)));
}

#[test]
fn another_file_can_be_named_or_none() {
    let svc = with_file("drain-delay = 1\n");
    fs::write(svc.path("other.toml"), "drain-delay = 2\n").unwrap();
    let value = |command: &mut Command| shown(command, "drain-delay")["value"].clone();
    assert_eq!(value(&mut svc.command(&["config", "--json"])), "1");
    assert_eq!(value(&mut svc.command(&["--config=other.toml", "config", "--json"])), "2");
    assert_eq!(value(svc.command(&["config", "--json"]).env("SVC_CONFIG", "other.toml")), "2");
    assert_eq!(value(svc.command(&["config", "--json"]).env("SVC_CONFIG", "")), "0");
}

#[test]
fn settings_are_shown_without_passwords() {
    let svc = with_file("database-url = 'postgres://svc:one@db.example.org/svc'\n");
    fs::set_permissions(svc.path("svc.toml"), fs::Permissions::from_mode(0o600)).unwrap();
    let flags = ["config", "--redis-url", "rediss://:two@redis.example.org:6379"];
    let command = || {
        let mut command = svc.command(&flags);
        command.env_remove("DATABASE_URL").env("SVC_SECRET_KEY", "three");
        command
    };
    for ran in
        [Ran::of(command().output().unwrap()), Ran::of(command().arg("--json").output().unwrap())]
    {
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        for secret in ["one", "two", "three"] {
            assert!(
                !ran.out.contains(&format!(":{secret}@")) && !ran.out.contains("three"),
                "{}",
                ran.out
            );
        }
    }
    let text = Ran::of(command().output().unwrap()).out;
    let words = |name: &str| {
        let line =
            text.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{text}"));
        line.split_whitespace().skip(1).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(words("database-url"), "postgres://svc:…@db.example.org/svc svc.toml:1");
    assert_eq!(words("redis-url"), "rediss://:…@redis.example.org:6379 flag");
    assert_eq!(words("secret-key "), "… variable SVC_SECRET_KEY");
    assert_eq!(words("public-url"), "– default");
}

#[test]
fn passwords_in_parameters_are_in_neither_settings_nor_messages() {
    let svc = with_file("");
    let run = |arguments: &[&str]| {
        Ran::of(svc.command(arguments).env_remove("DATABASE_URL").output().unwrap())
    };
    for (flag, url) in [
        ("--database-url", "postgres:///svc?host=/nowhere&user=svc&password=hidden"),
        ("--redis-url", "unix:///nowhere?user=svc&pass=hidden"),
        ("--otlp-endpoint", "https://otlp.example.org/?api-key=hidden"),
        // Messages repeat a malformed value or flag.
        ("--database-url", "postgres:///svc?password=hidden&sslmod=require"),
        ("--database-url", "mysql://svc@db1,db2/svc?password=hidden"),
        ("--database-url", "svc:hidden@db/svc"),
        ("--otlp-endpoint", "otlp.example.org/?api-key=hidden"),
        ("--public-url", "https://svc:hidden@svc.example.org"),
        ("--public-url", "https://svc.example.org?token=hidden"),
        ("--redis-ur", "redis://:hidden@redis"),
    ] {
        let given = format!("{flag}={url}");
        for ran in
            [run(&["config", &given]), run(&["keys", "list", &given]), run(&["keys", "list", url])]
        {
            assert!(
                !ran.out.contains("hidden") && !ran.err.contains("hidden"),
                "{given}: {}{}",
                ran.out,
                ran.err
            );
            assert!(!ran.out.is_empty() || !ran.err.is_empty(), "{given}");
        }
    }
}

#[test]
fn settings_that_anybody_may_have_left_in_the_folder_are_not_obeyed_unless_they_are_named() {
    let svc = with_file("drain-delay = 1\n");
    let path = svc.path("svc.toml");
    let named = || {
        shown(&mut svc.command(&["--config=svc.toml", "config", "--json"]), "drain-delay")["value"]
            .clone()
    };
    fs::set_permissions(&path, fs::Permissions::from_mode(0o646)).unwrap();
    let ran = svc.run(&["config"]);
    let said = "error: svc.toml: every user of this machine may write to this file: take that away with chmod o-w svc.toml";
    assert_eq!((ran.code, ran.err.lines().next()), (Some(2), Some(said)));
    assert_eq!(named(), "1");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    assert_eq!(svc.run(&["config"]).code, Some(0));
    // Only root can change the owner of a file.
    if chown(&path, Some(65_534), None).is_ok() {
        let ran = svc.run(&["config"]);
        let said = "error: svc.toml: this file belongs to user 65534, and not to you or root: if you trust it, name it with \
                    --config svc.toml";
        assert_eq!((ran.code, ran.err.lines().next()), (Some(2), Some(said)));
        assert_eq!(named(), "1");
    }
}
