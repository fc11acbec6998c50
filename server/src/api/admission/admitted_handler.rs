//! A handler wrapped in an admission.

use std::{
    pin::Pin,
    task::{Context, Poll, ready},
};

use axum::{
    extract::Request,
    handler::Handler,
    response::{IntoResponse, Response},
};
use edge::{
    boundary::poll_unwinding,
    representation::{PRIVATE_READ_CACHE, READ_CACHE},
};
use futures_util::future::BoxFuture;
use http::{HeaderMap, HeaderValue, Method, header};
use limits::Decision;

use super::{Admission, AdmissionResult, Caller, Purpose};
use crate::{api::idempotency, keys::CallerKey, problem::Problem};

/// A handler behind an [`Admission`].
#[derive(Clone, Debug)]
pub struct AdmittedHandler<H> {
    pub(super) admission: Admission,
    pub(super) handler: H,
}

impl<H, T, S> Handler<T, S> for AdmittedHandler<H>
where
    H: Handler<T, S, Future: Unpin>,
    T: 'static,
    S: Clone + Send + Sync + 'static,
{
    type Future = AdmissionFuture<H::Future>;

    fn call(self, request: Request, state: S) -> Self::Future {
        let peer = request.extensions().get().copied();
        match self.admission.admit_now(peer, request.method(), request.headers()) {
            Some(admitted) => self.answer(request, state, admitted),
            None => AdmissionFuture::Asking(Box::pin(async move {
                let (method, headers) = (request.method(), request.headers());
                let admitted = self.admission.admit(peer, method, headers).await;
                self.answer(request, state, admitted).await
            })),
        }
    }
}

impl<H> AdmittedHandler<H> {
    /// Returns the key of the caller if the request has an `Idempotency-Key` that counts.
    fn key_of_idempotent(&self, request: &Request, caller: &Caller) -> Option<CallerKey> {
        let is_change =
            self.admission.purpose == Purpose::Partners && request.method() == Method::POST;
        caller.key.filter(|_| is_change && idempotency::has_key(request.headers()))
    }

    fn answer<T, S>(
        self,
        mut request: Request,
        state: S,
        (admitted, decision): AdmissionResult,
    ) -> AdmissionFuture<H::Future>
    where
        H: Handler<T, S, Future: Unpin>,
        S: Send + 'static,
    {
        match admitted {
            Ok(caller) => {
                if let Some(key) = self.key_of_idempotent(&request, &caller) {
                    let store = self.admission.parts.store.clone();
                    return AdmissionFuture::Asking(Box::pin(async move {
                        let handle = |mut request: Request| {
                            request.extensions_mut().insert(caller);
                            self.handler.call(request, state)
                        };
                        let mut response = idempotency::once(store, key, request, handle).await;
                        mark(response.headers_mut(), decision);
                        response
                    }));
                }
                // An extension is an allocation, and handlers of reads need none.
                if self.admission.purpose != Purpose::Reading {
                    request.extensions_mut().insert(caller);
                }
                AdmissionFuture::AdmissionResult {
                    future: self.handler.call(request, state),
                    decision,
                }
            }
            Err(problem) => {
                let peer = request.extensions().get().copied();
                self.admission.log_refused(peer, request.headers(), &problem);
                AdmissionFuture::Refused(Some((problem, decision)))
            }
        }
    }
}

/// Future of the response to a request.
pub enum AdmissionFuture<F> {
    /// The decision is still pending.
    Asking(BoxFuture<'static, Response>),
    AdmissionResult {
        future: F,
        decision: Decision,
    },
    Refused(Option<(Problem, Decision)>),
}

impl<F: Future<Output = Response> + Unpin> Future for AdmissionFuture<F> {
    type Output = Response;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Response> {
        let (mut response, decision) = match self.get_mut() {
            Self::Asking(future) => return future.as_mut().poll(context),
            Self::AdmissionResult { future, decision } => {
                // Panics are caught here, so that their response gets the headers, too.
                (ready!(poll_unwinding(future, context)), *decision)
            }
            Self::Refused(refused) => match refused.take() {
                Some((problem, decision)) => (problem.into_response(), decision),
                // Polled again after it was ready, which no executor does.
                None => return Poll::Pending,
            },
        };
        // The state after the last of several requests that this one counts as, if it is one of those.
        let decision = response.extensions_mut().remove::<Decision>().unwrap_or(decision);
        mark(response.headers_mut(), decision);
        Poll::Ready(response)
    }
}

/// Headers of the API that scripts of other sites may read (CORS).
const EXPOSED: HeaderValue = HeaderValue::from_static(
    "etag,link,reports-revision,retry-after,ratelimit,ratelimit-policy,deprecation,sunset,x-request-id,idempotent-replayed",
);

fn mark(headers: &mut HeaderMap, decision: Decision) {
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    headers.append(header::VARY, HeaderValue::from_static("authorization"));
    if headers.get(header::CACHE_CONTROL).is_some_and(|value| value == READ_CACHE) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(PRIVATE_READ_CACHE));
    }
    decision.write(headers);
}
