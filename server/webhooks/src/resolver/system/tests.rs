//! Tests with a name server on this machine.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
};

use hickory_resolver::config::{NameServerConfig, ResolverConfig, ResolverOpts};
use tokio::{net::UdpSocket, sync::Notify};

use super::*;

/// Long enough for every reply that comes.
const PATIENT: Duration = Duration::from_secs(60);

/// Search domain of this machine.
const SEARCH_DOMAIN: &str = "corp.example";

const NOERROR: u8 = 0;
const SERVFAIL: u8 = 2;
const NXDOMAIN: u8 = 3;

/// Name server whose replies depend on the first label of the name.
struct Server {
    address: SocketAddr,
    questions: Arc<AtomicUsize>,
    /// Number of queries that wait for [`Server::release`].
    waiting: Arc<AtomicUsize>,
    release: Arc<Notify>,
}

impl Server {
    async fn start() -> Self {
        let socket = Arc::new(UdpSocket::bind("127.0.0.1:0").await.unwrap());
        let server = Self {
            address: socket.local_addr().unwrap(),
            questions: Arc::default(),
            waiting: Arc::default(),
            release: Arc::default(),
        };
        let (questions, waiting) = (server.questions.clone(), server.waiting.clone());
        let release = server.release.clone();
        tokio::spawn(async move {
            let mut buffer = [0; 512];
            loop {
                let (length, peer) = socket.recv_from(&mut buffer).await.unwrap();
                let question = buffer[..length].to_vec();
                questions.fetch_add(1, SeqCst);
                let (socket, waiting) = (socket.clone(), waiting.clone());
                let release = release.clone();
                tokio::spawn(async move {
                    if label(&question).starts_with("slow") {
                        waiting.fetch_add(1, SeqCst);
                        release.notified().await;
                        waiting.fetch_sub(1, SeqCst);
                    }
                    if let Some(answer) = answer(&question) {
                        socket.send_to(&answer, peer).await.unwrap();
                    }
                });
            }
        });
        server
    }

    fn questions(&self) -> usize {
        self.questions.load(SeqCst)
    }

    fn waiting(&self) -> usize {
        self.waiting.load(SeqCst)
    }
}

/// First label of the requested name.
fn label(question: &[u8]) -> String {
    let length = usize::from(question[12]);
    String::from_utf8(question[13..13 + length].to_vec()).unwrap()
}

/// Full requested name, with dots.
fn full_name(question: &[u8]) -> String {
    let mut labels = Vec::new();
    let mut at = 12;
    while question[at] != 0 {
        let end = at + 1 + usize::from(question[at]);
        labels.push(String::from_utf8(question[at + 1..end].to_vec()).unwrap());
        at = end;
    }
    labels.join(".")
}

/// Reply to a query (RFC 1035, section 4); `None` for some names.
fn answer(question: &[u8]) -> Option<Vec<u8>> {
    let mut end = 12;
    while question[end] != 0 {
        end += usize::from(question[end]) + 1;
    }
    let is_a = question[end + 1..end + 3] == [0, 1];
    let (code, ttl): (u8, Option<u32>) = match label(question).as_str() {
        "silent" => return None,
        "gone" => (NXDOMAIN, None),
        "broken" => (SERVFAIL, None),
        "half" if is_a => (NOERROR, None),
        "half" => (SERVFAIL, None),
        "brief" if is_a => (NOERROR, Some(0)),
        "long" if is_a => (NOERROR, Some(86_400)),
        "known" if is_a => (NOERROR, Some(30)),
        "db" if !full_name(question).ends_with(SEARCH_DOMAIN) => (NXDOMAIN, None),
        "db" if is_a => (NOERROR, Some(30)),
        name if is_a && name.starts_with("slow") => (NOERROR, Some(30)),
        _ => (NOERROR, None),
    };
    let mut answer = question[..end + 5].to_vec();
    answer[2..12].copy_from_slice(&[0x81, 0x80 | code, 0, 1, 0, 0, 0, 0, 0, 0]);
    if let Some(ttl) = ttl {
        answer[7] = 1;
        answer.extend([0xc0, 12, 0, 1, 0, 1]);
        answer.extend(ttl.to_be_bytes());
        answer.extend([0, 4, 192, 0, 2, 7]);
    }
    Some(answer)
}

fn names(server: Option<SocketAddr>) -> Names {
    let servers = server.into_iter().map(|address| {
        let mut server = NameServerConfig::udp(address.ip());
        server.connections.iter_mut().for_each(|connection| connection.port = address.port());
        server
    });
    let search = vec![Name::from_ascii(SEARCH_DOMAIN).unwrap()];
    let config = ResolverConfig::from_parts(None, search, servers.collect::<Vec<_>>());
    Names::fixed(config, ResolverOpts::default())
}

fn asking(server: &Server) -> System {
    System::with(names(Some(server.address)), SLOTS, PATIENT)
}

fn found() -> Result<Vec<IpAddr>, LookupError> {
    Ok(vec![Ipv4Addr::new(192, 0, 2, 7).into()])
}

fn not_found(why: &str) -> Result<Vec<IpAddr>, LookupError> {
    Err(LookupError::NotFound(why.to_owned()))
}

fn unanswered(why: &str) -> Result<Vec<IpAddr>, LookupError> {
    Err(LookupError::Unanswered(why.to_owned()))
}

#[tokio::test]
async fn a_name_that_resolves_has_its_addresses() {
    let server = Server::start().await;
    assert_eq!(asking(&server).resolve("known.example").await, found());
}

#[tokio::test]
async fn a_name_that_is_not_there_or_has_no_addresses_does_not_resolve() {
    let server = Server::start().await;
    let system = asking(&server);
    assert_eq!(system.resolve("gone.example").await, not_found("there is no such name"));
    assert_eq!(system.resolve("empty.example").await, not_found("it has no addresses"));
}

#[tokio::test]
async fn a_name_is_never_looked_up_below_a_search_domain_of_this_machine() {
    let server = Server::start().await;
    let system = asking(&server);
    for name in ["db.prod", "db", "db.prod."] {
        assert_eq!(system.resolve(name).await, not_found("there is no such name"), "{name}");
    }
    assert_eq!(system.resolve("db.prod.corp.example").await, found());
}

#[tokio::test]
async fn a_name_server_that_fails_says_nothing_about_the_name() {
    let server = Server::start().await;
    let system = asking(&server);
    let failed = unanswered("the name server returned Server Failure");
    assert_eq!(system.resolve("broken.example").await, failed);
    // A missing IPv4 address proves nothing while the IPv6 lookup fails.
    assert_eq!(system.resolve("half.example").await, failed);
}

#[tokio::test]
async fn a_name_server_that_does_not_answer_is_given_up() {
    let server = Server::start().await;
    let system = asking(&server);
    let silent = unanswered("the name servers do not respond");
    assert_eq!(system.resolve("silent.example").await, silent);
    let brief = System::with(names(Some(server.address)), SLOTS, Duration::from_millis(100));
    assert_eq!(brief.resolve("silent.example").await, unanswered("no response within 100ms"));
}

#[tokio::test]
async fn without_a_name_server_localhost_and_addresses_are_still_known() {
    let system = System::with(names(None), SLOTS, PATIENT);
    let local = system.resolve("localhost").await.unwrap();
    assert!(!local.is_empty() && local.iter().all(IpAddr::is_loopback), "{local:?}");
    for address in ["192.0.2.7", "2001:db8::7"] {
        assert_eq!(system.resolve(address).await, Ok(vec![address.parse().unwrap()]));
    }
    assert_eq!(system.resolve("known.example").await, unanswered("there is no name server"));
}

#[tokio::test]
async fn where_nothing_listens_no_name_server_can_be_reached() {
    let free = UdpSocket::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let system = System::with(names(Some(free)), SLOTS, PATIENT);
    match system.resolve("known.example").await {
        Err(error) => assert!(error.is_ours(), "{error}"),
        found => panic!("{found:?}"),
    }
}

#[tokio::test]
async fn addresses_are_remembered_as_long_as_their_owner_allows_and_at_most_a_minute() {
    let server = Server::start().await;
    let system = asking(&server);
    for _ in 0..3 {
        assert_eq!(system.resolve("long.example").await, found());
    }
    assert_eq!(server.questions(), 2, "one of each kind of address");
    let valid_until = system.known.get(&"long.example".to_owned()).await.unwrap().valid_until;
    assert!(valid_until <= Instant::now() + MAX_AGE);
    let before = server.questions();
    for _ in 0..3 {
        assert_eq!(system.resolve("brief.example").await, found());
    }
    assert!(server.questions() - before >= 3, "{}", server.questions());
}

#[tokio::test]
async fn no_more_names_are_looked_up_at_the_same_time_than_there_are_slots() {
    let server = Server::start().await;
    let system = Arc::new(System::with(names(Some(server.address)), 3, PATIENT));
    assert_eq!(system.resolve("known.example").await, found());
    let lookups: Vec<_> = (0..12)
        .map(|number| {
            let system = system.clone();
            tokio::spawn(async move { system.resolve(&format!("slow{number}.example")).await })
        })
        .collect();
    // Two queries per name: one for each kind of address.
    while server.waiting() < 6 {
        tokio::task::yield_now().await;
    }
    // Cached names need no slot.
    assert_eq!(system.resolve("known.example").await, found());
    let mut most = 0;
    while !lookups.iter().all(tokio::task::JoinHandle::is_finished) {
        most = most.max(server.waiting());
        server.release.notify_one();
        tokio::task::yield_now().await;
    }
    // A query may be sent again while its first reply is on its way.
    assert!((6..12).contains(&most), "{most}");
    for lookup in lookups {
        assert_eq!(lookup.await.unwrap(), found());
    }
}

#[tokio::test]
async fn however_many_wait_for_a_name_it_takes_one_slot() {
    let server = Server::start().await;
    let system = Arc::new(System::with(names(Some(server.address)), 2, PATIENT));
    let lookups = [(); 12].map(|()| {
        let system = system.clone();
        tokio::spawn(async move { system.resolve("slow.example").await })
    });
    while server.waiting() < 2 {
        tokio::task::yield_now().await;
    }
    assert_eq!(system.resolve("known.example").await, found(), "there is another slot");
    while !lookups.iter().all(tokio::task::JoinHandle::is_finished) {
        server.release.notify_one();
        tokio::task::yield_now().await;
    }
    for lookup in lookups {
        assert_eq!(lookup.await.unwrap(), found());
    }
}

#[tokio::test]
async fn an_answer_is_that_there_is_no_such_name_too_but_neither_an_error_nor_silence() {
    let server = Server::start().await;
    let known = System::with(names(Some(server.address)), SLOTS, PATIENT);
    for (name, expected) in [
        ("known.example", true),
        ("gone.example", true),
        ("empty.example", true),
        ("broken.example", false),
    ] {
        assert_eq!(known.has_answer(name).await, expected, "{name}");
    }
    let impatient = System::with(names(Some(server.address)), SLOTS, Duration::from_millis(20));
    assert!(!impatient.has_answer("silent.example").await);
    assert!(!System::with(names(None), SLOTS, PATIENT).has_answer("known.example").await);
}
