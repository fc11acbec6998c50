//! Terms and rules of reports, keys, events and subscriptions, shared by the store, the API, the command line and the
//! dispatcher. No SQL and no HTTP.
//!
//! A [report](report) is `PENDING` until somebody approves or rejects it; only the steps in [`report::Step`] change its
//! status. Each public change is an [event](event): a fact with its exact bytes, written once. Events form a log, and a
//! [cursor](cursor) is a position in it. A partner's [subscription](subscription) gets the events that its
//! [filter](event_filter) selects, [signed](signature). The [health of its endpoint](endpoint_health) decides when
//! delivery is retried. A key has a [tier](tier), and an operator's key also a [scope](scope). Each change by an
//! operator is an [action](action) of an [actor](actor) in the audit log.

pub mod action;
pub mod actor;
pub mod cursor;
pub mod endpoint_health;
pub mod event;
pub mod event_filter;
pub mod idempotency;
pub mod import_id;
mod named;
pub mod networks;
pub mod place_filter;
pub mod reason;
pub mod report;
pub mod report_id;
pub mod scope;
pub mod signature;
pub mod subscription;
pub mod text;
pub mod tier;
