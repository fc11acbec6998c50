use std::{
    collections::HashMap,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::{
        Barrier,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use chrono::{DateTime, TimeDelta, Utc};

use super::{super::Network, *};

const SECOND: Duration = Duration::from_secs(1);

fn clock() -> Clock {
    Clock::stepped(DateTime::<Utc>::UNIX_EPOCH + TimeDelta::days(20_000))
}

fn network(number: u32) -> Client {
    Client::Network(Network::of(IpAddr::V4(Ipv4Addr::from(number))))
}

impl Memory {
    fn networks(&self) -> usize {
        self.networks.shards.iter().map(|shard| lock(shard).len()).sum()
    }

    fn room(&self) -> usize {
        self.networks.shards.iter().map(|shard| lock(shard).capacity()).sum()
    }
}

/// Memory with one shard and room for a hundred clients.
fn small() -> (Memory, Clock) {
    (Memory::with_room(1, 100), clock())
}

fn accepted(memory: &Memory, client: Client, clock: &Clock, tries: u32) -> u32 {
    (0..tries).map(|_| u32::from(memory.take(client, 60, clock).accepted)).sum()
}

#[test]
fn clients_do_not_share_a_quota() {
    let (memory, clock) = (Memory::new(), clock());
    let v6 = Client::Network(Network::of(IpAddr::V6(Ipv6Addr::LOCALHOST)));
    let clients = [network(0), network(1), v6, Client::Key(0), Client::Key(1), Client::Key(-1)];
    for client in clients {
        assert_eq!(accepted(&memory, client, &clock, 70), 60, "{client:?}");
    }
    for client in clients {
        assert_eq!(accepted(&memory, client, &clock, 1), 0, "{client:?}");
    }
}

#[test]
fn a_flood_takes_no_more_room_than_there_is_and_newcomers_are_still_served() {
    let (memory, clock) = small();
    for number in 0..10_000 {
        assert!(memory.take(network(number), 60, &clock).accepted, "{number}");
        assert!(memory.networks() <= 100, "{number}");
        assert!(memory.room() < 200, "the map grew: {number}");
        clock.advance(Duration::from_micros(100));
    }
}

#[test]
fn a_flood_does_not_let_a_busy_client_start_anew() {
    let (memory, clock) = small();
    let (busy, spent) = (network(u32::MAX), network(u32::MAX - 1));
    assert_eq!(accepted(&memory, busy, &clock, 30), 30);
    assert_eq!(accepted(&memory, spent, &clock, 70), 60);
    for number in 0..10_000 {
        memory.take(network(number), 60, &clock);
    }
    assert_eq!(accepted(&memory, busy, &clock, 60), 30);
    assert_eq!(accepted(&memory, spent, &clock, 60), 0);
    clock.advance(60 * SECOND);
    assert_eq!(accepted(&memory, spent, &clock, 70), 60);
}

#[test]
fn who_used_least_is_forgotten_first_and_no_more_than_a_quarter_at_a_time() {
    let (memory, clock) = small();
    // Client n made n / 5 + 1 requests: 1 to 20.
    for number in 0..100 {
        assert_eq!(accepted(&memory, network(number), &clock, number / 5 + 1), number / 5 + 1);
    }
    assert!(memory.take(network(1_000), 60, &clock).accepted);
    assert_eq!(memory.networks(), 76);
    // 1, 2, 3 and 4 requests are 5 clients each; 5 of the 20 with 5 to 8 make up the quarter.
    let left = |number: u32| 59 - memory.take(network(number), 60, &clock).remaining;
    assert!((40..100).all(|number| left(number) == number / 5 + 1), "who used more is known");
    assert_eq!((20..40).filter(|number| left(*number) > 0).count(), 15);
}

#[test]
fn half_of_the_quota_is_the_line_between_who_may_be_forgotten_and_who_may_not() {
    let (memory, clock) = small();
    for number in 0..100 {
        accepted(&memory, network(number), &clock, 29 + number % 2);
    }
    for newcomer in 1_000..1_100 {
        assert!(memory.take(network(newcomer), 60, &clock).accepted);
    }
    for number in (1..100).step_by(2) {
        assert_eq!(memory.take(network(number), 60, &clock).remaining, 29, "{number}");
    }
    let known = |number: &u32| memory.take(network(*number), 60, &clock).remaining == 30;
    assert_eq!((0..100).step_by(2).filter(known).count(), 25);
}

#[test]
fn who_is_idle_is_forgotten_before_who_is_not() {
    let (memory, clock) = small();
    for number in 0..50 {
        accepted(&memory, network(number), &clock, 50);
    }
    clock.advance(30 * SECOND);
    for number in 50..100 {
        accepted(&memory, network(number), &clock, 1);
    }
    clock.advance(30 * SECOND);
    assert!(memory.take(network(1_000), 60, &clock).accepted);
    assert_eq!(memory.networks(), 51);
    let known = |number: &u32| memory.take(network(*number), 60, &clock).remaining == 58;
    assert_eq!((50..100).filter(known).count(), 50);
}

#[test]
fn newcomers_are_refused_only_while_there_is_nobody_to_forget() {
    let (memory, clock) = small();
    for number in 0..100 {
        accepted(&memory, network(number), &clock, 30);
    }
    let newcomer = network(1_000);
    let refused = memory.take(newcomer, 60, &clock);
    assert_eq!(refused, Verdict { accepted: false, remaining: 0, reset: SECOND });
    assert_eq!(accepted(&memory, network(7), &clock, 60), 30, "the others go on");
    clock.advance(60 * SECOND);
    assert_eq!(accepted(&memory, newcomer, &clock, 70), 60);
    assert_eq!(memory.networks(), 1, "all others had become idle");
}

#[test]
fn room_is_not_looked_for_again_at_once_where_little_was_found() {
    let (memory, clock) = small();
    for number in 0..98 {
        accepted(&memory, network(number), &clock, 30);
    }
    for number in 98..100 {
        accepted(&memory, network(number), &clock, 1);
    }
    let served = |clock: &Clock| {
        (200..210).filter(|number| memory.take(network(*number), 60, clock).accepted).count()
    };
    assert_eq!(served(&clock), 2, "in place of the two who used least");
    clock.advance(SECOND - Duration::from_millis(1));
    assert_eq!(served(&clock), 2, "the same two");
    clock.advance(Duration::from_millis(1));
    assert!(memory.take(network(300), 60, &clock).accepted);
    assert_eq!(memory.networks(), 99);
}

#[test]
fn keys_are_never_forgotten_while_they_are_used() {
    let (memory, clock) = small();
    for id in 0..1_000 {
        assert!(memory.take(Client::Key(id), 60, &clock).accepted);
    }
    for id in 0..1_000 {
        assert_eq!(memory.take(Client::Key(id), 60, &clock).remaining, 58);
    }
}

#[test]
fn a_sweep_drops_who_is_idle_and_gives_the_memory_back() {
    let (memory, clock) = (Memory::with_room(4, 100_000), clock());
    for number in 0..10_000 {
        memory.take(network(number), 60, &clock);
    }
    memory.take(Client::Key(1), 60, &clock);
    let room = memory.room();
    clock.advance(59 * SECOND);
    memory.take(network(7), 60, &clock);
    memory.sweep(&clock);
    assert_eq!((memory.networks(), memory.room()), (10_000, room), "nobody is idle yet");
    clock.advance(SECOND);
    memory.sweep(&clock);
    assert_eq!(memory.networks(), 1);
    assert!(memory.room() < 10, "{}", memory.room());
    assert!(memory.keys.shards.iter().all(|shard| lock(shard).len() == 0));
    assert_eq!(memory.take(network(7), 60, &clock).remaining, 58, "the one of a second ago counts");
}

#[test]
fn whoever_is_swept_once_a_minute_is_not_mistaken_for_busy_after_the_stamps_wrap() {
    let (memory, clock) = small();
    assert_eq!(accepted(&memory, network(1), &clock, 60), 60);
    clock.advance(60 * SECOND);
    memory.sweep(&clock);
    // To the millisecond at which the old stamps would look new again.
    clock.advance(Duration::from_millis(1 << 32) - 60 * SECOND);
    assert_eq!(accepted(&memory, network(1), &clock, 60), 60);
}

#[test]
fn what_was_accepted_elsewhere_counts() {
    let (memory, clock) = (Memory::new(), clock());
    for noted in 1..=10 {
        memory.note(network(1), &clock);
        assert_eq!(memory.peek(network(1), 60, &clock).remaining, 60 - noted);
        clock.advance(SECOND);
    }
    clock.advance(50 * SECOND);
    assert_eq!(accepted(&memory, network(1), &clock, 60), 51, "the first has left the window");
}

#[test]
fn what_was_accepted_is_listed() {
    let (memory, clock) = (Memory::new(), clock());
    let clients = [network(1), Client::Key(-1)];
    let seconds = [10, 20, 20, 30, 40, 50, 60];
    for second in seconds {
        clock.advance(SECOND * second - clock.elapsed());
        clients.iter().for_each(|client| memory.note(*client, &clock));
    }
    clock.advance(SECOND * 15);
    let listed: HashMap<_, _> = memory.accepted(&clock).collect();
    let times = seconds[1..].iter().map(|second| SECOND * *second).collect::<Vec<_>>();
    assert_eq!(listed, HashMap::from(clients.map(|client| (client, times.clone()))));
}

#[test]
fn what_is_accepted_elsewhere_takes_no_more_room_than_there_is() {
    let (memory, clock) = small();
    for number in 0..10_000 {
        memory.note(network(number), &clock);
        assert!(memory.networks() <= 100, "{number}");
    }
    assert_eq!(memory.peek(network(9_999), 60, &clock).remaining, 59);
}

#[test]
fn two_threads_never_get_more_than_the_quota_together() {
    let (memory, clock) = (Memory::new(), Clock::system());
    let accepted: Vec<AtomicU32> = (0..3_000).map(|_| AtomicU32::new(0)).collect();
    let together = Barrier::new(2);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for (number, accepted) in (0..).zip(&accepted) {
                    together.wait();
                    for _ in 0..20 {
                        let verdict = memory.take(network(number), 20, &clock);
                        accepted.fetch_add(u32::from(verdict.accepted), Ordering::Relaxed);
                    }
                }
            });
        }
    });
    for accepted in accepted {
        assert_eq!(accepted.into_inner(), 20);
    }
}
