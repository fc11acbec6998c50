//! Reports from the public: off unless `--intake on`.
//!
//! A submission comes from the API or from the form of the widget, with a [proof](proof) that it is not one of
//! thousands, and becomes a pending report. Its sender's network is stored as a hash for a day, for the quota and for
//! repeated submissions; note and contact only for the operator, and for a limited time.

mod content;
pub(crate) mod proof;

use std::{sync::Arc, time::Duration};

use base::{clock::Clock, random::Random};
use chrono::TimeDelta;
use domain::report_id::ReportId;
use edge::{Peer, problem::Fault};
use geo::places::{country_key, fold};
use http::{Extensions, HeaderMap};
use limits::{ClientNetworks, Network};
use store::{NewSubmission, Store, SubmissionQuota, Submitted};
use tokio::sync::OnceCell;

pub(crate) use self::content::{Content, MAX_CONTACT, MAX_NOTE};
use self::{
    content::Checked,
    proof::{Key, ProofError},
};
use crate::problem::{Code, Problem, Result};

/// Quotas of a network.
const QUOTAS: &[SubmissionQuota] = &[quota(5, TimeDelta::hours(1)), quota(20, TimeDelta::days(1))];
/// Quotas of a network for forms without scripts, which need no work.
const FORM_QUOTAS: &[SubmissionQuota] =
    &[quota(2, TimeDelta::hours(1)), quota(5, TimeDelta::days(1))];

const fn quota(submissions: usize, period: TimeDelta) -> SubmissionQuota {
    SubmissionQuota { submissions, period }
}

/// Receives reports from the public. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Intake(Arc<IntakeInner>);

#[derive(Debug)]
struct IntakeInner {
    is_on: bool,
    store: Store,
    clock: Clock,
    random: Random,
    networks: Arc<ClientNetworks>,
    key: OnceCell<Key>,
}

/// Sender of a submission.
#[derive(Clone, Debug)]
pub(crate) enum Sender {
    /// Holder of the key with this prefix.
    Key(Arc<str>),
    Network(Network),
}

/// Proof of a submission.
#[derive(Clone, Debug)]
pub(crate) enum Proof {
    Missing,
    Work {
        challenge: String,
        nonce: String,
    },
    /// Token of a form.
    Form(String),
}

/// Reason for which a submission adds no report.
#[derive(Debug)]
pub(crate) enum NotReceived {
    Invalid(Vec<Fault>),
    Proof(ProofError),
    /// The quota of the network is used up for this long.
    QuotaUsedUp(Duration),
    Failed(store::Error),
}

impl Intake {
    pub(crate) fn new(
        is_on: bool,
        store: Store,
        clock: Clock,
        random: Random,
        networks: Arc<ClientNetworks>,
    ) -> Self {
        let key = OnceCell::new();
        Self(Arc::new(IntakeInner { is_on, store, clock, random, networks, key }))
    }

    pub(crate) fn is_on(&self) -> bool {
        self.0.is_on
    }

    /// # Errors
    /// 404 if this service takes no reports from the public.
    pub(crate) fn check_on(&self) -> Result<()> {
        match self.0.is_on {
            true => Ok(()),
            false => Err(Problem::not_found(
                "This service takes no reports from the public. Its operator can switch that on with --intake on.",
            )),
        }
    }

    /// Returns the key that all nodes share.
    pub(crate) async fn key(&self) -> store::Result<&Key> {
        let read = async || Ok(Key::new(self.0.store.reports().intake_key().await?));
        self.0.key.get_or_try_init(read).await
    }

    pub(crate) fn time_and_randomness(&self) -> (&Clock, &Random) {
        (&self.0.clock, &self.0.random)
    }

    /// Network of a request's client.
    pub(crate) fn network(&self, extensions: &Extensions, headers: &HeaderMap) -> Network {
        let peer = extensions.get::<Peer>().map(|peer| peer.addr.ip());
        self.0.networks.of(peer, headers)
    }

    /// Receives a submission, and returns the id of its report. A repeated submission gets the id of the first one,
    /// and one by a program that filled in every field an id without a report.
    pub(crate) async fn receive(
        &self,
        content: &Content,
        sender: &Sender,
        proof: Proof,
    ) -> Result<String, NotReceived> {
        let IntakeInner { store, clock, random, .. } = &*self.0;
        let Checked { mut report, note, contact } =
            content.checked(clock).map_err(NotReceived::Invalid)?;
        let id = format!("rep_{}", hex::encode(random.bytes::<12>()));
        if content.is_of_a_program() {
            return Ok(id);
        }
        let (key, now) = (self.key().await?, clock.now());
        let quotas = match proof {
            Proof::Form(_) => FORM_QUOTAS,
            Proof::Work { .. } | Proof::Missing => QUOTAS,
        };
        let proof = match (proof, sender) {
            (Proof::Form(token), _) => Some(key.check_form(&token, now)?),
            (Proof::Work { .. } | Proof::Missing, Sender::Key(_)) => None,
            (Proof::Work { challenge, nonce }, Sender::Network(_)) => {
                Some(key.check_work(&challenge, &nonce, now)?)
            }
            (Proof::Missing, Sender::Network(_)) => return Err(ProofError::Missing.into()),
        };
        let (source, network, from) = match sender {
            Sender::Key(prefix) => (format!("api:{prefix}"), None, prefix.to_string()),
            Sender::Network(network) => {
                let from = network.to_string();
                ("public".to_owned(), Some(key.hash("network", &[&from])), from)
            }
        };
        let fingerprint = key.hash(
            "content",
            &[
                &from,
                report.kind.as_str(),
                &country_key(&report.country),
                &fold(&report.region),
                &fold(&report.city),
                &report.event_date.to_string(),
                &report.people_count.to_string(),
                &note,
            ],
        );
        report.id = ReportId::stored(id.clone());
        let submission =
            NewSubmission { report, source, network, fingerprint, note, contact, proof, quotas };
        match store.reports().submit(&submission).await? {
            Submitted::Added => Ok(id),
            Submitted::Folded(earlier) => Ok(earlier),
            Submitted::ProofUsed => Err(ProofError::Used.into()),
            Submitted::QuotaUsedUp(wait) => {
                tracing::debug!(tier = QUOTA, "refused by a limit");
                Err(NotReceived::QuotaUsedUp(wait.to_std().unwrap_or_default()))
            }
        }
    }
}

/// Name of the quota of submissions.
pub(crate) const QUOTA: &str = "intake";

impl From<ProofError> for NotReceived {
    fn from(error: ProofError) -> Self {
        Self::Proof(error)
    }
}

impl From<store::Error> for NotReceived {
    fn from(error: store::Error) -> Self {
        Self::Failed(error)
    }
}

impl From<NotReceived> for Problem {
    fn from(reason: NotReceived) -> Self {
        match reason {
            NotReceived::Invalid(faults) => {
                let first = faults.first().map(|fault| match fault.pointer.as_deref() {
                    Some(pointer) => format!("{:?}: {}", &pointer[1..], fault.detail),
                    None => fault.detail.clone(),
                });
                let detail = format!("The report is refused: {}.", first.unwrap_or_default());
                Problem::new(Code::InvalidReport, detail).with_faults(faults)
            }
            NotReceived::Proof(error) => {
                Problem::new(Code::InvalidProof, error.to_string()).at("/proof".to_owned())
            }
            NotReceived::QuotaUsedUp(wait) => Problem::rate_limited(
                "Too many reports were submitted from this network. Wait for the time in Retry-After.",
                wait,
            )
            .of_quota(QUOTA),
            NotReceived::Failed(error) => error.into(),
        }
    }
}
