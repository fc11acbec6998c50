use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use futures_util::{StreamExt, stream};
use tokio::time::timeout;

use super::{
    super::{
        super::{Client, WINDOW},
        ask::Question,
        decide::{WINDOW_MICROS, micros},
        scripts::{Argument, Script},
    },
    Watcher,
};

/// How many reports are under way at once.
const AT_ONCE: usize = 64;
/// How long one may take.
const PATIENCE: Duration = Duration::from_secs(1);

impl Watcher {
    /// Tells Redis what it has missed: what this node accepted by itself, or, if Redis `has_lost_data`,
    /// everything that it accepted in the last [`WINDOW`].
    ///
    /// # Errors
    /// Redis did not take all of it; the rest is for the next time.
    pub(super) async fn report(&self, has_lost_data: bool) -> Result<(), String> {
        let shared = &self.sharing.0;
        let unreported = shared.unreported.take();
        if !has_lost_data {
            return self.report_logs(unreported).await;
        }
        // In there, too, is what was unreported.
        let mut result = Ok(());
        for part in shared.own.parts() {
            let logs = shared.own.accepted(part, &shared.clock);
            if result.is_ok() {
                result = self.report_logs(logs).await;
            } else {
                logs.into_iter().for_each(|(client, times)| self.put_back(client, times));
            }
        }
        result
    }

    async fn report_logs(
        &self,
        logs: impl IntoIterator<Item = (Client, Vec<Duration>)>,
    ) -> Result<(), String> {
        // The rest is put back if one fails: others would have to wait in vain as well.
        let is_failing = AtomicBool::new(false);
        let report = async |(client, times)| {
            if is_failing.load(Ordering::Relaxed) {
                self.put_back(client, times);
                return Ok(());
            }
            let result = self.report_log(client, &times).await;
            if result.is_err() {
                is_failing.store(true, Ordering::Relaxed);
                self.put_back(client, times);
            }
            result
        };
        let mut reports = stream::iter(logs).map(report).buffer_unordered(AT_ONCE);
        let mut result = Ok(());
        while let Some(reported) = reports.next().await {
            result = result.and(reported);
        }
        result
    }

    fn put_back(&self, client: Client, times: Vec<Duration>) {
        for at in times {
            self.sharing.0.unreported.push(client, at);
        }
    }

    async fn report_log(&self, client: Client, times: &[Duration]) -> Result<(), String> {
        let shared = &self.sharing.0;
        let now = shared.clock.elapsed();
        let ages = times.iter().map(|at| now.saturating_sub(*at)).filter(|age| *age < WINDOW);
        let mut arguments = vec![Argument::Number(WINDOW_MICROS)];
        arguments.extend(ages.map(|age| Argument::Number(micros(age))));
        if arguments.len() == 1 {
            return Ok(());
        }
        arguments.extend(self.sharing.present());
        let question =
            Question { script: Script::Report, key: shared.names.log(client), arguments };
        let reply = timeout(PATIENCE, self.sharing.clone().reply::<u32>(question)).await;
        match reply {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(error.to_string()),
            Err(_) => Err(self.sharing.no_reply()),
        }
    }
}
