use std::time::Duration;

use clap::Args;

/// How the service goes when it is told to (SIGTERM).
#[derive(Args, Clone, Copy, Debug)]
pub struct Draining {
    /// Seconds for which the service still takes new requests after SIGTERM, while /readyz is 503: as
    /// long as a load balancer needs to notice
    #[arg(
        long,
        env = "SVC_DRAIN_DELAY",
        default_value_t = 0,
        value_name = "SECONDS",
        value_parser = clap::value_parser!(u16).range(..=MOST)
    )]
    pub drain_delay: u16,

    /// Seconds over which open streams end after that, so that browsers don't all come back at once
    #[arg(
        long,
        env = "SVC_DRAIN_SPREAD",
        default_value_t = 10,
        value_name = "SECONDS",
        value_parser = clap::value_parser!(u16).range(..=MOST)
    )]
    pub drain_spread: u16,
}

/// An hour: more is a mistake.
const MOST: i64 = 3_600;

impl Draining {
    pub fn delay(&self) -> Duration {
        Duration::from_secs(self.drain_delay.into())
    }

    pub fn spread(&self) -> Duration {
        Duration::from_secs(self.drain_spread.into())
    }
}
