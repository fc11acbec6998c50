//! A correction of many reports at the desk, and its undoing, whose service is killed: what was done
//! can be undone, and the same correction or undoing completes it.

use reqwest::{Client, Method, RequestBuilder};
use tokio::task::JoinHandle;

use crate::{
    harness::{Answer, Svc, http},
    served::Served,
};

/// Numbers of published and of pending reports with a misspelt city. The first batch has 64.
const PUBLISHED: i64 = 2_000;
const PENDING: i64 = 10_000;
const REPORTS: i64 = PUBLISHED + PENDING;

/// Corrects the city of all of them, of any status.
const QUERY: &str = "ofCountry=Brazil&ofRegion=&ofCity=Santoss&newCity=Santos";

/// The service, and a moderator's browser without scripts.
struct Desk {
    svc: Svc,
    served: Served,
    http: Client,
    cookie: String,
}

impl Desk {
    async fn new() -> Self {
        let svc = Svc::migrated();
        for (name, reports, flags) in [("a", PUBLISHED, &["--backfill"][..]), ("b", PENDING, &[])] {
            let rows: String =
                (0..reports).map(|row| format!("{name}-{row},water,Santoss,Brazil\n")).collect();
            let imported = svc.import(format!("id,type,city,country\n{rows}"), flags);
            assert_eq!(imported.code, Some(0), "{}", imported.err);
        }
        let served = Served::start(&svc);
        let mut desk = Self { svc, served, http: http(), cookie: String::new() };
        let key =
            ["keys", "create", "--partner=Maria", "--tier=operator", "--scope=moderate", "--json"];
        let key = desk.svc.json(&key);
        let answer = desk.send("sign-in", &[("key", key["key"].as_str().unwrap())]).await;
        desk.cookie = answer.header("set-cookie").split(';').next().unwrap().to_owned();
        desk
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.served.ops));
        let request = request.header("accept", "text/html").header("cookie", &self.cookie);
        request.header("sec-fetch-site", "same-origin")
    }

    async fn page(&self, path: &str) -> String {
        let page = Answer::of(self.request(Method::GET, path).send().await.unwrap()).await;
        assert_eq!(page.status, 200, "{}", page.text());
        page.text().replace("<!>", "")
    }

    /// Starts to send a form. The answer is `None` if the service ends before.
    fn post(&self, name: &str, fields: &[(&str, &str)]) -> JoinHandle<Option<Answer>> {
        let mut body = url::form_urlencoded::Serializer::new(String::new());
        let body = body.extend_pairs(fields).finish();
        let request = self.request(Method::POST, &format!("/desk/do/{name}")).body(body);
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        tokio::spawn(async move {
            match request.send().await {
                Ok(response) => Some(Answer::of(response).await),
                Err(_) => None,
            }
        })
    }

    async fn send(&self, name: &str, fields: &[(&str, &str)]) -> Answer {
        self.post(name, fields).await.unwrap().unwrap()
    }

    async fn corrected(&self) -> i64 {
        self.svc.count("SELECT count(*) FROM reports WHERE city = 'Santos'").await
    }

    /// Kills the service after some batches of a request, checks the database, and starts it again.
    async fn kill(&mut self, request: JoinHandle<Option<Answer>>) {
        let before = self.corrected().await;
        while (self.corrected().await - before).abs() < 500 {
            assert!(!request.is_finished(), "it was over before it was killed");
        }
        self.served.child.kill().unwrap();
        self.served.child.wait().unwrap();
        assert!(request.await.unwrap().is_none(), "it was over before it was killed");
        self.svc.out(&["db", "check"]);
        self.served = Served::start(&self.svc);
    }

    /// Token of the confirmation, which has to be about this number of reports.
    async fn confirm(&self, reports: i64) -> String {
        let page = self.page(&format!("/desk/correct?{QUERY}")).await;
        let title = between(&page, "<h1>", "</h1>");
        assert_eq!(title.replace(',', ""), format!("Correct {reports} reports?"));
        between(&page, "name=\"confirmed\" value=\"", "\"").to_owned()
    }

    /// Decisions that the desk offers to undo: their numbers, and the numbers of reports.
    async fn undoable(&self) -> Vec<(String, i64)> {
        let page = self.page("/desk").await;
        let (_, list) = page.split_once("class=\"decisions\"").unwrap();
        let (list, _) = list.split_once("</section>").unwrap();
        let decision = |one: &str| {
            let reports = between(one, "Corrected ", " reports.").replace(',', "");
            let entry = between(one, "name=\"entry\" value=\"", "\"").to_owned();
            (entry, reports.parse().unwrap())
        };
        list.split("<li>").skip(1).map(decision).collect()
    }
}

fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    let (_, rest) = text.split_once(start).unwrap_or_else(|| panic!("no {start}: {text}"));
    rest.split_once(end).unwrap().0
}

/// Message for the next page, without the separators of thousands.
fn told(answer: &Answer) -> String {
    let cookie = between(answer.header("set-cookie"), "svc_desk_notice=", ";");
    let told = url::form_urlencoded::parse(cookie.as_bytes()).next();
    told.unwrap().0.replace(',', "")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_correction_that_is_killed_is_completed_or_undone() {
    let mut desk = Desk::new().await;
    let confirmed = desk.confirm(REPORTS).await;
    let form = [("query", QUERY), ("confirmed", &*confirmed)];
    desk.kill(desk.post("correct-many", &form)).await;
    let first = desk.corrected().await;
    let rest = REPORTS - first;
    assert!(first > 0 && rest > 0, "{first}");
    let offered = desk.undoable().await;
    assert_eq!(offered.iter().map(|(_, reports)| *reports).collect::<Vec<_>>(), [first]);

    // The browser sends the form again, which is about other reports now.
    let again = desk.send("correct-many", &form).await;
    assert!(told(&again).contains("the reports have changed"), "{}", told(&again));
    assert_eq!(desk.corrected().await, first);
    let confirmed = desk.confirm(rest).await;
    let done = desk.send("correct-many", &[("query", QUERY), ("confirmed", &*confirmed)]).await;
    assert!(told(&done).ends_with(&format!("Corrected {rest} reports.")), "{}", told(&done));
    assert_eq!(desk.corrected().await, REPORTS);

    // Each part is a decision that is undone separately; an interrupted undoing is continued.
    let offered = desk.undoable().await;
    assert_eq!(offered.iter().map(|(_, reports)| *reports).collect::<Vec<_>>(), [rest, first]);
    desk.kill(desk.post("undo", &[("entry", &*offered[0].0)])).await;
    assert!(desk.corrected().await > first);
    assert_eq!(desk.undoable().await, offered);
    for (entry, reports) in &offered {
        let undone = desk.send("undo", &[("entry", &**entry)]).await;
        let sentence = format!("Undone: {reports} reports have their earlier values again.");
        assert!(told(&undone).ends_with(&sentence), "{}", told(&undone));
    }
    assert_eq!((desk.corrected().await, desk.undoable().await), (0, Vec::new()));
    let noted = [
        "SELECT CAST(sum(reports) AS BIGINT) FROM audit_log WHERE action = 'reports.correct'",
        "SELECT CAST(sum(reports) AS BIGINT) FROM audit_log WHERE action = 'reports.undo'",
    ];
    for noted in noted {
        assert_eq!(desk.svc.count(noted).await, REPORTS, "{noted}");
    }
    desk.svc.out(&["db", "check"]);
}
