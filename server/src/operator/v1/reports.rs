//! Reports of any status.

mod add;
pub(super) mod correct;
mod decide;
pub(super) mod examples;
mod list;
pub(super) mod one;

pub(crate) use self::list::selected;
pub use self::{add::add, correct::correct, decide::decide, list::list, one::one};

use crate::{
    openapi::{Operation, Parameter},
    operator::parameters,
};

const PATH: &str = "/operator/v1/reports";
const ID: &[Parameter] = &[parameters::ID];

pub(super) fn described() -> Vec<Operation> {
    let mut operations = vec![list::described(), add::described()];
    operations.extend(decide::described());
    operations.extend([one::described(), correct::described()]);
    operations
}
