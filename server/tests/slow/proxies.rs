//! Real nginx and HAProxy, with the configuration in `docs/proxies.md`.

mod black_hole;
mod haproxy;
pub(crate) mod nginx;
mod nodes;

use std::{
    fs,
    net::{IpAddr, SocketAddr, TcpListener},
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Child, Command, Stdio},
    sync::Arc,
    time::Duration,
};

use rcgen::{CertifiedKey, generate_simple_self_signed};
use reqwest::{Client, ClientBuilder, redirect::Policy};
use rustls::{
    ClientConfig, RootCertStore,
    pki_types::{CertificateDer, ServerName},
};
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use crate::harness::{Answer, Running, START, reached_at, settings, soon};

const HOST: &str = "svc.example.org";

/// Headers of clients that pretend to be someone else.
fn forged(number: usize) -> [(&'static str, String); 5] {
    [
        ("x-forwarded-for", format!("203.0.113.{number}")),
        ("x-forwarded-proto", "http".to_owned()),
        ("x-forwarded-host", "evil.example".to_owned()),
        ("forwarded", format!("for=203.0.113.{number};proto=http;host=evil.example")),
        ("x-real-ip", format!("203.0.113.{number}")),
    ]
}

/// Proxy in a separate folder on free ports, stopped on drop.
struct Proxy {
    _process: Process,
    plain: SocketAddr,
    /// Address with TLS.
    secure: SocketAddr,
    /// Certificate as PEM.
    certificate: String,
    certificate_der: CertificateDer<'static>,
    _folder: TempDir,
}

impl Proxy {
    fn url(&self, path: &str) -> String {
        format!("https://{HOST}:{}{path}", self.secure.port())
    }
}

/// Running proxy process, stopped on drop.
pub(crate) struct Process(Child);

impl Process {
    /// Starts the process, and waits until it listens at the address.
    async fn start(command: &mut Command, address: SocketAddr) -> Self {
        let Ok(process) = command.stderr(Stdio::inherit()).spawn() else {
            panic!("{command:?}: scripts/setup test installs it");
        };
        let process = Self(process);
        soon("the proxy", async {
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
        // SIGTERM also stops the workers.
        let id = self.0.id().to_string();
        let _ = Command::new("kill").args(["-TERM", &id]).status();
        let _ = self.0.wait();
    }
}

/// Writes the files of a certificate to a folder: the chain, the key, and both in one file.
fn certificate(folder: &Path) -> Certificate {
    let _ = rustls::crypto::ring::default_provider().install_default();
    // If the proxy is started by root, its workers run as another user.
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed([HOST.to_owned()]).unwrap();
    let (chain, key) = (cert.pem(), signing_key.serialize_pem());
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    write("fullchain.pem", &chain);
    write("privkey.pem", &key);
    write("haproxy.pem", &(chain.clone() + &key));
    Certificate { pem: chain, der: cert.der().clone() }
}

struct Certificate {
    pem: String,
    der: CertificateDer<'static>,
}

fn free_addresses() -> [SocketAddr; 2] {
    // The sockets are open at the same time, so their ports differ.
    let sockets = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    sockets.map(|socket| socket.local_addr().unwrap())
}

/// Visitor from an address of this machine.
fn visitor(proxy: &Proxy, address: [u8; 4]) -> Client {
    client(proxy).local_address(IpAddr::from(address)).build().unwrap()
}

fn client(proxy: &Proxy) -> ClientBuilder {
    let certificate = reqwest::Certificate::from_pem(proxy.certificate.as_bytes()).unwrap();
    let client = Client::builder().no_gzip().no_brotli().redirect(Policy::none());
    client.resolve(HOST, proxy.secure).tls_certs_only([certificate])
}

#[tokio::test]
async fn visitors_count_by_their_own_address_whatever_they_say() {
    let running = Running::new().await;
    let nginx = nginx::start(running.service.addr).await;
    let url = nginx.url("/api/v1/metrics");
    let (one, other) = (visitor(&nginx, [127, 0, 1, 2]), visitor(&nginx, [127, 0, 1, 3]));
    // All these addresses belong to this machine, but only the proxy's own is trusted.
    for left in (57..60).rev() {
        let request = forged(left)
            .into_iter()
            .fold(one.get(&url), |request, (name, value)| request.header(name, value));
        let answer = Answer::of(request.send().await.unwrap()).await;
        assert_eq!(answer.header("ratelimit"), format!("\"public\";r={left};t=60"));
    }
    let answer = Answer::of(other.get(&url).send().await.unwrap()).await;
    assert_eq!(answer.header("ratelimit"), "\"public\";r=59;t=60");
}

#[tokio::test]
async fn links_say_what_the_visitor_asked_for() {
    let running = Running::new().await;
    let nginx = nginx::start(running.service.addr).await;
    let visitor = visitor(&nginx, [127, 0, 1, 2]);
    let plain = Answer::of(visitor.get(nginx.url("/")).send().await.unwrap()).await;
    // Without the colours of the syntax.
    let snippet = format!("\"https://{HOST}:{}/embed.js\"", nginx.secure.port());
    assert!(plain.text().contains(&snippet), "{}", plain.text());
    let request = forged(1)
        .into_iter()
        .fold(visitor.get(nginx.url("/")), |request, header| request.header(header.0, header.1));
    assert_eq!(Answer::of(request.send().await.unwrap()).await.text(), plain.text());
}

#[tokio::test]
async fn events_arrive_when_they_are_sent() {
    let running = Running::new().await;
    let nginx = nginx::start(running.service.addr).await;
    let visitor = visitor(&nginx, [127, 0, 1, 2]);
    let mut stream = visitor.get(nginx.url("/api/v1/stream")).send().await.unwrap();
    assert_eq!(stream.headers()["content-type"], "text/event-stream");
    let mut read = async |ticks: usize| {
        let mut text = String::new();
        while text.matches("event: reports").count() < ticks || !text.ends_with("\n\n") {
            text += str::from_utf8(&stream.chunk().await.unwrap().unwrap()).unwrap();
        }
        text
    };
    let first = soon("the first events", read(1)).await;
    assert!(first.starts_with("retry: "), "{first}");
    for _ in 0..3 {
        running.clock.advance(Duration::from_secs(5));
        let tick = soon("the next tick", read(1)).await;
        assert_eq!(tick.matches("event: metrics").count(), 1, "{tick}");
    }
}

#[tokio::test]
async fn bodies_are_compressed_by_the_service_and_known_again() {
    let running = Running::new().await;
    let nginx = nginx::start(running.service.addr).await;
    let visitor = visitor(&nginx, [127, 0, 1, 2]);
    let direct = running.get_with("/embed.js", &[("accept-encoding", "gzip, br")]).await;
    let request = visitor.get(nginx.url("/embed.js")).header("accept-encoding", "gzip, br");
    let proxied = Answer::of(request.send().await.unwrap()).await;
    assert_eq!(proxied.header("content-encoding"), "br");
    assert_eq!((proxied.header("etag"), &proxied.body), (direct.header("etag"), &direct.body));
    let plain = Answer::of(visitor.get(nginx.url("/docs")).send().await.unwrap()).await;
    let request = visitor.get(nginx.url("/docs")).header("if-none-match", plain.header("etag"));
    assert_eq!(request.send().await.unwrap().status(), 304);
}

#[tokio::test]
async fn http_2_is_spoken_and_plain_http_leads_to_https() {
    let running = Running::new().await;
    let nginx = nginx::start(running.service.addr).await;
    let mut roots = RootCertStore::empty();
    roots.add(nginx.certificate_der.clone()).unwrap();
    let mut config = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec()];
    let socket = TcpStream::connect(nginx.secure).await.unwrap();
    let name = ServerName::try_from(HOST).unwrap();
    let tls = TlsConnector::from(Arc::new(config)).connect(name, socket).await.unwrap();
    assert_eq!(tls.get_ref().1.alpn_protocol(), Some(&b"h2"[..]));

    let plain = format!("http://{}/docs?x=1", nginx.plain);
    let request = visitor(&nginx, [127, 0, 1, 2]).get(plain).header("host", HOST);
    let answer = Answer::of(request.send().await.unwrap()).await;
    assert_eq!(
        (answer.status, answer.header("location")),
        (308, "https://svc.example.org/docs?x=1")
    );
}

#[tokio::test]
async fn below_a_path_everything_is_found_and_the_rest_of_the_host_is_not_ours() {
    let base = format!("https://{HOST}/counters");
    let running = Running::with(reached_at(&base), START).await;
    for keeps_path in [false, true] {
        let nginx = nginx::start_below(running.service.addr, keeps_path).await;
        let visitor = visitor(&nginx, [127, 0, 1, 2]);
        let get =
            async |path: &str| Answer::of(visitor.get(nginx.url(path)).send().await.unwrap()).await;
        for path in ["/", "/docs/api", "/embed/globe", "/embed.js", "/api/v1/metrics", "/nope"] {
            let (there, here) = (get(&format!("/counters{path}")).await, running.get(path).await);
            assert_eq!((there.status, &there.body), (here.status, &here.body), "{path}");
        }
        let slash = get("/counters/docs/").await;
        assert_eq!((slash.status, slash.header("location")), (308, "/counters/docs"));
        assert_eq!(get("/docs").await.status, 404);
        let bare = get("/counters").await;
        assert!(bare.header("location").ends_with("/counters/"), "{:?}", bare.headers);
    }
}

#[tokio::test]
async fn without_the_proxy_in_the_list_all_visitors_are_one() {
    let trusted_proxies = "192.0.2.1".parse().unwrap();
    let strict = svc::config::Serve { trusted_proxies, ..settings() };
    let running = Running::with(strict, START).await;
    let nginx = nginx::start(running.service.addr).await;
    for (last, left) in [(2, 59), (3, 58)] {
        let request = visitor(&nginx, [127, 0, 1, last]).get(nginx.url("/api/v1/metrics"));
        let answer = Answer::of(request.send().await.unwrap()).await;
        assert_eq!(answer.header("ratelimit"), format!("\"public\";r={left};t=60"));
    }
}
