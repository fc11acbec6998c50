use std::time::Duration;

use domain::{action::Action, scope::Scope};
use reqwest::Method;
use serde_json::json;
use store::AuditQuery;

use super::{Browser, confirmed, plain, running};
use crate::harness::Answer;

const FILE: &str = "id,type,city,country\na,spirit,Recife,Brazil\nb,wine,=Recife,Brazil\nc,water,\"Porto, Norte\",Portugal\n";

/// Sends the form of the page of the imports.
async fn upload(browser: &Browser<'_>, file: impl AsRef<[u8]>) -> Answer {
    let head = "--x\r\ncontent-disposition: form-data; name=\"file\"; filename=\"saturday.csv\"\r\n\
                content-type: text/csv\r\n\r\n";
    send(browser, [head.as_bytes(), file.as_ref(), b"\r\n--x--\r\n"].concat()).await
}

/// Uploads a file. Returns the id of the upload.
async fn uploaded(browser: &Browser<'_>, file: impl AsRef<[u8]>) -> String {
    let sent = upload(browser, file).await;
    let way = sent.header("location");
    assert_eq!(sent.status, 303);
    way.strip_prefix("/desk/preview?id=").unwrap().to_owned()
}

/// Returns the page with the preview of an upload.
async fn preview(browser: &Browser<'_>, upload: &str, choices: &str) -> String {
    let page = browser.get(&format!("/desk/preview?id={upload}&{choices}")).await;
    assert_eq!(page.status, 200, "{}", page.text());
    plain(&page.text())
}

/// Sends the form of the preview. Returns the URL that it leads to.
async fn confirm(browser: &Browser<'_>, upload: &str, choices: &str, approve: bool) -> String {
    let mut fields = vec![("id", upload), ("choices", choices)];
    if approve {
        fields.push(("approve", "true"));
    }
    let sent = browser.send("/desk/do/import", &fields).await;
    assert_eq!(sent.status, 302, "{}", sent.text());
    sent.header("location").to_owned()
}

/// Uploads and imports a file. Returns the URL of the import.
async fn import(browser: &Browser<'_>, file: &str, approve: bool) -> String {
    let upload = uploaded(browser, file).await;
    confirm(browser, &upload, "", approve).await
}

fn has_all(page: &str, texts: &[&str]) {
    for text in texts {
        assert!(page.contains(text), "{text} is not in {page}");
    }
}

async fn send(browser: &Browser<'_>, body: Vec<u8>) -> Answer {
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
    let way = import(&maria, FILE, false).await;
    let id = way.strip_prefix("/desk/import?id=").unwrap();
    let page = maria.get(&way).await.text();
    for text in [
        "<h1>saturday.csv</h1>",
        "<p>3 rows: 2 imported, 0 there already, 1 refused.</p>",
        "<th scope=\"col\">refusedBecause</th><th scope=\"col\">id</th>",
        "<td>b</td><td>wine</td><td>=Recife</td>",
    ] {
        assert!(plain(&page).contains(text), "{text}");
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
    let way = import(&maria, FILE, true).await;
    let id = way.strip_prefix("/desk/import?id=").unwrap().to_owned();
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
    let history = plain(&maria.get("/desk/report?id=a").await.text());
    for deed in ["withdrew", "imported and published"] {
        assert!(history.contains(deed), "{deed}: {history}");
    }

    let page = maria.get(&format!("/desk/import?id={id}")).await.text();
    let (_, rest) = page.split_once("href=\"/desk/all?step=restore").unwrap();
    let query = rest.split('"').next().unwrap().replace("&amp;", "&");
    let asked = maria.get(&format!("/desk/all?step=restore{query}")).await.text();
    let asked = asked.replace("<!>", "");
    for text in [
        "<h1>Publish 2 reports again?</h1>",
        "<b>Status: withdrawn.</b>",
        "<bdi>saturday.csv</bdi>",
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
    assert!(plain(&history).contains("published again"), "{history}");
}

/// A list that no decision applies to is named as such, and nothing can be confirmed.
#[tokio::test]
async fn a_confirmation_shows_the_status_of_the_list_and_decides_on_nothing_else() {
    let running = running().await;
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    let imported = import(&maria, FILE, false).await;
    let id = imported.strip_prefix("/desk/import?id=").unwrap().to_owned();
    maria.send("/desk/do/decide", &[("one", "reject:a")]).await;
    let query = format!("import={id}&status=REJECTED");
    let asked = maria.get(&format!("/desk/all?step=approve&{query}")).await.text();
    let text = asked.replace("<!>", "");
    let nothing =
        "This list has no report that this decision is possible on. <b>Status: rejected.</b>";
    assert!(text.contains(nothing), "{text}");
    assert!(!text.contains("value=\"approve\" type=\"submit\""), "{text}");
    let token = confirmed(&asked);
    let fields = [("step", "approve"), ("selected", &*query), ("confirmed", &token)];
    maria.send("/desk/do/decide-on-all", &fields).await;
    assert_eq!(maria.ids("/desk?status=REJECTED").await, ["a"]);
    assert_eq!(maria.ids("/desk").await, ["c"]);
    let reopened = maria.get(&format!("/desk/all?step=reopen&{query}")).await.text();
    assert!(reopened.replace("<!>", "").contains("<h1>Reopen 1 report?</h1>"), "{reopened}");
}

#[tokio::test]
async fn what_is_no_file_of_reports_is_refused_with_the_reason() {
    let running = running().await;
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    for (file, reason) in [
        ("", "The file cannot be read: the file is empty"),
        ("city,country\nx,y\n", "The file cannot be read: the header lacks type;"),
    ] {
        let id = uploaded(&maria, file).await;
        let page = preview(&maria, &id, "").await;
        has_all(&page, &[reason]);
        assert!(!page.contains("/desk/do/import"), "nothing to import: {page}");
        let way = confirm(&maria, &id, "", false).await;
        assert_eq!(way, format!("/desk/preview?id={id}&"));
        assert!(maria.told().starts_with("tThe file cannot be imported: "), "{}", maria.told());
    }
    assert!(maria.get("/desk/imports").await.text().contains("Nothing has been imported yet."));
    send(&maria, b"--x--\r\n".to_vec()).await;
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
    let body = format!("{head}id,type,city,country\na,spirit,Recife,Brazil\nb,spirit,Rec");
    let sent = send(&maria, body.into_bytes()).await;
    assert_eq!(sent.header("location"), "/desk/imports");
    assert!(maria.told().ends_with("it was not sent completely."), "{}", maria.told());
    assert_eq!(maria.ids("/desk").await, [""; 0]);
}

#[tokio::test]
async fn columns_that_are_not_used_are_shown_before_anything_is_written() {
    let running = running().await;
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    let file = "Type,City,Country,Date,people,latitude,longitude\n\
                spirit,Recife,Brazil,2026-02-01,12,-8.05,-34.9\n\
                water,Olinda,Brazil,2026-02-02,7,-8.01,-34.85\n";
    let id = uploaded(&maria, file).await;
    let page = preview(&maria, &id, "").await;
    has_all(
        &page,
        &[
            "2 rows: 2 new, 0 there already, 0 refused.",
            "the column \"Date\" is not used (is it meant to be eventDate?)",
            "the column \"people\" is not used (is it meant to be peopleCount?)",
            "the column \"latitude\" is not used (is it meant to be lat?)",
            "<td>new</td><td>spirit</td><td>Recife</td><td> </td><td>Brazil</td><td>1</td><td>2026-03-01</td>",
            "Use the suggested columns",
        ],
    );
    assert_eq!(maria.ids("/desk").await, [""; 0], "a preview writes nothing");
    let choices =
        "column.Date=eventDate&column.people=peopleCount&column.latitude=lat&column.longitude=lng";
    assert!(page.contains(&choices.replace('&', "&amp;")), "{page}");
    let page = preview(&maria, &id, choices).await;
    has_all(&page, &["<td>12</td><td>2026-02-01</td><td>now</td><td>-8.05, -34.9</td>"]);
    assert!(!page.contains("is not used"), "{page}");
    let way = confirm(&maria, &id, choices, false).await;
    assert!(way.starts_with("/desk/import?id="), "{way}");
    let queue = maria.get("/desk").await.text();
    assert!(queue.contains("12 people"), "{queue}");

    // The next file with these columns is read alike, and the same reports are recognized.
    let id = uploaded(&maria, file).await;
    let page = preview(&maria, &id, "").await;
    has_all(
        &page,
        &[
            "2 rows: 0 new, 2 there already, 0 refused.",
            "Read like the last import with these columns.",
        ],
    );
}

#[tokio::test]
async fn reasons_are_grouped_with_the_choices_that_help() {
    let running = running().await;
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    let mut file = b"type,city,country,eventDate,peopleCount\n".to_vec();
    for day in 10..25 {
        file.extend(format!("spirit,Recife,Brazil,{day}/02/2026,\"1,{day}0\"\n").into_bytes());
    }
    file.extend(b"spirit,S\xE3o Paulo,Brazil,2026-02-01,1\n");
    let id = uploaded(&maria, &file).await;
    let page = preview(&maria, &id, "").await;
    has_all(
        &page,
        &[
            "16 rows: 0 new, 0 there already, 16 refused.",
            "15 × eventDate: date not understood",
            "Read dates as day/month/year (15)",
            "Read dates as month/day/year (3)",
            "15 × peopleCount: not a whole number",
            "Read numbers as 1,234.0 (15)",
            "1 × city: letters not understood",
            "Read letters as Windows-1252 (1)",
        ],
    );
    let choices = "dates=day-first&numbers=point&encoding=windows-1252";
    let page = preview(&maria, &id, choices).await;
    has_all(
        &page,
        &[
            "16 rows: 16 new, 0 there already, 0 refused.",
            "<td>1110</td><td>2026-02-11</td>",
            "São Paulo",
        ],
    );
    confirm(&maria, &id, choices, false).await;
    assert_eq!(maria.ids("/desk").await.len(), 16);
}

#[tokio::test]
async fn an_import_that_stops_has_a_result() {
    let running = running().await;
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    let file = "id,type,city,country,Note\na,spirit,Recife,Brazil,\nb,wine,Recife,Brazil,\nc,spirit,\"Recife,Brazil,\n\
                d,spirit,Recife,Brazil,\n";
    let id = uploaded(&maria, file).await;
    let page = preview(&maria, &id, "").await;
    has_all(
        &page,
        &[
            "The file can be read only in part: line 4: the quote that opens before",
            "2 rows: 1 new, 0 there already, 1 refused.",
        ],
    );
    let way = confirm(&maria, &id, "", false).await;
    let page = plain(&maria.get(&way).await.text());
    has_all(
        &page,
        &[
            "The import stopped after line 3: line 4: the quote that opens before",
            "2 rows: 1 imported, 0 there already, 1 refused.",
            "the column \"Note\" is not used",
            "1 × type: not spirit, water or both",
            "<td>b</td><td>wine</td>",
        ],
    );
    assert_eq!(maria.ids("/desk").await, ["a"]);
}

#[tokio::test]
async fn a_result_is_in_the_language_of_the_person_who_looks_at_it() {
    let running = running().await;
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    let file = "id,type,city,country,Date\na,spirit,Recife,Brazil,\nb,wine,Recife,Brazil,\nc,spirit,\"Recife,Brazil,\n";
    let way = import(&maria, file, false).await;
    for (lang, texts) in [
        (
            "de",
            [
                "Der Import endete nach Zeile 3: Zeile 4: das Anführungszeichen vor \"Recife,Brazil,\" wird bis zum Ende",
                "Zeilen: 2. Importiert: 1, schon vorhanden: 0, nicht übernommen: 1.",
                "die Spalte \"Date\" wird nicht verwendet (ist eventDate gemeint?)",
                "1 × type: unbekannte Art",
                "Zeile 3: type: \"wine\" ist keiner dieser Werte: spirit, water, both",
            ],
        ),
        (
            "en",
            [
                "The import stopped after line 3: line 4: the quote that opens before \"Recife,Brazil,\" is not closed up",
                "2 rows: 1 imported, 0 there already, 1 refused.",
                "the column \"Date\" is not used (is it meant to be eventDate?)",
                "1 × type: not spirit, water or both",
                "line 3: type: \"wine\" is not one of spirit, water, both",
            ],
        ),
    ] {
        let request = maria.request(Method::GET, &way);
        let page = running.ask(request, &[("accept-language", lang)]).await.text();
        has_all(&plain(&page), &texts);
        assert!(!page.contains(['\u{2066}', '\u{2068}', '\u{2069}']), "{page}");
    }
}

#[tokio::test]
async fn an_upload_waits_for_an_hour_for_the_person_who_sent_it() {
    let running = running().await;
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    let ben = Browser::of(&running, "Ben", Scope::Moderate).await;
    let id = uploaded(&maria, FILE).await;
    let gone = "This file is not here (any more).";
    has_all(&preview(&ben, &id, "").await, &[gone]);
    assert!(!preview(&maria, &id, "").await.contains(gone));
    running.service.app.clock.advance(Duration::from_secs(59 * 60));
    assert!(!preview(&maria, &id, "").await.contains(gone));
    running.service.app.clock.advance(Duration::from_secs(60));
    has_all(&preview(&maria, &id, "").await, &[gone]);
    let way = confirm(&maria, &id, "", false).await;
    assert!(way.starts_with("/desk/preview?id="), "{way}");
    assert!(maria.told().starts_with("tThis file is not here"), "{}", maria.told());
}

#[tokio::test]
async fn only_moderators_import_and_only_from_the_desk_itself() {
    let running = running().await;
    let ben = Browser::of(&running, "Ben", Scope::Read).await;
    assert_eq!(upload(&ben, FILE).await.status, 403);
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    let request = maria.request(Method::POST, "/desk/upload").body("--x--\r\n");
    let headers =
        [("origin", "https://evil.example"), ("content-type", "multipart/form-data; boundary=x")];
    assert_eq!(running.ask(request, &headers).await.status, 403);
    let nobody = Browser::new(&running);
    assert_eq!(upload(&nobody, FILE).await.header("location"), "/desk/sign-in");
    assert_eq!(nobody.get("/desk/refused.csv?id=imp_1m8230hv5").await.status, 401);
}

#[tokio::test]
async fn the_overview_shows_how_the_service_is() {
    let running = running().await;
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    import(&maria, FILE, true).await;
    running.service.app.snapshots.refresh().await;
    let page = maria.get("/desk/overview").await.text().replace("<!>", "");
    for text in [
        "Everything works.",
        "<dt>Approved</dt><dd>2</dd>",
        "No partner has subscribed.",
        "<td>Your team: decide on reports</td><td>active</td>",
        "<td><bdi>Maria</bdi></td>",
        "<b><bdi>Maria</bdi></b> imported and published <a href=\"/desk/import?id=imp_",
    ] {
        assert!(page.contains(text), "{text} is not in {page}");
    }
}
