//! Messages to the operator when the database cannot be used.

use std::process::Command;

use crate::harness::{Ran, Svc};

fn err(ran: Ran) -> (Option<i32>, String) {
    (ran.code, ran.err)
}

#[test]
fn a_folder_in_the_place_of_the_database_is_said() {
    let svc = Svc::with_file();
    std::fs::create_dir_all(svc.path("data/svc.db")).unwrap();
    let file = svc.path("data/svc.db");
    let said = format!(
        "svc: {} is a folder: name a file in it, such as {}\n",
        file.display(),
        file.join("svc.db").display()
    );
    assert_eq!(err(svc.run(&["reports", "list"])), (Some(1), said.clone()));
    assert_eq!(err(svc.run(&["db", "migrate"])), (Some(1), said));
}

#[test]
fn a_database_that_was_cut_off_is_said_to_be_damaged_and_named() {
    let svc = Svc::with_migrated_file();
    let file = svc.path("data/svc.db");
    let whole = std::fs::read(&file).unwrap();
    std::fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    assert_eq!(
        err(svc.run(&["reports", "list"])),
        (
            Some(1),
            format!(
                "svc: the database {} is damaged: stop the service and run `svc db restore FILE` \
                 with a backup; the damaged file is kept\n",
                file.display()
            )
        )
    );
}

#[tokio::test]
async fn what_goes_wrong_after_opening_names_the_database_too() {
    let svc = Svc::with_migrated_file();
    svc.tamper("data/svc.db", "ALTER TABLE keys RENAME TO lost").await;
    assert_eq!(
        err(svc.run(&["keys", "list"])),
        (
            Some(1),
            format!(
                "svc: the database returned an unexpected error: no such table: keys (the database is {})\n",
                svc.path("data/svc.db").display()
            )
        )
    );
}

/// Runs a script with a separate file system of `size` at `disk`. Returns `None` where the system does not permit
/// mounting one.
fn on_a_disk(svc: &Svc, size: &str, script: &str) -> Option<Ran> {
    std::fs::create_dir_all(svc.path("disk")).unwrap();
    let namespace = |script: &str| {
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "--mount", "sh", "-ec", script]);
        command.current_dir(svc.folder.path()).env("SVC", env!("CARGO_BIN_EXE_svc"));
        command.env("DATABASE_URL", "sqlite://disk/svc.db").output()
    };
    let mount = format!("mount -t tmpfs -o size={size} tmpfs disk");
    if !namespace(&mount).is_ok_and(|mounted| mounted.status.success()) {
        eprintln!("not tried: this system lets no user mount a file system");
        return None;
    }
    Some(Ran::of(namespace(&format!("{mount}; {script}")).unwrap()))
}

#[test]
fn a_file_system_that_is_mounted_read_only_is_said() {
    let svc = Svc::with_file();
    for command in ["reports list", "serve --addr 127.0.0.1:0 --ops-addr 127.0.0.1:0"] {
        let script = format!("$SVC db migrate >&2; mount -o remount,ro disk; exec $SVC {command}");
        let Some(ran) = on_a_disk(&svc, "4m", &script) else { return };
        let file = svc.path("disk/svc.db");
        let file = file.display();
        assert_eq!(
            (ran.code, ran.err),
            (
                Some(1),
                format!(
                    "Created the database {file}.\n\
                     svc: {file} cannot be used: its file system is mounted read-only, and svc has to \
                     write there even to read\n"
                )
            ),
            "{command}"
        );
    }
}

#[test]
fn a_full_disk_is_said_and_nothing_that_was_committed_is_lost() {
    let svc = Svc::with_file();
    let csv = svc.out(&["demo", "csv", "--rows", "20000", "--seed", "1"]);
    std::fs::write(svc.path("reports.csv"), csv).unwrap();
    let script = "$SVC db migrate >&2; $SVC keys create --partner Acme >&2; \
                  ! $SVC reports import reports.csv; $SVC reports imports --json; \
                  $SVC keys list --json >&2";
    let Some(ran) = on_a_disk(&svc, "2m", script) else { return };
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    // The number of imported reports depends on the batch size.
    let listed: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let imported = listed["imports"][0]["reports"]["pending"].as_u64().unwrap();
    assert!((1_000..20_000).contains(&imported), "{listed}");
    let said = format!(
        "svc: importing reports.csv stopped; the reports imported before that ({},{:03} reports) remain: the \
         database cannot grow because its disk is full: free some space. What was written before is \
         safe (the database is {})\n",
        imported / 1_000,
        imported % 1_000,
        svc.path("disk/svc.db").display()
    );
    assert!(ran.err.contains(&said), "{}", ran.err);
    assert!(ran.err.contains("\"partner\":\"Acme\""), "{}", ran.err);
}

#[test]
fn a_backup_to_a_full_disk_leaves_no_file() {
    let svc = Svc::with_migrated_file();
    let csv = svc.out(&["demo", "csv", "--rows", "20000", "--seed", "1"]);
    assert_eq!(svc.import(csv, &[]).code, Some(0));
    let script = "! $SVC db backup disk/copy.db --database-url sqlite://data/svc.db; ls -A disk";
    let Some(ran) = on_a_disk(&svc, "1m", script) else { return };
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{}", ran.err);
    assert_eq!(
        ran.err,
        format!(
            "svc: {} could not be written: the disk is full: free some space\n",
            svc.path("disk/copy.db").display()
        )
    );
}

#[test]
fn a_restore_to_a_full_disk_leaves_the_database_as_it_was() {
    let svc = Svc::with_migrated_file();
    let csv = svc.out(&["demo", "csv", "--rows", "20000", "--seed", "1"]);
    assert_eq!(svc.import(csv, &[]).code, Some(0));
    svc.out(&["db", "backup", "copy.db"]);
    let script = "$SVC db migrate; ! $SVC db restore copy.db; ls -A disk; $SVC reports list";
    let Some(ran) = on_a_disk(&svc, "1m", script) else { return };
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let file = svc.path("disk/svc.db");
    let file = file.display();
    assert_eq!(ran.out, format!("Created the database {file}.\nsvc.db\nNo reports.\n"));
    // Each of the two commands prints the line that names the database; the harness has removed the first.
    let said = format!(
        "Database: {file}\nsvc: {file} could not be written: the disk is full: free some space\n"
    );
    assert_eq!(ran.err, said);
}
