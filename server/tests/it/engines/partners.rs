//! Deliveries at the partners' portal.

use std::time::Duration;

use domain::tier::Tier;
use model::ReportType::Spirit;
use webhooks::dispatcher::POLL_INTERVAL;

use crate::{
    api::webhooks::running,
    desk::{Browser, plain},
    harness::{Running, report, soon},
    partners::{page_of, partner, subscribe},
    receiver::{Receiver, Reply},
};

/// Advances the clock until a page contains a text, and returns the page.
async fn until(running: &Running, browser: &Browser<'_>, path: &str, text: &str) -> String {
    let looking = async {
        loop {
            let page = plain(&browser.get(path).await.text());
            if page.contains(text) {
                return page;
            }
            running.clock.advance(POLL_INTERVAL);
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    soon(text, looking).await
}

/// Ids of the deliveries on a page.
fn deliveries(page: &str) -> Vec<String> {
    let ids = page.split("<li id=\"dlv_").skip(1);
    ids.map(|rest| format!("dlv_{}", rest.split('"').next().unwrap())).collect()
}

#[tokio::test]
async fn deliveries_show_their_attempts_and_bodies_and_are_sent_again() {
    let running = running().await;
    let browser = partner(&running, "Aid").await;
    // The first attempt fails.
    let receiver =
        Receiver::scripted(|_, number| Reply::Status(if number == 1 { 503 } else { 204 })).await;
    let id = subscribe(&browser, &receiver.url()).await;
    browser.get(&page_of(&id)).await;
    running.publish(&[report("a", Spirit)]).await;
    let failing = until(&running, &browser, &page_of(&id), "the response was 503").await;
    assert!(failing.contains("<td>503</td>"), "{failing}");
    until(&running, &browser, &page_of(&id), "<td>204</td>").await;
    // The page reads the health before the deliveries.
    let page = until(&running, &browser, &page_of(&id), ">active<").await;
    assert!(page.contains(">delivered<"), "{page}");
    let body = String::from_utf8(receiver.requests()[1].body.clone()).unwrap();
    let shown = body.replace('"', "&quot;");
    assert!(page.contains(&shown) || page.contains(&body), "{page}");
    assert_eq!(receiver.count(), 2);

    let delivery = deliveries(&page).remove(0);
    let fields = [("id", &*id), ("delivery", &*delivery)];
    browser.send("/partners/do/redeliver", &fields).await;
    assert_eq!(browser.told(), "dThe event is being sent again.");
    let again = async |count: usize| {
        let arriving = async {
            while receiver.count() < count {
                running.clock.advance(POLL_INTERVAL);
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        soon("another request", arriving).await;
    };
    again(3).await;
    let fields = [("id", &*id), ("from", "2026-03-01T12:00")];
    browser.send("/partners/do/replay", &fields).await;
    assert_eq!(browser.told(), "d1 event is sent again.");
    again(4).await;
    browser.send("/partners/do/resend", &[("id", &*id)]).await;
    assert_eq!(browser.told(), "d0 events are sent again.");
    let ids: Vec<_> = receiver.requests().iter().map(|request| request.id().to_owned()).collect();
    assert_eq!(ids, vec![ids[0].clone(); 4]);

    let failed = plain(&browser.get(&format!("{}&status=FAILED", page_of(&id))).await.text());
    assert!(failed.contains("There are none."), "{failed}");
    browser.send("/partners/do/pause", &[("id", &*id)]).await;
    browser.send("/partners/do/redeliver", &[("id", &*id), ("delivery", &*delivery)]).await;
    assert_eq!(browser.told(), "tThe subscription is disabled: enable it first.");
    browser.send("/partners/do/replay", &[("id", &*id), ("from", "yesterday")]).await;
    assert!(browser.told().starts_with("t\"from\" is \"yesterdayZ\""), "{}", browser.told());
}

#[tokio::test]
async fn the_response_of_a_refusal_is_shown_as_text() {
    let running = running().await;
    let browser = partner(&running, "Aid").await;
    let html = "<script>alert(1)</script>\r\n<b>no such hook</b> \u{1f6ab}\u{0}";
    let receiver = Receiver::scripted(move |_, number| {
        let status = if number == 1 { "404 Not Found" } else { "200 OK" };
        let length = html.len();
        Reply::Text(format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\n\r\n{html}"))
    })
    .await;
    let id = subscribe(&browser, &receiver.url()).await;
    running.publish(&[report("a", Spirit)]).await;
    let page = until(&running, &browser, &page_of(&id), "<td>200</td>").await;
    let shown = "&lt;script&gt;alert(1)&lt;/script&gt;\r\n&lt;b&gt;no such hook&lt;/b&gt; \u{1f6ab}\u{fffd}";
    assert_eq!(page.matches(shown).count(), 1, "{page}");
    assert!(!page.contains("<script>alert") && !page.contains("<b>no such"), "{page}");

    let fields = [("id", &*id)];
    browser.send("/partners/do/test", &fields).await;
    let key = running.key("Aid", Tier::Partner).await;
    let path = format!("/api/v1/webhooks/deliveries?id={id}");
    let bearer = format!("Bearer {}", key.as_str());
    let listed = running.get_with(&path, &[("authorization", &bearer)]).await.json();
    let attempts = |delivery: usize| listed["deliveries"][delivery]["attempts"].clone();
    let text = "<script>alert(1)</script>\r\n<b>no such hook</b> \u{1f6ab}\u{fffd}";
    assert_eq!(attempts(0)[0].get("response"), None, "{listed}");
    assert_eq!(attempts(1)[0]["response"], text, "{listed}");
    assert_eq!(attempts(1)[1].get("response"), None, "{listed}");
}

#[tokio::test]
async fn many_deliveries_are_listed_page_by_page() {
    let running = running().await;
    let browser = partner(&running, "Aid").await;
    let receiver = Receiver::with(Reply::Status(204)).await;
    let id = subscribe(&browser, &receiver.url()).await;
    browser.get(&page_of(&id)).await;
    let reports: Vec<_> = (0..25).map(|number| report(&format!("r-{number}"), Spirit)).collect();
    running.publish(&reports).await;
    let arriving = async {
        while receiver.count() < 25 {
            running.clock.advance(POLL_INTERVAL);
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    soon("25 requests", arriving).await;
    // Deliveries are listed as delivered a moment after their requests, and in any order.
    let listing = async {
        loop {
            let path = format!("{}&status=DELIVERED", page_of(&id));
            let first = until(&running, &browser, &path, ">Older<").await;
            let (before, _) = first.split_once("\">Older<").unwrap();
            let older = before.rsplit("href=\"").next().unwrap().replace("&amp;", "&");
            let second = browser.get(&older).await.text();
            let first = deliveries(&first);
            assert_eq!(first.len(), 20);
            let all = [first, deliveries(&second)].concat();
            if all.len() >= 25 {
                return (all, second);
            }
        }
    };
    let (all, second) = soon("25 deliveries", listing).await;
    let distinct: std::collections::HashSet<_> = all.iter().collect();
    assert_eq!((all.len(), distinct.len()), (25, 25));
    assert!(second.contains("To the newest"), "{second}");
}
