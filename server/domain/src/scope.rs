use crate::named::named;

named! {
    /// Rights of an operator's key. Each scope includes those before it.
    #[derive(clap::ValueEnum)]
    Scope {
        /// Reading everything except secrets.
        Read = "read",
        /// Adding, correcting, approving and rejecting reports.
        Moderate = "moderate",
        /// Keys, subscriptions, and everything else.
        Admin = "admin",
    }
}
