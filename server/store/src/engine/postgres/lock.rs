//! Numbers of advisory locks. They end with the transaction that takes them, because a pooler such as pgbouncer may
//! give the next transaction to another connection.

/// Migrations.
pub(in crate::engine) const MIGRATION: i64 = 0x7376_6331;
/// Changes that are not published.
pub(super) const ADMINISTRATION: i64 = 0x7376_6332;
/// Forgetting what is old.
pub(crate) const PRUNING: i64 = 0x7376_6333;
