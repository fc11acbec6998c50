//! The parameters of operators' lists.

use domain::{
    action::Action, cursor::Cursor, import_id::ImportId, report::Status, report_id::MAX_CHARACTERS,
    subscription::DeliveryId,
};
use model::ReportType;
use serde_json::json;
use store::Order;

use crate::{
    api::Parameters,
    openapi::Parameter,
    problem::{Code, Result, quoted},
};

pub(super) const LIMIT: Parameter = Parameter::new(
    "limit",
    Code::InvalidLimit,
    "Maximum number of items.",
    || json!({ "type": "integer", "minimum": 1, "maximum": 100, "default": 50 }),
    || 50.into(),
);

pub(super) const AFTER: Parameter = Parameter::new(
    "after",
    Code::InvalidParameter,
    "The `next` of an earlier response.",
    || json!({ "type": "string", "maxLength": 256, "pattern": "^c_[0-9A-Za-z]+$" }),
    || "c_4ce61".into(),
);

pub(super) const STATUS: Parameter = Parameter::new(
    "status",
    Code::InvalidParameter,
    "Only reports with this status.",
    || json!({ "type": "string", "enum": Status::ALL.map(Status::as_str) }),
    || "PENDING".into(),
);

pub(super) const TYPE: Parameter = Parameter::new(
    "type",
    Code::InvalidParameter,
    "Only reports of this type.",
    || json!({ "type": "string", "enum": ReportType::ALL.map(ReportType::as_str) }),
    || "water".into(),
);

pub(super) const TEXT: Parameter = Parameter::new(
    "q",
    Code::InvalidParameter,
    "Only reports with this in their id, or in the name of their city, region or country. Case and accents do not \
     matter.",
    || json!({ "type": "string", "maxLength": 256 }),
    || "campin".into(),
);

pub(super) const IMPORT: Parameter = Parameter::new(
    "import",
    Code::InvalidParameter,
    "Only reports that this import added.",
    || json!({ "type": "string", "maxLength": 32 }),
    || "imp_1m8230hv5".into(),
);

pub(super) const ORDER: Parameter = Parameter::new(
    "order",
    Code::InvalidParameter,
    "Which reports come first: those that were added last, or first.",
    || json!({ "type": "string", "enum": ["newest", "oldest"], "default": "newest" }),
    || "oldest".into(),
);

pub(super) const REPORT: Parameter = Parameter::new(
    "report",
    Code::InvalidParameter,
    "Only what was done to the report of this id, and the import that added it.",
    || json!({ "type": "string", "maxLength": 256 }),
    || "r-17".into(),
);

pub(super) const ACTOR: Parameter = Parameter::new(
    "actor",
    Code::InvalidParameter,
    "Only what the person of this name did.",
    || json!({ "type": "string", "maxLength": 256 }),
    || "Maria".into(),
);

pub(super) const ACTION: Parameter = Parameter::new(
    "action",
    Code::InvalidParameter,
    "Only this action.",
    || json!({ "type": "string", "enum": Action::ALL.map(Action::as_str) }),
    || "reports.approve".into(),
);

pub(super) const SUBSCRIPTION: Parameter = Parameter::new(
    "subscription",
    Code::InvalidParameter,
    "Only deliveries to the subscription of this id.",
    || json!({ "type": "string", "maxLength": 256 }),
    || "sub_7hQm2Z".into(),
);

pub(super) const AFTER_DELIVERY: Parameter = Parameter::new(
    "after",
    Code::InvalidParameter,
    "The `next` of an earlier response.",
    || json!({ "type": "string", "maxLength": 64, "pattern": "^dlv_" }),
    || "dlv_3_1042".into(),
);

/// The report that a path is about.
pub(super) const ID: Parameter = Parameter::segment(
    "id",
    "The report\u{2019}s id.",
    || json!({ "type": "string", "maxLength": MAX_CHARACTERS }),
    || "rep_1f0c".into(),
);

/// The report that a query is about.
pub(super) const ANY_ID: Parameter = Parameter::new(
    "id",
    Code::InvalidParameter,
    "",
    || json!({ "type": "string", "maxLength": MAX_CHARACTERS }),
    || "approve".into(),
)
.required("The report\u{2019}s id.");

/// The subscription that a path is about.
pub(super) const WEBHOOK: Parameter = Parameter::segment(
    "id",
    "The subscription\u{2019}s id.",
    || json!({ "type": "string", "pattern": "^sub_" }),
    || "sub_7hQm2Z".into(),
);

/// The delivery that a path is about.
pub(super) const DELIVERY: Parameter = Parameter::segment(
    "id",
    "The delivery\u{2019}s id.",
    || json!({ "type": "string", "pattern": "^dlv_" }),
    || "dlv_3_1042".into(),
);

/// The key that a path is about.
pub(super) const PREFIX: Parameter = Parameter::segment(
    "prefix",
    "The first 12 characters of the key, as the list of keys shows them. The whole key works, too.",
    || json!({ "type": "string", "pattern": "^svc_" }),
    || "svc_4fT0aQx9".into(),
);

/// Items of a list that doesn't say how many it wants.
const DEFAULT_LIMIT: u32 = 50;

/// Where a list goes on, and how many items it has.
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
    let Some(text) = parameters.get(&AFTER_DELIVERY)? else { return Ok(None) };
    let delivery = text.parse().map(Some);
    delivery.map_err(|_| {
        AFTER_DELIVERY
            .problem(format!("\"after\" is {:?}, which is no delivery\u{2019}s id.", quoted(&text)))
    })
}

pub(super) fn status(parameters: &Parameters<'_>) -> Result<Option<Status>> {
    let named = |name: &str| Status::ALL.into_iter().find(|status| status.as_str() == name);
    parameters.choice(&STATUS, named, &Status::ALL.map(Status::as_str))
}

pub(super) fn kind(parameters: &Parameters<'_>) -> Result<Option<ReportType>> {
    parameters.choice(&TYPE, ReportType::from_name, &ReportType::ALL.map(ReportType::as_str))
}

pub(super) fn action(parameters: &Parameters<'_>) -> Result<Option<Action>> {
    parameters.choice(&ACTION, Action::named, &Action::ALL.map(Action::as_str))
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
    let Some(text) = parameters.get(&IMPORT)? else { return Ok(None) };
    let import = text.parse().map(Some);
    import.map_err(|_| {
        IMPORT
            .problem(format!("\"import\" is {:?}, which is no import\u{2019}s id.", quoted(&text)))
    })
}
