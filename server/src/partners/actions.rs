//! Forms of the portal, `POST /partners/do/{action}`. Each leads to a page that shows the result.

use std::sync::Arc;

use axum::{
    extract::{FromRef, Path, Request, State},
    response::Response,
};
use desk::{
    backend::{Issued, Notice},
    portal::subscription::page_of,
};
use domain::{event::TEST, subscription::DeliveryId};
use edge::gate;
use serde::Deserialize;
use serde_json::{Map, json};
use store::{Claimed, Redelivered, Replay, StoredResponse};

use super::{
    fields::{Fields, typed_url},
    problems,
    visit::{PartnersVisit, Visit},
    words::{
        CHANGED, DELETED, DELIVERY_GONE, ENABLE_IT_FIRST, ENABLED, PAUSED, SENT_AGAIN,
        SENT_AGAIN_NOW, SENT_TWICE,
    },
};
use crate::{
    api::{
        Partner,
        v1::webhooks::{Again, Subscribing, Testing, events_of, test_event, unknown},
    },
    desk::words::webhooks::tested,
    problem::{Problem, Result, quoted},
    realm::{Realm, csrf::fenced, notice},
    state::AppState,
};

/// The next page, and the message for it.
struct Next {
    page: String,
    notice: Option<Notice>,
}

/// The page of a new subscription, with its secret.
fn issued(id: String, secret: String) -> Next {
    let page = page_of(&id);
    Next { page, notice: Some(Notice::Issued(Issued { holder: id, key: secret })) }
}

/// The page of the subscription that the same form has created before.
fn issued_before(response: &StoredResponse) -> Result<Next> {
    #[derive(Deserialize)]
    struct Created {
        subscription: Subscription,
    }
    #[derive(Deserialize)]
    struct Subscription {
        id: String,
        secret: String,
    }
    let created: Created =
        serde_json::from_str(&response.body).map_err(|error| Problem::internal(Arc::new(error)))?;
    Ok(issued(created.subscription.id, created.subscription.secret))
}

/// Handler of all forms but those for signing in and out.
pub(super) async fn call(
    State(app): State<AppState>,
    Path(action): Path<String>,
    request: Request,
) -> Response {
    fenced(called(&app, &action, request).await)
}

async fn called(app: &AppState, action: &str, request: Request) -> Result<Response> {
    let (parts, body) = request.into_parts();
    let partner = match Visit::of_form(app, &parts).await?.of_partner() {
        Ok(partner) => partner,
        Err(visit) => return Ok(visit.to_sign_in(Realm::Partners.path())),
    };
    let fields = Fields::parse(&gate::whole(body).await?);
    let id = fields.text("id");
    let done = match action {
        "try" => Ok(Next { page: form_of(&fields, "#events"), notice: None }),
        "subscribe" => partner.subscribe(&fields).await,
        "change" => partner.change(id, fields.change(), CHANGED.text(partner.visit.lang)).await,
        "pause" => partner.set_status(id, "DISABLED").await,
        "enable" => partner.set_status(id, "ACTIVE").await,
        "rotate" => partner.rotate(id).await,
        "test" => partner.test(id, fields.text("event")).await,
        "delete" => partner.delete(id).await,
        "redeliver" => partner.redeliver(id, fields.text("delivery")).await,
        "resend" => partner.replay(id, Replay::Failed(None)).await,
        "replay" => partner.replay_from(id, fields.text("from")).await,
        "address" => {
            let told = partner.set_address(fields.given("email")).await;
            told.map(|told| Next::done(Realm::Partners.path().to_owned(), told))
        }
        _ => {
            return Err(Problem::not_found(format!("There is no action {:?}.", quoted(action))));
        }
    };
    let visit = &partner.visit;
    let is_done = done.is_ok();
    let next = done.unwrap_or_else(|problem| {
        if let Some(cause) = &problem.0.cause {
            tracing::error!(%cause, "the portal could not complete the action");
        }
        let page = match action {
            "subscribe" | "change" => form_of(&fields, ""),
            "address" => Realm::Partners.path().to_owned(),
            _ => page_of(id),
        };
        let notice = Some(Notice::UserError(problems::detail(&problem, visit.lang)));
        Next { page, notice }
    });
    let mut response = match &next.notice {
        Some(notice) => visit.lead(&next.page, notice),
        None => visit.to(&next.page),
    };
    // The form keeps what was typed until it has been accepted.
    match action {
        "subscribe" | "change" if is_done => {
            notice::set(&mut response, &typed_url("", &visit.base_url));
        }
        "subscribe" | "change" | "try" => {
            notice::set(&mut response, &typed_url(fields.text("url"), &visit.base_url));
        }
        _ => {}
    }
    Ok(response)
}

/// Page with the form as it was sent.
fn form_of(fields: &Fields, anchor: &str) -> String {
    let changed = fields.given("id").map(|id| {
        let id: String = url::form_urlencoded::byte_serialize(id.as_bytes()).collect();
        format!("change={id}&")
    });
    format!("/partners?{}try=1&{}{anchor}", changed.unwrap_or_default(), fields.selection_query())
}

impl Next {
    /// A page with a message of success.
    fn done(page: String, text: impl Into<String>) -> Self {
        Self { page, notice: Some(Notice::Done(text.into())) }
    }
}

impl PartnersVisit {
    fn subscribing(&self) -> Subscribing {
        Subscribing::from_ref(&self.visit.app)
    }

    async fn subscribe(&self, fields: &Fields) -> Result<Next> {
        let members = fields.subscription();
        let Some(once) = fields.once(&members) else {
            let created = self.subscribing().subscribe(&self.partner(), members).await?;
            return Ok(issued(created.new.id, created.new.secret));
        };
        let requests = self.visit.app.store.idempotent_requests();
        let owner = format!("portal of partner {}", self.session.partner_id);
        let claim = match requests.claim(&owner, &once).await? {
            Claimed::Now(claim) => claim,
            Claimed::Before(response) => return issued_before(&response),
            Claimed::Running | Claimed::Other | Claimed::Lost => {
                return Err(Problem::conflict(SENT_TWICE.text(self.visit.lang)));
            }
        };
        let partner = Partner { claim: Some(claim.clone()), ..self.partner() };
        let created = self.subscribing().subscribe(&partner, members).await;
        if let Err(problem) = &created {
            // Frees the form, which can be sent again.
            let status = problem.0.kind.status.as_u16();
            let failed = StoredResponse { status, body: String::new(), is_secret: false };
            requests.finish(&claim, &failed).await?;
        }
        let new = created?.new;
        Ok(issued(new.id, new.secret))
    }

    async fn change(
        &self,
        id: &str,
        members: Map<String, serde_json::Value>,
        text: &str,
    ) -> Result<Next> {
        self.subscribing().change(&self.partner(), id, members).await?;
        Ok(Next::done(page_of(id), text))
    }

    async fn set_status(&self, id: &str, status: &str) -> Result<Next> {
        let members = Map::from_iter([("status".to_owned(), json!(status))]);
        let word = if status == "ACTIVE" { ENABLED } else { PAUSED };
        self.change(id, members, word.text(self.visit.lang)).await
    }

    async fn rotate(&self, id: &str) -> Result<Next> {
        let (_, secret) = self.subscribing().rotate(&self.partner(), id).await?;
        let issued = Issued { holder: id.to_owned(), key: secret.as_str().to_owned() };
        Ok(Next { page: page_of(id), notice: Some(Notice::Issued(issued)) })
    }

    /// Sends a test; without the name of an event, a `webhook.test`.
    async fn test(&self, id: &str, event: &str) -> Result<Next> {
        let testing = Testing::from_ref(&self.visit.app);
        let event = if event.is_empty() { TEST } else { event };
        let sample = test_event::named(event, &testing.clock)?;
        let result = testing.of_partner(&self.partner(), id, sample).await?;
        let page = format!("{}&event={event}", page_of(id));
        Ok(Next::done(page, tested(&self.visit.words(), result)?))
    }

    async fn delete(&self, id: &str) -> Result<Next> {
        let store = self.visit.app.store.subscriptions();
        match store.unsubscribe(self.session.partner_id, id).await? {
            true => {
                Ok(Next::done(Realm::Partners.path().to_owned(), DELETED.text(self.visit.lang)))
            }
            false => Err(unknown(id)),
        }
    }

    /// Sends a delivery of the partner's subscription again.
    async fn redeliver(&self, id: &str, delivery: &str) -> Result<Next> {
        let store = &self.visit.app.store;
        let known = store.subscription_of(self.session.partner_id, id).await?;
        let seq = known.ok_or_else(|| unknown(id))?.seq;
        let gone = || Problem::not_found(DELIVERY_GONE.text(self.visit.lang));
        let delivery = delivery.parse::<DeliveryId>().ok();
        let delivery = delivery.filter(|delivery| delivery.subscription == seq).ok_or_else(gone)?;
        match store.deliveries().redeliver(delivery).await? {
            Redelivered::Due => Ok(Next::done(page_of(id), SENT_AGAIN_NOW.text(self.visit.lang))),
            Redelivered::Disabled => Err(Problem::conflict(ENABLE_IT_FIRST.text(self.visit.lang))),
            Redelivered::Unknown => Err(gone()),
        }
    }

    /// Sends all events from an instant on again; browsers send it without seconds and zone.
    async fn replay_from(&self, id: &str, from: &str) -> Result<Next> {
        let seconds = if from.matches(':').count() == 1 { ":00Z" } else { "Z" };
        let members = Map::from_iter([("from".to_owned(), json!(format!("{from}{seconds}")))]);
        self.replay(id, Again::parse(members)?).await
    }

    async fn replay(&self, id: &str, replay: Replay) -> Result<Next> {
        let store = self.visit.app.store.deliveries();
        let replayed = store.replay(Some(self.session.partner_id), id, replay).await?;
        let events = events_of(replayed, || unknown(id))?;
        Ok(Next::done(page_of(id), self.visit.words().sentence(SENT_AGAIN, events)))
    }
}
