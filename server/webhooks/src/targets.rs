use std::{
    ffi::{OsStr, OsString},
    str::FromStr,
};

use clap::{
    ArgMatches, Args, Command, Error, FromArgMatches,
    builder::{BoolishValueParser, TypedValueParser},
};
use domain::networks::Networks;

use super::policy::{AddressPolicy, PrivateAddresses};

const ALLOW_PRIVATE: &str = "--webhook-allow-private";

/// Endpoints that webhooks may be sent to. By default: public addresses, over https. Cheap to clone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WebhookTargets {
    /// Whether `http` URLs are allowed.
    pub allow_http: bool,
    pub addresses: AddressPolicy,
}

impl WebhookTargets {
    /// Meaning of `--webhook-allow-http` and `--webhook-allow-private` without values.
    pub const fn with(allow_http: bool, allow_private: bool) -> Self {
        let private = if allow_private { PrivateAddresses::All } else { PrivateAddresses::None };
        Self { allow_http, addresses: AddressPolicy { private, denied: None } }
    }

    /// Allows any address except those of metadata services, also over http.
    pub const fn lenient() -> Self {
        Self::with(true, true)
    }
}

/// Command-line flags.
#[derive(Args, Debug)]
struct Flags {
    /// Allow webhooks to http URLs
    #[arg(
        long = "webhook-allow-http",
        env = "SVC_WEBHOOK_ALLOW_HTTP",
        value_parser = BoolishValueParser::new()
    )]
    allow_http: bool,

    /// Allow webhooks to private addresses and this machine's own, in these networks, such as 10.0.0.0/8,fd12::/48;
    /// without a value, to all of them. Any partner can then reach them. Addresses of cloud metadata services are
    /// never allowed
    #[arg(
        long = "webhook-allow-private",
        env = "SVC_WEBHOOK_ALLOW_PRIVATE",
        value_name = "CIDR,…",
        num_args = 0..=1,
        default_missing_value = "true"
    )]
    allow_private: Vec<AllowPrivate>,

    /// Never send webhooks to these networks, public or not, such as 203.0.113.0/24,2001:db8::/32; overrides the
    /// options above
    #[arg(long = "webhook-deny", env = "SVC_WEBHOOK_DENY", value_name = "CIDR,…")]
    deny: Vec<Networks>,
}

/// Value of one `--webhook-allow-private`.
#[derive(Clone, Debug)]
struct AllowPrivate(PrivateAddresses);

impl FromStr for AllowPrivate {
    type Err = String;

    /// Parses networks, or one of the boolean words that the variable also accepts.
    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(all) = boolean(text.trim()) {
            let allowed = if all { PrivateAddresses::All } else { PrivateAddresses::None };
            return Ok(Self(allowed));
        }
        let networks: Networks = text.parse()?;
        if networks.is_empty() {
            return Ok(Self(PrivateAddresses::None));
        }
        Ok(Self(PrivateAddresses::Within(networks)))
    }
}

fn boolean(text: &str) -> Option<bool> {
    let parsed = BoolishValueParser::new().parse_ref(&Command::default(), None, OsStr::new(text));
    parsed.ok()
}

impl From<Flags> for WebhookTargets {
    fn from(Flags { allow_http, allow_private, deny }: Flags) -> Self {
        let private = allow_private.into_iter().map(|AllowPrivate(allowed)| allowed).collect();
        let denied: Networks = deny.into_iter().collect();
        let denied = (!denied.is_empty()).then_some(denied);
        Self { allow_http, addresses: AddressPolicy { private, denied } }
    }
}

// Implemented by hand, so that the type holds the combined meaning of the flags, not the flags themselves.
impl FromArgMatches for WebhookTargets {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        Flags::from_arg_matches(matches).map(Self::from)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for WebhookTargets {
    fn augment_args(command: Command) -> Command {
        Flags::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Flags::augment_args_for_update(command)
    }
}

/// Adds a value to each `--webhook-allow-private` that is followed by the id of a subscription: otherwise `svc
/// webhooks test --webhook-allow-private sub_…` would take the id for the option's value.
pub fn keep_ids(arguments: Vec<OsString>) -> Vec<OsString> {
    let next = arguments.iter().skip(1).map(Some).chain([None]);
    let is_id = |next: Option<&OsString>| {
        next.is_some_and(|next| next.as_encoded_bytes().starts_with(b"sub_"))
    };
    let bare: Vec<bool> = arguments
        .iter()
        .zip(next)
        .map(|(argument, next)| argument == ALLOW_PRIVATE && is_id(next))
        .collect();
    let all = || OsString::from(format!("{ALLOW_PRIVATE}=true"));
    let with_value = arguments.into_iter().zip(bare);
    with_value.map(|(argument, bare)| if bare { all() } else { argument }).collect()
}

#[cfg(test)]
mod tests;
