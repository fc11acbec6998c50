//! All SQL. One method of [`Store`] a use case; a change and what follows from it (rollups, data
//! version, and whatever joins later) are one transaction inside that method.
//!
//! How it works. `reports` holds every report as it came. Publishing one resolves its place (making
//! it if it is the first there), adds it to the [rollups](counters::rollup) of its city, region,
//! country and the world at four grains of time, marks its city in the
//! [presence](counters::presence) bitmaps, and moves the data version. Counters are only read from
//! rollups and bitmaps, so the cost of an answer does not grow with the number of reports. `check`
//! recounts everything from the reports.
//!
//! The engine is chosen here, from the scheme of the database URL, and nobody outside knows which.

mod bitmap;
mod counters;
mod derived;
mod engine;
mod error;
mod events;
mod filter;
mod keys;
mod places;
mod reports;
mod version;

use std::{path::Path, sync::Arc};

use sqlx::SqlitePool;

use crate::{clock::Clock, random::Random};

pub use self::{
    counters::{check::Difference, markers::CityCounts, metrics::Counters},
    engine::{
        backup::Contents,
        migrate::Migrated,
        open::{Missing, open_for_backup, open_url},
        restore::{Restored, restore},
        transaction::TURN,
        url::file_of,
    },
    error::{Error, Result},
    events::{
        claims::{Claim, Claimed, Round},
        deliveries::{DeliveryQuery, ListedAttempt, ListedDelivery, Redelivered},
        ends::{Ended, NextStep},
        subscriptions::{Enabled, ListedSubscription, Subscription},
    },
    filter::{Filter, Period, PlaceFilter},
    keys::{ListedKey, NewKey, Revoked, StoredKey},
    places::name::CityName,
    reports::{
        batches::{Batch, Batches},
        import::{Imported, Mode, RowOutcome},
        imports::{ListedImport, StatusCounts},
        list::{Listed, ListedReport, ReportList, Total},
        order::Rank,
        recent::{ALL_TYPES, ReportsQuery},
        report::PublicReport,
        select::{Country, Selected, Selection},
        transition::{Decision, Decisions},
    },
};
use self::{places::index::SharedPlaceIndex, reports::segment_cache::SegmentCache};

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
    segments: SegmentCache,
    /// Times changes and deadlines.
    clock: Clock,
    /// For the ids of events.
    random: Random,
}
