//! Who answers on a connection.

use sqlx::{PgConnection, Row as _};

use crate::engine::url::Wanted;

/// The cluster, how often a replica took the place of its primary, and since when the server runs. In the end what it
/// is. As a simple query: poolers need not know about prepared statements.
const WHO: &str = "
    SELECT (SELECT system_identifier FROM pg_control_system())::text,
           CASE WHEN pg_is_in_recovery() THEN '' ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END,
           pg_postmaster_start_time()::text,
           (CASE WHEN pg_is_in_recovery() THEN 'replica'
                 WHEN current_setting('default_transaction_read_only')::boolean THEN 'read-only'
                 ELSE 'primary' END)";

/// Who a server is: two that are equal have the same data, the later one maybe more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::engine::postgres) struct Identity {
    cluster: String,
    /// In hexadecimal, of one length. Grows with every promotion; empty for a replica.
    timeline: String,
    started: String,
    role: Role,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Primary,
    /// A primary that refuses changes.
    ReadOnly,
    Replica,
}

impl Identity {
    pub(in crate::engine::postgres) async fn of(
        connection: &mut PgConnection,
    ) -> sqlx::Result<Self> {
        let row = sqlx::raw_sql(WHO).fetch_one(connection).await?;
        let role: String = row.try_get(3)?;
        Ok(Self {
            cluster: row.try_get(0)?,
            timeline: row.try_get(1)?,
            started: row.try_get(2)?,
            role: match role.as_str() {
                "primary" => Role::Primary,
                "read-only" => Role::ReadOnly,
                _ => Role::Replica,
            },
        })
    }

    /// Whether it may be used where this is wanted.
    pub(super) fn is(&self, wanted: Wanted) -> bool {
        match wanted {
            Wanted::Any | Wanted::PreferStandby => true,
            Wanted::ReadWrite => self.role == Role::Primary,
            Wanted::ReadOnly => self.role != Role::Primary,
            Wanted::Primary => self.role != Role::Replica,
            Wanted::Standby => self.role == Role::Replica,
        }
    }

    /// Whether it is rather meant than `other`, which is named first.
    pub(super) fn is_better(&self, other: &Self, wanted: Wanted) -> bool {
        match wanted {
            Wanted::PreferStandby => self.role == Role::Replica && other.role != Role::Replica,
            // An old primary that came back does not know that it is not one any more.
            Wanted::ReadWrite | Wanted::Primary => self.timeline > other.timeline,
            Wanted::Any | Wanted::ReadOnly | Wanted::Standby => false,
        }
    }
}
