//! All SQL of the service. Each use case is one method of an [area](areas), such as `store.reports().decide(…)`. A
//! change and all its consequences, such as rollups and the data version, are one transaction inside that method.
//!
//! The table `reports` has every report as it was submitted. Publishing a report finds or creates its place, adds it to
//! the [rollups](counters::rollup) of its city, region, country and the world at four grains of time, marks its city in
//! the [presence](counters::presence) bitmaps, and increments the data version. Counters are only read from rollups and
//! bitmaps, so the cost of a request does not grow with the number of reports. [`derived`] recounts everything from the
//! reports and corrects differences.
//!
//! The engine is selected here, by the scheme of the database URL. No code outside depends on it.

pub mod areas;
mod audit_log;
mod bitmap;
mod copy;
mod counters;
mod derived;
mod desk_views;
mod engine;
mod error;
mod events;
mod filter;
mod idempotency;
mod keys;
mod list_index;
mod mail_digest;
mod places;
mod precondition;
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
    audit_log::{AuditEntry, AuditPage, AuditQuery, DayCount, OwnDecision},
    copy::{Copied, CopiedSecrets, CopiedTable, copy},
    counters::{
        interval::count as count_intervals,
        markers::CityCounts,
        metrics::Counters,
        series::{MAX_POINTS, Point, TooLong, series},
    },
    derived::{Checked, Difference, Rebuilt},
    desk_views::{DeskView, MAX_VIEWS},
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
        change::{Change, Changed, DISABLED_BY_PARTNER},
        deliveries::{DeliveryQuery, ListedAttempt, ListedDelivery, Redelivered},
        disabling::{DISABLED_BY_OPERATOR, Disabled},
        endpoint_mails::{EndpointMail, MAIL_EVERY, MailedEndpoint},
        event_selection::EventAbout,
        health::{Health, SubscriptionWithHealth},
        history::{History, HistoryQuery, PastAttempt, PastDelivery},
        leased::Leased,
        log::{LogPage, LogQuery, LoggedEvent, LostPlace},
        pending_work::{LeasedSubscription, PendingWork},
        queue::{Due, QueuedEvent},
        replay::{LogPosition, Replay, Replayed},
        rounds::{Checkpoint, Ended, NextStep, Round, RoundDone},
        secrets::rotation::{Rotated, Rotating, RotationStep},
        stop::WITHOUT_KEY,
        subscriptions::{Enabled, ListedSubscription, Subscription},
        test_event::{Known, TestEvent},
    },
    filter::{ALL_TYPES, Filter, Period, PlaceFilter},
    idempotency::{Claim, Claimed, StoredResponse},
    keys::{
        CreatedKey, HourOfUse, KeySettings, KeyUse, ListedKey, NewKey, Revoked, StoredKey, hour_of,
    },
    mail_digest::{DigestClaim, DigestState, Waiting},
    places::{
        apart::PlacesApart,
        city_name::{CityName, PlaceId},
        spellings::{PlaceReports, SimilarPlaces, Similarity},
    },
    precondition::{Precondition, StateTag},
    progress::{Progress, Stage},
    reports::{
        correct::Corrected,
        correct_many::{CorrectedBatch, Corrections, Values},
        decide::{Batch, Batches},
        duplicates::PossibleDuplicate,
        export::Export,
        facets::{Choice, Choices},
        import_mode::{Imported, Mode, RowOutcome},
        imports::{ImportResult, Importing, ListedImport, StatusCounts},
        list::{Listed, ListedReport, Position, ReportList},
        one::RegionAndDate,
        page::{Neighbours, Page},
        recent::ReportsQuery,
        report::{PublicReport, Rank},
        select::Selected,
        selection::{Key, Order, Selection},
        sources::ReportSource,
        submissions::{NewSubmission, Submission, SubmissionQuota, Submitted, UsedProof},
        transition::{Decision, Decisions},
        undo::{Undoing, Undone},
    },
    sessions::{OpenSession, Session},
    version::{LastChange, Versioned},
};
use self::{
    counters::count_cache::CountCache,
    engine::{announcements::Heard, condition::Condition, database::Database, sql::Pool},
    list_index::SegmentCache,
    places::index::SharedPlaceIndex,
};

/// Handle of the database. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Store {
    /// Connections that this handle reads with: `background`, or the pool for everything else.
    readers: Pool,
    /// See [`Store::background`].
    background: Pool,
    /// Database for changes.
    database: Database,
    migrated: Migrated,
    places: Arc<SharedPlaceIndex>,
    segments: SegmentCache,
    /// Announcements received from other processes.
    heard: Arc<Heard>,
    /// Condition of the database: whether it can be written to, and whether it is damaged.
    condition: Arc<Condition>,
    counts: CountCache,
    /// Clock for the times of changes and deadlines.
    clock: Clock,
    /// Rate limit for warnings about a clock that is behind the last publication.
    clock_warnings: Arc<Seldom>,
    /// Randomness for event ids and encryption.
    random: Random,
    /// Keys for encrypting webhook secrets.
    keyring: Keyring,
    /// Author of changes in the audit log.
    actor: Option<Actor>,
    /// Request that makes changes, if it has an `Idempotency-Key`.
    claim: Option<Claim>,
    /// Condition of changes of one resource.
    precondition: Precondition,
}
