use super::*;

const SECOND: Duration = Duration::from_secs(1);

fn head(kind: u8, flags: u8, length: u8) -> Vec<u8> {
    vec![0, 0, length, kind, flags, 0, 0, 0, 1]
}

/// Frames after the preface.
fn frames() -> (Frames, Instant) {
    let (mut frames, now) = (Frames::new(false), Instant::now());
    frames.pass(PREFACE, now);
    assert_eq!(frames.begun, None);
    (frames, now)
}

#[test]
fn a_head_begins_with_its_first_frame_and_ends_with_its_last() {
    let (mut frames, start) = frames();
    frames.pass(&head(HEADERS, 0, 0), start);
    for second in 1..5 {
        frames.pass(&head(CONTINUATION, 0, 1), start + SECOND * second);
        frames.pass(b"x", start + SECOND * second);
        assert_eq!(frames.begun, Some(start));
    }
    frames.pass(&head(CONTINUATION, END_HEADERS, 1), start + SECOND * 5);
    assert_eq!(frames.begun, Some(start));
    frames.pass(b"x", start + SECOND * 6);
    assert_eq!(frames.begun, None);
}

#[test]
fn every_frame_has_its_own_time_wherever_its_bytes_are_split() {
    let (mut frames, start) = frames();
    let two = [head(DATA, 0, 3), b"abc".to_vec(), head(DATA, 0, 0)].concat();
    for split in 1..two.len() {
        let (before, after) = two.split_at(split);
        frames.pass(before, start);
        let is_between = split == 12;
        assert_eq!(frames.begun, (!is_between).then_some(start), "{split}");
        frames.pass(after, start + SECOND);
        assert_eq!(frames.begun, None, "{split}");
    }
    let next = [&two[..], &head(DATA, 0, 0)[..4]].concat();
    frames.pass(&two[..5], start);
    frames.pass(&next[5..], start + SECOND);
    assert_eq!(frames.begun, Some(start + SECOND), "the next has begun later");
}

#[test]
fn an_allowance_comes_back_by_the_second() {
    let start = Instant::now();
    let mut allowance = Allowance::new((3, 2), start);
    let mut taken = |at: Instant| (0..10).filter(|_| allowance.take(at)).count();
    assert_eq!(taken(start), 3);
    assert_eq!(taken(start + SECOND / 2), 0);
    assert_eq!(taken(start + SECOND), 2);
    assert_eq!(taken(start + SECOND * 100), 3);
}

#[test]
fn an_allowance_asked_often_comes_back_all_the_same() {
    let start = Instant::now();
    let mut allowance = Allowance::new((1, 1), start);
    assert!(allowance.take(start));
    let asked = (1..=30).map(|tenth| allowance.take(start + SECOND / 10 * tenth));
    assert_eq!(asked.filter(|taken| *taken).count(), 3);
}

/// Whether the beginning of a connection and 10,000 such frames are a flood.
fn flooded(kind: u8, is_proxy: bool) -> bool {
    let (mut frames, now) = (Frames::new(is_proxy), Instant::now());
    frames.pass(PREFACE, now);
    for _ in 0..10_000 {
        frames.pass(&head(kind, 0, 0), now);
    }
    frames.is_flooded
}

#[test]
fn requests_and_their_windows_are_no_chatter() {
    let (mut frames, now) = frames();
    for _ in 0..10_000 {
        frames.pass(&head(HEADERS, END_HEADERS, 0), now);
        for _ in 0..UPDATES_PER_REQUEST {
            frames.pass(&head(WINDOW_UPDATE, 0, 0), now);
        }
    }
    for _ in 0..10_000 {
        // One small DATA frame.
        frames.updates.sent(100);
        frames.updates.sent(28);
        for _ in 0..2 {
            frames.pass(&head(WINDOW_UPDATE, 0, 0), now);
        }
    }
    assert!(!frames.is_flooded);
}

#[test]
fn windows_without_a_reason_resets_and_chatter_end_the_connection_but_not_that_of_a_trusted_proxy()
{
    for kind in [WINDOW_UPDATE, RST_STREAM, 6] {
        assert!(flooded(kind, false), "{kind}");
        assert!(!flooded(kind, true), "{kind}");
    }
}
