use std::time::{Duration, Instant};

use crate::{
    harness::{Answer, Held, Svc, http, soon},
    served::Served,
};

const PROBLEM: &str = "the data can be read, but not written: another process has been writing to the database for 60 \
    seconds without a pause: try again when it is done\n";
/// Time between two looks at the health.
const PAUSE: Duration = Duration::from_millis(250);

async fn health(served: &Served) -> (u16, String) {
    let answer = http().get(format!("{}/health", served.ops)).send().await.unwrap();
    let answer = Answer::of(answer).await;
    (answer.status, answer.text())
}

async fn health_becomes(served: &Served, status: u16, text: &str) {
    let wanted = (status, text.to_owned());
    soon(text, async {
        while health(served).await != wanted {
            tokio::time::sleep(PAUSE).await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_writer_that_makes_others_wait_is_a_problem_only_when_they_give_up() {
    let svc = Svc::with_migrated_file();
    let served = Served::start(&svc);
    health_becomes(&served, 200, "ok\n").await;
    let writer = Held::hold(&svc.database_url()).await;
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(59) {
        let (_, text) = health(&served).await;
        assert!(!text.contains("not written"), "{text}");
        tokio::time::sleep(PAUSE).await;
    }
    health_becomes(&served, 503, PROBLEM).await;
    writer.commit().await;
    health_becomes(&served, 200, "ok\n").await;
}
