use super::world::{REST, Server, World};
use crate::stream::machine::{
    ANSWER, Action, Event, Machine, Message, ROLL_CALL, SILENCE, views::MAX_VIEWS,
};
use std::ops::RangeInclusive;

/// Time for pages to find each other, and for a stream to open, in milliseconds. Shorter than the
/// detection of a silent stream.
const SOON: u64 = 4_000;

/// Asserts that all visible pages are live on the stream of one of them.
fn assert_shared(world: &mut World, leader: usize) {
    world.publish();
    world.run(SOON + 1_500);
    assert_eq!(world.leaders(), [leader]);
    for page in world.visible() {
        assert!(world.is_live(page), "page {page}");
        assert!(world.is_sharing(page), "page {page}");
    }
}

/// A world with pages of these ids, each with the view of its id. The first leads.
fn world_of(mut world: World, ids: &[&str]) -> World {
    for id in ids {
        world.open(id, id);
        world.run(SOON);
    }
    assert_shared(&mut world, 0);
    world
}

fn three() -> World {
    world_of(World::new(1), &["2", "1", "3"])
}

#[test]
fn one_page_has_a_stream_of_its_view() {
    let mut world = World::new(1);
    let page = world.open("1", "lang");
    world.run(500);
    assert!(world.is_live(page));
    assert_eq!(world.views(page), ["lang"]);
    assert_eq!(world.opens, 1);
}

#[test]
fn pages_that_are_opened_at_once_share_one_stream() {
    for world in [World::new(1), World::without_locks(2)] {
        let mut world = world;
        for id in ["2", "1", "3"] {
            world.open(id, id);
        }
        world.run(SOON);
        let leader = world.leaders()[0];
        assert_shared(&mut world, leader);
        assert_eq!(world.opens, 1);
    }
}

#[test]
fn a_late_page_gets_the_last_data_at_once() {
    let mut world = world_of(World::new(1), &["1"]);
    let late = world.open("2", "1");
    world.run(10);
    assert!(world.is_live(late));
    assert_eq!(world.opens, 1);
}

#[test]
fn a_new_view_is_added_and_an_abandoned_one_dropped() {
    let mut world = three();
    world.hide(1);
    world.open("4", "4");
    world.run(SOON);
    let mut views = world.views(0).to_vec();
    views.sort();
    assert_eq!(views, ["2", "3", "4"]);
}

#[test]
fn without_a_channel_each_page_has_a_stream() {
    let mut world = World::without_channel(1);
    for id in ["1", "2"] {
        world.open(id, "");
    }
    world.run(SOON);
    assert_eq!(world.leaders(), [0, 1]);
    world.hide(0);
    assert_eq!(world.leaders(), [1]);
    world.show(0);
    world.run(SOON);
    assert!(world.is_live(0) && world.is_live(1));
}

#[test]
fn a_leader_that_leaves_is_followed_by_one_page() {
    for world in [three(), world_of(World::without_locks(3), &["2", "1", "3"])] {
        let mut world = world;
        world.hide(0);
        world.run(SOON);
        let leader = world.leaders()[0];
        assert_shared(&mut world, leader);
        assert_eq!(world.opens, 4);
        world.show(0);
        world.run(SOON);
        assert_shared(&mut world, leader);
    }
}

#[test]
fn a_leader_that_crashes_is_followed_at_once_because_of_the_lock() {
    let mut world = three();
    world.crash(0);
    world.run(SOON);
    assert_eq!(world.lock_holder(), Some(1));
    assert_shared(&mut world, 1);
}

#[test]
fn without_locks_a_crash_is_noticed_by_the_silence() {
    let mut world = world_of(World::without_locks(1), &["2", "1", "3"]);
    world.crash(0);
    world.run(SILENCE as u64);
    assert!(world.leaders().is_empty());
    world.run(REST);
    let leader = world.leaders()[0];
    assert_shared(&mut world, leader);
}

#[test]
fn a_frozen_leader_is_followed_and_yields_to_the_smaller_id() {
    let mut world = three();
    world.freeze(0);
    world.run(REST);
    world.thaw(0);
    world.run(SOON);
    let leader = world.leaders()[0];
    assert_shared(&mut world, leader);
}

/// If it kept the lock, a crash of the new leader would be noticed only by the silence.
#[test]
fn a_leader_that_yields_passes_on_the_lock() {
    let mut world = world_of(World::new(1), &["2", "1"]);
    world.freeze(0);
    world.run(REST);
    assert_eq!(world.leaders(), [0, 1]);
    world.thaw(0);
    world.run(SOON);
    assert_eq!(world.lock_holder(), Some(1));
    assert_shared(&mut world, 1);

    world.crash(1);
    world.run(SOON);
    assert_eq!(world.lock_holder(), Some(0));
    assert_shared(&mut world, 0);
}

#[test]
fn a_leader_whose_lock_is_taken_away_waits_for_it_again() {
    for ids in [["1", "2"], ["2", "1"]] {
        let mut world = world_of(World::new(1), &ids);
        world.lose_lock();
        world.run(SOON);
        let leader = world.leaders()[0];
        assert_eq!(world.lock_holder(), Some(leader));
        assert_shared(&mut world, leader);
    }
}

#[test]
fn a_page_that_messages_reach_late_still_follows() {
    let mut world = World::new(1);
    for delay in [1, 200, 2_000] {
        let page = world.open("1", "");
        world.pages[page].delay = delay;
    }
    world.run(REST);
    world.pages[2].delay = 1;
    assert_shared(&mut world, 0);
}

/// Times between the next attempts to open a stream, in milliseconds.
fn pauses(world: &mut World, count: usize) -> Vec<i32> {
    let mut pauses = vec![0];
    let mut opens = world.opens;
    while pauses.len() <= count {
        world.run(10);
        if let Some(pause) = pauses.last_mut() {
            *pause += 10;
            assert!(*pause < 100_000, "no further attempt: {pauses:?}");
        }
        if world.opens > opens {
            opens = world.opens;
            pauses.push(0);
        }
    }
    pauses.truncate(count);
    pauses
}

#[test]
fn attempts_are_ever_further_apart_up_to_a_minute() {
    for server in [Server::Down, Server::Refusing { polls: true }] {
        let mut world = three();
        world.set_server(server);
        // The browser's own attempt fails.
        world.run(3_100);
        let pauses = pauses(&mut world, 8);
        for (pause, longest) in
            pauses.iter().zip([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
        {
            // An attempt takes a moment, and pages announce their views before it.
            let range: RangeInclusive<i32> = longest / 2..=longest + 200;
            assert!(range.contains(pause), "{server:?}: {pauses:?}");
        }
        world.set_server(Server::Up);
        world.run(REST);
        assert_shared(&mut world, 0);
    }
}

#[test]
fn a_refused_stream_is_polled_and_pages_stay_live() {
    let mut world = three();
    world.set_server(Server::Refusing { polls: true });
    world.run(REST);
    world.publish();
    world.run(11_000);
    for page in 0..3 {
        assert!(world.is_live(page), "page {page}");
    }
}

#[test]
fn an_outage_is_shown_by_all_pages_and_ends_on_one_stream() {
    for server in [Server::Down, Server::Refusing { polls: false }, Server::Silent, Server::Failing]
    {
        let mut world = three();
        world.set_server(server);
        world.run(2 * REST);
        for page in 0..3 {
            assert_eq!(world.pages[page].sign, Some(false), "{server:?}: page {page}");
        }
        world.set_server(Server::Up);
        world.run(REST);
        assert_shared(&mut world, 0);
    }
}

#[test]
fn a_new_view_during_a_back_off_is_polled_and_opens_no_stream() {
    let mut world = three();
    world.set_server(Server::Refusing { polls: true });
    world.run(REST);
    let opens = world.opens;
    // The longest back-off has just begun.
    while world.opens == opens {
        world.run(10);
    }
    world.run(100);
    let (opens, fetches) = (world.opens, world.fetches);
    for id in ["4", "5", "6"] {
        world.open(id, id);
    }
    world.run(SOON);
    assert_eq!(world.opens, opens);
    assert_eq!(world.fetches, fetches + 1, "one poll for all");
    for page in 0..6 {
        assert!(world.is_live(page), "page {page}");
    }
    world.run(20_000);
    assert_eq!(world.opens, opens);
    world.set_server(Server::Up);
    world.run(REST);
    assert_shared(&mut world, 0);
}

#[test]
fn a_new_view_while_the_browser_reconnects_opens_no_stream_at_once() {
    let mut world = three();
    world.set_server(Server::Down);
    world.run(100);
    let opens = world.opens;
    world.open("4", "4");
    world.run(500);
    assert_eq!(world.opens, opens);
    world.set_server(Server::Up);
    world.run(SOON);
    assert_shared(&mut world, 0);
}

/// The time is too short for a page to notice a silence.
#[test]
fn a_view_that_one_stream_has_no_room_for_gets_its_own_at_once() {
    let mut world = World::new(1);
    for view in 0..=MAX_VIEWS {
        world.open(&view.to_string(), &view.to_string());
    }
    world.run(SOON);
    let leaders = world.leaders();
    let views: Vec<usize> = leaders.iter().map(|page| world.views(*page).len()).collect();
    assert_eq!(views, [MAX_VIEWS, 1]);
    assert!(world.is_sharing(leaders[0]) && !world.is_sharing(leaders[1]));
    for page in 0..=MAX_VIEWS {
        assert!(world.is_live(page), "page {page}");
    }
    // There is room again after a page has left.
    world.hide(3);
    world.hide(leaders[1]);
    world.open("new", "new");
    world.run(SOON);
    assert_shared(&mut world, leaders[0]);
    world.hide(4);
    world.show(leaders[1]);
    world.run(SOON);
    assert_shared(&mut world, leaders[0]);
}

#[test]
fn a_view_whose_page_has_left_takes_no_room() {
    let mut leader = Machine::new("own", "1".into());
    let mut opened = Vec::new();
    let shown = Message::Show("left").text();
    for event in [
        Event::Shown { has_channel: true },
        Event::LockGranted,
        Event::Timeout,
        Event::Sign { is_good: true },
        // A late message of a page that has left the group because there was no room.
        Event::Message(&shown),
        Event::Timeout,
    ] {
        leader.on(event, 0.5, &mut |action| {
            if let Action::Open(query) = action {
                opened.push(query.to_owned());
            }
        });
    }
    assert_eq!(opened.len(), 2);
    assert!(!opened[1].contains("left"), "{}", opened[1]);
}

#[test]
fn a_page_that_an_older_leader_does_not_serve_gets_its_own_stream() {
    let mut page = Machine::new("view", "1".into());
    let mut has_opened = false;
    for event in [
        Event::Shown { has_channel: true },
        Event::Message(".2"),
        Event::Message(r#"{"view":"other"}"#),
        Event::Message(".2"),
        Event::Timeout,
    ] {
        page.on(event, 0.0, &mut |action| {
            has_opened |= matches!(action, Action::Open("view=view"));
        });
    }
    assert!(has_opened);
}

/// Signs that a page has passed on, after these events.
fn signs(page: &mut Machine, events: &[Event]) -> Vec<bool> {
    let mut signs = Vec::new();
    for event in events {
        page.on(*event, 0.0, &mut |action| {
            if let Action::Sign { is_good } = action {
                signs.push(is_good);
            }
        });
    }
    signs
}

#[test]
fn a_page_is_live_once_it_has_data_of_its_view() {
    let mut page = Machine::new("view", "1".into());
    let other = r#"{"view":"other"}"#;
    let own = r#"{"view":"view"}"#;
    let shown = Event::Shown { has_channel: true };
    let follow = [shown, Event::Message(other), Event::Message(".2"), Event::Message("x2")];
    assert_eq!(signs(&mut page, &follow), [false]);
    assert_eq!(signs(&mut page, &[Event::Message(own), Event::Message(".2")]), [true]);

    let tick = Event::Sign { is_good: true };
    let lead = [Event::LockGranted, Event::Timeout, Event::View(other), tick];
    assert!(signs(&mut page, &lead).is_empty());
    assert_eq!(signs(&mut page, &[Event::View(own), tick]), [true]);
}

#[test]
fn a_late_response_to_a_poll_is_older_than_the_stream() {
    let mut page = Machine::new("view", "1".into());
    let refused = Event::SourceFailed { has_given_up: true };
    let late = Event::Fetched(None);
    let polling = [Event::Shown { has_channel: false }, refused, late];
    assert_eq!(signs(&mut page, &polling), [false]);
    // The stream has been opened again, but has sent nothing yet.
    assert_eq!(signs(&mut page, &[Event::Timeout, late]), [false]);
    let streaming = [Event::View(r#"{"view":"view"}"#), Event::Sign { is_good: true }, late];
    assert_eq!(signs(&mut page, &streaming), [true]);
}

/// Scripts of the same origin may send objects on the channel.
#[test]
fn only_a_text_is_a_message_and_only_an_error_without_data_a_failure() {
    let received = |name, data| Event::received(name, data, false);
    assert!(received("message", None).is_none());
    assert!(received("view", None).is_none());
    assert!(received("tick", None).is_none());
    assert!(received("other", Some("{}")).is_none());
    assert!(matches!(received("message", Some("-")), Some(Event::Message("-"))));
    assert!(matches!(received("error", Some("{}")), Some(Event::Sign { is_good: false })));
    assert!(matches!(received("error", None), Some(Event::SourceFailed { has_given_up: false })));
}

#[test]
fn hidden_pages_have_nothing_open() {
    let mut world = three();
    for page in 0..3 {
        world.hide(page);
    }
    assert!(world.leaders().is_empty());
    assert_eq!(world.lock_holder(), None);
    let opens = world.opens;
    world.run(REST);
    assert_eq!(world.opens, opens);
    world.show(2);
    world.run(SOON);
    assert_shared(&mut world, 2);
}

#[test]
fn a_page_with_the_lock_does_not_wait_for_an_answer() {
    let mut world = World::new(1);
    world.open("1", "");
    world.run(ROLL_CALL as u64 + 50);
    assert!(world.is_live(0));
    assert!((ROLL_CALL as u64 + 50) < ANSWER.start as u64);
}
