use std::{
    fs,
    net::{SocketAddr, TcpListener},
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Child, Command, Stdio},
};

use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::pki_types::CertificateDer;
use tempfile::TempDir;
use tokio::net::TcpStream;

use super::HOST;
use crate::harness::soon;

const PAGE: &str = include_str!("../../../../docs/proxies.md");

/// What a Debian machine has around a file of `conf.d`, and nothing outside of one folder.
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

/// A running nginx; stopped when it is dropped.
pub(crate) struct Process(Child);

impl Process {
    /// With the `nginx.conf` of a folder. Waits until it listens at the address.
    pub(crate) async fn start(folder: &Path, address: SocketAddr) -> Self {
        let started = program()
            .arg("-p")
            .arg(folder)
            .args(["-c", "nginx.conf", "-e", "error.log"])
            .stderr(Stdio::inherit())
            .spawn();
        let Ok(process) = started else {
            panic!("nginx is missing: scripts/setup test installs it");
        };
        let process = Self(process);
        soon("nginx", async {
            while TcpStream::connect(address).await.is_err() {
                tokio::task::yield_now().await;
            }
        })
        .await;
        process
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Asked politely, it takes its workers along.
        let id = self.0.id().to_string();
        let _ = Command::new("kill").args(["-TERM", &id]).status();
        let _ = self.0.wait();
    }
}

/// nginx in a folder of its own, on free ports; stopped when the test is over.
pub(super) struct Nginx {
    _process: Process,
    pub(super) plain: SocketAddr,
    /// With TLS.
    pub(super) secure: SocketAddr,
    /// As PEM.
    pub(super) certificate: String,
    pub(super) certificate_der: CertificateDer<'static>,
    _folder: TempDir,
}

impl Nginx {
    /// In front of a service that has the host for itself.
    pub(super) async fn start(service: SocketAddr) -> Self {
        Self::run(service, block("upstream svc")).await
    }

    /// In front of two nodes.
    pub(super) async fn start_balancing(nodes: [SocketAddr; 2]) -> Self {
        let alone = block("upstream svc {\n    server 127.");
        let (_, server) = alone.split_once("\n}\n").unwrap();
        let upstream = block("upstream svc {\n    server 10.");
        let upstream = replaced(&upstream, "10.0.0.11:3000", &nodes[0].to_string());
        let upstream = replaced(&upstream, "10.0.0.12:3000", &nodes[1].to_string());
        Self::run(nodes[0], format!("# in place of 127.0.0.1:3000\n{upstream}{server}")).await
    }

    /// In front of a service below a path, which stays on what is passed on, or does not.
    pub(super) async fn start_below(service: SocketAddr, keeps_path: bool) -> Self {
        let mut below = block("location /counters/");
        if keeps_path {
            below = replaced(&below, "proxy_pass http://svc/;", "proxy_pass http://svc;");
        }
        let alone = block("upstream svc");
        let (before, rest) = alone.split_once("    location / {").unwrap();
        let (_, after) = rest.split_once("\n    }\n").unwrap();
        Self::run(service, format!("{before}{below}{after}")).await
    }

    async fn run(service: SocketAddr, configuration: String) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let folder = tempfile::tempdir().unwrap();
        // Started by root, its workers are somebody else.
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed([HOST.to_owned()]).unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("fullchain.pem", &cert.pem());
        write("privkey.pem", &signing_key.serialize_pem());
        let [plain, secure] = free_addresses();
        let configuration = [
            ("127.0.0.1:3000", service.to_string()),
            ("listen 80;", format!("listen {plain};")),
            ("listen 443 ssl http2;", format!("listen {secure} ssl http2;")),
            // Not every machine that tests has IPv6.
            ("    listen [::]:80;\n", String::new()),
            ("    listen [::]:443 ssl http2;\n", String::new()),
            ("/etc/ssl/svc.example.org/", String::new()),
        ]
        .into_iter()
        .fold(configuration, |text, (from, to)| replaced(&text, from, &to));
        write("svc.conf", &configuration);
        write("nginx.conf", AROUND);
        Self {
            _process: Process::start(folder.path(), secure).await,
            plain,
            secure,
            certificate: cert.pem(),
            certificate_der: cert.der().clone(),
            _folder: folder,
        }
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("https://{HOST}:{}{path}", self.secure.port())
    }
}

/// Debian has it where only root looks for programs.
pub(crate) fn program() -> Command {
    let debian = Path::new("/usr/sbin/nginx");
    Command::new(if debian.exists() { debian } else { Path::new("nginx") })
}

/// The block of configuration in the page that begins with this.
pub(crate) fn block(beginning: &str) -> String {
    let blocks = PAGE.split("```nginx\n").skip(1);
    let mut blocks = blocks.map(|rest| rest.split("```").next().unwrap());
    blocks.find(|block| block.starts_with(beginning)).unwrap().to_owned()
}

/// The text with something else in place of what has to be in it.
pub(crate) fn replaced(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from} is not in {text}");
    text.replace(from, to)
}

fn free_addresses() -> [SocketAddr; 2] {
    // Both at a time, so that they differ.
    let sockets = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    sockets.map(|socket| socket.local_addr().unwrap())
}
