//! Cost of a decision of the rate limiter, and the memory for a million clients. Measured in this
//! process, because HTTP would hide the cost of a decision.

mod shared;

use std::{
    hint::black_box,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    time::Instant,
};

use anyhow::Result;
use base::clock::Clock;
use limits::{Client, Limits, Network, Quota};

use crate::{
    budget::{Budget, Unit},
    context::{Context, say},
    process::own_resident,
    report::Section,
    table::Row,
};

const DECISIONS: u32 = 5_000_000;
const CLIENTS: u32 = 1_000_000;
/// Budget of a decision, nanoseconds.
const DECISION: f64 = 1_000.0;
/// Budget of the memory, MiB.
const MEMORY: f64 = 128.0;

pub(crate) async fn measure(context: &Context) -> Result<Section> {
    say("The limiter");
    let limits = Limits::new(Clock::system());
    let hot = Client::Network(Network::of(IpAddr::V4(Ipv4Addr::LOCALHOST)));
    // A client whose requests are all accepted, because its log is then longest.
    let quota = Quota { name: "hot", requests: Some(DECISIONS) };
    let accepted = decide(DECISIONS, &limits, |_| hot, &quota).await;
    let refused = decide(DECISIONS, &limits, |_| hot, &Quota::PUBLIC).await;
    drop(limits);

    let limits = Limits::new(Clock::system());
    let before = own_resident()?;
    let more = |after: f64| (after - before) / 1024.0;
    let first = decide(CLIENTS, &limits, distinct, &Quota::PUBLIC).await;
    let memory = more(own_resident()?);
    let second = decide(CLIENTS, &limits, distinct, &Quota::PUBLIC).await;
    let flood = |number| distinct(CLIENTS + number);
    let beyond = decide(4 * CLIENTS, &limits, flood, &Quota::PUBLIC).await;
    let memory_of_flood = more(own_resident()?);

    let decisions = [
        ("a decision for one client, accepted", accepted),
        ("a decision for one client, refused", refused),
        ("a decision for a million clients, their first", first),
        ("a decision for a million clients, their second", second),
        ("a decision for four million more, beyond the room", beyond),
    ];
    let mut rows: Vec<Row> = decisions
        .into_iter()
        .map(|(work, each)| Row::new(work, each, Unit::Nanoseconds, Budget::AtMost(DECISION)))
        .collect();
    for (work, memory) in
        [("memory of a million clients", memory), ("memory after the flood", memory_of_flood)]
    {
        rows.push(Row::new(work, memory, Unit::Mebibytes, Budget::AtMost(MEMORY)));
    }
    rows.extend(shared::measure(context).await?);
    let about = "Decisions are made one after the other on one thread, in memory. Half of the clients have IPv4 \
        addresses, half IPv6 networks. Redis is on the same machine, behind a Unix socket.";
    Ok(Section::new("Limiter", about, rows))
}

/// Nanoseconds per decision.
async fn decide(
    decisions: u32,
    limits: &Limits,
    client: impl Fn(u32) -> Client,
    quota: &Quota,
) -> f64 {
    let start = Instant::now();
    for number in 0..decisions {
        black_box(limits.take(client(number), quota).await);
    }
    start.elapsed().as_secs_f64() * 1e9 / f64::from(decisions)
}

/// A distinct client: half of them have IPv4 addresses, half IPv6 networks of the largest size.
fn distinct(number: u32) -> Client {
    Client::Network(Network::of(match number % 2 {
        0 => IpAddr::V4(Ipv4Addr::from(number)),
        _ => IpAddr::V6(Ipv6Addr::from((0x2001_0db8 << 96) | (u128::from(number) << 64))),
    }))
}
