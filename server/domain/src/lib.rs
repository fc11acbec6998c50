//! Terms and rules of reports, keys, events and subscriptions, shared by the store, the API, the
//! command line and the dispatcher. No SQL and no HTTP.

pub mod action;
pub mod actor;
pub mod cursor;
pub mod endpoint_health;
pub mod event;
pub mod event_filter;
pub mod idempotency;
pub mod import_id;
pub mod networks;
pub mod place_filter;
pub mod report;
pub mod report_id;
pub mod scope;
pub mod signature;
pub mod subscription;
pub mod text;
pub mod tier;
