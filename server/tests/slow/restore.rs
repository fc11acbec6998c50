use std::{fs, os::unix::fs::PermissionsExt, path::Path, process::Child};

use domain::event::EventName;
use rustix::fs::{FlockOperation, fcntl_lock};
use serde_json::json;
use store::{self, LogQuery, LostPlace, Missing, PlaceFilter};

use crate::{
    harness::{Answer, Ran, Svc, http, older_database},
    served::Served,
};

fn import(svc: &Svc, id: &str) {
    let ran =
        svc.import(format!("id,type,city,country\n{id},spirit,Oslo,Norway\n"), &["--approve"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}

/// Ids of all reports in a database, sorted.
fn ids(svc: &Svc, database: &str) -> Vec<String> {
    let url = format!("sqlite://{database}");
    let listed = svc.json(&["reports", "list", "--json", "--database-url", &url]);
    let reports = listed["reports"].as_array().unwrap().iter();
    let mut ids: Vec<String> =
        reports.map(|report| report["id"].as_str().unwrap().to_owned()).collect();
    ids.sort();
    ids
}

/// Creates a database with the report `old`, and a backup of another one with the report `new`.
fn with_backup() -> Svc {
    let svc = Svc::with_migrated_file();
    import(&svc, "new");
    svc.out(&["db", "backup", "copy.db"]);
    fs::remove_dir_all(svc.path("data")).unwrap();
    svc.out(&["db", "migrate"]);
    import(&svc, "old");
    svc
}

/// Kills a process that has written to the database, so that its journal stays behind.
fn kill_a_writer(svc: &Svc, id: &str) {
    use std::io::{BufRead, BufReader};
    let flags = ["serve", "--addr", "127.0.0.1:0", "--ops-addr", "127.0.0.1:0"];
    let mut child = svc.command(&flags).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().starts_with("svc serves ")));
    import(svc, id);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(fs::metadata(svc.path("data/svc.db-wal")).unwrap().len() > 0);
}

/// The only other file beside the database: the one it replaced.
fn replaced(svc: &Svc) -> String {
    let files = svc.files("data");
    let [database, replaced] = &files[..] else { panic!("{files:?}") };
    assert_eq!(database, "svc.db");
    assert!(replaced.starts_with("svc.db.replaced-20"), "{replaced}");
    format!("data/{replaced}")
}

fn refused(svc: &Svc, file: &str) -> String {
    let ran = svc.run(&["db", "restore", file]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{file}");
    ran.err
}

#[test]
fn a_restore_over_a_database_that_was_killed_keeps_all_of_it_under_another_name() {
    let svc = with_backup();
    kill_a_writer(&svc, "last");
    let said = svc.out(&["db", "restore", "copy.db"]);
    let previous = replaced(&svc);
    assert_eq!(
        said,
        format!(
            "Restored {} from copy.db: 1 report, 0 keys, 0 subscriptions.\nThe previous database is now {}.\n",
            svc.path("data/svc.db").display(),
            svc.path(&previous).display()
        )
    );
    assert_eq!(ids(&svc, "data/svc.db"), ["new"]);
    assert_eq!(ids(&svc, &previous), ["last", "old"]);
    svc.out(&["db", "check"]);
    let mode = fs::metadata(svc.path("data/svc.db")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_restore_can_be_undone_by_another_one() {
    let svc = with_backup();
    svc.out(&["db", "restore", "copy.db"]);
    svc.out(&["db", "restore", &replaced(&svc)]);
    assert_eq!(ids(&svc, "data/svc.db"), ["old"]);
    assert_eq!(svc.files("data").len(), 3);
}

/// Mirrors of the list may have reports that the backup does not contain.
#[tokio::test]
async fn after_a_restore_the_list_has_a_revision_that_it_never_had() {
    let svc = with_backup();
    let mut revisions = Vec::new();
    for restored in ["", "copy.db", "copy.db"] {
        if !restored.is_empty() {
            svc.out(&["db", "restore", restored]);
        }
        let url = format!("sqlite://{}", svc.path("data/svc.db").display());
        let store = store::open_url(&url, Missing::Refuse).await.unwrap();
        revisions.push(store.last_change().await.unwrap().revision);
        store.close().await;
    }
    assert!(revisions.is_sorted_by(|earlier, later| earlier < later), "{revisions:?}");
    assert!(
        svc.files("data").iter().all(|file| !file.contains("partial")),
        "{:?}",
        svc.files("data")
    );
}

/// Readers of the log have read events that the backup does not contain. Their cursors are refused however much is
/// published after the restore.
#[tokio::test]
async fn after_a_restore_what_readers_of_the_log_had_read_is_lost_and_its_numbers_are_not_given_again()
 {
    let svc = Svc::with_migrated_file();
    import(&svc, "kept");
    svc.out(&["db", "backup", "copy.db"]);
    (0..10).for_each(|number| import(&svc, &format!("lost-{number}")));
    let url = format!("sqlite://{}", svc.path("data/svc.db").display());
    let store = store::open_url(&url, Missing::Refuse).await.unwrap();
    let lost = store.event_log().newest().await.unwrap();
    store.close().await;
    svc.out(&["db", "restore", "copy.db"]);
    for published in 0..3 {
        let store = store::open_url(&url, Missing::Refuse).await.unwrap();
        for after in 3..=lost {
            let query = LogQuery {
                after: Some(after),
                events: EventName::PUBLIC.to_vec(),
                place: PlaceFilter::default(),
                types: store::ALL_TYPES,
                limit: 100,
            };
            assert_eq!(
                store.event_log().page(&query).await.unwrap(),
                Err(LostPlace::Ahead),
                "{after}"
            );
            let kept = LogQuery { after: Some(2), ..query };
            let page = store.event_log().page(&kept).await.unwrap().unwrap();
            assert_eq!(page.events.len(), published * 20);
        }
        store.close().await;
        (0..10).for_each(|number| import(&svc, &format!("new-{published}-{number}")));
    }
}

/// The numbers of events are large after a restore.
#[tokio::test]
async fn after_a_restore_partners_read_the_log_from_page_to_page() {
    let svc = Svc::with_migrated_file();
    import(&svc, "kept");
    svc.out(&["db", "backup", "copy.db"]);
    svc.out(&["db", "restore", "copy.db"]);
    (0..3).for_each(|number| import(&svc, &format!("new-{number}")));
    let key = svc.json(&["keys", "create", "--partner", "Aid", "--json"]);
    let served = Served::start(&svc);
    let (mut reports, mut after) = (Vec::new(), String::new());
    loop {
        let path = format!("/api/v1/events?events=report.created&limit=1{after}");
        let request = http().get(format!("{}{path}", served.url));
        let request = request.bearer_auth(key["key"].as_str().unwrap());
        let answer = Answer::of(request.send().await.unwrap()).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        let page = answer.json();
        let events = page["events"].as_array().unwrap();
        reports.extend(events.iter().map(|event| event["data"]["id"].clone()));
        after = format!("&after={}", page["next"].as_str().unwrap());
        if page["more"] == false {
            break;
        }
    }
    assert_eq!(reports, ["kept", "new-0", "new-1", "new-2"]);
}

/// Readers that continued after the first restore have events that the second restore removes.
#[tokio::test]
async fn a_backup_that_is_restored_twice_gives_no_number_twice() {
    let svc = Svc::with_migrated_file();
    import(&svc, "kept");
    svc.out(&["db", "backup", "copy.db"]);
    let url = format!("sqlite://{}", svc.path("data/svc.db").display());
    let mut seen = Vec::new();
    for life in 0..3 {
        svc.out(&["db", "restore", "copy.db"]);
        (0..3).for_each(|number| import(&svc, &format!("{life}-{number}")));
        let store = store::open_url(&url, Missing::Refuse).await.unwrap();
        let query = |after| LogQuery {
            after,
            events: EventName::PUBLIC.to_vec(),
            place: PlaceFilter::default(),
            types: store::ALL_TYPES,
            limit: 100,
        };
        for after in seen.iter().copied() {
            let read = store.event_log().page(&query(Some(after))).await.unwrap();
            assert_eq!(read, Err(LostPlace::Ahead), "{after} in {life}");
        }
        let log = store.event_log().page(&query(Some(2))).await.unwrap().unwrap();
        assert_eq!(log.events.len(), 6);
        seen.extend(log.events.iter().map(|event| event.seq));
        store.close().await;
    }
}

#[test]
fn a_restore_can_be_written_as_json() {
    let svc = with_backup();
    let answer = svc.json(&["db", "restore", "copy.db", "--json"]);
    let previous = svc.path(&replaced(&svc));
    assert_eq!(
        answer,
        json!({
            "database": svc.path("data/svc.db"),
            "file": "copy.db",
            "contents": { "reports": 1, "keys": 0, "subscriptions": 0 },
            "previous": previous,
            "needsMigration": false,
        })
    );
}

#[test]
fn where_there_is_no_database_the_backup_becomes_one() {
    let svc = with_backup();
    fs::remove_dir_all(svc.path("data")).unwrap();
    let said = svc.out(&["db", "restore", "copy.db"]);
    assert_eq!(said.lines().count(), 1, "{said}");
    assert_eq!(svc.files("data"), ["svc.db"]);
    assert_eq!(ids(&svc, "data/svc.db"), ["new"]);
}

#[test]
fn a_link_to_the_database_stays_a_link() {
    let svc = with_backup();
    fs::rename(svc.path("data"), svc.path("real")).unwrap();
    fs::create_dir(svc.path("data")).unwrap();
    std::os::unix::fs::symlink("../real/svc.db", svc.path("data/svc.db")).unwrap();
    svc.out(&["db", "restore", "copy.db"]);
    assert!(svc.path("data/svc.db").is_symlink());
    assert_eq!(ids(&svc, "data/svc.db"), ["new"]);
    assert_eq!((svc.files("data").len(), svc.files("real").len()), (1, 2));
}

#[test]
fn a_journal_without_a_database_is_not_taken_for_that_of_the_backup() {
    let svc = with_backup();
    kill_a_writer(&svc, "last");
    fs::remove_file(svc.path("data/svc.db")).unwrap();
    svc.out(&["db", "restore", "copy.db"]);
    assert_eq!(ids(&svc, "data/svc.db"), ["new"]);
    let files = svc.files("data");
    assert!(files.iter().any(|name| name.contains(".replaced-") && name.ends_with("-wal")));
}

#[tokio::test]
async fn a_database_that_is_open_is_not_replaced() {
    let svc = with_backup();
    let url = format!("sqlite://{}", svc.path("data/svc.db").display());
    // The connection neither reads nor writes; being open is enough.
    let open = store::open_url(&url, Missing::Refuse).await.unwrap();
    assert_eq!(
        refused(&svc, "copy.db"),
        format!(
            "svc: the database {} is open in another process ({}): stop the service and all other \
             svc commands, then try again\n",
            svc.path("data/svc.db").display(),
            std::process::id()
        )
    );
    open.close().await;
    assert_eq!(ids(&svc, "data/svc.db"), ["old"]);
    assert_eq!(svc.files("data"), ["svc.db"]);
    svc.out(&["db", "restore", "copy.db"]);
}

#[tokio::test]
async fn what_is_no_backup_is_refused_and_the_database_stays_as_it_was() {
    let svc = with_backup();
    let whole = fs::read(svc.path("copy.db")).unwrap();
    fs::write(svc.path("text.db"), "type,city,country\n".repeat(1_000)).unwrap();
    fs::write(svc.path("empty.db"), "").unwrap();
    fs::write(svc.path("cut.db"), &whole[..whole.len() / 2]).unwrap();
    svc.tamper("foreign.db", "CREATE TABLE notes (text)").await;
    fs::write(svc.path("newer.db"), &whole).unwrap();
    let later =
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
                 VALUES (9999, 'later', 1, x'00', 0);
         UPDATE compatibility SET oldest = 9999";
    svc.tamper("newer.db", later).await;
    // A page in the middle was never written.
    let mut holed = whole.clone();
    holed[5 * 4_096..6 * 4_096].fill(0);
    fs::write(svc.path("holed.db"), holed).unwrap();
    let cannot = |file: &str, why: &str| {
        format!("svc: {} cannot be restored: {why}\n", svc.path(file).display())
    };
    for (file, why) in [
        ("none.db", "there is no such file or folder"),
        ("data", "it is a folder: name the file of a backup"),
        ("data/svc.db", "it is the database itself: name the file of a backup"),
        ("text.db", "it is not a database"),
        ("empty.db", "it is empty"),
        ("cut.db", "it is damaged (database disk image is malformed)"),
        ("foreign.db", "it is the database of another application"),
        (
            "newer.db",
            "it is newer than this binary (it has migration 9999): use the svc that wrote it, or a \
             newer one",
        ),
    ] {
        assert_eq!(refused(&svc, file), cannot(file, why));
    }
    let said = refused(&svc, "holed.db");
    assert!(said.starts_with(&cannot("holed.db", "it is damaged (").replace("\n", "")), "{said}");
    assert_eq!(ids(&svc, "data/svc.db"), ["old"]);
    assert_eq!(svc.files("data"), ["svc.db"]);
}

#[test]
fn the_copied_file_of_a_live_database_is_no_backup() {
    let svc = with_backup();
    kill_a_writer(&svc, "last");
    for suffix in ["", "-wal"] {
        let file = |name: &str| svc.path(&format!("{name}{suffix}"));
        fs::rename(file("data/svc.db"), file("live.db")).unwrap();
    }
    assert_eq!(
        refused(&svc, "live.db"),
        format!(
            "svc: {} cannot be restored: a journal (-wal or -journal) beside it has changes that are \
             not in the file, so it is or was in use and is not a backup. If no process has it open \
             any more, make a backup of it with `svc db backup NEW --database-url sqlite://FILE`, \
             and restore that\n",
            svc.path("live.db").display()
        )
    );
    // The advice in the message works.
    svc.out(&["db", "backup", "made.db", "--database-url", "sqlite://live.db"]);
    svc.out(&["db", "restore", "made.db"]);
    assert_eq!(ids(&svc, "data/svc.db"), ["last", "old"]);
}

#[tokio::test]
async fn only_a_database_of_ours_is_replaced() {
    let svc = with_backup();
    svc.tamper("its.db", "CREATE TABLE notes (text)").await;
    fs::write(svc.path("text.db"), "type,city,country\n".repeat(1_000)).unwrap();
    for (file, said) in [
        (
            "its.db",
            "is the database of another application, and was not changed: check --database-url",
        ),
        (
            "text.db",
            "is not a database, or too damaged to identify, and was not changed: if it is yours, move it away (with \
                its -wal file) and try again",
        ),
    ] {
        let before = fs::read(svc.path(file)).unwrap();
        let url = format!("sqlite://{file}");
        let ran = svc.run(&["db", "restore", "copy.db", "--database-url", &url]);
        let said = format!("svc: {} {said}\n", svc.path(file).display());
        assert_eq!((ran.code, ran.err), (Some(1), said));
        assert!(fs::read(svc.path(file)).unwrap() == before);
    }
    assert_eq!(svc.files(""), ["copy.db", "data", "its.db", "reports.csv", "text.db"]);
}

#[test]
fn a_database_too_damaged_to_be_opened_is_replaced_and_kept() {
    let svc = with_backup();
    let file = svc.path("data/svc.db");
    let mut bytes = fs::read(&file).unwrap();
    // The list of tables and the second half are gone. The header still shows that the file is ours.
    bytes[100..4_096].fill(0xff);
    bytes.truncate(bytes.len() / 2);
    fs::write(&file, &bytes).unwrap();
    fs::write(svc.path("data/svc.db-wal"), "not a journal").unwrap();
    svc.out(&["db", "restore", "copy.db"]);
    assert_eq!(ids(&svc, "data/svc.db"), ["new"]);
    let files = svc.files("data");
    let kept = files.iter().find(|name| name.starts_with("svc.db.replaced-")).unwrap();
    assert!(fs::read(svc.path("data").join(kept)).unwrap() == bytes, "{files:?}");
}

/// A restore that is killed just before its last step leaves the database with two names.
#[test]
fn the_second_name_that_a_killed_restore_left_is_removed() {
    let svc = with_backup();
    let second = svc.path("data/svc.db.replaced-2026-01-01T00-00-00Z");
    fs::hard_link(svc.path("data/svc.db"), &second).unwrap();
    svc.out(&["db", "restore", "copy.db"]);
    assert!(!second.exists());
    assert_eq!(ids(&svc, &replaced(&svc)), ["old"]);
}

/// A command that started to open the database while it was replaced still has the old file open.
#[test]
fn a_command_that_waits_for_a_restore_uses_the_new_database() {
    let svc = with_backup();
    fs::rename(svc.path("copy.db"), svc.path("data/copy.db")).unwrap();
    let file = svc.path("data/svc.db");
    let held = fs::OpenOptions::new().read(true).write(true).open(&file).unwrap();
    fcntl_lock(&held, FlockOperation::NonBlockingLockExclusive).unwrap();
    let mut child = svc.command(&["keys", "create", "--partner", "Acme"]).spawn().unwrap();
    while !has_open_for_writing(child.id(), &file) {
        assert_eq!(child.try_wait().unwrap(), None, "it was over before the database was replaced");
    }
    fs::rename(&file, svc.path("data/replaced.db")).unwrap();
    fs::rename(svc.path("data/copy.db"), &file).unwrap();
    drop(held);
    let ran = Ran::of(child.wait_with_output().unwrap());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(ids(&svc, "data/svc.db"), ["new"]);
    assert_eq!(svc.json(&["keys", "list", "--json"])["keys"][0]["partner"], "Acme");
    assert_eq!(svc.files("data"), ["replaced.db", "svc.db"]);
}

fn has_open_for_writing(process: u32, file: &Path) -> bool {
    let Ok(handles) = fs::read_dir(format!("/proc/{process}/fd")) else { return false };
    handles.flatten().any(|handle| {
        let info = format!("/proc/{process}/fdinfo/{}", handle.file_name().display());
        let flags = fs::read_to_string(info).unwrap_or_default();
        let mut flags = flags.lines().filter_map(|line| line.strip_prefix("flags:"));
        // Last octal digit of the flags: 0 means reading, 2 reading and writing.
        fs::read_link(handle.path()).is_ok_and(|target| target == file)
            && flags.any(|flags| flags.trim().ends_with('2'))
    })
}

#[tokio::test]
async fn a_backup_of_an_older_version_is_restored_as_it_is() {
    let svc = with_backup();
    older_database(&svc.path("older.db")).await;
    let said = svc.out(&["db", "restore", "older.db"]);
    assert!(
        said.ends_with(
            "\nThe backup is of an older version: `svc serve` and `svc db migrate` bring it up to \
             date.\n"
        ),
        "{said}"
    );
    assert_eq!(svc.run(&["reports", "list"]).code, Some(1));
    svc.out(&["db", "migrate"]);
    assert_eq!(ids(&svc, "data/svc.db"), [""; 0]);
}

/// Progress of a restore when it is killed, as visible in the folder.
const STAGES: [fn(&[String]) -> bool; 4] = [
    |files| files.iter().any(|name| name.ends_with(".partial")),
    |files| !files.iter().any(|name| name.ends_with("-wal")),
    |files| files.iter().any(|name| name.contains(".replaced-")),
    |files| !files.iter().any(|name| name.ends_with(".partial") || name.ends_with("-shm")),
];

#[test]
fn a_restore_that_is_killed_leaves_the_old_database_or_the_new_one() {
    for (round, is_reached) in STAGES.iter().cycle().take(12).enumerate() {
        let svc = with_backup();
        kill_a_writer(&svc, "last");
        let mut child: Child = svc.command(&["db", "restore", "copy.db"]).spawn().unwrap();
        while child.try_wait().unwrap().is_none() && !is_reached(&svc.files("data")) {}
        let _ = child.kill();
        let ran = Ran::of(child.wait_with_output().unwrap());
        let found = ids(&svc, "data/svc.db");
        assert!(found == ["last", "old"] || found == ["new"], "{round}: {found:?} {}", ran.err);
        svc.out(&["db", "check"]);
        // The leftovers do not affect the next restore.
        svc.out(&["db", "restore", "copy.db"]);
        assert_eq!(ids(&svc, "data/svc.db"), ["new"]);
        let kept: Vec<Vec<String>> = svc
            .files("data")
            .iter()
            .filter(|name| name.contains(".replaced-") && !name.ends_with("-shm"))
            .map(|name| ids(&svc, &format!("data/{name}")))
            .collect();
        assert!(kept.contains(&vec!["last".to_owned(), "old".to_owned()]), "{round}: {kept:?}");
    }
}
