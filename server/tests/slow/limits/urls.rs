use crate::harness::Svc;

#[test]
fn a_url_that_cannot_be_used_stops_the_start_without_being_shown() {
    let svc = Svc::with_file();
    for (url, said) in [
        (
            "redis://:s3cret@one:6379,two:6379",
            "--redis-url names several hosts: if they are nodes of a",
        ),
        (
            "http://:s3cret@localhost",
            "the scheme of --redis-url is unknown: use redis, redis+cluster,",
        ),
        ("redis://:s3cret@localhost?cacert=/nowhere", "the file that cacert in --redis-url names"),
    ] {
        let ran = svc.run(&["serve", "--addr", "127.0.0.1:0", "--redis-url", url]);
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        assert!(ran.err.contains(said) && !ran.err.contains("s3cret"), "{}", ran.err);
        std::fs::remove_dir_all(svc.path("data")).unwrap();
    }
}
