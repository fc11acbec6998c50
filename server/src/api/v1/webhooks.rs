//! A partner's webhook subscriptions.

mod change;
mod create;
mod delete;
mod deliveries;
mod filter;
mod list;
mod replay;
mod rotate;
mod test;

pub(crate) use self::replay::{Again, Replay, replayed};
pub use self::{
    change::patch,
    create::{Subscribing, post},
    delete::delete,
    deliveries::get as get_deliveries,
    list::get,
    replay::post as replay,
    rotate::post as rotate,
    test::{Tested, Testing, post as test},
};
use crate::{
    api::Parameters,
    openapi::{Operation, Parameter, parameter::ID},
    problem::{Code, Problem, Result},
};

/// The subscription that a request is about.
const SUBSCRIPTION: Parameter = ID.required("The subscription\u{2019}s id.");

fn subscription_id(parameters: &Parameters<'_>) -> Result<String> {
    parameters.text(&SUBSCRIPTION, "the id of the subscription, such as sub_…")
}

/// The same for another partner's: nobody may learn that it exists.
fn unknown(id: &str) -> Problem {
    Problem::not_found(format!("There is no subscription {id:?}."))
}

/// The code of a problem with a member of a subscription.
fn fault_of(member: &str) -> Code {
    match member {
        "url" => Code::InvalidUrl,
        "events" => Code::InvalidEvents,
        "filter" => Code::InvalidFilter,
        _ => Code::InvalidParameter,
    }
}

pub(super) fn described() -> [Operation; 8] {
    [
        create::described(),
        list::described(),
        change::described(),
        delete::described(),
        rotate::described(),
        test::described(),
        replay::described(),
        deliveries::described(),
    ]
}
