//! Terms and rules of reports, keys, events and subscriptions, shared by the store, the API, the
//! command line and the dispatcher. No SQL and no HTTP.

pub mod cursor;
pub mod endpoint_health;
pub mod event;
pub mod import_id;
pub mod networks;
pub mod report;
pub mod signature;
pub mod subscription;
pub mod tier;
