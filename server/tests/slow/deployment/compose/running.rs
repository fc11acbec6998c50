//! The example running without containers: the same programs with its settings, names, addresses and ports, in a
//! network of their own. Only the addresses at which nodes listen differ, because containers have a network each.

use std::{
    env,
    fs::{self, Permissions},
    net::SocketAddr,
    os::unix::fs::PermissionsExt,
    process::{Command, ExitStatus, Stdio},
    time::Duration,
};

use reqwest::{Client, Response};
use rustix::process::{Pid, Signal, kill_process};
use scratch::postgres::Server;
use tempfile::TempDir;

use super::{COMPOSE, NGINX, below, nodes};
use crate::{
    harness::{http, soon},
    programs::{is_installed, skipped},
    proxies::nginx::{AROUND, Process},
    redis::Redis,
    served::Served,
};

const IMAGE: &str = include_str!("../../../../../packaging/Containerfile");
const PASSWORD: &str = "8d1f0a";
const POSTGRES: &str = "172.28.0.128";
const REDIS: &str = "172.28.0.129";
const PROXY: &str = "172.28.0.130";
/// Variable of the process that runs inside the network.
const INSIDE: &str = "SVC_TEST_INSIDE";

/// Prepares the network and the names of the containers.
const NETWORK: &str = r#"
ip link set lo up
hosts=$1; shift
for address in "$@"; do ip address add "$address/24" dev lo; done
mount --bind "$hosts" /etc/hosts"#;

#[test]
fn the_example_serves_while_a_node_is_killed_and_another_is_stopped() {
    if env::var_os(INSIDE).is_some() {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        return runtime.block_on(use_example());
    }
    const FLAGS: [&str; 6] =
        ["--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"];
    let may = Command::new("unshare").args(FLAGS).arg("true").output();
    if !may.is_ok_and(|output| output.status.success()) || !is_installed("ip") {
        return skipped("the example of several nodes: it needs root and the program `ip`");
    }
    let this = std::thread::current().name().unwrap().to_owned();
    let mut inside = Command::new("unshare");
    inside.args(FLAGS).arg(env::current_exe().unwrap()).args([&this, "--exact", "--nocapture"]);
    let output = inside.env(INSIDE, "1").output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&said));
}

async fn use_example() {
    let mut example = Example::start().await;
    assert_eq!(example.total_at(PROXY).await, "0");
    example.publish(0, "one");
    example.everywhere("1").await;
    // All nodes share their limits through Redis.
    for node in &example.nodes {
        node.until("svc_redis_up 1").await;
        node.until("svc_limit_nodes 3").await;
    }
    let mut streams = Vec::new();
    for _ in 0..3 {
        let mut stream = example.get("/api/v1/stream").await;
        soon("the first events", stream.chunk()).await.unwrap().unwrap();
        streams.push(stream);
    }

    example.nodes[1].served = None;
    for _ in 0..12 {
        assert_eq!(example.total_at(PROXY).await, "1");
    }
    // `restart: unless-stopped`.
    example.nodes[1].start().await;
    example.publish(1, "two");
    example.everywhere("2").await;

    example.nodes[0].terminate();
    let ended = loop {
        assert_eq!(example.total_at(PROXY).await, "2");
        if let Some(ended) = example.nodes[0].ended() {
            break ended;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert_eq!(ended.code(), Some(0));
    example.publish(2, "three");
    for node in 1..3 {
        example.until_total(node, "3").await;
    }
    for node in &mut example.nodes[1..] {
        node.terminate();
        let ended = soon("the end", async {
            loop {
                match node.ended() {
                    Some(ended) => break ended,
                    None => tokio::time::sleep(Duration::from_millis(50)).await,
                }
            }
        });
        assert_eq!(ended.await.code(), Some(0));
    }
}

struct Example {
    nodes: Vec<Node>,
    visitor: Client,
    key: String,
    _servers: (Server, Redis, Process),
    _folder: TempDir,
}

impl Example {
    /// Starts the containers in the order of `depends_on`.
    async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        // The servers run as other users.
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        let file = |name: &str, text: &str| {
            let file = folder.path().join(name);
            fs::write(&file, text).unwrap();
            file
        };
        let names = format!("127.0.0.1 localhost\n{POSTGRES} postgres\n{REDIS} redis\n");
        let mut network = Command::new("sh");
        network.args(["-ec", NETWORK, "sh"]).arg(file("hosts", &names));
        network.args([POSTGRES, REDIS, PROXY]).args(nodes().iter().map(|(_, address)| address));
        assert!(network.status().unwrap().success());

        let access = "local all all trust\nhost all all 172.28.0.0/24 scram-sha-256\n";
        let access = format!("hba_file={}", file("pg_hba.conf", access).display());
        let postgres = tokio::task::block_in_place(|| {
            let listen = format!("listen_addresses={POSTGRES}");
            let server = Server::start(&[&listen, &access, "fsync=off"]);
            server.ask(&format!("ALTER ROLE svc PASSWORD '{PASSWORD}'"));
            server.create_named("svc", None);
            server
        });
        let mut is_healthy = command(&list("test: [\"CMD\", \"pg_isready\""));
        assert!(is_healthy.env("PGHOST", POSTGRES).status().unwrap().success());

        let flags = list("command: [\"valkey-server\"");
        let flags = flags[1..].iter().map(String::as_str);
        let listen = ["--port", "6379", "--bind", REDIS, "--protected-mode", "no"];
        let redis = Redis::with(&listen.into_iter().chain(flags).collect::<Vec<_>>()).await;

        let mut nodes: Vec<Node> =
            nodes().into_iter().map(|(_, address)| Node::at(address)).collect();
        for node in &mut nodes {
            node.start().await;
        }
        file("svc.conf", NGINX);
        file("nginx.conf", AROUND);
        let proxy: SocketAddr = format!("{PROXY}:80").parse().unwrap();
        let proxy = Process::nginx(folder.path(), proxy).await;
        let key = key(&nodes[0]);
        Self { nodes, visitor: http(), key, _servers: (postgres, redis, proxy), _folder: folder }
    }

    /// Publishes a report by a command in the container of a node.
    fn publish(&self, node: usize, id: &str) {
        let file = self.nodes[node].folder.path().join("reports.csv");
        let row = format!(
            "id,type,city,country,peopleCount,eventDate\n{id},water,Lyon,France,2,2026-01-02\n"
        );
        fs::write(file, row).unwrap();
        let import =
            self.nodes[node].command(&["reports", "import", "--approve", "reports.csv"]).output();
        let import = import.unwrap();
        assert!(import.status.success(), "{}", String::from_utf8_lossy(&import.stderr));
    }

    /// Sends a request through nginx.
    async fn get(&self, path: &str) -> Response {
        let sent = self.visitor.get(format!("http://{PROXY}{path}")).bearer_auth(&self.key);
        let sent = sent.send().await.unwrap();
        assert_eq!(sent.status(), 200, "{path}");
        sent
    }

    /// Number of reports in the counters of a host.
    async fn total_at(&self, host: &str) -> String {
        let answer = self.visitor.get(format!("http://{host}/api/v1/metrics"));
        let answer = answer.bearer_auth(&self.key).send().await.unwrap();
        assert_eq!(answer.status(), 200, "{host}");
        let metrics: serde_json::Value =
            serde_json::from_str(&answer.text().await.unwrap()).unwrap();
        metrics["total"].to_string()
    }

    async fn until_total(&self, node: usize, total: &str) {
        let host = format!("{}:3000", self.nodes[node].address);
        soon("the count", async {
            while self.total_at(&host).await != total {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        })
        .await;
    }

    /// Waits until all nodes count this many reports.
    async fn everywhere(&self, total: &str) {
        for node in 0..self.nodes.len() {
            self.until_total(node, total).await;
        }
    }
}

/// Creates a key without limits, because the test polls.
fn key(node: &Node) -> String {
    let flags = ["keys", "create", "--partner", "Visitor", "--tier", "enterprise", "--json"];
    let created: serde_json::Value =
        serde_json::from_slice(&node.command(&flags).output().unwrap().stdout).unwrap();
    created["key"].as_str().unwrap().to_owned()
}

/// The container of a node.
struct Node {
    address: &'static str,
    /// `None` after it was killed.
    served: Option<Served>,
    folder: TempDir,
}

impl Node {
    fn at(address: &'static str) -> Self {
        Self { address, served: None, folder: tempfile::tempdir().unwrap() }
    }

    /// A command in the container, with the variables of the image and of the example.
    fn command(&self, arguments: &[&str]) -> Command {
        let image = IMAGE.lines().find_map(|line| line.strip_prefix("ENV ")).unwrap();
        let image = image.split(' ').map(|variable| variable.split_once('=').unwrap());
        let image = image.map(|(name, value)| (name, value.replace("0.0.0.0", self.address)));
        let example = below("environment:").into_iter().map(|line| {
            let (name, value) = line.split_once(": ").unwrap();
            (name, substituted(value))
        });
        let mut command = Command::new(env!("CARGO_BIN_EXE_svc"));
        command.args(arguments).current_dir(self.folder.path()).env_clear();
        command.envs(image.chain(example)).env("XDG_RUNTIME_DIR", self.folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        command
    }

    /// Starts the service, and waits until its health check succeeds.
    async fn start(&mut self) {
        let [command, image] = [below("healthcheck:")[0], healthcheck()];
        assert!(command.ends_with(image), "{command}");
        self.served = Some(Served::of(self.command(&["serve"])).unwrap());
        soon("a healthy node", async {
            while !self.command(&["health"]).output().unwrap().status.success() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        })
        .await;
    }

    /// Waits until a line is in the node's metrics.
    async fn until(&self, line: &str) {
        soon(line, async {
            let url = format!("http://{}:3001/metrics", self.address);
            while !http().get(&url).send().await.unwrap().text().await.unwrap().contains(line) {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        })
        .await;
    }

    fn terminate(&self) {
        let process = &self.served.as_ref().unwrap().child;
        kill_process(Pid::from_child(process), Signal::TERM).unwrap();
    }

    fn ended(&mut self) -> Option<ExitStatus> {
        self.served.as_mut().unwrap().child.try_wait().unwrap()
    }
}

/// Command of the image's health check, as JSON.
fn healthcheck() -> &'static str {
    let line = IMAGE.lines().find(|line| line.starts_with("HEALTHCHECK ")).unwrap();
    // The example has the same list, beginning with "CMD".
    line.split_once("CMD [").unwrap().1
}

/// The list in the line of the example that begins like this.
fn list(beginning: &str) -> Vec<String> {
    let line = COMPOSE.lines().map(str::trim).find(|line| line.starts_with(beginning)).unwrap();
    let list: Vec<String> = serde_json::from_str(line.split_once(": ").unwrap().1).unwrap();
    list.into_iter().filter(|word| word != "CMD").collect()
}

fn command(words: &[String]) -> Command {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]);
    command
}

/// A value with the variables of the file `.env`.
fn substituted(value: &str) -> String {
    let key = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";
    let url = format!("http://{PROXY}");
    [("POSTGRES_PASSWORD", PASSWORD), ("SVC_SECRET_KEY", key), ("SVC_PUBLIC_URL", &url)]
        .iter()
        .fold(value.to_owned(), |text, (name, value)| {
            text.replace(&format!("${{{name}:?}}"), value)
        })
}
