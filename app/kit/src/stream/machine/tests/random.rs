//! Random scripts of several pages.

use super::world::{REST, Server, World};
use proptest::prelude::*;

#[derive(Clone, Copy, Debug)]
enum Step {
    /// Opens a page with this view. Its id is random.
    Open(u8),
    Hide(usize),
    Show(usize),
    Crash(usize),
    Freeze(usize),
    Thaw(usize),
    Delay(usize, u64),
    LoseLock,
    Server(Server),
    Run(u64),
}

fn server() -> impl Strategy<Value = Server> {
    prop_oneof![
        2 => Just(Server::Up),
        1 => Just(Server::Down),
        1 => any::<bool>().prop_map(|polls| Server::Refusing { polls }),
        1 => Just(Server::Silent),
        1 => Just(Server::Failing),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..4_u8).prop_map(Step::Open),
        2 => (0..4_usize).prop_map(Step::Hide),
        2 => (0..4_usize).prop_map(Step::Show),
        1 => (0..4_usize).prop_map(Step::Crash),
        1 => (0..4_usize).prop_map(Step::Freeze),
        1 => (0..4_usize).prop_map(Step::Thaw),
        1 => (0..4_usize, 1..3_000_u64).prop_map(|(page, delay)| Step::Delay(page, delay)),
        1 => Just(Step::LoseLock),
        2 => server().prop_map(Step::Server),
        8 => prop_oneof![0..300_u64, 0..5_000_u64, 0..60_000_u64].prop_map(Step::Run),
    ]
}

fn play(world: &mut World, steps: &[Step]) {
    for (index, step) in steps.iter().enumerate() {
        let count = world.pages.len();
        let nth = |page: usize| page % count.max(1);
        match *step {
            Step::Open(view) if count < 4 => {
                let id = (index * 7919 % 100).to_string();
                _ = world.open(&id, &view.to_string());
            }
            Step::Run(time) => world.run(time),
            Step::Server(server) => world.set_server(server),
            Step::LoseLock => world.lose_lock(),
            _ if count == 0 => {}
            Step::Hide(page) => world.hide(nth(page)),
            Step::Show(page) => world.show(nth(page)),
            Step::Crash(page) => world.crash(nth(page)),
            Step::Freeze(page) => world.freeze(nth(page)),
            Step::Thaw(page) => world.thaw(nth(page)),
            Step::Delay(page, delay) => world.pages[nth(page)].delay = delay,
            Step::Open(_) => {}
        }
    }
    for page in 0..world.pages.len() {
        world.pages[page].delay = 1;
        world.thaw(page);
    }
}

/// Asserts that the pages come to rest: all visible ones are live, on the stream of one of them.
fn assert_settled(world: &mut World, has_locks: bool, is_strict: bool) {
    world.set_server(Server::Up);
    world.run(2 * REST);
    world.publish();
    let opens = world.opens;
    world.run(20_000);
    assert_eq!(world.opens, opens, "streams stay open");
    let visible = world.visible();
    let (members, loners): (Vec<usize>, Vec<usize>) =
        visible.iter().partition(|page| world.is_sharing(**page));
    let (leaders, alone): (Vec<usize>, Vec<usize>) =
        world.leaders().iter().partition(|page| world.is_sharing(**page));
    assert_eq!(leaders.len(), usize::from(!members.is_empty()), "leaders {leaders:?}");
    assert_eq!(alone, loners);
    for page in visible {
        assert!(world.is_live(page), "page {page} is live");
    }
    if has_locks {
        assert_eq!(world.lock_holder(), leaders.first().copied(), "lock");
    }
    assert!(!is_strict || loners.is_empty(), "{loners:?} don't share");
}

/// Each page that opens makes the leader open another stream, so it reports the silence later.
#[test]
fn pages_that_open_one_after_the_other_while_streams_are_silent_share_one() {
    let mut world = World::new(10_781);
    let (open, run) = (Step::Open, Step::Run);
    play(
        &mut world,
        &[Step::Server(Server::Silent), open(0), open(0), run(7_314), open(1), run(12_686)],
    );
    world.run(360_000);
    assert_settled(&mut world, true, true);
}

/// The leader handles answers to its roll call after it has opened the stream. Then it calls the
/// roll again, to which the answers are as late.
#[test]
fn a_leader_that_handles_messages_late_opens_few_streams() {
    for delay in [99, 150, 400, 1_000, 2_500] {
        let mut world = World::new(0);
        let (open, run) = (Step::Open, Step::Run);
        play(&mut world, &[open(0), run(20_000)]);
        world.pages[0].delay = delay;
        for view in 1..4 {
            world.open(&view.to_string(), &view.to_string());
        }
        let opens = world.opens;
        world.run(60_000);
        let opened = world.opens - opens;
        assert!(opened <= 12, "{opened} streams with a delay of {delay} ms");
        world.pages[0].delay = 1;
        assert_settled(&mut world, true, false);
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(2_000)
    })]

    #[test]
    fn pages_always_come_to_rest_on_one_stream(
        seed: u64,
        has_locks: bool,
        steps in prop::collection::vec(step(), 1..40),
        outage in server(),
    ) {
        let mut world = if has_locks { World::new(seed) } else { World::without_locks(seed) };
        play(&mut world, &steps);

        world.set_server(outage);
        world.run(60_000);
        let (opens, streams) = (world.opens, world.leaders().len().max(1));
        world.run(300_000);
        let opened = world.opens - opens;
        let streams = streams.max(world.leaders().len());
        assert!(opened <= 40 * streams, "{opened} streams during an outage");

        // A page whose leader cannot respond, although it is there, opens a stream of its own.
        let is_late = |step: &Step| matches!(step, Step::Freeze(_) | Step::Delay(..));
        let is_strict = has_locks && !steps.iter().any(is_late);
        assert_settled(&mut world, has_locks, is_strict);
    }
}
