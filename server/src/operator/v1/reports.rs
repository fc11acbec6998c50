//! Reports of any status.

mod add;
pub(super) mod correct;
mod decide;
pub(super) mod examples;
pub(super) mod get;
mod list;

pub(crate) use self::list::selected;
pub use self::{add::add, correct::correct, decide::decide, get::get, list::list};

use crate::{
    openapi::{Operation, Parameter},
    operator::parameters,
};

const PATH: &str = "/operator/v1/reports";
const ID: &[Parameter] = &[parameters::ID];

pub(super) fn described() -> Vec<Operation> {
    let mut operations = vec![list::described(), add::described()];
    operations.extend(decide::described());
    operations.extend([get::described(), correct::described()]);
    operations
}
