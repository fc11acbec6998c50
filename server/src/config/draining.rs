use std::time::Duration;

use clap::Args;

/// Draining of the service on SIGTERM.
#[derive(Args, Clone, Copy, Debug)]
pub struct Draining {
    /// Seconds for which the service accepts new requests after SIGTERM, while /readyz is 503: the time that a load
    /// balancer needs to notice
    #[arg(
        long,
        env = "SVC_DRAIN_DELAY",
        default_value_t = 0,
        value_name = "SECONDS",
        value_parser = clap::value_parser!(u16).range(..=MAX_SECONDS)
    )]
    pub drain_delay: u16,

    /// Seconds after that delay over which open streams end, so that clients don't all reconnect at once
    #[arg(
        long,
        env = "SVC_DRAIN_SPREAD",
        default_value_t = 10,
        value_name = "SECONDS",
        value_parser = clap::value_parser!(u16).range(..=MAX_SECONDS)
    )]
    pub drain_spread: u16,
}

/// An hour; a longer time is a mistake.
const MAX_SECONDS: i64 = 3_600;

impl Draining {
    pub fn delay(&self) -> Duration {
        Duration::from_secs(self.drain_delay.into())
    }

    pub fn spread(&self) -> Duration {
        Duration::from_secs(self.drain_spread.into())
    }
}
