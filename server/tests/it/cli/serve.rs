mod mails;
mod reloading;
mod stopping;

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{Shutdown, TcpStream},
    time::Duration,
};

use base::clock::Clock;
use chrono::Days;
use rcgen::generate_simple_self_signed;
use store::{Filter, Missing, Period, PlaceFilter};

use crate::{
    harness::{Ran, Svc, http, soon},
    served::Served,
};

/// Starts `svc serve` and waits until it prints its URLs.
fn serve(svc: &Svc, flags: &[&str]) -> Served {
    let arguments =
        [&["serve", "--addr", "127.0.0.1:0", "--ops-addr", "127.0.0.1:0"], flags].concat();
    let served = Served::of(svc.command(&arguments));
    served.unwrap_or_else(|said| panic!("svc serve ended: {said}"))
}

#[tokio::test]
async fn the_binary_alone_in_an_empty_folder_serves_everything() {
    let svc = Svc::new();
    let served = serve(&svc, &["--demo"]);
    let url = &served.url;
    let get = async |path: &str| {
        let response = http().get(format!("{url}{path}")).send().await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
        response.text().await.unwrap()
    };
    let metrics: serde_json::Value = serde_json::from_str(&get("/api/v1/metrics").await).unwrap();
    assert!(metrics["total"].as_u64().unwrap() >= 12_000, "{metrics}");
    for path in ["/", "/embed/metrics", "/embed.js", "/favicon.svg"] {
        assert!(!get(path).await.is_empty());
    }
}

#[tokio::test]
async fn the_demo_adds_each_day_of_the_last_weeks_once() {
    let svc = Svc::new();
    let today = Clock::system().now().date_naive();
    let on = async |days_ago: u64| {
        let day = Some(today - Days::new(days_ago));
        let period = Period { from: day, to: day };
        let filter = Filter { period, place: PlaceFilter::default() };
        let store = svc.open(Missing::Refuse).await;
        let counters = store.counters().metrics(&filter, today).await.unwrap().value;
        store.close().await;
        counters.by_type.iter().sum::<u64>()
    };
    let filled = async |days_ago| {
        while on(days_ago).await == 0 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let served = serve(&svc, &["--demo"]);
    assert!(on(1).await > 1_000);
    soon("the day before yesterday", filled(2)).await;
    let before = [on(1).await, on(2).await];
    // Killed in the middle of its work, it continues, and repeats nothing.
    drop(served);
    let _served = serve(&svc, &["--demo"]);
    soon("the next days", filled(4)).await;
    assert_eq!([on(1).await, on(2).await], before);
}

#[test]
fn it_says_which_database_it_serves_and_whether_that_is_new() {
    let svc = Svc::new();
    let first_line = || {
        let mut command =
            svc.command(&["serve", "--addr", "127.0.0.1:0", "--ops-addr", "127.0.0.1:0"]);
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        line
    };
    let name = svc.database_name();
    assert_eq!(first_line(), format!("The database {name} is new.\n"));
    assert_eq!(first_line(), format!("The database is {name}.\n"));
}

#[test]
fn services_that_start_at_the_same_time_on_a_new_database_all_come_up() {
    let svc = Svc::new();
    let served: Vec<Served> = std::thread::scope(|scope| {
        let starts: Vec<_> = (0..3).map(|_| scope.spawn(|| serve(&svc, &[]))).collect();
        starts.into_iter().map(|start| start.join().unwrap()).collect()
    });
    assert!(served.iter().all(|served| served.url.starts_with("http://")));
}

#[tokio::test]
async fn what_another_process_approves_shows_without_a_restart() {
    let svc = Svc::migrated();
    svc.import("id,type,city,country\na,spirit,Oslo,Norway\n", &[]);
    let served = serve(&svc, &[]);
    let url = &served.url;
    svc.out(&["reports", "approve", "a"]);
    // The test polls without a pause, which only this tier permits.
    let created = ["keys", "create", "--partner", "us", "--tier", "enterprise", "--json"];
    let key = svc.json(&created)["key"].as_str().unwrap().to_owned();
    let total = async || {
        let request = http().get(format!("{url}/api/v1/metrics")).bearer_auth(&key);
        let body = request.send().await.unwrap().text().await.unwrap();
        serde_json::from_str::<serde_json::Value>(&body).unwrap()["total"].as_u64().unwrap()
    };
    soon("the report", async {
        while total().await != 1 {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_worker_that_panics_ends_the_service_with_an_error() {
    let svc = Svc::migrated();
    svc.import("id,type,city,country\na,spirit,Oslo,Norway\n", &["--approve"]);
    let mut served = serve(&svc, &[]);
    let said = served.child.stderr.take().unwrap();
    // The largest possible counters: adding them up panics.
    svc.change(
        "UPDATE counts SET counts = x'01FFFFFFFFFFFFFFFF7FFFFFFFFFFFFFFFFF7FFFFFFFFFFFFFFFFF7F' WHERE grain = 0;
         UPDATE data_version SET version = version + 1",
    )
    .await;
    let said = tokio::task::spawn_blocking(move || std::io::read_to_string(said).unwrap());
    let ended = async {
        loop {
            if let Some(ended) = served.child.try_wait().unwrap() {
                return ended.code();
            }
            tokio::task::yield_now().await;
        }
    };
    let code = soon("the end", ended).await;
    let said = said.await.unwrap();
    assert_eq!(code, Some(1), "{said}");
    let logged = "a worker failed worker=snapshot error=it panicked: attempt to add with overflow";
    assert!(said.contains(logged), "{said}");
}

#[test]
fn an_address_that_is_taken_is_said() {
    let svc = Svc::new();
    let served = serve(&svc, &[]);
    let url = &served.url;
    let addr = url.strip_prefix("http://").unwrap();
    let ops = served.ops.strip_prefix("http://").unwrap();
    for (flag, taken, arguments) in [
        ("--addr", addr, ["--addr", addr, "--ops-addr", "127.0.0.1:0"]),
        ("--ops-addr", ops, ["--addr", "127.0.0.1:0", "--ops-addr", ops]),
    ] {
        let ran = svc.run(&[&["serve"], &arguments[..]].concat());
        assert_eq!(ran.code, Some(1));
        assert_eq!(
            ran.err,
            format!(
                "svc: cannot listen on {flag} {taken}: Address already in use (os error 98); stop the \
                 process that listens there, or choose another address\n"
            )
        );
    }
}

#[tokio::test]
async fn an_address_may_be_a_name() {
    let svc = Svc::new();
    let command = svc.command(&["serve", "--addr", "localhost:0", "--ops-addr", "localhost:0"]);
    let served = Served::of(command).unwrap();
    for url in [format!("{}/healthz", served.url), format!("{}/healthz", served.ops)] {
        assert!(url.starts_with("http://127.0.0.1:"), "{url}");
        assert_eq!(http().get(url).send().await.unwrap().status(), 200);
    }
}

#[test]
fn settings_that_cannot_be_are_refused_with_what_to_change() {
    let svc = Svc::new();
    for (arguments, said) in [
        (["--public-url", "svc.example.org"], "write it as https://HOST"),
        (["--public-url", "https://svc.example.org/?x"], "leave out the query (?)"),
        (["--public-url", "https://svc.example.org/#x"], "and the fragment (#)"),
        (["--public-url", "https://example.org/docs"], "choose a path that does not begin with"),
        (["--streams-per-address", "0"], "0 is not in"),
        (["--frame-ancestors", "*; script-src *"], "write sources separated by spaces"),
        (["--addr", "localhost"], "invalid socket address"),
    ] {
        let ran = svc.run(&[&["serve"], &arguments[..]].concat());
        assert_eq!(ran.code, Some(2), "{arguments:?}");
        assert!(ran.err.contains(said), "{}", ran.err);
    }
}

#[test]
fn files_of_tls_that_cannot_be_used_are_refused_with_what_to_change() {
    let svc = Svc::new();
    let pair = || generate_simple_self_signed(["svc.example.org".to_owned()]).unwrap();
    let (one, other) = (pair(), pair());
    for (name, text) in [
        ("cert.pem", one.cert.pem()),
        ("key.pem", one.signing_key.serialize_pem()),
        ("other.pem", other.signing_key.serialize_pem()),
        ("text.pem", "nonsense".to_owned()),
    ] {
        std::fs::write(svc.path(name), text).unwrap();
    }
    let run = |cert: &str, key: &str| {
        let ran =
            svc.run(&["serve", "--addr", "127.0.0.1:0", "--tls-cert", cert, "--tls-key", key]);
        (ran.code, ran.err)
    };
    for (cert, key, said) in [
        (
            "none.pem",
            "key.pem",
            "--tls-cert, --tls-key: certificate none.pem cannot be read: No such file or directory (os error 2)",
        ),
        (
            "cert.pem",
            "none.pem",
            "--tls-cert, --tls-key: key none.pem cannot be read: No such file or directory (os error 2)",
        ),
        (
            "text.pem",
            "key.pem",
            "--tls-cert, --tls-key: certificate text.pem contains no certificate: give a PEM file with the certificate \
                of this host first, and then those of its issuers",
        ),
        (
            "cert.pem",
            "cert.pem",
            "--tls-cert, --tls-key: key cert.pem contains no private key: give a PEM file with a key that no \
                passphrase protects",
        ),
        (
            "cert.pem",
            "other.pem",
            "--tls-cert, --tls-key: key other.pem does not belong to certificate cert.pem: use the key of this \
                certificate, and the certificate of this host as the first of its file",
        ),
    ] {
        assert_eq!(run(cert, key), (Some(1), format!("svc: {said}\n")));
    }
    for (flag, other) in [("--tls-cert", "--tls-key"), ("--tls-key", "--tls-cert")] {
        let ran = svc.run(&["serve", flag, "cert.pem"]);
        assert_eq!(ran.code, Some(2));
        assert!(ran.err.contains("required") && ran.err.contains(other), "{}", ran.err);
    }
}

#[test]
fn clients_cannot_fill_the_log() {
    let svc = Svc::new();
    let mut served = serve(&svc, &[]);
    let address = served.url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    // HTTP/2 settings, then the response to a PING that the server never sent.
    stream.write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0").unwrap();
    stream.write_all(b"\0\0\x08\x06\x01\0\0\0\0nonsense").unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    stream.read_to_end(&mut Vec::new()).unwrap();
    served.child.kill().unwrap();
    let said = std::io::read_to_string(served.child.stderr.take().unwrap()).unwrap();
    assert_eq!(said, "");
}

#[test]
fn the_lines_of_a_start_have_the_format_of_the_log() {
    let svc = Svc::new();
    let mut command = svc.command(&["serve", "--addr", "127.0.0.1:0", "--ops-addr", "127.0.0.1:0"]);
    // Under systemd no log format is set either.
    let mut child = command.env_remove("SVC_LOG_FORMAT").spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().take(3);
    let lines: Vec<serde_json::Value> =
        lines.map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
    child.kill().unwrap();
    child.wait().unwrap();
    let starts = [
        format!("The database {} is new.", svc.database_name()),
        "svc serves http://127.0.0.1:".to_owned(),
        "For the operator: http://127.0.0.1:".to_owned(),
    ];
    for (line, start) in lines.iter().zip(starts) {
        let members: Vec<&String> = line.as_object().unwrap().keys().collect();
        assert_eq!(members, ["timestamp", "level", "message", "target"]);
        assert_eq!(line["timestamp"].as_str().unwrap().len(), "2026-03-01T12:00:00.000000Z".len());
        assert_eq!(line["level"], "INFO");
        assert!(line["message"].as_str().unwrap().starts_with(&start), "{line}");
    }
}

#[test]
fn settings_that_cannot_work_end_it_with_another_status_than_what_may_pass() {
    let svc = Svc::with_file();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    let parameter = "postgres://svc:secret@127.0.0.1:1/svc?sslmod=verify-full";
    for (variable, value, code, said) in [
        ("DATABASE_URL", "mysql://svc:secret@h/svc", 2, "is not one this binary can open"),
        ("DATABASE_URL", parameter, 2, "there is no parameter \"sslmod\"; the nearest is sslmode"),
        ("SVC_SECRET_KEY", "three", 2, "SVC_SECRET_KEY"),
        ("SVC_ADDR", "nowhere", 2, "HOST:PORT"),
        ("SVC_ADDR", &taken, 1, "stop the process that listens there"),
    ] {
        let mut serve = svc.command(&["serve", "--ops-addr", "127.0.0.1:0"]);
        let ran = Ran::of(serve.env(variable, value).output().unwrap());
        assert_eq!(ran.code, Some(code), "{variable}={value}: {}", ran.err);
        assert!(ran.err.contains(said) && !ran.err.contains("secret@"), "{}", ran.err);
    }
    let ran = svc.run(&["keys", "list", "--database-url", parameter]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{}", ran.err);
}
