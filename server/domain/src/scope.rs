use crate::named::named;

named! {
    /// Rights of an operator's key. Each scope includes those before it.
    #[derive(clap::ValueEnum)]
    Scope {
        /// Looking at everything, secrets aside.
        Read = "read",
        /// Adding, correcting and deciding on reports.
        Moderate = "moderate",
        /// Keys, subscriptions, and everything else.
        Admin = "admin",
    }
}
