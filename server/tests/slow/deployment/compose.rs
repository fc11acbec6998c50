//! The container example, as far as it can be tested without containers: names, times, nginx's configuration, and all
//! of it with the same programs and settings.

mod running;

use std::{collections::BTreeSet, fs, net::SocketAddr, os::unix::fs::PermissionsExt};

use model::ReportType::Spirit;
use tempfile::TempDir;

use super::variables;
use crate::{
    harness::{Running, http, report, soon},
    proxies::nginx::{AROUND, Process, block, program, replaced},
    redis::free_addresses,
};

const COMPOSE: &str = include_str!("../../../../examples/compose/compose.yaml");
const NGINX: &str = include_str!("../../../../examples/compose/nginx.conf");

/// Lines indented more than the first line `head`, directly below it, without their indentation.
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

/// Names and addresses of the nodes.
fn nodes() -> Vec<(&'static str, &'static str)> {
    let lines: Vec<&str> = COMPOSE.lines().map(str::trim).collect();
    let nodes = lines.windows(3).filter(|three| three[1] == "<<: *node");
    nodes
        .map(|three| {
            let (_, address) = three[2].split_once("ipv4_address: ").unwrap();
            (three[0].trim_end_matches(':'), address.trim_end_matches('}'))
        })
        .collect()
}

/// Writes the example's nginx configuration to a folder, with the addresses of nginx and the two nodes replaced.
fn two_nodes(address: SocketAddr, [one, other]: [SocketAddr; 2]) -> TempDir {
    let conf = replaced(NGINX, "listen 80;", &format!("listen {address};"));
    let conf = replaced(&conf, "172.28.0.11:3000", &one.to_string());
    let conf = replaced(&conf, "172.28.0.12:3000", &other.to_string());
    let conf = replaced(&conf, "    server 172.28.0.13:3000 fail_timeout=2s;\n", "");
    let folder = tempfile::tempdir().unwrap();
    // If nginx is started by root, its workers run as another user.
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(folder.path().join("svc.conf"), conf).unwrap();
    fs::write(folder.path().join("nginx.conf"), AROUND).unwrap();
    folder
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
fn the_health_of_nodes_is_checked_as_by_the_image() {
    // Podman ignores the health check of images, because it is not part of their standard.
    let image = include_str!("../../../../packaging/Containerfile");
    let line = image.lines().find_map(|line| line.strip_prefix("HEALTHCHECK ")).unwrap();
    let (times, command) = line.split_once(" CMD [").unwrap();
    let times = times.split(' ').map(|time| time.trim_start_matches("--").replace('=', ": "));
    let times = times.map(|time| time.replace('-', "_"));
    let expected: Vec<_> =
        [format!("test: [\"CMD\", {command}")].into_iter().chain(times).collect();
    assert_eq!(below("healthcheck:"), expected);
}

#[test]
fn nginx_is_in_front_of_exactly_the_nodes_that_there_are() {
    assert_eq!(nodes().len(), 3);
    let servers = NGINX.lines().filter_map(|line| line.trim().strip_prefix("server "));
    let named: Vec<_> =
        servers.filter_map(|line| line.split_once(":3000")).map(|(name, _)| name).collect();
    let (names, addresses): (Vec<_>, Vec<_>) = nodes().into_iter().unzip();
    assert_eq!(named, addresses);
    let depends_on = format!("depends_on: [{}]", names.join(", "));
    assert!(COMPOSE.contains(&depends_on), "{depends_on}");
    assert!(COMPOSE.contains("./nginx.conf:/etc/nginx/conf.d/default.conf:ro"));
}

#[test]
fn the_operators_side_of_each_node_is_reached_from_the_host_alone() {
    let image = include_str!("../../../../packaging/Containerfile");
    assert!(image.contains("SVC_OPS_ADDR=0.0.0.0:3001 "));
    for (number, (name, _)) in (1..).zip(nodes()) {
        let ports = format!("ports: [\"127.0.0.1:{}:3001\"]", 3000 + number);
        assert!(below(&format!("{name}:")).contains(&&*ports), "{name}");
    }
}

#[test]
fn the_times_of_nginx_are_those_of_the_page() {
    let page = block("upstream svc");
    let times = |text: &str| -> Vec<String> {
        let lines = text.lines().map(str::trim);
        let times = ["proxy_connect_", "proxy_read_", "proxy_next_"];
        lines
            .filter(|line| times.iter().any(|of| line.starts_with(of)))
            .map(str::to_owned)
            .collect()
    };
    assert_eq!(times(NGINX), times(&page));
    assert_eq!(times(&page).len(), 4);
}

#[test]
fn nginx_accepts_its_file() {
    let [address, one, other] = free_addresses();
    let folder = two_nodes(address, [one, other]);
    let mut nginx = program();
    let tested =
        nginx.arg("-t").arg("-p").arg(folder.path()).args(["-c", "nginx.conf", "-e", "stderr"]);
    let output = tested.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[tokio::test]
async fn nginx_spreads_requests_and_streams_over_the_nodes() {
    // The nodes have different databases, so a response shows which node sent it.
    let nodes = [Running::new().await, Running::new().await];
    nodes[1].publish(&[report("a", Spirit)]).await;
    let [address] = free_addresses();
    let folder = two_nodes(address, [nodes[0].service.addr, nodes[1].service.addr]);
    let _nginx = Process::nginx(folder.path(), address).await;
    let visitor = http();
    let total = |text: &str| {
        let (_, rest) = text.split_once("\"total\":").unwrap();
        rest.split([',', '}']).next().unwrap().to_owned()
    };
    let (mut requests, mut streams, mut open) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
    for _ in 0..2 {
        let answer = visitor.get(format!("http://{address}/api/v1/metrics")).send().await.unwrap();
        requests.insert(total(&answer.text().await.unwrap()));
    }
    for _ in 0..2 {
        let request = visitor.get(format!("http://{address}/api/v1/stream"));
        let mut stream = request.send().await.unwrap();
        let mut text = String::new();
        // nginx passes on the first events while the stream is still open.
        while !text.ends_with("\n\n") {
            let chunk = soon("the first events", stream.chunk()).await.unwrap().unwrap();
            text += str::from_utf8(&chunk).unwrap();
        }
        streams.insert(total(&text));
        open.push(stream);
    }
    let both = BTreeSet::from(["0", "1"].map(str::to_owned));
    assert_eq!((requests, streams), (both.clone(), both));
}
