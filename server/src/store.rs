//! All SQL. One method of [`Store`] a use case; a change and what follows from it (rollups, data
//! version, and whatever joins later) are one transaction inside that method.
//!
//! How it works. `reports` holds every report as it came. Publishing one resolves its place (making
//! it if it is the first there), adds it to the [rollups](rollup) of its city, region, country and
//! the world at four grains of time, marks its city in the [presence](presence) bitmaps, and moves
//! the data version. Counters are only ever read from rollups and bitmaps, so that what an answer
//! costs does not grow with the number of reports; `check` recounts everything from the reports.
//!
//! The engine is chosen here, from the scheme of the database URL, and nobody outside knows which.

mod access;
mod backup;
mod bulk;
mod check;
mod claims;
mod deliveries;
mod due;
mod error;
mod fault;
mod filter;
mod geo_facets;
mod grain;
mod identity;
mod import;
mod in_use;
mod keys;
mod list;
mod markers;
mod metrics;
mod migrate;
mod open;
mod outbox;
mod partial;
mod place;
mod place_index;
mod presence;
mod prune;
mod publish;
mod reject;
mod report;
mod reports;
mod restore;
mod rollup;
mod subscriptions;
mod transition;
mod version;
mod withdraw;
mod writable;

use std::{path::Path, sync::Arc};

use sqlx::SqlitePool;

use crate::random::Random;

use self::place_index::SharedPlaceIndex;
pub use self::{
    backup::Contents,
    check::Difference,
    claims::{Claim, Claimed, Ended, Round, Then},
    deliveries::{DeliveryQuery, ListedAttempt, ListedDelivery, Redelivered},
    error::{Error, Result},
    filter::{Filter, Period, PlaceFilter},
    import::{Imported, Mode, RowOutcome},
    keys::{ListedKey, NewKey, Revoked, StoredKey},
    list::ListedReport,
    markers::CityCounts,
    metrics::Counters,
    migrate::Migrated,
    open::{Missing, file_of, open_for_backup, open_url},
    report::{NewReport, PublicReport, Status},
    reports::{ALL_TYPES, ReportsQuery},
    restore::{Restored, restore},
    subscriptions::{Enabled, ListedSubscription, Subscription},
    transition::{Decision, Decisions},
};

/// The database. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Store {
    /// What this handle reads with: `background`, or the connections for everything else.
    readers: SqlitePool,
    /// See [`Store::background`].
    background: SqlitePool,
    /// One connection: writers queue here, in order, instead of meeting in the database.
    writer: SqlitePool,
    /// The file, as an absolute path.
    path: Arc<Path>,
    migrated: Migrated,
    places: Arc<SharedPlaceIndex>,
    /// For the ids of events.
    random: Random,
}
