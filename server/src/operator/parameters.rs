//! Parameters of the operator API.

use std::str::FromStr;

use domain::{
    action::Action, cursor::Cursor, import_id::ImportId, report::Status, report_id::MAX_CHARACTERS,
    subscription::DeliveryId,
};
use model::ReportType;
use serde_json::json;
use store::Order;

use crate::{
    api::Parameters,
    openapi::{
        Parameter,
        parameter::{FROM, OLDER, TO, text, up_to_100},
    },
    problem::{Code, Result, quoted},
};

pub(super) const LIMIT: Parameter =
    Parameter::new("limit", "Maximum number of items.", || up_to_100(50), "50")
        .code(Code::InvalidLimit);

pub(super) const AFTER: Parameter = OLDER.about("The `next` of an earlier response.");

pub(super) const STATUS: Parameter = Parameter::new(
    "status",
    "Only reports with this status.",
    || json!({ "type": "string", "enum": Status::NAMES }),
    "PENDING",
);

pub(super) const TYPE: Parameter = Parameter::new(
    "type",
    "Only reports of this type.",
    || json!({ "type": "string", "enum": ReportType::ALL.map(ReportType::as_str) }),
    "water",
);

pub(super) const TEXT: Parameter = Parameter::new(
    "q",
    "Only reports with this in the name of their city, region or country, or at the beginning of their id. Case and \
     accents do not matter.",
    text,
    "campin",
);

pub(super) const IMPORT: Parameter =
    Parameter::new("import", "Only reports that this import added.", text, "imp_1m8230hv5");

pub(super) const ORDER: Parameter = Parameter::new(
    "order",
    "Order of the reports: newest first, or oldest first.",
    || json!({ "type": "string", "enum": ["newest", "oldest"], "default": "newest" }),
    "oldest",
);

pub(super) const REPORT: Parameter = Parameter::new(
    "report",
    "Only actions on the report with this id, and the import that added it.",
    text,
    "r-17",
);

pub(super) const ACTOR: Parameter =
    Parameter::new("actor", "Only actions of the person with this name.", text, "Maria");

pub(super) const ACTION: Parameter = Parameter::new(
    "action",
    "Only this action.",
    || json!({ "type": "string", "enum": Action::NAMES }),
    "reports.approve",
);

pub(super) const SUBJECT: Parameter = Parameter::new(
    "subject",
    "Only actions on an object whose id begins like this: a report, an import, a key or a subscription. Decisions on \
     several reports are found by `report` only.",
    text,
    "imp_1m8230hv5",
);

/// First day of entries of the audit log.
pub(super) const SINCE: Parameter =
    FROM.about("First day in UTC, inclusive. Without it, the period has no start.");

/// Last day of entries of the audit log.
pub(super) const UNTIL: Parameter =
    TO.about("Last day in UTC, inclusive, not before `from`. Without it, the period has no end.");

pub(super) const SUBSCRIPTION: Parameter = Parameter::new(
    "subscription",
    "Only deliveries to the subscription of this id.",
    text,
    "sub_7hQm2Z",
);

pub(super) const AFTER_DELIVERY: Parameter = Parameter::new(
    "after",
    "The `next` of an earlier response.",
    || json!({ "type": "string", "maxLength": 64, "pattern": "^dlv_" }),
    "dlv_3_1042",
);

/// Id of a report in a path.
pub(super) const ID: Parameter = Parameter::segment(
    "id",
    "The report\u{2019}s id.",
    || json!({ "type": "string", "maxLength": MAX_CHARACTERS }),
    "rep_1f0c",
);

/// Id of a report in a query.
pub(super) const ANY_ID: Parameter = Parameter::new(
    "id",
    "The report\u{2019}s id.",
    || json!({ "type": "string", "maxLength": MAX_CHARACTERS }),
    "approve",
)
.required("The report\u{2019}s id.");

/// Id of a subscription in a path.
pub(super) const WEBHOOK: Parameter = Parameter::segment(
    "id",
    "The subscription\u{2019}s id.",
    || json!({ "type": "string", "pattern": "^sub_" }),
    "sub_7hQm2Z",
);

/// Id of a delivery in a path.
pub(super) const DELIVERY: Parameter = Parameter::segment(
    "id",
    "The delivery\u{2019}s id.",
    || json!({ "type": "string", "pattern": "^dlv_" }),
    "dlv_3_1042",
);

/// Prefix of a key in a path.
pub(super) const PREFIX: Parameter = Parameter::segment(
    "prefix",
    "The first 12 characters of the key, as in the list of keys. The whole key is accepted, too.",
    || json!({ "type": "string", "pattern": "^svc_" }),
    "svc_4fT0aQx9",
);

/// Default number of items in a list.
const DEFAULT_LIMIT: u32 = 50;

/// Position in a list, and number of items.
pub(super) struct Part {
    pub after: Option<i64>,
    pub limit: u32,
}

pub(super) fn part(parameters: &Parameters<'_>) -> Result<Part> {
    let after = parameters.cursor(&AFTER)?.map(Cursor::seq);
    Ok(Part { after, limit: limit(parameters)? })
}

pub(super) fn limit(parameters: &Parameters<'_>) -> Result<u32> {
    parameters.limit(DEFAULT_LIMIT)
}

pub(super) fn after_delivery(parameters: &Parameters<'_>) -> Result<Option<DeliveryId>> {
    id(parameters, &AFTER_DELIVERY, "delivery")
}

pub(super) fn kind(parameters: &Parameters<'_>) -> Result<Option<ReportType>> {
    parameters.choice(&TYPE, ReportType::from_name, &ReportType::ALL.map(ReportType::as_str))
}

pub(super) fn order(parameters: &Parameters<'_>) -> Result<Order> {
    let named = |name: &str| match name {
        "newest" => Some(Order::NewestFirst),
        "oldest" => Some(Order::OldestFirst),
        _ => None,
    };
    Ok(parameters.choice(&ORDER, named, &["newest", "oldest"])?.unwrap_or_default())
}

pub(super) fn import(parameters: &Parameters<'_>) -> Result<Option<ImportId>> {
    id(parameters, &IMPORT, "import")
}

/// Reads the id of a `thing`.
fn id<T: FromStr>(
    parameters: &Parameters<'_>,
    parameter: &Parameter,
    thing: &str,
) -> Result<Option<T>> {
    let Some(text) = parameters.get(parameter)? else { return Ok(None) };
    text.parse().map(Some).map_err(|_| {
        let (name, text) = (parameter.name, quoted(&text));
        parameter.problem(format!("{name:?} is {text:?}, which is not a valid {thing} id."))
    })
}
