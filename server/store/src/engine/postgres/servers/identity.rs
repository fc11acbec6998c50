//! Identity of the server on a connection.

use sqlx::{PgConnection, Row as _};

use crate::engine::url::TargetSessionAttrs;

/// Query for the cluster, the timeline (which counts promotions of replicas), the start time of the server, and last
/// its role. It is a simple query, because poolers may not support prepared statements.
const WHO: &str = "
    SELECT (SELECT system_identifier FROM pg_control_system())::text,
           CASE WHEN pg_is_in_recovery() THEN '' ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END,
           pg_postmaster_start_time()::text,
           (CASE WHEN pg_is_in_recovery() THEN 'replica'
                 WHEN current_setting('default_transaction_read_only')::boolean THEN 'read-only'
                 ELSE 'primary' END)";

/// Identity of a server. Two equal identities have the same data; the one read later may have more of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::engine::postgres) struct Identity {
    cluster: String,
    /// Hexadecimal, of fixed length. Grows with every promotion; empty for a replica.
    timeline: String,
    started: String,
    role: Role,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Primary,
    /// A primary that rejects changes.
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

    /// Whether the server is of the wanted kind.
    pub(super) fn is(&self, wanted: TargetSessionAttrs) -> bool {
        match wanted {
            TargetSessionAttrs::Any | TargetSessionAttrs::PreferStandby => true,
            TargetSessionAttrs::ReadWrite => self.role == Role::Primary,
            TargetSessionAttrs::ReadOnly => self.role != Role::Primary,
            TargetSessionAttrs::Primary => self.role != Role::Replica,
            TargetSessionAttrs::Standby => self.role == Role::Replica,
        }
    }

    /// Whether the server is preferred to `other`, which comes first in the URL.
    pub(super) fn is_better(&self, other: &Self, wanted: TargetSessionAttrs) -> bool {
        match wanted {
            TargetSessionAttrs::PreferStandby => {
                self.role == Role::Replica && other.role != Role::Replica
            }
            // An old primary that comes back may still act as one.
            TargetSessionAttrs::ReadWrite | TargetSessionAttrs::Primary => {
                self.timeline > other.timeline
            }
            TargetSessionAttrs::Any
            | TargetSessionAttrs::ReadOnly
            | TargetSessionAttrs::Standby => false,
        }
    }
}
