//! Start of a node while its server is down or refuses the connection.

use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};
use scratch::postgres::{Server, Stop};
use sqlx::Connection;

use crate::{
    harness::{Answer, Svc, http, soon},
    redis::free_addresses,
    served::Served,
};

/// Folder, two free URLs, and the flags of a node that listens there.
fn node(url: &str) -> (Svc, [String; 2], Vec<String>) {
    let svc = Svc::with_file();
    let [public, ops] = free_addresses().map(|address| address.to_string());
    let flags = [
        format!("--addr={public}"),
        format!("--ops-addr={ops}"),
        format!("--database-url={url}"),
        format!("--secret-key-file={}", svc.path("svc.key").display()),
    ];
    (svc, [public, ops].map(|address| format!("http://{address}")), flags.into())
}

/// First response from the URL.
async fn answered(url: String) -> Answer {
    let answer = soon("an answer", async {
        loop {
            match http().get(&url).send().await {
                Ok(answer) => return answer,
                Err(_) => tokio::task::yield_now().await,
            }
        }
    });
    Answer::of(answer.await).await
}

#[tokio::test(flavor = "multi_thread")]
async fn it_waits_for_a_server_that_is_away_and_answers_that_it_does() {
    let server = Server::start_on_tcp(&[]);
    server.create_named("svc", None);
    server.stop(Stop::Fast);
    let (svc, [public, ops], flags) = node(&server.tcp_url("svc"));
    let mut command = svc.command(&["serve", "--log-format=text"]);
    command.args(flags).stderr(std::fs::File::create(svc.path("log")).unwrap());
    let served = tokio::task::spawn_blocking(|| Served::of(command));

    let alive = answered(format!("{public}/healthz")).await;
    assert_eq!((alive.status, alive.text().as_str()), (200, "ok\n"));
    let ready = answered(format!("{public}/readyz")).await;
    assert_eq!((ready.status, ready.text().as_str()), (503, "not ready\n"));
    for path in ["/", "/api/v1/metrics", "/api/v1/stream", "/embed/metrics"] {
        let answer = answered(format!("{public}{path}")).await;
        assert_eq!((answer.status, answer.header("retry-after")), (503, "5"), "{path}");
        let problem = answer.json();
        assert_eq!(problem["code"], "UNAVAILABLE", "{problem}");
        assert_eq!(
            problem["detail"],
            "The service is starting and waits for its database. Try again in a few seconds."
        );
    }
    assert_eq!(answered(format!("{ops}/healthz")).await.status, 200);
    for path in ["/readyz", "/health"] {
        let answer = answered(format!("{ops}{path}")).await;
        assert_eq!(answer.status, 503);
        let said = answer.text();
        assert!(
            said.starts_with("the node waits for its database: the database postgres://"),
            "{said}"
        );
        assert!(said.contains("cannot be reached"), "{said}");
    }
    let numbers = answered(format!("{ops}/metrics")).await;
    assert_eq!(numbers.status, 200);
    assert!(numbers.text().contains("\nsvc_snapshot_failing 1\n"), "{}", numbers.text());

    server.start_again();
    let mut served = soon("the service", served).await.unwrap().unwrap();
    assert_eq!(answered(format!("{public}/readyz")).await.status, 200);
    assert_eq!(answered(format!("{public}/api/v1/metrics")).await.json()["total"], 0);
    served.stop();
    let log = std::fs::read_to_string(svc.path("log")).unwrap();
    let waits = log.matches("the database cannot be used yet").count();
    assert_eq!((waits, log.matches("the database can be used").count()), (1, 1), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_waits_ends_when_it_is_told_to() {
    let [nowhere] = free_addresses();
    for signal in [Signal::TERM, Signal::INT] {
        let (svc, [public, _], flags) = node(&format!("postgres://svc@{nowhere}/svc"));
        let mut command = svc.command(&["serve"]);
        let mut child = command.args(flags).stderr(Stdio::null()).spawn().unwrap();
        assert_eq!(answered(format!("{public}/healthz")).await.status, 200);
        kill_process(Pid::from_child(&child), signal).unwrap();
        let ended = tokio::task::spawn_blocking(move || child.wait().unwrap());
        assert_eq!(soon("the end", ended).await.unwrap().code(), Some(0));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn it_waits_while_the_server_has_no_connection_left_but_not_for_what_only_people_can_change()
{
    let server = Server::start_on_tcp(&["max_connections=10", "superuser_reserved_connections=0"]);
    server.create_named("svc", None);
    server.ask("CREATE ROLE limited LOGIN CONNECTION LIMIT 0");
    let limited = server.tcp_url("svc").replace("svc@", "limited@");
    let (svc, [public, ops], flags) = node(&limited);
    let mut command = svc.command(&["serve"]);
    let mut child = command.args(flags).stderr(Stdio::null()).spawn().unwrap();
    assert_eq!(answered(format!("{public}/readyz")).await.status, 503);
    let said = answered(format!("{ops}/health")).await.text();
    assert!(said.contains("too many connections"), "{said}");
    child.kill().unwrap();
    child.wait().unwrap();

    // A role that does not exist.
    let unknown = server.tcp_url("svc").replace("svc@", "nobody@");
    for (url, said) in
        [(unknown, "does not let svc in"), (server.tcp_url("none"), "does not let svc in")]
    {
        let (svc, _, flags) = node(&url);
        let mut command = svc.command(&["serve"]);
        let ran = command.args(flags).output().unwrap();
        let error = String::from_utf8(ran.stderr).unwrap();
        assert_eq!(ran.status.code(), Some(1), "{error}");
        assert!(error.contains(said), "{error}");
    }
    server.ask("ALTER ROLE svc SUPERUSER");
    let migrated = Svc::with_file();
    let url = server.tcp_url("svc");
    let key = format!("--secret-key-file={}", migrated.path("svc.key").display());
    assert_eq!(migrated.run(&["db", "migrate", "--database-url", &url, &key]).code, Some(0));
    let newer =
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
                 VALUES (9999, 'later', TRUE, '', 0); UPDATE compatibility SET oldest = 9999";
    let mut connection = sqlx::PgConnection::connect(&url).await.unwrap();
    sqlx::raw_sql(newer).execute(&mut connection).await.unwrap();
    let (svc, _, flags) = node(&url);
    let ran = svc.command(&["serve"]).args(flags).output().unwrap();
    let error = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(1), "{error}");
    assert!(error.contains("newer than this binary"), "{error}");
}
