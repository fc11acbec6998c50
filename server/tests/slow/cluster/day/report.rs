//! Report of a cluster day: each history's steps, and the distribution of the times until normal.

use std::{collections::BTreeMap, fmt::Write as _, time::Duration};

use super::super::{
    NODES,
    checks::Span,
    faults::{Failed, Kind, Step},
    scene::{Effects, Recovered},
};

/// Step that has happened.
pub(super) struct Happened {
    pub(super) faults: Step,
    /// Times of each failure.
    pub(super) failed: Vec<Failed>,
    pub(super) recovered: Recovered,
    pub(super) effects: Effects,
    /// Time from the first failure until redundancy was restored.
    pub(super) span: Span,
    /// Longest time without a webhook.
    pub(super) without_webhooks: Duration,
}

impl Happened {
    pub(super) fn has(&self, is: impl Fn(Kind) -> bool) -> bool {
        self.faults.iter().any(|fault| is(fault.kind))
    }

    /// Whether there may have been moments without a node that answers.
    pub(super) fn is_without_nodes(&self) -> bool {
        let nodes = self.faults.iter().filter(|fault| fault.kind.is_of_nodes()).count();
        nodes >= NODES || self.has(|kind| kind == Kind::AllNodesKilled)
    }

    fn times(&self) -> Times {
        let begin = self.span.begin;
        let repaired = self.failed.iter().map(|one| one.repaired).max().unwrap_or(begin);
        Times {
            after_failure: self.recovered.all - begin,
            after_repair: self.recovered.all.saturating_duration_since(repaired),
            publishing: self.recovered.published.saturating_duration_since(repaired),
            unavailable: self.effects.unavailable,
            without_webhooks: self.without_webhooks,
        }
    }
}

/// Durations of a step.
#[derive(Clone, Copy)]
struct Times {
    /// Time from the failure until all was well.
    after_failure: Duration,
    /// Time from the repair until all was well.
    after_repair: Duration,
    /// Time from the repair until reports were published.
    publishing: Duration,
    /// Time between the first and the last failed response.
    unavailable: Duration,
    /// Longest time without a webhook.
    without_webhooks: Duration,
}

pub(super) struct Report {
    text: String,
    times: BTreeMap<Option<Kind>, Vec<Times>>,
    /// Seeds of failed histories.
    pub(super) failed: Vec<u64>,
}

impl Report {
    pub(super) fn of(seed: u64) -> Self {
        let text = format!("SVC_CLUSTER_SEED={seed}\n");
        Self { text, times: BTreeMap::new(), failed: Vec::new() }
    }

    /// Adds a history, and returns its lines.
    pub(super) fn add(
        &mut self,
        seed: u64,
        steps: &[Happened],
        ended: Result<String, Vec<String>>,
    ) -> String {
        let mut text = format!("\nHistory with the seed {seed}\n");
        for step in steps {
            let times = step.times();
            let kind = <[_; 1]>::try_from(step.faults.as_slice().to_vec()).ok();
            self.times.entry(kind.map(|[fault]| fault.kind)).or_default().push(times);
            let faults: Vec<String> = step.faults.iter().map(ToString::to_string).collect();
            writeln!(
                text,
                "  {}\n    all was well {:.1} s after the failure and {:.1} s after the repair, publishing {:.1} s after \
                 it; {}; {:.1} s without a webhook",
                faults.join("; "),
                times.after_failure.as_secs_f64(),
                times.after_repair.as_secs_f64(),
                times.publishing.as_secs_f64(),
                step.effects,
                times.without_webhooks.as_secs_f64()
            )
            .unwrap();
        }
        match ended {
            Ok(counted) => writeln!(text, "  All is counted: {counted}").unwrap(),
            Err(failures) => {
                self.failed.push(seed);
                writeln!(text, "  FAILED:\n  {}", failures.join("\n  ")).unwrap();
            }
        }
        self.text += &text;
        text
    }

    pub(super) fn text(&self) -> String {
        format!("{}\n{}\nFailed: {:?}\n", self.text, self.distribution(), self.failed)
    }

    /// Table with minimum, median, 90th percentile and maximum of the times after each kind of failure.
    pub(super) fn distribution(&self) -> String {
        let mut text = "Seconds (minimum / median / p90 / maximum):\n\n\
            | Failure | Times | Until normal | Of these after the repair | Publishing after the repair | Failed responses within | Without a webhook |\n\
            |---|--:|--:|--:|--:|--:|--:|\n"
            .to_owned();
        for (kind, times) in &self.times {
            let column = |of: fn(&Times) -> Duration| {
                let mut all: Vec<f64> = times.iter().map(|one| of(one).as_secs_f64()).collect();
                all.sort_by(f64::total_cmp);
                let at = |share: usize| all[(all.len() - 1) * share / 100];
                let p90 = all[((all.len() * 9).div_ceil(10)) - 1];
                format!("{:.1} / {:.1} / {p90:.1} / {:.1}", at(0), at(50), at(100))
            };
            writeln!(
                text,
                "| {} | {} | {} | {} | {} | {} | {} |",
                kind.map_or("several at once", Kind::name),
                times.len(),
                column(|one| one.after_failure),
                column(|one| one.after_repair),
                column(|one| one.publishing),
                column(|one| one.unavailable),
                column(|one| one.without_webhooks)
            )
            .unwrap();
        }
        text
    }
}
