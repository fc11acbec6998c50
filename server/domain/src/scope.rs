use crate::named::named;

named! {
    /// What an operator's key allows. Each scope includes those before it.
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
