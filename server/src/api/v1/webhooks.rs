//! A partner's webhook subscriptions.

mod change;
mod create;
mod delete;
mod deliveries;
mod filter;
mod list;
mod replay;
mod rotate;
mod subscription;
mod test;
pub(crate) mod test_event;

use axum::extract::FromRequestParts;
use http::request::Parts;

pub use self::{
    change::patch,
    create::{Subscribing, post},
    delete::delete,
    deliveries::get as get_deliveries,
    list::get,
    replay::post as replay,
    rotate::post as rotate,
    subscription::get as get_one,
    test::{Tested, Testing, post as test},
};
pub(crate) use self::{
    filter::{parsed as parsed_filter, warnings},
    replay::{Again, Replay, events_of, replayed},
    test::TOO_SOON,
};
use crate::{
    api::Parameters,
    openapi::{Operation, Parameter, parameter::ID},
    problem::{Code, Problem, Result},
};

/// Id of the subscription.
const SUBSCRIPTION: Parameter = ID.required("The subscription\u{2019}s id.");
/// Parameters of most operations.
const PARAMETERS: &[Parameter] = &[SUBSCRIPTION];

/// Id of a subscription, from the query.
#[derive(Debug)]
pub struct SubscriptionId(String);

impl<S: Sync> FromRequestParts<S> for SubscriptionId {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        let parameters = Parameters::of(parts.uri.query(), PARAMETERS)?;
        parameters.text(&SUBSCRIPTION, "the id of the subscription, such as sub_…").map(Self)
    }
}

/// Problem of an unknown subscription. Also for another partner's, so as not to reveal that it exists.
pub(crate) fn unknown(id: &str) -> Problem {
    Problem::not_found(format!("There is no subscription {id:?}."))
}

/// Returns the code of a problem with a member of a subscription.
fn fault_of(member: &str) -> Code {
    match member {
        "url" => Code::InvalidUrl,
        "events" => Code::InvalidEvents,
        "filter" => Code::InvalidFilter,
        _ => Code::InvalidParameter,
    }
}

pub(super) fn described() -> [Operation; 9] {
    [
        create::described(),
        list::described(),
        subscription::described(),
        change::described(),
        delete::described(),
        rotate::described(),
        test::described(),
        replay::described(),
        deliveries::described(),
    ]
}
