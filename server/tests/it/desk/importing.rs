use domain::{action::Action, scope::Scope};
use reqwest::Method;
use serde_json::json;
use store::AuditQuery;

use super::{Browser, confirmed, running};
use crate::harness::Answer;

const FILE: &str = "id,type,city,country\na,spirit,Recife,Brazil\nb,wine,=Recife,Brazil\nc,water,\"Porto, Norte\",Portugal\n";

/// Sends the form of the import page.
async fn upload(browser: &Browser<'_>, file: &str, approve: bool) -> Answer {
    let checked = "--x\r\ncontent-disposition: form-data; name=\"approve\"\r\n\r\ntrue\r\n";
    let body = format!(
        "{}--x\r\ncontent-disposition: form-data; name=\"file\"; filename=\"saturday.csv\"\r\n\
         content-type: text/csv\r\n\r\n{file}\r\n--x--\r\n",
        if approve { checked } else { "" },
    );
    send(browser, body).await
}

async fn send(browser: &Browser<'_>, body: String) -> Answer {
    let origin = browser.running.url("");
    let request = browser.request(Method::POST, "/desk/upload").body(body);
    let kind = "multipart/form-data; boundary=x";
    let headers = [("origin", origin.trim_end_matches('/')), ("content-type", kind)];
    let answer = browser.running.ask(request, &headers).await;
    browser.keep(&answer);
    answer
}

#[tokio::test]
async fn a_file_is_imported_and_its_refused_rows_are_shown_and_downloaded() {
    let running = running().await;
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    let sent = upload(&maria, FILE, false).await;
    let way = sent.header("location").to_owned();
    assert_eq!(sent.status, 303);
    let id = way.strip_prefix("/desk/import?id=").unwrap();
    let page = maria.get(&way).await.text();
    for text in [
        "<h1>saturday.csv</h1>",
        "<p>3 rows: 2 imported, 0 there already, 1 refused.</p>",
        "<th scope=\"col\">refusedBecause</th><th scope=\"col\">id</th>",
        "<td>b</td><td>wine</td><td>=Recife</td>",
    ] {
        assert!(page.replace("<!>", "").contains(text), "{text}");
    }
    let rows = maria.get(&format!("/desk/refused.csv?id={id}")).await;
    assert_eq!(rows.header("content-type"), "text/csv; charset=utf-8");
    let lines: Vec<String> = rows.text().lines().map(str::to_owned).collect();
    assert_eq!(lines[0], "refusedBecause,id,type,city,country");
    assert!(lines[1].ends_with(",b,wine,'=Recife,Brazil"), "{}", lines[1]);
    assert_eq!(maria.ids("/desk").await, ["c", "a"]);
    assert!(maria.get("/desk/imports").await.text().contains("saturday.csv"));
    let query = AuditQuery { limit: 1, ..AuditQuery::default() };
    let log = running.database.store.audit_log().entries(&query).await.unwrap();
    assert_eq!((log.entries[0].actor.as_str(), log.entries[0].action), ("Maria", Action::Import));
}

#[tokio::test]
async fn an_import_is_published_and_withdrawn_as_a_whole() {
    let running = running().await;
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    let sent = upload(&maria, FILE, true).await;
    let id = sent.header("location").strip_prefix("/desk/import?id=").unwrap().to_owned();
    let total = async || {
        running.service.app.snapshots.refresh().await;
        running.json("/api/v1/metrics").await["total"].clone()
    };
    assert_eq!(total().await, json!(2));
    let query = format!("import={id}&status=APPROVED");
    let asked = maria.get(&format!("/desk/all?step=withdraw&{query}")).await.text();
    assert!(asked.contains("Withdraw 2 reports?"));
    let token = confirmed(&asked);
    let fields = [("step", "withdraw"), ("selected", &query), ("confirmed", &token)];
    assert_eq!(maria.send("/desk/do/decide-on-all", &fields).await.status, 302);
    assert_eq!(total().await, json!(0));
    let history = maria.get("/desk/report?id=a").await.text();
    for deed in [">withdrew", ">imported and published"] {
        assert!(history.contains(deed), "{deed}: {history}");
    }

    let page = maria.get(&format!("/desk/import?id={id}")).await.text();
    let (_, rest) = page.split_once("href=\"/desk/all?step=restore").unwrap();
    let query = rest.split('"').next().unwrap().replace("&amp;", "&");
    let asked = maria.get(&format!("/desk/all?step=restore{query}")).await.text();
    let asked = asked.replace("<!>", "");
    for text in [
        "<h1>Publish 2 reports again?</h1>",
        "<b>2 withdrawn reports</b>",
        ">saturday.csv</a>",
        "createdAt",
    ] {
        assert!(asked.contains(text), "{text}: {asked}");
    }
    let token = confirmed(&asked);
    let selected = format!("import={id}&status=WITHDRAWN");
    let back = format!("/desk/import?id={id}");
    let fields =
        [("step", "restore"), ("selected", &*selected), ("confirmed", &token), ("back", &back)];
    let restored = maria.send("/desk/do/decide-on-all", &fields).await;
    assert_eq!(restored.header("location"), back);
    assert_eq!(total().await, json!(2));
    let history = maria.get("/desk/report?id=a").await.text();
    assert!(history.contains(">published again"), "{history}");
}

/// A list that no decision applies to is named as such, and nothing can be confirmed.
#[tokio::test]
async fn a_confirmation_shows_the_status_of_the_list_and_decides_on_nothing_else() {
    let running = running().await;
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    let sent = upload(&maria, FILE, false).await;
    let id = sent.header("location").strip_prefix("/desk/import?id=").unwrap().to_owned();
    maria.send("/desk/do/decide", &[("one", "reject:a")]).await;
    let query = format!("import={id}&status=REJECTED");
    let asked = maria.get(&format!("/desk/all?step=approve&{query}")).await.text();
    let text = asked.replace("<!>", "");
    assert!(text.contains("This list has no report to approve: it lists rejected reports of"));
    assert!(text.contains("type=\"submit\" disabled"), "{text}");
    let token = confirmed(&asked);
    let fields = [("step", "approve"), ("selected", &*query), ("confirmed", &token)];
    maria.send("/desk/do/decide-on-all", &fields).await;
    assert_eq!(maria.ids("/desk?status=REJECTED").await, ["a"]);
    assert_eq!(maria.ids("/desk").await, ["c"]);
    let reopened = maria.get(&format!("/desk/all?step=reopen&{query}")).await.text();
    assert!(reopened.replace("<!>", "").contains("<b>1 rejected report</b>"), "{reopened}");
}

#[tokio::test]
async fn what_is_no_file_of_reports_is_refused_with_the_reason() {
    let running = running().await;
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    for (file, reason) in [
        ("", "tThe file cannot be imported"),
        ("city,country\nx,y\n", "tThe file cannot be imported"),
    ] {
        let sent = upload(&maria, file, false).await;
        assert_eq!(sent.header("location"), "/desk/imports");
        assert!(maria.told().starts_with(reason), "{file:?}: {}", maria.told());
    }
    send(&maria, "--x--\r\n".to_owned()).await;
    assert_eq!(maria.told(), "tNo file was sent.");
    let page = maria.get("/desk/imports").await.text();
    assert!(page.contains("No file was sent."), "{page}");
    assert!(!maria.get("/desk/imports").await.text().contains("No file was sent."), "once");
}

#[tokio::test]
async fn a_file_that_breaks_off_is_not_taken_for_a_whole_one() {
    let running = running().await;
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    let head = "--x\r\ncontent-disposition: form-data; name=\"file\"; filename=\"f.csv\"\r\n\r\n";
    let sent =
        send(&maria, format!("{head}id,type,city,country\na,spirit,Recife,Brazil\nb,spirit,Rec"))
            .await;
    assert_eq!(sent.header("location"), "/desk/imports");
    assert!(maria.told().starts_with("tThe file cannot be imported"), "{}", maria.told());
    assert_eq!(maria.ids("/desk").await, [""; 0], "half of the second row is no report");
}

#[tokio::test]
async fn only_moderators_import_and_only_from_the_desk_itself() {
    let running = running().await;
    let ben = Browser::of(&running, "Ben", Scope::Read).await;
    assert_eq!(upload(&ben, FILE, false).await.status, 403);
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    let request = maria.request(Method::POST, "/desk/upload").body("--x--\r\n");
    let headers =
        [("origin", "https://evil.example"), ("content-type", "multipart/form-data; boundary=x")];
    assert_eq!(running.ask(request, &headers).await.status, 403);
    let nobody = Browser::new(&running);
    assert_eq!(upload(&nobody, FILE, false).await.header("location"), "/desk/sign-in");
    assert_eq!(nobody.get("/desk/refused.csv?id=imp_1m8230hv5").await.status, 401);
}

#[tokio::test]
async fn the_overview_shows_how_the_service_is() {
    let running = running().await;
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    upload(&maria, FILE, true).await;
    running.service.app.snapshots.refresh().await;
    let page = maria.get("/desk/overview").await.text().replace("<!>", "");
    for text in [
        "Everything works.",
        "<dt>Published</dt><dd>2</dd>",
        "No partner has subscribed.",
        "<td>operator (moderate)</td><td>active</td>",
        "<td>Maria</td>",
        "<b>Maria</b> imported and published <a href=\"/desk/import?id=imp_",
    ] {
        assert!(page.contains(text), "{text} is not in {page}");
    }
}
