//! All SQL. Each use case is one method of an [area](areas), such as `store.reports().decide(…)`; a change and all its
//! consequences, such as rollups and the data version, are one transaction inside that method.
//!
//! `reports` has every report as it was submitted. Publishing one finds or creates its place,
//! adds it to the [rollups](counters::rollup) of its city, region, country and the world at four grains of
//! time, marks its city in the [presence](counters::presence) bitmaps, and moves the data version. Counters
//! are only read from rollups and bitmaps, so the cost of an answer does not grow with the number of
//! reports. [`derived`] recounts everything from the reports and corrects what differs.
//!
//! The engine is chosen here, from the scheme of the database URL; no code outside depends on it.

pub mod areas;
mod audit_log;
mod bitmap;
mod copy;
mod counters;
mod derived;
mod engine;
mod error;
mod events;
mod filter;
mod keys;
mod list_index;
mod places;
mod progress;
mod reports;
pub mod secrets;
mod sessions;
#[cfg(test)]
pub(crate) mod testing;
mod timeline;
mod version;

use std::sync::Arc;

use base::{
    clock::{Clock, Seldom},
    random::Random,
};
use domain::actor::Actor;

use crate::secrets::Keyring;

pub use self::{
    audit_log::{AuditEntry, AuditPage, AuditQuery},
    copy::{Copied, CopiedSecrets, CopiedTable, copy},
    counters::{
        interval::count as count_intervals,
        markers::CityCounts,
        metrics::Counters,
        series::{MAX_POINTS, Point, TooLong, series},
    },
    derived::{Checked, Difference, Rebuilt},
    engine::{
        migrate::Migrated,
        open::{Missing, open_for_backup, open_url, open_with},
        pools::{Occupied, PoolStatus},
        sqlite::{
            backup::Contents,
            restore::{Restored, restore},
        },
        url::{check_url, name_of},
    },
    error::{Error, Result},
    events::{
        backlog::Backlog,
        change::{Change, Changed},
        deliveries::{DeliveryQuery, ListedAttempt, ListedDelivery, Redelivered},
        health::{Health, SubscriptionWithHealth},
        history::{History, HistoryQuery, PastAttempt, PastDelivery},
        idempotency::Earlier,
        leased::Leased,
        log::{LogPage, LogQuery, LoggedEvent, LostPlace},
        look::{Held, Look},
        queue::{Due, QueuedEvent},
        replay::{Place, Replay, Replayed},
        rounds::{Checkpoint, Ended, NextStep, Round, RoundDone},
        secrets::rotation::{Rotated, Rotating, RotationStep},
        stop::{DISABLED_BY_OPERATOR, Disabled},
        subscriptions::{Enabled, ListedSubscription, Subscription},
        test_event::{Known, TestEvent},
    },
    filter::{Filter, Period, PlaceFilter},
    keys::{CreatedKey, ListedKey, NewKey, Revoked, StoredKey},
    places::place::CityName,
    progress::{Progress, Stage},
    reports::{
        alike::Alike,
        correct::Corrected,
        decide::{Batch, Batches},
        import_mode::{Imported, Mode, RowOutcome},
        imports::{ImportResult, Importing, ListedImport, StatusCounts},
        list::{Listed, ListedReport, Position, ReportList, Total},
        recent::{ALL_TYPES, ReportsQuery},
        report::{PublicReport, Rank},
        select::{Order, Selected, Selection},
        transition::{Decision, Decisions},
        undo::{MOST_UNDONE, Undone},
    },
    sessions::{OpenSession, Session},
    version::{LastChange, Shown},
};
use self::{
    counters::count_cache::CountCache,
    engine::{announcements::Heard, condition::Condition, database::Database, sql::Pool},
    list_index::SegmentCache,
    places::index::SharedPlaceIndex,
};

/// The database. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Store {
    /// Connections that this handle reads with: `background`, or those for everything else.
    readers: Pool,
    /// See [`Store::background`].
    background: Pool,
    /// Database that changes are written to.
    database: Database,
    migrated: Migrated,
    places: Arc<SharedPlaceIndex>,
    segments: SegmentCache,
    /// Announcements of other processes.
    heard: Arc<Heard>,
    /// Whether the database can be written to, and is whole.
    condition: Arc<Condition>,
    counts: CountCache,
    /// Times changes and deadlines.
    clock: Clock,
    /// Limits the warnings about a clock that is behind the last publication.
    clock_warnings: Arc<Seldom>,
    /// For the ids of events, and what encrypts secrets.
    random: Random,
    /// Keys that webhook secrets are encrypted with.
    keyring: Keyring,
    /// Author of changes in the audit log.
    actor: Option<Actor>,
}
