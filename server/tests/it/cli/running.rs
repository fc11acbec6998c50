//! Commands detect a running service that uses another database.

use std::{fs, path::PathBuf};

use crate::{
    harness::{Ran, Svc},
    served::Served,
};

const OTHER: &str = "sqlite://other/svc.db";

/// Creates a database at the default path and another one.
fn with_two() -> Svc {
    let svc = Svc::with_migrated_file();
    fs::create_dir(svc.path("other")).unwrap();
    svc.out(&["db", "migrate", "--database-url", OTHER]);
    svc
}

/// Runs a command with `DATABASE_URL` set.
fn on(svc: &Svc, url: &str, arguments: &[&str]) -> Ran {
    Ran::of(svc.command(arguments).env("DATABASE_URL", url).output().unwrap())
}

/// Announcement file of a service.
fn announcement(svc: &Svc, served: &Served) -> PathBuf {
    svc.runtime.path().join(format!("svc/{}.running", served.child.id()))
}

#[test]
fn a_command_refuses_another_database_than_that_of_the_running_service() {
    let svc = with_two();
    let mut served = Served::start(&svc);
    let refusal = format!(
        "svc: the running service (process {}) uses the database {}, but this command would use {} \
         (database-url: variable). If the settings have changed, restart the service; to use this database \
         nevertheless, name it with --database-url\n",
        served.child.id(),
        svc.path("data/svc.db").display(),
        svc.path("other/svc.db").display()
    );
    for command in [
        &["keys", "revoke", "svc_4fT0aQx9"][..],
        &["keys", "list"],
        &["reports", "approve", "--all-pending"],
        &["webhooks", "list"],
        &["audit"],
        &["db", "check", "--repair"],
        &["db", "backup", "copy.db"],
    ] {
        let ran = on(&svc, OTHER, command);
        assert_eq!((ran.code, ran.out.as_str(), ran.err), (Some(1), "", refusal.clone()));
    }
    let link = svc.path("link");
    std::os::unix::fs::symlink(svc.path("data"), &link).unwrap();
    for (url, arguments) in [
        ("sqlite://data/svc.db", &["keys", "list"][..]),
        ("sqlite://link/svc.db", &["keys", "list"]),
        (OTHER, &["keys", "list", "--database-url", OTHER]),
        (OTHER, &["config"]),
        (OTHER, &["db", "copy", "--from", OTHER, "--to", "sqlite://other/copy.db"]),
    ] {
        let ran = on(&svc, url, arguments);
        assert_eq!(ran.code, Some(0), "{url} {arguments:?}: {}", ran.err);
    }
    let file = announcement(&svc, &served);
    assert!(file.exists());
    served.stop();
    assert!(!file.exists());
    assert_eq!(on(&svc, OTHER, &["keys", "list"]).code, Some(0));
}

#[test]
fn a_variable_of_the_service_alone_is_noticed() {
    let svc = with_two();
    let settings = "database-url = \"sqlite://other/svc.db\"\n";
    fs::write(svc.path("svc.toml"), settings).unwrap();
    let mut serve = svc.command(&["serve", "--addr=127.0.0.1:0", "--ops-addr=127.0.0.1:0"]);
    let _served = Served::of(serve.env("DATABASE_URL", "sqlite://data/svc.db")).unwrap();
    let ran = svc.run(&["keys", "revoke", "svc_4fT0aQx9"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("(database-url: svc.toml:1)"), "{}", ran.err);
    // The settings file is used from another folder.
    fs::create_dir(svc.path("elsewhere")).unwrap();
    let file = svc.path("svc.toml");
    let mut list = svc.command(&["keys", "list", "--config"]);
    let ran = Ran::of(list.arg(&file).current_dir(svc.path("elsewhere")).output().unwrap());
    assert!(ran.err.starts_with("svc: the running service"), "{}", ran.err);
}

#[test]
fn services_with_settings_of_their_own_do_not_meet() {
    let svc = with_two();
    for (file, url) in [("one.toml", "sqlite://data/svc.db"), ("two.toml", OTHER)] {
        fs::write(svc.path(file), format!("database-url = \"{url}\"\n")).unwrap();
    }
    let _served = Served::start_with(&svc, &["--config=one.toml"]);
    for file in ["one.toml", "two.toml"] {
        let ran = svc.run(&["keys", "list", "--config", file]);
        assert_eq!(ran.code, Some(0), "{file}: {}", ran.err);
    }
}

#[test]
fn what_a_killed_service_leaves_behind_refuses_nothing_and_goes_away() {
    let svc = with_two();
    let mut killed = Served::start(&svc);
    let file = announcement(&svc, &killed);
    killed.child.kill().unwrap();
    killed.child.wait().unwrap();
    assert!(file.exists());
    assert_eq!(on(&svc, OTHER, &["keys", "list"]).code, Some(0));
    let _next = Served::start(&svc);
    assert!(!file.exists());
}

#[test]
fn a_command_that_changes_something_says_in_which_database() {
    let svc = Svc::with_migrated_file();
    let name = svc.path("data/svc.db").display().to_string();
    fs::write(svc.path("a.csv"), "id,type,city,country\na,water,Oslo,Norway\n").unwrap();
    for (arguments, is_said) in [
        (&["reports", "import", "a.csv", "--dry-run"][..], false),
        (&["reports", "import", "a.csv", "--json"], true),
        (&["reports", "approve", "a", "--json"], true),
        (&["reports", "list"], false),
        (&["keys", "create", "--partner", "Acme", "--json"], true),
        (&["keys", "list"], false),
        (&["db", "check"], false),
        (&["db", "rebuild", "--json"], true),
        (&["audit", "--json"], false),
    ] {
        let ran = svc.run(arguments);
        let expected = is_said.then(|| name.clone());
        assert_eq!((ran.code, ran.database), (Some(0), expected), "{arguments:?}: {}", ran.err);
        if arguments.contains(&"--json") {
            serde_json::from_str::<serde_json::Value>(&ran.out).unwrap();
        }
    }
    let url = "postgres://svc:secret@127.0.0.1:1/reports";
    let ran = on(&svc, url, &["keys", "revoke", "svc_4fT0aQx9"]);
    assert_eq!(ran.database.as_deref(), Some("postgres://127.0.0.1:1/reports"));
    assert!(!ran.err.contains("secret"), "{}", ran.err);
}
