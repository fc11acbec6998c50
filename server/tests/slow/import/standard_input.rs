use std::{
    io::{Read, Write},
    process::{Child, Stdio},
};

use serde_json::Value;

use crate::{harness::Svc, imports::cities};

fn start(svc: &Svc) -> Child {
    svc.out(&["db", "migrate"]);
    svc.command(&["reports", "import", "-"]).stdin(Stdio::piped()).spawn().unwrap()
}

/// Waits until the database contains exactly these cities. Fails if the import ends before.
fn until(svc: &Svc, child: &mut Child, expected: &[&str]) {
    while cities(svc) != expected {
        assert_eq!(child.try_wait().unwrap(), None, "the import has ended: {:?}", cities(svc));
    }
}

#[test]
fn what_was_read_is_imported_while_more_is_still_to_come() {
    let svc = Svc::migrated();
    let mut child = start(&svc);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"id,type,city,country\n1,spirit,Oslo,Norway\n2,water,Ber").unwrap();
    until(&svc, &mut child, &["Oslo"]);
    stdin.write_all(b"gen,Norway\n").unwrap();
    until(&svc, &mut child, &["Oslo", "Bergen"]);
    drop(stdin);
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(out.starts_with("2 reports imported as pending.\nImport: imp_"), "{out}");
    assert_eq!(svc.json(&["reports", "imports", "--json"])["imports"][0]["file"], Value::Null);
}

#[test]
fn json_that_comes_slowly_is_imported_as_it_comes() {
    let object = |id: u32, city: &str| {
        format!(r#"{{"id":{id},"type":"spirit","city":"{city}","country":"Norway"}}"#)
    };
    for (before, between, after) in [("", "\n", "\n"), ("[", ",", "]")] {
        let svc = Svc::migrated();
        let mut child = start(&svc);
        let mut stdin = child.stdin.take().unwrap();
        write!(stdin, "{before}{}{between}", object(1, "Oslo")).unwrap();
        until(&svc, &mut child, &["Oslo"]);
        write!(stdin, "{}{after}", object(2, "Bergen")).unwrap();
        until(&svc, &mut child, &["Oslo", "Bergen"]);
        drop(stdin);
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
}

#[tokio::test]
async fn an_import_that_the_database_refuses_ends_though_more_could_come() {
    let svc = Svc::migrated();
    let mut child = start(&svc);
    svc.change("ALTER TABLE reports RENAME TO elsewhere").await;
    // The input stays open.
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"id,type,city,country\n1,spirit,Oslo,Norway\n").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    drop(stdin);
}
