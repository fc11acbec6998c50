//! Operations of tests on PostgreSQL servers.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::{net::TcpStream, path::Path, time::Duration};

use scratch::{
    pgbouncer::Pooler,
    postgres::{Server, Stop},
};
use sqlx::{Connection, PgConnection, postgres::PgConnectOptions};

const FAST: &[&str] = &["fsync=off", "max_connections=20", "shared_buffers=16MB"];

/// Connects without a start-up parameter that sqlx sends by default and pgbouncer does not support.
async fn connect(pooler: &Pooler) -> PgConnection {
    let options: PgConnectOptions = pooler.url("pooled").parse().unwrap();
    PgConnection::connect_with(&options.extra_float_digits(None)).await.unwrap()
}

async fn number(url: &str, sql: &'static str) -> i64 {
    let mut connection = PgConnection::connect(url).await.unwrap();
    let number = sqlx::query_scalar(sql).fetch_one(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    number
}

#[test]
fn a_server_keeps_what_was_committed_however_it_is_stopped() {
    let server = Server::start_on_tcp(FAST);
    server.ask("CREATE TABLE t AS SELECT 1 AS n");
    for how in [Stop::Fast, Stop::Immediate, Stop::Kill] {
        server.stop(how);
        assert!(TcpStream::connect(server.address()).is_err());
        server.start_again();
        server.ask("UPDATE t SET n = n + 1");
    }
    server.restart(Stop::Fast);
    assert_eq!(server.ask("SELECT n FROM t"), "4");
    server.pause();
    server.restart(Stop::Kill);
    assert_eq!(server.ask("SELECT n FROM t"), "4");
    let folder = server.folder().to_owned();
    drop(server);
    assert!(!Path::new(&folder).exists());
}

#[tokio::test]
async fn a_paused_server_answers_when_it_goes_on() {
    let server = Server::start(FAST);
    let mut connection = PgConnection::connect(&server.url("postgres")).await.unwrap();
    server.pause();
    let moment = tokio::time::timeout(Duration::from_millis(300), connection.ping());
    moment.await.expect_err("an answer of a paused server");
    drop(connection);
    server.resume();
    assert_eq!(number(&server.url("postgres"), "SELECT 7::bigint").await, 7);
    // A paused server can also be stopped at once, by dropping it.
    server.pause();
}

#[test]
fn a_replica_follows_lags_and_takes_the_place_of_its_primary() {
    let first = Server::start_on_tcp(FAST);
    let second = first.replica(FAST);
    assert!(second.is_replica() && !first.is_replica());
    first.ask("CREATE TABLE t AS SELECT 1 AS n");
    second.catch_up_with(&first);
    assert_eq!(second.ask("SELECT n FROM t"), "1");

    second.pause_replay();
    first.ask("UPDATE t SET n = 2");
    assert_eq!(second.ask("SELECT n FROM t"), "1");
    second.resume_replay();
    second.catch_up_with(&first);
    assert_eq!(second.ask("SELECT n FROM t"), "2");

    first.stop(Stop::Immediate);
    second.promote();
    second.ask("UPDATE t SET n = 3");
    let address = first.address();
    first.rejoin(&second);
    first.catch_up_with(&second);
    assert!(first.is_replica());
    assert_eq!((first.ask("SELECT n FROM t"), first.address()), ("3".to_owned(), address));
}

#[test]
fn commits_wait_for_a_synchronous_replica_and_no_longer_after_its_promotion() {
    let first = Server::start_on_tcp(FAST);
    let second = first.replica(FAST);
    first.commit_synchronously(&second);
    first.ask("CREATE TABLE t AS SELECT 1 AS n");
    second.rejoin(&first);
    second.commit_alone();
    first.stop(Stop::Kill);
    second.promote();
    assert!(!second.has_synchronous_replica());
    second.ask("UPDATE t SET n = 2");
    first.rejoin(&second);
    second.commit_synchronously(&first);
    assert_eq!(first.ask("SELECT n FROM t"), "2");
    assert!(second.has_synchronous_replica());
}

#[tokio::test]
async fn a_pooler_gives_many_clients_one_connection_to_the_server() {
    let server = Server::start(FAST);
    server.create_named("pooled", None);
    let pooler = Pooler::start(&server, &["default_pool_size=1"]);
    let mut first = connect(&pooler).await;
    let mut second = connect(&pooler).await;
    let mut backends = Vec::new();
    for client in [&mut first, &mut second] {
        let ask = sqlx::raw_sql("SELECT pg_backend_pid()::text").fetch_one(client).await.unwrap();
        let pid: String = sqlx::Row::get(&ask, 0);
        backends.push(pid);
    }
    assert_eq!(backends[0], backends[1]);
    pooler.stop();
    first.ping().await.unwrap_err();
    pooler.start_again();
    connect(&pooler).await.ping().await.unwrap();
}
