use serde_json::{Value, json};

use crate::harness::Svc;

const HEADER: &str = "id,type,city,country\n";

/// Id of each import and its numbers of pending, approved, rejected and withdrawn reports, newest first.
fn imports(svc: &Svc) -> Vec<(String, [u64; 4])> {
    let listed = svc.json(&["reports", "imports", "--json"]);
    let imports = listed["imports"].as_array().unwrap().iter();
    let counts = |import: &Value| {
        ["pending", "approved", "rejected", "withdrawn"]
            .map(|status| import["reports"][status].as_u64().unwrap())
    };
    imports.map(|import| (import["id"].as_str().unwrap().to_owned(), counts(import))).collect()
}

#[test]
fn every_import_is_listed_with_what_became_of_its_reports() {
    let svc = Svc::migrated();
    assert_eq!(
        svc.out(&["reports", "imports"]),
        "No imports: `svc reports import FILE` creates one.\n"
    );
    let rows = |ids: &str| -> String {
        let rows = ids.chars().map(|id| format!("{id},spirit,Oslo,Norway\n"));
        std::iter::once(HEADER.to_owned()).chain(rows).collect()
    };
    let first = svc.import(rows("abcde"), &[]).import();
    let second = svc.import(rows("fg"), &["--backfill"]).import();
    let dry = svc.import(rows("xyz"), &["--dry-run"]);
    assert!(dry.out.starts_with("3 reports would be imported"), "{}{}", dry.out, dry.err);
    assert!(!dry.out.contains("imp_"), "{}", dry.out);
    svc.out(&["reports", "approve", "b", "c"]);
    svc.out(&["reports", "reject", "d"]);
    svc.out(&["reports", "withdraw", "c", "g"]);
    assert_eq!(imports(&svc), [(second.clone(), [0, 1, 0, 1]), (first.clone(), [2, 1, 1, 1])]);
    assert!(first < second, "{first} {second}");

    // Skipped rows belong to the import that first contained them.
    let again = svc.import(rows("abcdeh"), &["--approve"]).import();
    let nothing = svc.run_with_input(&["reports", "import", "-"], rows("ab").as_bytes()).import();
    assert_eq!(imports(&svc)[..2], [(nothing.clone(), [0; 4]), (again.clone(), [0, 1, 0, 0])]);

    let table = svc.out(&["reports", "imports"]);
    let lines: Vec<Vec<&str>> =
        table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(
        lines[0],
        ["ID", "BEGAN", "AS", "PENDING", "APPROVED", "REJECTED", "WITHDRAWN", "FILE"]
    );
    let without_time = |line: &[&str]| -> String {
        line.iter()
            .enumerate()
            .filter(|(at, _)| *at != 1)
            .map(|(_, cell)| *cell)
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(without_time(&lines[1]), format!("{nothing} pending 0 0 0 0 (standard input)"));
    assert_eq!(without_time(&lines[2]), format!("{again} approved 0 1 0 0 reports.csv"));
    assert_eq!(without_time(&lines[3]), format!("{second} history 0 1 0 1 reports.csv"));
    assert_eq!(without_time(&lines[4]), format!("{first} pending 2 1 1 1 reports.csv"));

    let two = svc.run(&["reports", "imports", "--limit", "2"]);
    assert_eq!(two.out.lines().count(), 3);
    assert_eq!(two.err, "Showing the newest 2 imports; there are more: --limit shows them.\n");
    let one = svc.json(&["reports", "imports", "--limit", "1", "--json"]);
    assert_eq!(one["more"], true);
    assert_eq!(
        one["imports"],
        json!([{
            "id": nothing,
            "createdAt": one["imports"][0]["createdAt"],
            "file": null,
            "mode": "pending",
            "reports": { "pending": 0, "approved": 0, "rejected": 0, "withdrawn": 0 },
        }])
    );
}

#[test]
fn a_file_that_is_no_list_of_reports_leaves_no_import() {
    let svc = Svc::migrated();
    let ran = svc.import("colour,shape\nred,round\n", &[]);
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    assert_eq!(imports(&svc), []);
}

#[test]
fn an_import_that_is_killed_stays_listed_with_what_it_brought() {
    let svc = Svc::migrated();
    let rows = 120_000;
    let csv = svc.out(&["demo", "csv", "--rows", &rows.to_string(), "--seed", "5"]);
    std::fs::write(svc.path("reports.csv"), csv).unwrap();
    let mut child = svc.command(&["reports", "import", "reports.csv"]).spawn().unwrap();
    // Once the first batch is visible, the next one is in progress.
    while imports(&svc).iter().all(|(_, counts)| counts[0] == 0) {
        assert_eq!(child.try_wait().unwrap(), None, "the import was over before it was killed");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let [(killed, counts)] = &imports(&svc)[..] else { panic!("{:?}", imports(&svc)) };
    let brought = counts[0];
    assert!((1..rows).contains(&brought), "{brought}");

    let rest = svc.run(&["reports", "import", "reports.csv", "--json"]);
    let answer: Value = serde_json::from_str(&rest.out).unwrap();
    assert_eq!(answer["summary"]["skipped"], brought);
    let rerun = answer["import"].as_str().unwrap().to_owned();
    assert_eq!(
        imports(&svc),
        [(rerun, [rows - brought, 0, 0, 0]), (killed.clone(), [brought, 0, 0, 0])]
    );
    // Each of the two imports can be decided on as a whole.
    let rejected = svc.json(&["reports", "reject", "--import", killed, "--json"]);
    assert_eq!(rejected, json!({ "rejected": brought, "skipped": 0 }));
    assert_eq!(imports(&svc)[0].1, [rows - brought, 0, 0, 0]);
    assert_eq!(imports(&svc)[1].1, [0, 0, brought, 0]);
}

#[test]
fn an_import_that_does_not_exist_is_named() {
    let svc = Svc::migrated();
    for command in ["approve", "reject", "withdraw", "reopen", "restore", "list"] {
        let ran = svc.run(&["reports", command, "--import", "imp_1kjmma2g0"]);
        let database = svc.database_name();
        let said = format!(
            "svc: there is no import imp_1kjmma2g0: `svc reports imports` lists them (the database is \
             {})\n",
            database
        );
        assert_eq!((ran.code, ran.err), (Some(1), said));
        let ran = svc.run(&["reports", command, "--import", "reports.csv"]);
        assert_eq!(ran.code, Some(2));
        let said = "invalid value 'reports.csv' for '--import <ID>': not the id of an import, such as \
                    imp_1nrh5rpbg: `svc reports imports` lists them";
        assert!(ran.err.contains(said), "{}", ran.err);
    }
}

#[test]
fn a_file_name_cannot_break_the_table() {
    let svc = Svc::migrated();
    let name = "two\nlines\u{1b}[2J.csv";
    std::fs::write(svc.path(name), format!("{HEADER}a,spirit,Oslo,Norway\n")).unwrap();
    svc.out(&["reports", "import", name]);
    let table = svc.out(&["reports", "imports"]);
    assert!(table.ends_with("  two\u{fffd}lines\u{fffd}[2J.csv\n"), "{table}");
    assert_eq!(svc.json(&["reports", "imports", "--json"])["imports"][0]["file"], name);
}
