//! Measures what a rate-limit decision costs, and the memory that a million clients take. `make
//! bench` runs it.

use std::{
    hint::black_box,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    time::Instant,
};

use svc::{
    clock::Clock,
    limit::{Client, Limits, Network, Quota},
};

const DECISIONS: u32 = 5_000_000;
const CLIENTS: u32 = 1_000_000;

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let limits = Limits::new(Clock::system());
    let hot = Client::Network(Network::of(IpAddr::V4(Ipv4Addr::LOCALHOST)));
    // One that is accepted each time, as the log is then longest.
    let quota = Quota { name: "hot", requests: Some(DECISIONS) };
    report("one client, accepted", DECISIONS, &limits, |_| hot, &quota).await;
    report("one client, refused", DECISIONS, &limits, |_| hot, &Quota::PUBLIC).await;
    drop(limits);

    let limits = Limits::new(Clock::system());
    let before = resident()?;
    report("a million clients, first request", CLIENTS, &limits, distinct, &Quota::PUBLIC).await;
    let after = resident()?;
    report("a million clients, second request", CLIENTS, &limits, distinct, &Quota::PUBLIC).await;
    println!(
        "a million clients: {before:.1} MiB resident before, {after:.1} MiB after: {:.1} MiB \
         (budget 128)",
        after - before
    );
    let flood = |number| distinct(CLIENTS + number);
    report("four million more, beyond the room", 4 * CLIENTS, &limits, flood, &Quota::PUBLIC).await;
    let flooded = resident()?;
    println!("after the flood: {:.1} MiB more than before (budget 128)", flooded - before);
    Ok(())
}

async fn report(
    what: &str,
    decisions: u32,
    limits: &Limits,
    client: impl Fn(u32) -> Client,
    quota: &Quota,
) {
    let start = Instant::now();
    for number in 0..decisions {
        black_box(limits.take(client(number), quota).await);
    }
    let each = start.elapsed().as_nanos() / u128::from(decisions);
    println!("{what}: {each} ns a decision (budget 2000)");
}

/// Half of them IPv4, half IPv6, as large as a network gets.
fn distinct(number: u32) -> Client {
    Client::Network(Network::of(match number % 2 {
        0 => IpAddr::V4(Ipv4Addr::from(number)),
        _ => IpAddr::V6(Ipv6Addr::from((0x2001_0db8 << 96) | (u128::from(number) << 64))),
    }))
}

/// The memory of this process, MiB.
fn resident() -> std::io::Result<f64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<f64>().ok());
    kib.map(|kib| kib / 1024.0).ok_or_else(|| std::io::Error::other("no VmRSS in the status"))
}
