use serde_json::json;

use crate::harness::Svc;

#[test]
fn json_gives_the_summary_and_the_refusals() {
    let svc = Svc::migrated();
    let ran = svc.import(
        "id,type,city,country\n1,spirit,Oslo,Norway\n2,fire,Oslo,Norway\n",
        &["--json", "--approve"],
    );
    assert_eq!(ran.code, Some(3));
    let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let imports = svc.json(&["reports", "imports", "--json"]);
    assert_eq!(
        answer,
        json!({
            "summary": { "rows": 2, "imported": 1, "skipped": 0, "refused": 1 },
            "refused": [{
                "line": 3, "field": "type", "reason": "\"fire\" is not one of spirit, water, both",
            }],
            "dryRun": false,
            "import": imports["imports"][0]["id"],
        })
    );
}

#[test]
fn the_help_says_what_files_may_look_like() {
    let help = Svc::migrated().out(&["reports", "import", "--help"]);
    for said in [
        "commas, semicolons, tabs or vertical bars",
        "an array of objects",
        "UTF-16 with a byte order mark",
        "gzip or zstd",
        "--errors <FILE>",
        "refusedBecause",
        "Run the same command again",
    ] {
        assert!(help.contains(said), "{said}: {help}");
    }
}
