//! Receivers that respond.

use super::*;

#[tokio::test]
async fn a_receiver_gets_the_exact_bytes_and_these_headers() {
    let mut receiver = answering(NO_BODY).await;
    let client = client(PATIENT);
    assert_eq!(post(&client, &receiver.url()).await, answered(204));
    drop(client);
    let requests = receiver.end().await;
    let [request] = &requests[..] else { panic!("{requests:?}") };
    assert_eq!(request.body, BODY);
    assert!(request.head.starts_with("POST /hook?token=t0p HTTP/1.1\r\n"), "{}", request.head);
    let (host, length) = (receiver.address.to_string(), BODY.len().to_string());
    let standard = secrets().standard_signature(ID, 1_772_366_400, BODY);
    let own = secrets().x_svc_signature(BODY);
    let expected = [
        ("accept", "*/*"),
        ("content-length", &length),
        ("content-type", "application/json"),
        ("host", &host),
        ("user-agent", concat!("svc/", env!("CARGO_PKG_VERSION"), " (webhooks)")),
        ("webhook-id", ID),
        ("webhook-signature", &standard),
        ("webhook-timestamp", "1772366400"),
        ("x-svc-sequence", "4711"),
        ("x-svc-signature", &own),
    ];
    assert_eq!(request.headers(), expected.map(|(name, value)| (name.to_owned(), value)));
}

#[tokio::test]
async fn only_2xx_is_accepted() {
    let client = client(PATIENT);
    for (status, accepted) in [
        (200, true),
        (201, true),
        (202, true),
        (204, true),
        (299, true),
        (300, false),
        (301, false),
        (304, false),
        (308, false),
        (400, false),
        (401, false),
        (404, false),
        (410, false),
        (429, false),
        (500, false),
        (503, false),
        (599, false),
    ] {
        let bytes = format!("HTTP/1.1 {status} Whatever\r\nContent-Length: 0\r\n\r\n");
        let receiver = answering_once(bytes.into_bytes()).await;
        let answer = post(&client, &receiver.url()).await;
        assert_eq!(answer, answered(status));
        assert_eq!(answer.is_accepted(), accepted, "{status}");
    }
}

#[tokio::test]
async fn retry_after_is_read_in_both_forms_unless_the_event_was_accepted() {
    let client = client(PATIENT);
    let date = "Sun, 01 Mar 2026 12:02:00 GMT";
    for (status, value, expected) in [
        (429, "120", Some(Duration::from_secs(120))),
        // Relative to `now`, including its 900 ms.
        (429, date, Some(Duration::from_millis(119_100))),
        (503, date, Some(Duration::from_millis(119_100))),
        (500, "172800", Some(Duration::from_secs(86_400))),
        (429, "later", None),
        (200, "120", None),
    ] {
        let bytes = format!(
            "HTTP/1.1 {status} Whatever\r\nRetry-After: {value}\r\nContent-Length: 0\r\n\r\n"
        );
        let receiver = answering_once(bytes.into_bytes()).await;
        let answer = post(&client, &receiver.url()).await;
        assert_eq!(answer, Answer { retry_after: expected, ..answered(status) }, "{value}");
    }
}

#[tokio::test]
async fn a_connection_is_used_again_after_a_short_body() {
    let client = client(Timeouts { drain: PATIENT.answer, ..PATIENT });
    for (head, body) in [
        (NO_BODY, &b""[..]),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", b"ok"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"2\r\nok\r\n0\r\n\r\n"),
        (b"HTTP/1.1 500 Broken\r\nContent-Length: 6\r\n\r\n", b"broken"),
    ] {
        let mut receiver = Receiver::start(move |mut stream| async move {
            while read_request(&mut stream).await.is_ok() {
                stream.write_all(head).await.unwrap();
                // The client has handled the head by then, and must wait for the body.
                tokio::time::sleep(Duration::from_millis(5)).await;
                let _ = stream.write_all(body).await;
            }
        })
        .await;
        // A connection becomes idle a moment after the response, which may be too late for the next attempt.
        let (mut tries, mut connections) = (0, 0);
        while tries == connections {
            assert!(tries < 50, "each try made a connection");
            post(&client, &receiver.url()).await.outcome.unwrap();
            tries += 1;
            while receiver.peers.try_recv().is_ok() {
                connections += 1;
            }
            tokio::task::yield_now().await;
        }
    }
}

#[tokio::test]
async fn an_interim_answer_is_not_taken_for_the_answer() {
    let bytes = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n\
                  HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n";
    let receiver = answering(bytes).await;
    assert_eq!(post(&client(PATIENT), &receiver.url()).await, answered(202));
}

#[tokio::test]
async fn a_receiver_that_never_ends_its_body_has_accepted_and_is_left() {
    let client = client(PATIENT);
    let mut receiver = Receiver::start(|mut stream| async move {
        read_request(&mut stream).await.unwrap();
        let half = b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf";
        stream.write_all(half).await.unwrap();
        until_closed(&mut stream).await;
    })
    .await;
    assert_eq!(post(&client, &receiver.url()).await, answered(200));
    receiver.end().await;
}

#[tokio::test]
async fn a_receiver_that_drips_its_body_has_accepted_and_is_left() {
    let client = client(PATIENT);
    let head = b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n";
    let mut receiver = answering_forever(head, b".", Duration::from_millis(5)).await;
    assert_eq!(post(&client, &receiver.url()).await, answered(200));
    assert!(receiver.end().await < 1_000_000);
}

#[tokio::test]
async fn a_receiver_whose_body_is_endless_has_accepted_and_is_left() {
    // With unlimited time: the length limit ends it.
    let client = client(Timeouts { drain: PATIENT.answer, ..PATIENT });
    const CHUNK: &[u8] = b"8\r\n........\r\n";
    for (head, again) in [
        (&b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"[..], CHUNK),
        (b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", &[b'.'; 4_096]),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", &[b'.'; 4_096]),
    ] {
        let mut receiver = answering_forever(head, again, Duration::ZERO).await;
        assert_eq!(post(&client, &receiver.url()).await, answered(200));
        // The connection ends; the sent bytes are in the system's buffers.
        receiver.end().await;
    }
}

#[tokio::test]
async fn a_receiver_whose_body_is_broken_has_accepted() {
    let client = client(PATIENT);
    for bytes in [
        &b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n"[..],
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
    ] {
        let receiver = answering_once(bytes.to_vec()).await;
        assert_eq!(post(&client, &receiver.url()).await, answered(200));
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let client = client(PATIENT);
    for status in [301, 302, 303, 307, 308] {
        let mut target = answering(NO_BODY).await;
        let location = format!(
            "HTTP/1.1 {status} Elsewhere\r\nLocation: {}\r\nContent-Length: 0\r\n\r\n",
            target.url()
        );
        let receiver = answering_once(location.into_bytes()).await;
        let answer = post(&client, &receiver.url()).await;
        assert_eq!(answer, answered(status));
        assert!(!answer.is_accepted());
        assert!(target.is_untouched().await, "{status}");
    }
}
