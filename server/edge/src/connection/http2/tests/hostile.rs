//! Peers that try to keep the service busy or to use up its memory, with frames that the h2 crate would not send as a
//! client.

use super::*;

const SETTINGS: u8 = 4;
const PING: u8 = 6;
const HEADERS: u8 = 1;
const DATA: u8 = 0;
const RST_STREAM: u8 = 3;
const GOAWAY: u8 = 7;
const CONTINUATION: u8 = 9;
const PRIORITY: u8 = 2;
const WINDOW_UPDATE: u8 = 8;
const ACK: u8 = 1;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;

/// `GET /` of the host `a` (HPACK: entries of the static table, and a literal).
const GET_ROOT: [u8; 6] = [0x82, 0x84, 0x86, 0x41, 1, b'a'];

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let [_, high, middle, low] = u32::try_from(payload.len()).unwrap().to_be_bytes();
    let mut frame = vec![high, middle, low, kind, flags];
    frame.extend(stream.to_be_bytes());
    frame.extend(payload);
    frame
}

/// `GET` request for a path of less than 127 bytes.
fn get(stream: u32, path: &str) -> Vec<u8> {
    let mut head = vec![0x82, 0x86, 0x41, 1, b'a', 0x04, u8::try_from(path.len()).unwrap()];
    head.extend(path.as_bytes());
    frame(HEADERS, END_STREAM | END_HEADERS, stream, &head)
}

struct Raw {
    stream: DuplexStream,
    service: Service,
}

#[derive(Debug, PartialEq, Eq)]
struct Seen {
    kind: u8,
    flags: u8,
    stream: u32,
    payload: Vec<u8>,
}

impl Raw {
    /// Connects and exchanges settings.
    async fn start(timeouts: &'static Timeouts, settings: &[u8]) -> Self {
        Self::start_within(None, timeouts, settings).await
    }

    async fn start_within(
        admission: Option<Arc<dyn Admission>>,
        timeouts: &'static Timeouts,
        settings: &[u8],
    ) -> Self {
        let (mut stream, service) = start_within(admission, timeouts);
        stream.write_all(super::super::super::socket::PREFACE).await.unwrap();
        stream.write_all(&frame(SETTINGS, 0, 0, settings)).await.unwrap();
        stream.write_all(&frame(SETTINGS, ACK, 0, &[])).await.unwrap();
        Self { stream, service }
    }

    /// Sends as long as the other side reads.
    async fn send(&mut self, bytes: &[u8]) {
        let _ = self.stream.write_all(bytes).await;
    }

    async fn next(&mut self) -> Option<Seen> {
        let mut head = [0; 9];
        self.stream.read_exact(&mut head).await.ok()?;
        let [high, middle, low, kind, flags, id @ ..] = head;
        let mut payload = vec![0; u32::from_be_bytes([0, high, middle, low]) as usize];
        self.stream.read_exact(&mut payload).await.ok()?;
        Some(Seen { kind, flags, stream: u32::from_be_bytes(id), payload })
    }

    /// Next frame of a kind.
    async fn expect(&mut self, kind: u8) -> Seen {
        soon(async {
            loop {
                let seen = self.next().await.unwrap();
                if seen.kind == kind {
                    return seen;
                }
            }
        })
        .await
    }

    /// Reads until the connection is closed, and returns the reason from the GOAWAY frame.
    async fn closed(mut self) -> Reason {
        let goaway = self.expect(GOAWAY).await;
        let reason = u32::from_be_bytes(goaway.payload[4..8].try_into().unwrap());
        while soon(self.next()).await.is_some() {}
        self.service.over().await;
        reason.into()
    }
}

#[tokio::test]
async fn requests_that_are_taken_back_again_and_again_end_the_connection() {
    let mut peer = Raw::start(&FOREVER, &[]).await;
    let (mut reading, mut writing) = tokio::io::split(peer.stream);
    let flood = tokio::spawn(async move {
        for id in (1..).step_by(2) {
            let reset = frame(RST_STREAM, 0, id, &[0, 0, 0, 8]);
            let both = [get(id, "/never"), reset].concat();
            if writing.write_all(&both).await.is_err() {
                return id / 2;
            }
        }
        0
    });
    let mut seen = Vec::new();
    soon(reading.read_to_end(&mut seen)).await.unwrap();
    drop(reading);
    let sent = flood.await.unwrap();
    assert!(sent < 2_000, "{sent} requests were read");
    let calm = frame(GOAWAY, 0, 0, &[0, 0, 0, 0, 0, 0, 0, 11]);
    assert!(seen.windows(9).any(|part| part[3..9] == calm[3..9]), "it says GOAWAY");
    assert!(seen.ends_with(&[0, 0, 0, 11]), "enhance your calm");
    peer.service.waiting.close();
    peer.service.over().await;
}

#[tokio::test]
async fn frames_that_ask_for_nothing_end_the_connection_if_they_are_too_many() {
    for flood in [
        frame(PING, 0, 0, &[7; 8]),
        frame(SETTINGS, 0, 0, &[]),
        frame(PRIORITY, 0, 1, &[0, 0, 0, 0, 1]),
        frame(99, 0, 0, b"unknown"),
        frame(WINDOW_UPDATE, 0, 0, &[0, 0, 0, 1]),
    ] {
        let peer = Raw::start(&FOREVER, &[]).await;
        let Raw { stream, service } = peer;
        let (reading, mut writing) = tokio::io::split(stream);
        let sending = tokio::spawn(async move {
            let mut sent = 0;
            while writing.write_all(&flood).await.is_ok() {
                sent += 1;
            }
            sent
        });
        let mut seen = Vec::new();
        let mut reading = reading;
        soon(reading.read_to_end(&mut seen)).await.unwrap();
        drop(reading);
        assert!(seen.ends_with(&[0, 0, 0, 11]), "enhance your calm");
        let sent = sending.await.unwrap();
        assert!(sent < 10_000, "{sent} frames were read");
        service.over().await;
    }
}

/// All visitors of a trusted proxy share its connection: one visitor's behaviour must not close it for the others.
#[tokio::test]
async fn what_the_visitors_of_a_trusted_proxy_do_together_does_not_end_its_connection() {
    let proxy = FourRequests { is_proxy: true, ..FourRequests::default() };
    let mut peer = Raw::start_within(Some(Arc::new(proxy)), &FOREVER, &[]).await;
    let leaving = |id| [get(id, "/never"), frame(RST_STREAM, 0, id, &[0, 0, 0, 8])].concat();
    let all_at_once: Vec<u8> = (0..400).flat_map(|number| leaving(2 * number + 1)).collect();
    peer.send(&all_at_once).await;
    peer.send(&frame(PING, 0, 0, &[7; 8]).repeat(1_000)).await;
    peer.send(&get(801, "/")).await;
    assert_eq!(peer.expect(HEADERS).await.stream, 801);
}

#[tokio::test]
async fn a_few_of_them_are_answered() {
    let mut peer = Raw::start(&FOREVER, &[]).await;
    for byte in 0..100 {
        peer.send(&frame(PING, 0, 0, &[byte; 8])).await;
        assert_eq!(peer.expect(PING).await.payload, [byte; 8]);
    }
}

#[tokio::test]
async fn a_head_that_does_not_end_in_time_ends_the_connection() {
    let timeouts = const { &Timeouts { head: Duration::from_millis(50), ..FOREVER } };
    let whole = frame(HEADERS, END_STREAM | END_HEADERS, 1, &GET_ROOT);
    let open = frame(HEADERS, END_STREAM, 1, &GET_ROOT);
    for begun in [&whole[..3], &whole[..12], &open[..]] {
        let mut peer = Raw::start(timeouts, &[]).await;
        peer.send(begun).await;
        assert_eq!(peer.closed().await, Reason::ENHANCE_YOUR_CALM);
    }
    let mut peer = Raw::start(timeouts, &[]).await;
    peer.send(&open).await;
    tokio::time::sleep(Duration::from_millis(30)).await;
    peer.send(&frame(CONTINUATION, 0, 1, &[])).await;
    assert_eq!(peer.closed().await, Reason::ENHANCE_YOUR_CALM, "each frame is no new beginning");
}

#[tokio::test]
async fn a_head_without_end_ends_the_connection() {
    for (first, more, reason) in [
        (&GET_ROOT[..], vec![], Reason::ENHANCE_YOUR_CALM),
        // A literal whose length is not terminated.
        (
            &[0x82, 0x84, 0x86, 0x40, 1, b'x', 0x7f, 0xff, 0xff, 0x7f],
            vec![b'x'; 16_000],
            Reason::COMPRESSION_ERROR,
        ),
    ] {
        let mut peer = Raw::start(&FOREVER, &[]).await;
        peer.send(&frame(HEADERS, 0, 1, first)).await;
        for _ in 0..10 {
            peer.send(&frame(CONTINUATION, 0, 1, &more)).await;
        }
        let seen = peer.closed().await;
        assert!(
            [reason, Reason::ENHANCE_YOUR_CALM, Reason::PROTOCOL_ERROR].contains(&seen),
            "{seen:?}"
        );
    }
}

#[tokio::test]
async fn a_head_that_is_too_large_is_a_problem() {
    let (stream, _service) = start(&FOREVER);
    let (mut client, _driving) = connect(stream).await;
    let mut too_large = request(Method::GET, "/");
    too_large.headers_mut().insert("x", "x".repeat(17 << 10).parse().unwrap());
    let response = ask(&mut client, too_large).await;
    assert_eq!(
        serde_json::from_slice::<Value>(response.body()).unwrap(),
        json!({
            "type": "/docs/errors#HEAD_TOO_LARGE",
            "title": "The head of the request is too large",
            "status": 431,
            "detail": "Path and headers may have 16384 bytes together.",
            "code": "HEAD_TOO_LARGE",
        })
    );
    assert_eq!(get_text(&mut client, "/").await, "hello", "the connection goes on");
}

#[tokio::test]
async fn a_response_that_nobody_takes_ends() {
    let timeouts = const { &Timeouts { write: Duration::from_millis(50), ..FOREVER } };
    // SETTINGS_INITIAL_WINDOW_SIZE: a window of ten bytes, then of zero.
    let mut peer = Raw::start(timeouts, &[0, 4, 0, 0, 0, 10]).await;
    peer.send(&get(1, "/large")).await;
    assert_eq!(peer.expect(RST_STREAM).await.stream, 1);
    let mut peer = Raw::start(timeouts, &[0, 4, 0, 0, 0, 0]).await;
    peer.send(&get(1, "/large")).await;
    peer.send(&get(3, "/feed")).await;
    let feed = peer.service.feeds.recv().await.unwrap();
    feed.send("tick".into()).await.unwrap();
    let mut reset = [peer.expect(RST_STREAM).await, peer.expect(RST_STREAM).await];
    reset.sort_by_key(|seen| seen.stream);
    assert_eq!(reset.each_ref().map(|seen| seen.stream), [1, 3]);
    assert!(reset.iter().all(|seen| seen.payload == [0, 0, 0, 8]), "cancelled");
    soon(feed.closed()).await;
}

#[tokio::test]
async fn no_more_is_sent_than_was_asked_for() {
    // A window of ten bytes.
    let mut peer = Raw::start(&FOREVER, &[0, 4, 0, 0, 0, 10]).await;
    peer.send(&get(1, "/large")).await;
    assert_eq!(peer.expect(DATA).await.payload.len(), 10);
    peer.send(&frame(8, 0, 1, &[0, 0, 0, 5])).await;
    assert_eq!(peer.expect(DATA).await.payload.len(), 5);
}

#[tokio::test]
async fn more_streams_than_a_connection_may_have_are_refused() {
    let mut peer = Raw::start(&FOREVER, &[]).await;
    let settings = peer.expect(SETTINGS).await.payload;
    assert!(settings.chunks(6).any(|one| one == [0, 3, 0, 0, 0, 128]), "{settings:?}");
    for id in 0..=STREAMS {
        peer.send(&get(2 * id + 1, "/never")).await;
    }
    let refused = peer.expect(RST_STREAM).await;
    assert_eq!((refused.stream, &refused.payload[..]), (2 * STREAMS + 1, &[0, 0, 0, 7][..]));
}

#[tokio::test]
async fn when_the_service_stops_a_peer_without_requests_is_not_waited_for() {
    let mut peer = Raw::start(&FOREVER, &[]).await;
    peer.expect(SETTINGS).await;
    peer.service.stopping.ending.begin();
    assert_eq!(peer.closed().await, Reason::NO_ERROR);
}

#[tokio::test]
async fn a_peer_that_does_not_answer_pings_is_gone() {
    let timeouts = const { &Timeouts { silence: Duration::from_millis(30), ..FOREVER } };
    let mut peer = Raw::start(timeouts, &[]).await;
    peer.send(&get(1, "/never")).await;
    let mut waiting = peer.service.waiting.recv().await.unwrap();
    assert_eq!(peer.expect(PING).await.flags, 0);
    assert_eq!(peer.closed().await, Reason::NO_ERROR);
    assert_eq!(soon(waiting.recv()).await, None);
}

#[tokio::test]
async fn a_peer_that_reads_nothing_at_all_is_cut_off() {
    let timeouts = const { &Timeouts { write: Duration::from_millis(50), ..FOREVER } };
    // Maximum windows, so that only the socket holds data back.
    let mut peer = Raw::start(timeouts, &[0, 4, 0x7f, 0xff, 0xff, 0xff]).await;
    peer.send(&frame(8, 0, 0, &[0x7f, 0xff, 0, 0])).await;
    for id in [1, 3, 5, 7] {
        peer.send(&get(id, "/large")).await;
    }
    let Raw { service, stream } = peer;
    service.over().await;
    drop(stream);
}
