//! Downloads: all approved reports under the filters of the list, as a file.
//!
//! A file is produced while it is sent, a part at a time, from one transaction, so it has one state of the data
//! however large it is, and takes little memory. Reading the next part, and writing and compressing the one before it,
//! happen at the same time. A client that reads too slowly is cut off, because an open transaction keeps SQLite's
//! journal from being shortened, and PostgreSQL's old rows from being removed.

mod described;
mod file;
mod geojson;

use std::{io, sync::Arc, time::Duration};

use app::brand::Brand;
use axum::{
    extract::{Request, State},
    response::Response,
};
use base::clock::Clock;
use edge::download::{Download, Gone, Packer, Parts};
use futures_util::future::join;
use http::{Method, StatusCode, Uri};
use limits::{Client, Limits, Permit, Slot, Slots};
use store::{Export, LastChange, Rank, ReportsQuery, Store};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{sleep, timeout},
};

pub(in crate::api::v1) use self::described::described;
use self::file::{File, Format};
use crate::{
    api::{Caller, Parameters},
    openapi::{
        Parameter,
        parameter::{CITY, COUNTRY, FROM, INCLUDE, LANG, REGION, SINCE, TO, TYPES, UNTIL},
    },
    problem::{Problem, Result},
    responses::{ReportForm, ResponseCache},
    site::visitors::Visitor,
};

const PARAMETERS: &[Parameter] =
    &[SINCE, UNTIL, FROM, TO, COUNTRY, REGION, CITY, TYPES, LANG, INCLUDE];

/// Number of reports in a file for which it counts as one more request. Pages of the list have a hundredth of that.
const REPORTS_PER_REQUEST: u64 = 10_000;
/// Maximum time that a file may take.
const MAX_TIME: Duration = Duration::from_secs(10 * 60);
/// Maximum number of files at a time. Each takes one of the four connections that requests read a SQLite file with.
const MAX_FILES: usize = 2;
/// Maximum wait for the client's other file to end, and for those of others.
const TURN_TIMEOUT: Duration = Duration::from_secs(5);
/// Interval at which a client's place is tried.
const TURN_INTERVAL: Duration = Duration::from_millis(50);

/// Everything that downloads need. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Downloads(Arc<DownloadsInner>);

#[derive(Debug)]
struct DownloadsInner {
    store: Store,
    responses: ResponseCache,
    brand: Arc<Brand>,
    limits: Limits,
    clock: Clock,
    turns: Arc<Semaphore>,
    open: Slots<Client>,
}

/// Reasons for an incomplete file.
#[derive(Debug, thiserror::Error)]
enum Broken {
    #[error("the client left")]
    Gone,
    #[error("the client read too slowly")]
    Slow,
    #[error(transparent)]
    Database(#[from] store::Error),
    #[error(transparent)]
    Packing(#[from] io::Error),
}

impl From<Gone> for Broken {
    fn from(_: Gone) -> Self {
        Self::Gone
    }
}

/// Places that a download occupies until it ends.
struct Places {
    heavy_work: Permit,
    _turn: OwnedSemaphorePermit,
    _slot: Slot,
}

/// `GET /api/v1/reports.csv`: all approved reports as CSV.
pub async fn csv(
    State(downloads): State<Downloads>,
    caller: Caller,
    visitor: Visitor,
    request: Request,
) -> Result<Response> {
    downloads.respond(Format::Csv, caller, visitor, request).await
}

/// `GET /api/v1/reports.geojson`: all approved reports as GeoJSON.
pub async fn geojson(
    State(downloads): State<Downloads>,
    caller: Caller,
    visitor: Visitor,
    request: Request,
) -> Result<Response> {
    downloads.respond(Format::GeoJson, caller, visitor, request).await
}

/// `GET /api/v1/reports.ndjson`: all approved reports as lines of JSON.
pub async fn ndjson(
    State(downloads): State<Downloads>,
    caller: Caller,
    visitor: Visitor,
    request: Request,
) -> Result<Response> {
    downloads.respond(Format::NdJson, caller, visitor, request).await
}

impl Downloads {
    pub fn new(
        store: Store,
        responses: ResponseCache,
        brand: Arc<Brand>,
        limits: Limits,
        clock: Clock,
    ) -> Self {
        let (turns, open) = (Arc::new(Semaphore::new(MAX_FILES)), Slots::default());
        Self(Arc::new(DownloadsInner { store, responses, brand, limits, clock, turns, open }))
    }

    async fn respond(
        self,
        format: Format,
        caller: Caller,
        visitor: Visitor,
        request: Request,
    ) -> Result<Response> {
        let (parts, _) = request.into_parts();
        let parameters = Parameters::of(parts.uri.query(), PARAMETERS)?;
        let query = ReportsQuery {
            types: parameters.types()?,
            since: parameters.since()?,
            after: parameters.until()?.map(Rank::before),
            filter: parameters.filter()?,
            ..ReportsQuery::newest(0)
        };
        let form = parameters.form(&self.0.brand)?;
        let last = self.0.responses.snapshot().last;
        let head = head(format, &form, &parts.uri, &last);
        if parts.method == Method::HEAD || Download::is_known(&head.etag, &parts.headers) {
            return Ok(head.respond(&parts.headers, None));
        }
        let places = self.places(&caller, &visitor).await?;
        let export = self.0.store.reports().export(query).await?;
        let last = export.last();
        self.0.responses.reach(&last).await;
        let charged = match further_requests(export.at_most(), caller.decision.quota.requests) {
            0 => None,
            further => Some(caller.charge(&self.0.limits, further).await?),
        };
        let head = self::head(format, &form, &parts.uri, &last);
        let (sent, body) = Parts::new();
        let mut response = head.respond(&parts.headers, Some(body));
        if response.status() == StatusCode::NOT_MODIFIED {
            return Ok(response);
        }
        let file = File::new(format, form);
        let packer = Packer::of(&parts.headers);
        let clock = self.0.clock.clone();
        tokio::spawn(async move {
            // Captured as a whole: all places are held until the end.
            let places = places;
            let produced = produce(export, file, packer, &places.heavy_work, &sent);
            let produced = tokio::select! {
                produced = produced => produced,
                () = clock.sleep(MAX_TIME) => Err(Broken::Slow),
            };
            // Before the end, after which the client may begin another download.
            drop(places);
            match produced {
                Ok(()) => sent.end(),
                Err(error @ (Broken::Gone | Broken::Slow)) => {
                    tracing::debug!(%error, "a download was interrupted");
                }
                Err(error) => tracing::error!(%error, "a download was interrupted"),
            }
        });
        if let Some(decision) = charged {
            response.extensions_mut().insert(decision);
        }
        Ok(response)
    }

    /// Waits for the places of a download.
    async fn places(&self, caller: &Caller, visitor: &Visitor) -> Result<Places> {
        // A client that has left frees its place only when the next part is to be sent.
        let slot = async {
            loop {
                if let Some(slot) = self.0.open.take(caller.client, Some(1)) {
                    return slot;
                }
                sleep(TURN_INTERVAL).await;
            }
        };
        let Ok(slot) = timeout(TURN_TIMEOUT, slot).await else {
            return Err(Problem::busy(
                "Another download of this client is in progress. Try again when it has ended.",
            ));
        };
        let turn = self.0.turns.clone().acquire_owned();
        let Ok(Ok(turn)) = timeout(TURN_TIMEOUT, turn).await else {
            return Err(Problem::busy(
                "Other downloads are in progress. Try again in a few seconds.",
            ));
        };
        Ok(Places { heavy_work: visitor.place().await?, _turn: turn, _slot: slot })
    }
}

/// Number of requests that a file counts as, besides the one that was counted already. An idle client can download any
/// file: the largest ones count as its whole quota.
fn further_requests(reports: u64, quota: Option<u32>) -> u32 {
    let Some(quota) = quota else { return 0 };
    let further = u32::try_from(reports / REPORTS_PER_REQUEST).unwrap_or(u32::MAX);
    further.min(quota.saturating_sub(1))
}

/// Head of the file for this query and state of the data. The time of a change identifies it on every node.
fn head(format: Format, form: &ReportForm, uri: &Uri, last: &LastChange) -> Download {
    let (version, at) = (last.version, last.at.timestamp_millis());
    let labels = form.include.type_label.then(|| &form.brand.labels);
    let release = env!("CARGO_PKG_VERSION");
    let extension = format.extension();
    let meaning = format!("{release} {version} {at} {extension} {labels:?} {:?}", uri.query());
    Download {
        etag: Download::tag(&meaning),
        content_type: format.content_type(),
        file_name: format!("reports-{}.{extension}", last.at.format("%Y-%m-%d")),
    }
}

/// Produces a file from an export.
async fn produce(
    mut export: Export,
    mut file: File,
    mut packer: Packer,
    place: &Permit,
    sent: &Parts,
) -> Result<(), Broken> {
    let mut reports = export.next().await?;
    loop {
        let is_last = reports.is_empty();
        let packed = place.run(move || {
            let mut packed = packer.pack(file.part(reports))?;
            if is_last {
                packed = [packed, packer.finish()?].concat().into();
            }
            Ok::<_, io::Error>((file, packer, packed))
        });
        let (packed, next) = join(packed, export.next()).await;
        let part;
        (file, packer, part) = packed?;
        reports = next?;
        sent.send(part).await?;
        if is_last {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_counts_as_requests_by_its_reports_and_at_most_as_the_whole_quota() {
        for (reports, quota, further) in [
            (0, Some(60), 0),
            (9_999, Some(60), 0),
            (10_000, Some(60), 1),
            (250_000, Some(60), 25),
            (5_000_000, Some(60), 59),
            (5_000_000, Some(1_000), 500),
            (u64::MAX, Some(1_000), 999),
            (u64::MAX, None, 0),
        ] {
            assert_eq!(further_requests(reports, quota), further, "{reports} {quota:?}");
        }
    }
}
