//! Measures webhooks on SQLite, durable as in service: deliveries a second to a local receiver, and
//! the time from a publication to its arrival. `make bench` runs it.
//!
//! `deliveries SVC FOLDER`: SVC is the binary, FOLDER an empty folder for the database.

use std::{
    collections::HashMap,
    convert::Infallible,
    path::Path,
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use app::model::ReportType;
use http_body_util::{BodyExt, Empty};
use hyper::{Request, Response, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use svc::{
    clock::Clock,
    keys::{ApiKey, Tier},
    random::Random,
    store::{self, Missing, Mode, NewKey, NewReport, Store},
    webhooks::{event::EventName, signature::Secret, subscription::NewSubscription},
};
use tokio::net::TcpListener;

type Error = Box<dyn std::error::Error + Send + Sync>;

/// Reports told in the first part: twice as many deliveries.
const REPORTS: u64 = 20_000;
/// Publications in the second part, and the time between two.
const PUBLICATIONS: u32 = 2_000;
const GAP: Duration = Duration::from_millis(10);

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, svc, folder] = arguments.as_slice() else {
        return Err("usage: deliveries SVC FOLDER".into());
    };
    let url = format!("sqlite://{}", Path::new(folder).join("webhooks.db").display());
    let store = store::open_url(&url, Missing::Create).await?;
    let received = Arc::new(Received::default());
    let endpoint = listen(Arc::clone(&received)).await?;
    subscribe(&store, &endpoint).await?;
    let clock = Clock::system();

    let reports: Vec<_> = (0..REPORTS).map(|number| report(&clock, "told", number)).collect();
    for reports in reports.chunks(1_000) {
        store.import(reports, Mode::Approve, clock.now()).await?;
    }
    let _serving = serve(svc, &url)?;
    rate(&received).await;

    let reports: Vec<_> =
        (0..u64::from(PUBLICATIONS)).map(|number| report(&clock, "timed", number)).collect();
    store.import(&reports, Mode::Pending, clock.now()).await?;
    latency(&store, &clock, &received, &reports).await?;
    Ok(())
}

/// What arrived.
#[derive(Default)]
struct Received {
    count: AtomicU64,
    /// When each report was heard of first.
    reports: Mutex<HashMap<String, Instant>>,
}

async fn listen(received: Arc<Received>) -> Result<String, Error> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let endpoint = format!("http://{}/", listener.local_addr()?);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let _ = stream.set_nodelay(true);
            let received = Arc::clone(&received);
            let take = service_fn(move |request| take(Arc::clone(&received), request));
            tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), take));
        }
    });
    Ok(endpoint)
}

async fn take(
    received: Arc<Received>,
    request: Request<Incoming>,
) -> Result<Response<Empty<bytes::Bytes>>, Infallible> {
    let now = Instant::now();
    if let Ok(body) = request.into_body().collect().await {
        received.count.fetch_add(1, Ordering::Relaxed);
        if let Some(id) = timed_report(&body.to_bytes())
            && let Ok(mut reports) = received.reports.lock()
        {
            reports.entry(id).or_insert(now);
        }
    }
    Ok(Response::new(Empty::new()))
}

/// The id of a report of the second part. Found without parsing: the receiver shares the machine.
fn timed_report(body: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(body).ok()?;
    let (_, rest) = text.split_once("\"id\":\"timed-")?;
    Some(format!("timed-{}", rest.split_once('"')?.0))
}

async fn subscribe(store: &Store, endpoint: &str) -> Result<(), Error> {
    let random = Random::system();
    let (key, now) = (ApiKey::generate(&random), Clock::system().now());
    let prefix = key.prefix().to_owned();
    let new =
        NewKey { prefix, hash: key.hash(), tier: Tier::Partner, created_at: now, expires_at: None };
    store.create_key("bench", &new).await?;
    let keys = store.keys_in_force().await?;
    let partner_id = keys.first().ok_or("there is no key")?.partner_id;
    let new = NewSubscription {
        id: "sub_bench".to_owned(),
        partner_id,
        url: endpoint.to_owned(),
        events: EventName::ALL.to_vec(),
        secret: Secret::generate(&random).as_str().to_owned(),
        created_at: now,
    };
    store.subscribe(&new, 1).await?;
    Ok(())
}

fn report(clock: &Clock, part: &str, number: u64) -> NewReport {
    let now = clock.now();
    NewReport {
        id: format!("{part}-{number}"),
        kind: ReportType::Spirit,
        city: format!("City {}", number % 1_000),
        region: String::new(),
        country: "Brazil".to_owned(),
        people_count: 1,
        event_date: now.date_naive(),
        created_at: now,
        event_date_given: true,
        created_at_given: true,
        position: None,
    }
}

/// The service, killed at the end.
struct Serving(Child);

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn serve(svc: &str, url: &str) -> Result<Serving, Error> {
    let arguments = ["serve", "--addr", "127.0.0.1:0", "--ops-addr", "127.0.0.1:0"];
    let child = Command::new(svc)
        .args(arguments)
        .args(["--webhook-allow-http", "--webhook-allow-private", "--database-url", url])
        .stdout(Stdio::null())
        .spawn()?;
    Ok(Serving(child))
}

async fn rate(received: &Received) {
    let all = REPORTS * 2;
    let mut looks = tokio::time::interval(Duration::from_millis(5));
    let mut begin = None;
    loop {
        looks.tick().await;
        let count = received.count.load(Ordering::Relaxed);
        // The first tenth warms up.
        if begin.is_none() && count >= all / 10 {
            begin = Some((Instant::now(), count));
        }
        if let Some((began, before)) = begin
            && count >= all
        {
            let seconds = began.elapsed().as_secs_f64();
            let sent = count - before;
            println!(
                "{sent} deliveries in {seconds:.1} s: {:.0}/s (budget 2500)",
                sent as f64 / seconds
            );
            return;
        }
    }
}

async fn latency(
    store: &Store,
    clock: &Clock,
    received: &Received,
    reports: &[NewReport],
) -> Result<(), Error> {
    let mut published = HashMap::with_capacity(reports.len());
    let mut turns = tokio::time::interval(GAP);
    for report in reports {
        turns.tick().await;
        published.insert(report.id.clone(), Instant::now());
        store.publish(std::slice::from_ref(&report.id), clock.now()).await?;
    }
    let heard = || received.reports.lock().map(|heard| heard.len()).unwrap_or_default();
    while heard() < reports.len() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let heard = received.reports.lock().map_err(|_| "a receiver panicked")?;
    let mut times: Vec<Duration> = published
        .iter()
        .filter_map(|(id, at)| Some(heard.get(id)?.saturating_duration_since(*at)))
        .collect();
    times.sort_unstable();
    let at = |part: usize| {
        times.get(times.len() * part / 1_000).copied().unwrap_or_default().as_secs_f64() * 1e3
    };
    println!(
        "{PUBLICATIONS} publications at 100/s: received after {:.0} ms (median), {:.0} ms (p99; budget 300), {:.0} ms (most)",
        at(500),
        at(990),
        times.last().copied().unwrap_or_default().as_secs_f64() * 1e3,
    );
    Ok(())
}
