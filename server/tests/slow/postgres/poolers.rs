//! pgbouncer, which may give each transaction a different server connection.

use futures_util::future::join_all;
use scratch::{
    pgbouncer::Pooler,
    postgres::{Server, Stop},
};
use sqlx::{Connection, PgConnection, postgres::PgConnectOptions};
use store::{Missing, open_url};

use super::{publish, seen, texts};
use crate::{
    harness::{Svc, http, soon},
    served::Served,
};

/// Settings in the docs, without those for one machine.
fn documented() -> Vec<&'static str> {
    let page = include_str!("../../../../docs/operate/several-nodes.md");
    let (_, block) = page.split_once("[pgbouncer]\n").unwrap();
    let lines = block.split("```").next().unwrap().lines();
    let elsewhere = ["listen_", "auth_", "pool_mode", ";"];
    lines.filter(|line| !elsewhere.iter().any(|of| line.starts_with(of))).collect()
}

/// Whether the server responds through a pooler.
async fn is_reached(url: &str) -> bool {
    let options: PgConnectOptions = url.parse().unwrap();
    // Poolers support few session settings.
    let options = options.extra_float_digits(None);
    let Ok(mut connection) = PgConnection::connect_with(&options).await else { return false };
    sqlx::raw_sql("SELECT 1").execute(&mut connection).await.is_ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn with_the_documented_settings_a_server_that_is_back_is_used_sooner() {
    let server = Server::start(&[]);
    server.create_named("svc", None);
    // Statements wait this long for a server that is down, instead of two minutes.
    let waiting = ["query_wait_timeout=1"];
    let settings = [documented(), Vec::new()].map(|settings| [&settings[..], &waiting].concat());
    let poolers = settings.map(|settings| Pooler::start(&server, &settings));
    let [documented, usual] = poolers.each_ref().map(|pooler| pooler.url("svc"));
    for url in [&documented, &usual] {
        assert!(is_reached(url).await);
    }
    server.stop(Stop::Fast);
    for url in [&documented, &usual] {
        assert!(!is_reached(url).await);
    }
    server.start_again();
    soon("the server", async { while !is_reached(&documented).await {} }).await;
    assert!(!is_reached(&usual).await, "it waits for 15 seconds");
}

#[tokio::test(flavor = "multi_thread")]
async fn many_stores_share_two_connections() {
    let server = Server::start(&[]);
    server.create_named("svc", None);
    let pooler = Pooler::start(&server, &["default_pool_size=2"]);
    for parameter in ["pgbouncer=true", "statement-cache-capacity=0"] {
        let url = format!("{}?{parameter}", pooler.url("svc"));
        // All stores use the same names for their prepared statements.
        let stores = join_all((0..4).map(|_| open_url(&url, Missing::Create))).await;
        let stores: Vec<_> = stores.into_iter().map(Result::unwrap).collect();
        join_all(stores.iter().zip(["a", "b", "c", "d"]).map(async |(store, id)| {
            publish(store, &format!("{parameter}-{id}"), "Recife").await;
            for _ in 0..20 {
                seen(store).await;
                store.data_version().await.unwrap();
                store.reports().imports(9).await.unwrap();
                store.try_write().await.unwrap();
            }
        }))
        .await;
        for store in stores {
            store.close().await;
        }
    }
    let direct = open_url(&server.url("svc"), Missing::Refuse).await.unwrap();
    let (count, _, cities) = seen(&direct).await;
    assert_eq!((count, cities), (8, texts(&["Recife"])));
    let left = "SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'";
    // The pooler rolls back a closed connection a moment later.
    soon("the end of all transactions", async { while server.ask(left) != "0" {} }).await;
    direct.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_behind_a_pooler_outlives_a_restart_of_the_server_and_of_the_pooler() {
    let server = Server::start(&[]);
    server.create_named("svc", None);
    let pooler = Pooler::start(&server, &documented());
    let (svc, url) = (Svc::with_file(), format!("{}?pgbouncer=true", pooler.url("svc")));
    let served = Served::start_with(&svc, &["--database-url", &url]);
    let http = http();
    let total = async || -> Option<u64> {
        let answer = http.get(format!("{}/api/v1/metrics", served.url)).send().await.unwrap();
        let metrics: serde_json::Value = answer.json().await.unwrap();
        metrics["total"].as_u64()
    };
    let publish = |id: &str| {
        let csv = format!("id,type,city,country\n{id},water,Recife,Brazil\n");
        std::fs::write(svc.path("reports.csv"), csv).unwrap();
        let import = ["reports", "import", "reports.csv", "--approve", "--database-url", &url];
        svc.run(&import).code == Some(0)
    };
    let shows = async |expected: u64| {
        soon("the report", async {
            while total().await != Some(expected) {
                tokio::time::sleep(std::time::Duration::from_millis(1_500)).await;
            }
        })
        .await;
    };
    assert!(publish("r-1"));
    shows(1).await;
    server.restart(Stop::Fast);
    soon("a publication", async { while !publish("r-2") {} }).await;
    shows(2).await;
    pooler.stop();
    pooler.start_again();
    soon("a publication", async { while !publish("r-3") {} }).await;
    shows(3).await;
}
