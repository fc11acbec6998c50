//! Receivers that do not respond.

use super::*;

/// Timeouts for receivers that never respond.
const BRIEF: Timeouts = Timeouts { answer: Duration::from_millis(250), ..PATIENT };

const CLOSED: &str = "the connection was closed without a response";

#[tokio::test]
async fn a_refused_connection_is_called_that() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let answer = post(&client(PATIENT), &format!("http://{address}/")).await;
    assert_eq!(answer, failed("connection refused"));
}

#[tokio::test]
async fn a_receiver_that_hangs_before_it_answers_is_given_up() {
    let receiver = Receiver::start(|mut stream| async move {
        until_closed(&mut stream).await;
    })
    .await;
    let answer = post(&client(BRIEF), &receiver.url()).await;
    assert_eq!(answer, failed("no response within 250 ms"));
}

#[tokio::test]
async fn a_receiver_that_hangs_within_the_head_is_given_up() {
    let receiver = Receiver::start(|mut stream| async move {
        if read_request(&mut stream).await.is_err() {
            return;
        }
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Len").await.unwrap();
        until_closed(&mut stream).await;
    })
    .await;
    let answer = post(&client(BRIEF), &receiver.url()).await;
    assert_eq!(answer, failed("no response within 250 ms"));
}

#[tokio::test]
async fn a_receiver_that_drips_its_head_is_given_up() {
    let head = b"HTTP/1.1 200 OK\r\nX-Filler: ";
    let receiver = answering_forever(head, b".", Duration::from_millis(5)).await;
    let answer = post(&client(BRIEF), &receiver.url()).await;
    assert_eq!(answer, failed("no response within 250 ms"));
}

#[tokio::test]
async fn a_receiver_that_is_always_about_to_answer_is_given_up() {
    let interim = b"HTTP/1.1 103 Early Hints\r\n\r\n";
    let receiver = answering_forever(interim, interim, Duration::from_millis(1)).await;
    let answer = post(&client(BRIEF), &receiver.url()).await;
    assert_eq!(answer, failed("no response within 250 ms"));
}

#[tokio::test]
async fn a_receiver_that_sends_interim_responses_without_end_is_left_after_a_bounded_part() {
    // With unlimited time: the length limit ends it.
    let interim = b"HTTP/1.1 103 Early Hints\r\n\r\n".repeat(100).leak();
    let mut receiver = answering_forever(interim, interim, Duration::ZERO).await;
    let answer = post(&client(PATIENT), &receiver.url()).await;
    assert_eq!(answer, failed("the head of the response is too long"));
    receiver.end().await;
}

#[tokio::test]
async fn a_receiver_whose_head_is_endless_is_left_after_a_bounded_part() {
    // With unlimited time: the length limit ends it.
    for again in [&b"X-Filler: ........\r\n"[..], &[b'.'; 4_096]] {
        let head = b"HTTP/1.1 200 OK\r\nX-Filler: ";
        let mut receiver = answering_forever(head, again, Duration::ZERO).await;
        let answer = post(&client(PATIENT), &receiver.url()).await;
        assert_eq!(answer, failed("the head of the response is too long"));
        receiver.end().await;
    }
}

#[tokio::test]
async fn what_is_not_http_is_called_that() {
    let client = client(PATIENT);
    for bytes in [
        &b"SSH-2.0-OpenSSH_9.6\r\n"[..],
        b"220 mail.example.org ESMTP\r\n",
        b"<html>hello</html>\r\n\r\n",
        b"HTTP/2.0 200 OK\r\n\r\n",
        b"HTTP/1.1 two hundred\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nno colon here\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        b"\0\x01\x02\x03\xff\xfe\xfd\xfc garbage without an end of line",
        b"-ERR unknown command 'POST'\r\n",
    ] {
        let receiver = answering_once(bytes.to_vec()).await;
        let answer = post(&client, &receiver.url()).await;
        assert_eq!(answer, failed("not HTTP/1.1"), "{:?}", String::from_utf8_lossy(bytes));
    }
}

#[tokio::test]
async fn a_connection_that_closes_before_an_answer_is_called_that() {
    let client = client(PATIENT);
    for bytes in [&b""[..], b"HTTP/1.", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nX: y\r\n"] {
        let receiver = answering_once(bytes.to_vec()).await;
        let answer = post(&client, &receiver.url()).await;
        assert_eq!(answer, failed(CLOSED), "{:?}", String::from_utf8_lossy(bytes));
    }
    // Closed without reading the request, so that the system sends a reset.
    let receiver = Receiver::start(|stream| async move { drop(stream) }).await;
    assert_eq!(post(&client, &receiver.url()).await, failed(CLOSED));
}

#[tokio::test]
async fn a_name_that_does_not_resolve_is_called_that() {
    let resolver =
        Resolver::scripted(|_| Err(io::Error::new(io::ErrorKind::NotFound, "no such name")));
    let client = Client::with_timeouts(LENIENT, resolver, PATIENT).unwrap();
    let answer = post(&client, "http://gone.example/").await;
    assert_eq!(answer, failed("the host's name does not resolve (no such name)"));
}

#[tokio::test]
async fn a_name_that_cannot_be_looked_up_is_no_fault_of_the_receiver() {
    let resolver = Resolver::scripted(|_| Err(io::Error::other("no name server")));
    let client = Client::with_timeouts(LENIENT, resolver, PATIENT).unwrap();
    let answer = post(&client, "http://gone.example/").await;
    assert_eq!(answer, failed_here("the host's name cannot be looked up (no name server)"));
}

#[tokio::test]
async fn a_connection_that_takes_too_long_is_given_up_before_the_answer() {
    let receiver = Receiver::start(|mut stream| async move { until_closed(&mut stream).await });
    // The connection is established once TLS is.
    let url = format!("https://{}/", receiver.await.address);
    let timeouts = Timeouts { connect: Duration::from_millis(100), ..PATIENT };
    assert_eq!(post(&client(timeouts), &url).await, failed("no connection within 100 ms"));
}

#[tokio::test]
async fn a_failure_does_not_tell_the_path_of_the_url() {
    let resolver = Resolver::scripted(|_| Err(io::Error::other("x".repeat(1_000))));
    let client = Client::with_timeouts(LENIENT, resolver, PATIENT).unwrap();
    let answer = post(&client, "http://gone.example/hook/t0p?token=t0p").await;
    let reason = answer.outcome.unwrap_err();
    assert!(!reason.contains("t0p"), "{reason}");
    assert_eq!(reason.chars().count(), 200);
}

#[tokio::test]
async fn an_id_that_no_header_can_carry_is_not_sent() {
    let mut receiver = answering(NO_BODY).await;
    let (url, secrets, body) = (receiver.url(), secrets(), Bytes::from_static(BODY));
    let post = Post { url: &url, secrets: &secrets, id: "a\r\nb", sequence: 1, now: now(), body };
    let answer = client(PATIENT).post(post).await;
    assert_eq!(answer, failed_here("the event's id does not fit into a header"));
    assert!(receiver.is_untouched().await);
}
