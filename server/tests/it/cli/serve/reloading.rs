//! Effects of SIGHUP.

use std::fs;

use crate::{
    harness::{Answer, Svc, http, soon},
    served::Served,
};

/// Service with a settings file.
struct Reloaded {
    svc: Svc,
    served: Served,
}

impl Reloaded {
    fn start(text: &str) -> Self {
        let svc = Svc::migrated();
        fs::write(svc.path("svc.toml"), text).unwrap();
        let served = Served::start(&svc);
        Self { svc, served }
    }

    /// Writes the settings file again, and waits for a line of the log.
    async fn reload(&self, text: &str, line: &str) -> String {
        let before = self.log().len();
        fs::write(self.svc.path("svc.toml"), text).unwrap();
        self.served.signal("HUP");
        soon(line, async {
            loop {
                let new = self.log()[before..].to_owned();
                if new.contains(line) {
                    return new;
                }
                tokio::task::yield_now().await;
            }
        })
        .await
    }

    fn log(&self) -> String {
        fs::read_to_string(self.svc.path("log")).unwrap()
    }

    /// Whether links of the home page contain the host that a proxy sent.
    async fn host_in_links(&self) -> bool {
        let request = http().get(&self.served.url).header("x-forwarded-host", "svc.example.org");
        let page = Answer::of(request.send().await.unwrap()).await;
        assert_eq!(page.status, 200);
        page.text().contains("://svc.example.org/embed.js")
    }
}

const RELOADED: &str = "the log's levels, the trusted proxies and the certificate were reloaded";

#[tokio::test]
async fn trusted_proxies_and_the_levels_of_the_log_are_taken_over() {
    let service = Reloaded::start("");
    assert!(!service.host_in_links().await);
    service.reload("trusted-proxies = '127.0.0.1'\nlog = 'info'\n", RELOADED).await;
    assert!(service.host_in_links().await);
    assert!(!service.log().contains("path=\"/robots.txt\""));
    service.reload("log = ['info', 'svc=debug']\n", RELOADED).await;
    assert!(!service.host_in_links().await);
    service.served.get("/robots.txt").await;
    soon("the request's line", async {
        while !service.log().contains("path=\"/robots.txt\"") {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

#[tokio::test]
async fn what_takes_a_restart_is_named_and_waits_for_one() {
    let service = Reloaded::start("drain-delay = 0\n");
    let line = "settings have changed that take effect only after a restart";
    let log = service.reload("drain-delay = 1\npublic-url = 'https://a.example'\n", line).await;
    assert!(log.contains("settings=\"public-url, drain-delay\""), "{log}");
    assert!(!service.served.get("/").await.text().contains("a.example"));
}

#[tokio::test]
async fn a_file_that_cannot_be_used_changes_nothing() {
    let service = Reloaded::start("trusted-proxies = '127.0.0.1'\n");
    let line = "the settings could not be reloaded: nothing has changed";
    let log = service.reload("trusted-proxies = ['10.0.0.0/8', 'x']\n", line).await;
    assert!(
        log.contains("svc.toml:1: invalid value '10.0.0.0/8,x' for '--trusted-proxies"),
        "{log}"
    );
    assert!(service.host_in_links().await);
}
