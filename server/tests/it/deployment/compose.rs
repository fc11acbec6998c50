//! The example for containers, as far as it can be tried without any: names, times, and nginx's file.

use std::{
    fs,
    net::{Ipv4Addr, TcpListener},
    process::Command,
};

use super::variables;

const COMPOSE: &str = include_str!("../../../../examples/compose/compose.yaml");
const NGINX: &str = include_str!("../../../../examples/compose/nginx.conf");
const IMAGE: &str = include_str!("../../../../examples/compose/Containerfile");

/// The lines below the first one that reads `head`, as far as they are indented more, without their indentation.
fn below(head: &str) -> Vec<&'static str> {
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let mut lines = COMPOSE.lines().skip_while(|line| line.trim() != head);
    let depth = indentation(lines.next().unwrap_or_else(|| panic!("no {head}")));
    lines
        .take_while(|line| line.is_empty() || indentation(line) > depth)
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect()
}

/// The names of the nodes.
fn nodes() -> Vec<&'static str> {
    let nodes = COMPOSE.lines().filter_map(|line| line.strip_suffix(": *node"));
    nodes.map(str::trim).collect()
}

#[test]
fn nodes_are_set_up_with_variables_that_exist() {
    let set: Vec<_> =
        below("environment:").iter().filter_map(|line| line.split(':').next()).collect();
    assert!(set.contains(&"DATABASE_URL") && set.contains(&"SVC_REDIS_URL"), "{set:?}");
    let known = variables();
    let unknown: Vec<_> = set.iter().filter(|name| !known.contains(**name)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

#[test]
fn nodes_have_the_time_that_they_need_to_stop() {
    let grace = COMPOSE.lines().find_map(|line| line.trim().strip_prefix("stop_grace_period: "));
    let grace: u64 = grace.unwrap().strip_suffix('s').unwrap().parse().unwrap();
    let seconds = |name: &str| -> u64 {
        let value = below("environment:").iter().find_map(|line| line.strip_prefix(name));
        value.unwrap().trim_start_matches(": ").parse().unwrap()
    };
    let draining = seconds("SVC_DRAIN_DELAY") + seconds("SVC_DRAIN_SPREAD");
    assert!(grace >= draining + svc::service::MAX_STOP.as_secs(), "{grace}");
}

#[test]
fn nginx_is_in_front_of_exactly_the_nodes_that_there_are() {
    assert_eq!(nodes().len(), 3);
    let servers = NGINX.lines().filter_map(|line| line.trim().strip_prefix("server "));
    let named: Vec<_> =
        servers.filter_map(|line| line.split_once(":3000")).map(|(name, _)| name).collect();
    assert_eq!(named, nodes());
    let depends_on = format!("depends_on: [{}]", nodes().join(", "));
    assert!(COMPOSE.contains(&depends_on), "{depends_on}");
    assert!(COMPOSE.contains("./nginx.conf:/etc/nginx/conf.d/default.conf:ro"));
    assert!(COMPOSE.contains("SVC_ADDR: 0.0.0.0:3000"));
}

#[test]
fn nginx_accepts_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap();
    let mut conf = NGINX.replace("listen 80;", &format!("listen {free};"));
    for node in nodes() {
        // Names of containers, which nobody else knows.
        conf = conf.replace(&format!("{node}:"), "127.0.0.1:");
    }
    fs::write(folder.path().join("default.conf"), conf).unwrap();
    let around =
        "pid nginx.pid; error_log stderr; events {} http { access_log off; include default.conf; }";
    fs::write(folder.path().join("nginx.conf"), around).unwrap();
    let mut nginx = Command::new(if fs::exists("/usr/sbin/nginx").unwrap() {
        "/usr/sbin/nginx"
    } else {
        "nginx"
    });
    let tested =
        nginx.arg("-t").arg("-p").arg(folder.path()).args(["-c", "nginx.conf", "-e", "stderr"]);
    let output = tested.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_image_runs_the_service_without_rights() {
    let lines: Vec<_> = IMAGE.lines().collect();
    assert!(lines.contains(&"USER 65534:65534"));
    assert!(lines.contains(&"ENTRYPOINT [\"/usr/local/bin/svc\", \"serve\"]"));
}

#[tokio::test]
async fn the_healthcheck_is_content_with_a_node_that_is_ready_and_with_no_other() {
    let line = COMPOSE.lines().find(|line| line.contains("/dev/tcp/")).unwrap();
    let (_, list) = line.split_once("test: ").unwrap();
    let words: Vec<String> = serde_json::from_str(list).unwrap();
    let ["CMD", "bash", "-c", script] = words.iter().map(String::as_str).collect::<Vec<_>>()[..]
    else {
        panic!("{words:?}")
    };
    let running = crate::harness::Running::new().await;
    let script =
        script.replace("127.0.0.1/3000", &format!("127.0.0.1/{}", running.service.addr.port()));
    let check = async || {
        let mut bash = tokio::process::Command::new("bash");
        bash.args(["-c", &script]).status().await.unwrap().success()
    };
    assert!(check().await);
    running.database.tamper("ALTER TABLE data_version RENAME TO elsewhere").await;
    running.service.app.snapshots.refresh().await;
    assert!(!check().await);
    running.database.tamper("ALTER TABLE elsewhere RENAME TO data_version").await;
}
