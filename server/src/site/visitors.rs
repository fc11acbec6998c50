use std::{convert::Infallible, net::Ipv4Addr, sync::Arc, time::Duration};

use axum::extract::{FromRef, FromRequestParts};
use base::clock::Clock;
use edge::Peer;
use http::request::Parts;
use limits::{Budget, Busy, ClientNetworks, HeavyWork, Network, Permit, Size};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

use crate::problem::{Problem, Result};

/// Budget of a visitor's network, in milliseconds of one core: in total at most a second per minute.
const WORK: Size = Size { at_once: 600.0, a_minute: 400.0 };
/// Budget of attempts to sign in.
const SIGN_INS: Size = Size { at_once: 60.0, a_minute: 60.0 };

/// Budget of log entries for refused attempts to sign in, of all visitors together.
const REFUSALS: Size = Size { at_once: 60.0, a_minute: 60.0 };
/// Maximum number of concurrent uploads: each has a thread, and up to 20 MiB for unpacking.
const MAX_UPLOADS: usize = 4;
/// Maximum wait for a place for an upload.
const UPLOAD_PLACE_TIMEOUT: Duration = Duration::from_secs(10);

/// Costs of uncached work, in milliseconds of one core. Measured with a release build: a page took 0.5 to 2 ms, a globe
/// as SVG 5, a megapixel 64 (feed) to 140 (globe), and a megabyte of places 8. Pictures cost less than measured, so
/// that visitors who try their options are not refused.
pub mod cost {
    /// A page or a widget, including its compressed forms.
    pub const PAGE: f64 = 1.0;
    /// Answer to one query, such as a view or a series.
    pub const ANSWER: f64 = 1.0;
    /// A widget drawn as SVG.
    pub const SVG: f64 = 1.0;
    /// A megapixel of a PNG.
    pub const MEGAPIXEL: f64 = 60.0;
    /// A megabyte of a list of places, assembled and compressed.
    pub const MEGABYTE: f64 = 10.0;
}

/// Limits for visitors of pages, pictures and widgets. Cheap to clone.
///
/// Cached responses are free. But options come from the query, so any client can request responses that are not cached;
/// their cost counts against a budget, which is more than people use.
#[derive(Clone, Debug)]
pub struct Visitors {
    work: Budget,
    sign_ins: Budget,
    refusals: Budget,
    heavy_work: HeavyWork,
    uploads: Arc<Semaphore>,
    networks: Arc<ClientNetworks>,
}

impl Visitors {
    pub fn new(clock: &Clock, networks: Arc<ClientNetworks>) -> Self {
        let budget = |size| Budget::new(clock.clone(), size);
        Self {
            work: budget(WORK),
            sign_ins: budget(SIGN_INS),
            refusals: budget(REFUSALS),
            heavy_work: HeavyWork::default(),
            uploads: Arc::new(Semaphore::new(MAX_UPLOADS)),
            networks,
        }
    }

    /// Whether the audit log may have another entry for a refused attempt to sign in: their rate is limited.
    pub fn may_note_refusal(&self) -> bool {
        let everybody = Network::of(Ipv4Addr::UNSPECIFIED.into());
        self.refusals.spend(everybody, 1.0).is_ok()
    }

    /// Waits for a slot for an upload that is processed while it arrives, or for a file that is read.
    ///
    /// # Errors
    /// 503 if no slot became free in time.
    pub async fn upload_place(&self) -> Result<OwnedSemaphorePermit> {
        let place = self.uploads.clone().acquire_owned();
        match timeout(UPLOAD_PLACE_TIMEOUT, place).await {
            Ok(Ok(place)) => Ok(place),
            Ok(Err(_)) | Err(_) => Err(Problem::busy(format!(
                "{MAX_UPLOADS} uploads are being imported at the moment. Try again when one of them has ended."
            ))),
        }
    }

    /// Removes idle visitors. To be called about once a minute.
    pub fn sweep(&self) {
        self.work.sweep();
        self.sign_ins.sweep();
    }
}

/// Name of the quota of attempts to sign in.
pub(crate) const SIGN_IN_QUOTA: &str = "sign-in";

/// Visitor who sent a request.
#[derive(Clone, Debug)]
pub struct Visitor {
    visitors: Visitors,
    network: Network,
}

impl Visitor {
    pub fn of(visitors: &Visitors, request: &Parts) -> Self {
        let peer = request.extensions.get::<Peer>().map(|peer| peer.addr.ip());
        let network = visitors.networks.of(peer, &request.headers);
        Self { visitors: visitors.clone(), network }
    }

    /// Counts work on an uncached response by its [`cost`].
    ///
    /// # Errors
    /// 429 if the budget of the visitor's network is used up.
    pub fn pay(&self, cost: f64) -> Result<()> {
        self.visitors.work.spend(self.network, cost).map_err(|wait| {
            self.refused(
                "uncached",
                "Too many uncached pages, pictures or responses were requested from this address. Wait for the time in \
                    Retry-After.",
                wait,
            )
        })
    }

    /// Counts the rest of a cost that was not known when the first part was paid.
    pub fn owe(&self, cost: f64) {
        self.visitors.work.owe(self.network, cost);
    }

    /// Waits for a slot for heavy work.
    ///
    /// # Errors
    /// 503 if the slots of the visitor's network are taken.
    pub async fn place(&self) -> Result<Permit> {
        self.visitors.heavy_work.place(self.network).await.map_err(|Busy| {
            Problem::busy("Too many expensive requests from this address are in progress. Try again in a few seconds.")
        })
    }

    /// See [`Visitors::upload_place`].
    ///
    /// # Errors
    /// 503 if no slot became free in time.
    pub async fn upload_place(&self) -> Result<OwnedSemaphorePermit> {
        self.visitors.upload_place().await
    }

    /// Counts an attempt to sign in, or a cookie of an unknown session.
    ///
    /// # Errors
    /// 429 if there were too many from the visitor's network.
    pub fn count_sign_in(&self) -> Result<()> {
        self.visitors.sign_ins.spend(self.network, 1.0).map_err(|wait| self.no_sign_in(wait))
    }

    /// Checks whether the visitor may try to sign in.
    ///
    /// # Errors
    /// See [`count_sign_in`](Self::count_sign_in).
    pub fn may_sign_in(&self) -> Result<()> {
        self.visitors.sign_ins.peek(self.network).map_err(|wait| self.no_sign_in(wait))
    }

    fn no_sign_in(&self, wait: Duration) -> Problem {
        self.refused(
            SIGN_IN_QUOTA,
            "Too many sign-in attempts from this address. Wait for the time in Retry-After.",
            wait,
        )
    }

    fn refused(&self, tier: &'static str, detail: &'static str, wait: Duration) -> Problem {
        tracing::debug!(tier, address = %self.network, "refused by a limit");
        Problem::rate_limited(detail, wait).of_quota(tier)
    }
}

impl<S: Sync> FromRequestParts<S> for Visitor
where
    Visitors: FromRef<S>,
{
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        Ok(Self::of(&Visitors::from_ref(state), parts))
    }
}
