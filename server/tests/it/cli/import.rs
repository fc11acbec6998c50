//! `svc reports import`: accepted files, messages, and the resulting database.

mod columns;
mod encodings;
mod json;
mod quotes;
mod refused_rows;
mod rows;
mod summaries;

use crate::{
    harness::Ran,
    imports::{cities, import_as, total},
};

pub(crate) const HEADER: &str = "id,type,city,region,country,peopleCount,eventDate,createdAt\n";

fn refusals(ran: &Ran) -> Vec<&str> {
    ran.err.lines().collect()
}
