//! nginx with the configuration blocks in the docs.

use std::{fs, net::SocketAddr, path::Path, process::Command};

pub(crate) use super::Process;
use super::{Proxy, certificate, free_addresses};

pub(super) const PAGE: &str = include_str!("../../../../docs/proxies.md");

/// Main configuration like Debian's around a file of `conf.d`, with all files inside one folder.
pub(crate) const AROUND: &str = "daemon off;
worker_processes 1;
pid nginx.pid;
error_log error.log;
events { worker_connections 256; }
http {
    gzip on;
    access_log off;
    client_body_temp_path body;
    proxy_temp_path proxy;
    fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    include svc.conf;
}
";

impl Process {
    /// Starts nginx with the `nginx.conf` in a folder, and waits until it listens at the address.
    pub(crate) async fn nginx(folder: &Path, address: SocketAddr) -> Self {
        let mut nginx = program();
        nginx.arg("-p").arg(folder).args(["-c", "nginx.conf", "-e", "error.log"]);
        Self::start(&mut nginx, address).await
    }
}

/// Starts nginx in front of a service that has the host to itself.
pub(super) async fn start(service: SocketAddr) -> Proxy {
    run(service, block("upstream svc")).await
}

/// Starts nginx in front of two nodes.
pub(super) async fn start_balancing(nodes: [SocketAddr; 2]) -> Proxy {
    let alone = block("upstream svc {\n    server 127.");
    let (_, server) = alone.split_once("\n}\n").unwrap();
    let upstream = block("upstream svc {\n    server 10.");
    let upstream = replaced(&upstream, "10.0.0.11:3000", &nodes[0].to_string());
    let upstream = replaced(&upstream, "10.0.0.12:3000", &nodes[1].to_string());
    run(nodes[0], format!("# in place of 127.0.0.1:3000\n{upstream}{server}")).await
}

/// Starts nginx in front of a service below a path. nginx keeps the path in forwarded requests if `keeps_path`.
pub(super) async fn start_below(service: SocketAddr, keeps_path: bool) -> Proxy {
    let mut below = block("location /counters/");
    if keeps_path {
        below = replaced(&below, "proxy_pass http://svc/;", "proxy_pass http://svc;");
    }
    let alone = block("upstream svc");
    let (before, rest) = alone.split_once("    location / {").unwrap();
    let (_, after) = rest.split_once("\n    }\n").unwrap();
    run(service, format!("{before}{below}{after}")).await
}

async fn run(service: SocketAddr, configuration: String) -> Proxy {
    let folder = tempfile::tempdir().unwrap();
    let certificate = certificate(folder.path());
    let [plain, secure] = free_addresses();
    let configuration = [
        ("127.0.0.1:3000", service.to_string()),
        ("listen 80;", format!("listen {plain};")),
        ("listen 443 ssl http2;", format!("listen {secure} ssl http2;")),
        // Some test machines have no IPv6.
        ("    listen [::]:80;\n", String::new()),
        ("    listen [::]:443 ssl http2;\n", String::new()),
        ("/etc/ssl/svc.example.org/", String::new()),
    ]
    .into_iter()
    .fold(configuration, |text, (from, to)| replaced(&text, from, &to));
    fs::write(folder.path().join("svc.conf"), &configuration).unwrap();
    fs::write(folder.path().join("nginx.conf"), AROUND).unwrap();
    Proxy {
        _process: Process::nginx(folder.path(), secure).await,
        plain,
        secure,
        certificate: certificate.pem,
        certificate_der: certificate.der,
        _folder: folder,
    }
}

/// Command for nginx. Debian installs it in a folder that is only on root's `PATH`.
pub(crate) fn program() -> Command {
    let debian = Path::new("/usr/sbin/nginx");
    Command::new(if debian.exists() { debian } else { Path::new("nginx") })
}

/// Configuration block in the docs that starts with `beginning`.
pub(crate) fn block(beginning: &str) -> String {
    let blocks = PAGE.split("```nginx\n").skip(1);
    let mut blocks = blocks.map(|rest| rest.split("```").next().unwrap());
    blocks.find(|block| block.starts_with(beginning)).unwrap().to_owned()
}

/// Replaces a part of the text, which must occur.
pub(crate) fn replaced(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from} is not in {text}");
    text.replace(from, to)
}
