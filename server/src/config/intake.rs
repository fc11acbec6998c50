use clap::{Args, ValueEnum};

/// Reports from the public.
#[derive(Args, Clone, Copy, Debug)]
pub struct Intake {
    /// Whether everybody may submit reports, by the widget report and by the API; see docs/intake.md
    #[arg(long, env = "SVC_INTAKE", value_enum, default_value_t = Switch::Off)]
    pub intake: Switch,

    /// Number of days that note, contact and source of a submitted report are kept after its decision
    #[arg(
        long,
        env = "SVC_INTAKE_RETENTION_DAYS",
        default_value_t = 30,
        value_name = "DAYS",
        value_parser = clap::value_parser!(u16).range(1..)
    )]
    pub intake_retention_days: u16,
}

/// See [`Intake`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    On,
    Off,
}

impl Intake {
    pub fn is_on(&self) -> bool {
        self.intake == Switch::On
    }
}
