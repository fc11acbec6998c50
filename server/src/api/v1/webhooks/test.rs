use std::sync::Arc;

use axum::{
    Json,
    extract::{Request, State},
    response::Response,
};
use base::clock::Clock;
use domain::event::Sample;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use store::{Known, Store};
use webhooks::{
    client::Client,
    test_request::{self, TestLimits},
};

use super::{
    PARAMETERS, SubscriptionId,
    test_event::{self, TestEvent},
    unknown,
};
use crate::{
    api::{Partner, unstored},
    openapi::Operation,
    problem::{Code, Problem, Result},
};

/// Detail of the problem of a test soon after another.
pub(crate) const TOO_SOON: &str = "A subscription can be tested once every 5 seconds.";

/// Parts of the service that tests of endpoints need.
#[derive(Clone, Debug)]
pub struct Testing {
    pub store: Store,
    pub clock: Clock,
    pub client: Client,
    pub turns: TestLimits,
}

/// Response of an endpoint to a test event.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "TestResult")]
pub struct Tested {
    /// Status of the response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<u16>,
    /// Duration of the request in milliseconds.
    pub(crate) duration_ms: i64,
    /// Reason why there was no response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
}

/// `POST /api/v1/webhooks/test?id=sub_…`: sends a test event to a subscription, and returns the response of its
/// endpoint.
pub async fn post(
    State(testing): State<Testing>,
    partner: Partner,
    SubscriptionId(id): SubscriptionId,
    request: Request,
) -> Result<Response> {
    let sample = test_event::read(request, &testing.clock).await?;
    Ok(unstored(Json(testing.of_partner(&partner, &id, sample).await?)))
}

impl Testing {
    /// Tests a subscription of a partner, by `sample` or else a `webhook.test`.
    pub(crate) async fn of_partner(
        self,
        partner: &Partner,
        id: &str,
        sample: Option<Sample>,
    ) -> Result<Tested> {
        let known = self.store.subscription_of(partner.id, id).await?;
        let Known { seq, is_held } = known.ok_or_else(|| unknown(id))?;
        if is_held {
            return Err(Problem::forbidden("The operator has disabled this subscription."));
        }
        self.run(seq, id, sample, || unknown(id)).await
    }

    /// Tests the subscription with this number and id, by `sample` or else a `webhook.test`; `unknown` makes the problem
    /// if it is gone.
    pub(crate) async fn run(
        self,
        seq: i64,
        id: &str,
        sample: Option<Sample>,
        unknown: impl FnOnce() -> Problem,
    ) -> Result<Tested> {
        let Self { store, clock, client, turns } = self;
        let turn = turns.take(seq).map_err(|wait| Problem::rate_limited(TOO_SOON, wait))?;
        let subscription = id.to_owned();
        // A task of its own, which records the result and keeps its turn even if the client disconnects.
        let testing = tokio::spawn(async move {
            let _turn = turn;
            test_request::send(&store, &client, &clock, seq, &subscription, sample.as_ref()).await
        });
        let tested = testing.await.map_err(|error| Problem::internal(Arc::new(error)))??;
        let ended = tested.ok_or_else(unknown)?.ended;
        let (status, error) = match ended.outcome {
            Ok(status) => (Some(status), None),
            Err(error) => (None, Some(error)),
        };
        Ok(Tested { status, duration_ms: ended.duration, error })
    }
}

pub(super) fn described() -> Operation {
    Operation::partners("post", "/api/v1/webhooks/test", "testSubscription", "Test an endpoint")
        .about(
            "Sends a `webhook.test` event, or another with made-up data, once, and waits for the \
             endpoint\u{2019}s response, up to 15 seconds. The `data` of a made-up event has the member `\"test\": true`. It is \
             sent regardless of `events` and `filter`, and is not in the log. The response is 200 whatever the endpoint \
             responded. A subscription can be tested once every 5 seconds, also while it is disabled, but not if the \
             operator has disabled it.",
        )
        .parameters(PARAMETERS)
        .takes::<TestEvent>(test_event::example())
        .if_any()
        .responses::<Tested>(
            "How the endpoint responded",
            json!({ "status": 204, "durationMs": 87 }),
        )
        .problems(&[Code::InvalidParameter, Code::NotFound])
}
