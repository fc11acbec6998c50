//! Terms and rules of reports, keys, events and subscriptions, shared by the store, the API, the command line and the
//! dispatcher. No SQL and no HTTP.
//!
//! A [report](report) is `PENDING` until somebody approves or rejects it; only the steps that [`report::Step`] lists change
//! its status. What the public learns is an [event](event): a fact with the exact bytes that tell it, written once. Events
//! are a log, and a [cursor](cursor) is a place in it. A partner's [subscription](subscription) gets those that its
//! [filter](event_filter) selects, [signed](signature), and its [endpoint's health](endpoint_health) decides when it is tried
//! again. A key has a [tier](tier), and one of an operator a [scope](scope); whatever operators do is an
//! [action](action) of an [actor](actor), for the audit log.

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
pub mod report;
pub mod report_id;
pub mod scope;
pub mod signature;
pub mod subscription;
pub mod text;
pub mod tier;
