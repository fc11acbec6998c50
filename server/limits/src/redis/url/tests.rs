use super::*;

fn target(url: &str) -> Target {
    url.parse::<RedisUrl>().unwrap().target().unwrap()
}

fn error(url: &str) -> String {
    let error = url.parse::<RedisUrl>().unwrap().target().unwrap_err().to_string();
    assert!(!error.contains("s3cret"), "{error}");
    error
}

#[test]
fn a_url_says_where_redis_is_and_who_asks() {
    for (url, shown, database, user, password, is_cluster) in [
        ("redis://localhost", "localhost:6379", 0, None, None, false),
        ("valkey://10.0.0.1:7000/", "10.0.0.1:7000", 0, None, None, false),
        ("redis://[::1]:6380/3", "::1:6380", 3, None, None, false),
        ("rediss://:s3cret@redis.example", "redis.example:6379", 0, None, Some("s3cret"), false),
        ("valkeys://me:p%40ss%2F@h:1", "h:1", 0, Some("me"), Some("p@ss/"), false),
        ("redis://me:p@ss@h:1", "h:1", 0, Some("me"), Some("p@ss"), false),
        ("redis+cluster://one,two:7001", "one:6379,two:7001", 0, None, None, true),
        ("rediss+cluster://me:pw@one:1,two:2/0", "one:1,two:2", 0, Some("me"), Some("pw"), true),
        ("unix:///run/redis.sock", "/run/redis.sock", 0, None, None, false),
        (
            "unix:///run/redis.sock?db=2&user=me&pass=p%40ss",
            "/run/redis.sock",
            2,
            Some("me"),
            Some("p@ss"),
            false,
        ),
    ] {
        let target = target(url);
        let settings = target.nodes[0].redis_settings();
        assert_eq!(
            (&*target.shown, settings.db(), settings.username(), settings.password()),
            (shown, database, user, password),
            "{url}"
        );
        assert_eq!(target.is_cluster, is_cluster, "{url}");
        for node in &target.nodes {
            assert_eq!(node.redis_settings().password(), password, "{url}");
        }
        assert!(!format!("{target:?}").contains("s3cret"));
    }
}

#[test]
fn parameters_change_the_prefix_and_the_timeout() {
    let usual = target("redis://localhost");
    assert_eq!((&*usual.prefix, usual.timeout), ("svc", Duration::from_millis(50)));
    let other = target("redis://localhost/1?prefix=fleet-2.a_B&timeout_ms=70");
    assert_eq!((&*other.prefix, other.timeout), ("fleet-2.a_B", Duration::from_millis(70)));
}

#[test]
fn what_cannot_be_used_is_said_with_what_to_change() {
    for (urls, said) in [
        (
            &[
                "",
                "localhost:6379",
                "redis://",
                "redis://:s3cret@",
                "redis://h:99999",
                "redis://a,,b",
            ][..],
            "--redis-url is not a URL such as redis://HOST:6379",
        ),
        (&["unix://", "unix://host/path", "unix://redis.sock"], "--redis-url is not a URL such as"),
        (&["redis://me:s3cret/x@h"], "the database in --redis-url is not a number"),
        (
            &["http://:s3cret@h", "redis+sentinel://h", "unix+cluster:///a"],
            "the scheme of --redis-url",
        ),
        (
            &["redis://one,two", "rediss://:s3cret@one:1,two:2"],
            "--redis-url names several hosts: if",
        ),
        (
            &["redis://h/x", "redis://h/-1", "unix:///a?db=x"],
            "the database in --redis-url is not a",
        ),
        (
            &["redis+cluster://one,two/1"],
            "--redis-url selects a database of a cluster, which only has database 0",
        ),
        (&["rediss://h/#insecure"], "--redis-url has a #"),
        (
            &["redis://h?protocol=3", "redis://h?db=1", "redis://h?prefix=a&prefix=b"],
            "--redis-url has a parameter that is unknown or given twice; there are prefix, timeout_ms,",
        ),
        (
            &["redis://h?prefix=", "redis://h?prefix={a}", "redis://h?prefix=a:b"],
            "prefix in --redis-url",
        ),
        (
            &["redis://h?timeout_ms=0", "redis://h?timeout_ms=20ms"],
            "timeout_ms in --redis-url is not",
        ),
        (&["rediss://h?cert=a", "rediss://h?key=a"], "--redis-url names only one of cert and key"),
        (
            &["rediss://h?cacert=/nowhere"],
            "the file that cacert in --redis-url names cannot be read",
        ),
        (&["redis://h?cacert=/dev/null"], "--redis-url names certificates but no TLS: use rediss"),
        (
            &["rediss://h?cert=/dev/null&key=/dev/null"],
            "the certificates or the key that --redis-url names are not valid PEM",
        ),
    ] {
        for url in urls {
            let error = error(url);
            assert!(error.starts_with(said), "{url}: {error}");
        }
    }
}

#[test]
fn a_url_is_not_shown() {
    let url: RedisUrl = "redis://:s3cret@localhost".parse().unwrap();
    assert_eq!(format!("{url:?}"), "RedisUrl(…)");
}
