//! Deployment files: the systemd unit, the packages, the container example, and the file of all settings.

mod compose;
mod package;

use std::{collections::BTreeSet, os::unix::fs::PermissionsExt, process::Command};

use clap::{CommandFactory, Parser};

use svc::cli::Cli;

use crate::harness::Svc;

const UNIT: &str = include_str!("../../../packaging/svc.service");
const SETTINGS: &str = include_str!("../../../.env.example");
/// Pages with settings.
const DOCS: [&str; 3] = [
    include_str!("../../../docs/operate/back-up.md"),
    include_str!("../../../docs/operate/configure.md"),
    include_str!("../../../docs/operate/monitor.md"),
];

/// Variable without a flag, because every user of the machine can read command lines.
const WITHOUT_A_FLAG: &str = "SVC_SECRET_KEY";

/// Environment variables that `svc serve` reads.
fn variables() -> BTreeSet<String> {
    let command = Cli::command();
    let serve = command.find_subcommand("serve").unwrap();
    let flags = command.get_arguments().chain(serve.get_arguments());
    let variables = flags.filter_map(|flag| Some(flag.get_env()?.to_str()?.to_owned()));
    variables.chain([WITHOUT_A_FLAG.to_owned()]).collect()
}

/// Values of a setting of the unit.
fn unit(setting: &str) -> Vec<&'static str> {
    let lines = UNIT.lines().filter_map(|line| line.split_once('='));
    lines.filter(|(name, _)| *name == setting).map(|(_, value)| value).collect()
}

/// Value of a setting of the unit that occurs once, in seconds.
fn seconds(setting: &str) -> u64 {
    let [value] = unit(setting)[..] else { panic!("{setting}: {:?}", unit(setting)) };
    value.parse().unwrap()
}

/// Success and output of `systemd-analyze` for the unit with the binary under test.
fn systemd_analyze(arguments: &[&str]) -> (bool, String) {
    let svc = Svc::new();
    let file = svc.path("svc.service");
    std::fs::write(&file, UNIT.replace("/usr/bin/svc", env!("CARGO_BIN_EXE_svc"))).unwrap();
    let mut command = Command::new("systemd-analyze");
    let output = command.args(arguments).arg(&file).env_clear().output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(said).unwrap())
}

#[test]
fn systemd_accepts_the_unit() {
    assert_eq!(systemd_analyze(&["verify", "--man=no"]), (true, String::new()));
}

#[test]
fn the_unit_is_started_with_the_machine() {
    assert_eq!(unit("WantedBy"), ["multi-user.target"]);
}

#[test]
fn the_unit_exposes_little() {
    // The threshold is ten times the exposure level. systemd rates a level of 2.0 or lower as OK.
    let (is_ok, said) =
        systemd_analyze(&["security", "--offline=true", "--no-pager", "--threshold=15"]);
    assert!(is_ok, "{said}");
}

#[test]
fn the_unit_starts_a_command_and_sets_variables_that_exist() {
    let [command] = unit("ExecStart")[..] else { panic!("one command") };
    let arguments: Vec<&str> = command.split(' ').collect();
    assert_eq!(arguments[..2], ["/usr/bin/svc", "serve"]);
    Cli::try_parse_from(arguments).unwrap();
    let known = variables();
    let mentioned = UNIT.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    for variable in mentioned.filter(|word| word.starts_with("SVC_") || *word == "DATABASE_URL") {
        assert!(known.contains(variable), "{variable}");
    }
    assert_eq!(unit("ExecReload"), ["/bin/kill -HUP $MAINPID"]);
    // Commands search this folder for running services, and do not read the service's variables.
    assert_eq!(unit("RuntimeDirectory"), ["svc"]);
    assert_eq!(unit("EnvironmentFile"), [""; 0]);
}

#[test]
fn the_files_of_settings_that_are_examples_can_be_used() {
    let of_docs = DOCS.iter().flat_map(|page| page.split("```toml\n").skip(1));
    let of_docs = of_docs.map(|rest| rest.split("```").next().unwrap());
    let packaged = include_str!("../../../packaging/svc.toml");
    let setting = |line: &'static str| {
        line.strip_prefix('#').filter(|rest| !rest.starts_with(' ')).unwrap_or(line)
    };
    let uncommented: Vec<&str> = packaged.lines().map(setting).collect();
    let uncommented = uncommented.join("\n");
    let mut settings = Vec::new();
    for text in of_docs.chain([packaged, &uncommented]) {
        let svc = Svc::with_file();
        let file = svc.path("svc.toml");
        std::fs::write(&file, text).unwrap();
        // The file may contain passwords.
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
        let shown = svc.json(&["config", "--json"]);
        let all = shown["settings"].as_array().unwrap();
        settings.push(all.iter().filter(|one| one["from"]["kind"] == "file").count());
    }
    assert_eq!(settings, [2, 4, 2, 9, 3, 1, 5]);
}

#[test]
fn the_unit_gives_the_service_the_time_that_it_needs_to_stop() {
    let draining = svc::config::Serve::default().draining;
    let needed = draining.delay() + draining.spread() + svc::service::MAX_STOP;
    // Half a minute more lets a load balancer notice.
    assert!(seconds("TimeoutStopSec") >= needed.as_secs() + 30, "{needed:?}");
    assert_eq!(unit("TimeoutStartSec"), ["infinity"]);
}

#[test]
fn the_unit_restarts_what_fails_or_hangs_and_not_what_cannot_work() {
    assert_eq!(unit("Restart"), ["on-failure"]);
    assert_eq!(unit("RestartPreventExitStatus"), ["2"]);
    // The service pings the watchdog at least four times in this period, normally four times a second.
    assert_eq!(seconds("WatchdogSec"), 30);
}

#[test]
fn the_example_of_the_environment_has_every_variable_and_no_others() {
    let lines = SETTINGS.lines().filter_map(|line| line.split_once('='));
    let names = lines.map(|(name, _)| name.trim_start_matches('#').to_owned());
    // Comments also contain equals signs.
    let shown: BTreeSet<String> = names.filter(|name| !name.contains(' ')).collect();
    assert_eq!(shown, variables());
}

#[test]
fn the_settings_of_a_stop_are_documented_with_their_defaults() {
    let draining = svc::config::Serve::default().draining;
    for (flag, variable, default) in [
        ("--drain-delay", "SVC_DRAIN_DELAY", draining.drain_delay),
        ("--drain-spread", "SVC_DRAIN_SPREAD", draining.drain_spread),
    ] {
        let row = format!("| `{flag}` | `{variable}` | {default} |");
        assert!(DOCS.iter().any(|page| page.contains(&row)), "{row}");
        assert!(SETTINGS.contains(&format!("#{variable}={default}\n")), "{variable}");
    }
}
