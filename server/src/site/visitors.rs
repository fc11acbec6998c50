use std::{convert::Infallible, net::Ipv4Addr, sync::Arc, time::Duration};

use axum::extract::{FromRef, FromRequestParts};
use base::clock::Clock;
use edge::Peer;
use http::request::Parts;
use limits::{Budget, Busy, ClientNetworks, HeavyWork, Network, Place, Size};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

use crate::problem::{Problem, Result};

/// Computing time of one core, in milliseconds: together at most a second a minute.
const WORK: Size = Size { at_once: 600.0, a_minute: 400.0 };
/// Attempts to sign in.
const SIGN_INS: Size = Size { at_once: 60.0, a_minute: 60.0 };

/// Refused attempts to sign in, from everywhere, that are noted.
const REFUSALS: Size = Size { at_once: 60.0, a_minute: 60.0 };
/// Maximum number of uploads at a time: each has a thread, and up to 20 MiB for what it unpacks.
const MAX_UPLOADS: usize = 4;
/// Maximum wait for a place for an upload.
const UPLOAD_PLACE_TIMEOUT: Duration = Duration::from_secs(10);

/// What things that are not in a cache cost, in milliseconds of one core. Measured with a release build: a page took 0.5
/// to 2 ms, a globe as SVG 5, a megapixel 64 (feed) to 140 (globe), and a megabyte of places 8. Pictures are charged at
/// less, so that somebody who tries the options of pictures is not refused.
pub mod cost {
    /// A page or a widget, with its compressed forms.
    pub const PAGE: f64 = 1.0;
    /// The answer to one question, such as a view or a series.
    pub const ANSWER: f64 = 1.0;
    /// A widget drawn as SVG.
    pub const SVG: f64 = 1.0;
    /// A PNG, for each megapixel of it.
    pub const MEGAPIXEL: f64 = 60.0;
    /// A megabyte of a list of places, put together and compressed.
    pub const MEGABYTE: f64 = 10.0;
}

/// Who asks for pages, pictures and what widgets need. Cheap to clone.
///
/// What is cached is for everybody, as often as they like. But options come from the query, so anybody
/// can ask for what nobody asked for before; its cost counts against a budget, which is more than people use.
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

    /// Whether a refused attempt to sign in is noted in the audit log: some of all are.
    pub fn may_note_refusal(&self) -> bool {
        let everybody = Network::of(Ipv4Addr::UNSPECIFIED.into());
        self.refusals.spend(everybody, 1.0).is_ok()
    }

    /// Forgets who has been idle. To be called about once a minute.
    pub fn sweep(&self) {
        self.work.sweep();
        self.sign_ins.sweep();
    }
}

/// The visitor that a request comes from.
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

    /// Counts something that has to be made because no cache has it, by its [`cost`].
    ///
    /// # Errors
    /// 429 if the budget of the visitor's network is used up.
    pub fn pay(&self, cost: f64) -> Result<()> {
        self.visitors.work.spend(self.network, cost).map_err(|wait| {
            self.refused(
                "uncached",
                "Too many pages, pictures or answers that were not in the cache were made for this \
                 address. Wait as long as Retry-After says.",
                wait,
            )
        })
    }

    /// Adds the rest of a cost that was not known when the first part of it was paid.
    pub fn owe(&self, cost: f64) {
        self.visitors.work.owe(self.network, cost);
    }

    /// A place for heavy work.
    ///
    /// # Errors
    /// 503 if those of the visitor's network are taken.
    pub async fn place(&self) -> Result<Place> {
        self.visitors.heavy_work.place(self.network).await.map_err(|Busy| {
            Problem::busy("Too much is being made for this address. Try again in a few seconds.")
        })
    }

    /// A place for an upload that is handled while it arrives.
    ///
    /// # Errors
    /// 503 if none came free in time.
    pub async fn upload_place(&self) -> Result<OwnedSemaphorePermit> {
        let place = self.visitors.uploads.clone().acquire_owned();
        match timeout(UPLOAD_PLACE_TIMEOUT, place).await {
            Ok(Ok(place)) => Ok(place),
            Ok(Err(_)) | Err(_) => Err(Problem::busy(format!(
                "{MAX_UPLOADS} uploads are being imported at the moment. Try again when one of them has ended."
            ))),
        }
    }

    /// Counts an attempt to sign in, or a cookie of no session.
    ///
    /// # Errors
    /// 429 if there were too many from the visitor's network.
    pub fn count_sign_in(&self) -> Result<()> {
        self.visitors.sign_ins.spend(self.network, 1.0).map_err(|wait| self.no_sign_in(wait))
    }

    /// Whether the visitor may try to sign in.
    ///
    /// # Errors
    /// As those of [`count_sign_in`](Self::count_sign_in).
    pub fn may_sign_in(&self) -> Result<()> {
        self.visitors.sign_ins.look(self.network).map_err(|wait| self.no_sign_in(wait))
    }

    fn no_sign_in(&self, wait: Duration) -> Problem {
        self.refused(
            "sign-in",
            "There were too many attempts to sign in from this address. Wait as long as Retry-After says.",
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
