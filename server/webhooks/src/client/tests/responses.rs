//! Beginnings of responses that did not accept the event.

use super::*;

#[tokio::test]
async fn the_body_of_a_refusal_is_kept_and_that_of_an_acceptance_is_not() {
    let client = client(PATIENT);
    let body = "<b>no such hook</b>\n";
    for (status, expected) in [
        (200, answered(200)),
        (302, refused(302, body.trim_end())),
        (410, refused(410, body.trim_end())),
        (503, refused(503, body.trim_end())),
    ] {
        let length = body.len();
        let response =
            format!("HTTP/1.1 {status} Whatever\r\nContent-Length: {length}\r\n\r\n{body}");
        let receiver = answering_once(response.into_bytes()).await;
        assert_eq!(post(&client, &receiver.url()).await, expected);
    }
}

#[tokio::test]
async fn invalid_bytes_of_a_refusal_become_text() {
    let receiver = answering(b"HTTP/1.1 500 No\r\nContent-Length: 6\r\n\r\n\xff\x00\x1b[1m").await;
    let answer = post(&client(PATIENT), &receiver.url()).await;
    assert_eq!(answer, refused(500, "\u{fffd}\u{fffd}\u{fffd}[1m"));
}

#[tokio::test]
async fn of_a_body_in_pieces_the_first_1024_bytes_are_kept() {
    let mut bytes = b"HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec();
    for letter in "abcdefgh".chars() {
        bytes.extend(format!("12c\r\n{}\r\n", letter.to_string().repeat(300)).into_bytes());
    }
    bytes.extend(b"0\r\n\r\n");
    let receiver = answering_once(bytes).await;
    let expected = ["a".repeat(300), "b".repeat(300), "c".repeat(300), "d".repeat(124)].concat();
    assert_eq!(post(&client(PATIENT), &receiver.url()).await, refused(500, &expected));
}

#[tokio::test]
async fn of_an_endless_refusal_the_beginning_is_kept_and_the_receiver_is_left() {
    // With unlimited time: the length limit ends it.
    let client = client(Timeouts { drain: PATIENT.answer, ..PATIENT });
    let head = b"HTTP/1.1 503 Busy\r\nContent-Length: 99999999999\r\n\r\n";
    let mut receiver = answering_forever(head, &[b'.'; 4_096], Duration::ZERO).await;
    assert_eq!(post(&client, &receiver.url()).await, refused(503, &".".repeat(MAX_KEPT)));
    receiver.end().await;
}

#[tokio::test]
async fn of_a_refusal_that_stops_or_breaks_what_has_arrived_is_kept() {
    let half = b"HTTP/1.1 503 Busy\r\nContent-Length: 10\r\n\r\nhalf";
    let mut receiver = Receiver::start(move |mut stream| async move {
        read_request(&mut stream).await.unwrap();
        stream.write_all(half).await.unwrap();
        until_closed(&mut stream).await;
    })
    .await;
    assert_eq!(post(&client(PATIENT), &receiver.url()).await, refused(503, "half"));
    receiver.end().await;
    let client = client(Timeouts { drain: PATIENT.answer, ..PATIENT });
    let receiver = answering_once(half.to_vec()).await;
    assert_eq!(post(&client, &receiver.url()).await, refused(503, "half"));
}
