//! Receivers at addresses that are not allowed.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::SeqCst},
};

use super::*;

const HTTP_ONLY: WebhookTargets = WebhookTargets::with(true, false);
const PRIVATE_ONLY: WebhookTargets = WebhookTargets::with(false, true);

/// Returns these addresses in turn, then the last ones forever.
fn changing(answers: &'static [&'static [&'static str]]) -> Resolver {
    let asked = Arc::new(AtomicUsize::new(0));
    Resolver::scripted(move |_| {
        let answer = answers[asked.fetch_add(1, SeqCst).min(answers.len() - 1)];
        Ok(answer.iter().map(|address| address.parse().unwrap()).collect())
    })
}

#[tokio::test]
async fn a_name_with_one_private_address_among_public_ones_is_not_connected_to() {
    let mut receiver = answering(NO_BODY).await;
    let url = format!("http://mixed.example:{}/", receiver.address.port());
    let mixed: [&'static [&'static [&'static str]]; 2] =
        [&[&["127.0.0.1", "8.8.8.8"]], &[&["8.8.8.8", "::ffff:127.0.0.1"]]];
    for answers in mixed {
        let client = Client::with_timeouts(HTTP_ONLY, changing(answers), PATIENT).unwrap();
        let reason = post(&client, &url).await.outcome.unwrap_err();
        assert!(reason.ends_with("resolves to a loopback address"), "{reason}");
    }
    assert!(receiver.is_untouched().await);
}

#[tokio::test]
async fn an_address_in_the_url_is_judged_before_each_send() {
    let mut receiver = answering(NO_BODY).await;
    let client = Client::with_timeouts(HTTP_ONLY, resolver(), PATIENT).unwrap();
    let port = receiver.address.port();
    for host in ["127.0.0.1", "127.1", "0x7f000001", "[::ffff:127.0.0.1]"] {
        let reason = post(&client, &format!("http://{host}:{port}/")).await.outcome.unwrap_err();
        assert!(reason.contains("a loopback address"), "{reason}");
    }
    assert!(receiver.is_untouched().await);
}

#[tokio::test]
async fn a_url_that_is_none_any_more_is_refused_in_a_sentence() {
    let client = client(PATIENT);
    for url in ["", "nonsense", "https://user:t0p@example.org/"] {
        let reason = post(&client, url).await.outcome.unwrap_err();
        assert!(reason.starts_with("The URL") && !reason.contains("t0p"), "{reason}");
    }
}

#[tokio::test]
async fn a_name_is_tried_at_each_of_its_addresses() {
    // Nothing listens at the first address.
    let receiver = answering(NO_BODY).await;
    let url = format!("http://two.example:{}/", receiver.address.port());
    let resolver = changing(&[&["127.0.0.2", "127.0.0.1"]]);
    let client = Client::with_timeouts(LENIENT, resolver, PATIENT).unwrap();
    assert_eq!(post(&client, &url).await, answered(204));
}

#[tokio::test]
async fn a_name_that_turns_private_after_the_check_is_not_connected_to() {
    let answers: &[&[&str]] = &[&["8.8.8.8"], &["127.0.0.1"]];
    for (allowed, refused) in [(HTTP_ONLY, true), (LENIENT, false)] {
        let mut receiver = answering(NO_BODY).await;
        let resolver = changing(answers);
        let url = format!("http://rebind.example:{}/", receiver.address.port());
        let judged = WebhookUrl::parse(&url, &allowed).unwrap();
        judged.check_reachable(&resolver, &allowed).await.unwrap();

        let client = Client::with_timeouts(allowed, resolver, PATIENT).unwrap();
        let answer = post(&client, &url).await;
        if refused {
            let reason = "the host resolves to a loopback address";
            assert_eq!(answer, failed(reason));
            assert!(receiver.is_untouched().await);
        } else {
            // Reaches the same receiver if private addresses are allowed.
            assert_eq!(answer, answered(204));
        }
    }
}

#[tokio::test]
async fn an_http_url_is_judged_before_each_send() {
    let mut receiver = answering(NO_BODY).await;
    let client = Client::with_timeouts(PRIVATE_ONLY, resolver(), PATIENT).unwrap();
    let answer = post(&client, &receiver.url()).await;
    assert_eq!(answer, failed("The URL's scheme is http: use https."));
    assert!(receiver.is_untouched().await);
}
