use std::sync::Arc;

use app::{base_url::BaseUrl, request::PageRequest, shell::provide_page_context};
use axum::{
    body::Body,
    extract::Request,
    response::{IntoResponse, Redirect, Response},
};
use desk::{backend::Notice, portal::Frame};
use edge::single_use;
use http::request::Parts;
use kit::{lang::Lang, words::Words};
use leptos::{IntoView, prelude::provide_context};
use leptos_axum::handle_response_inner;
use store::Session;

use crate::{
    api::Partner,
    problem::{Problem, Result},
    realm::{
        Realm, csrf, language, notice,
        session::{self, Token},
        sign_in,
    },
    site::{
        pages::{SnapshotPageData, in_one_piece},
        visitors::{Visitor, cost},
    },
    state::AppState,
};

/// A request of the portal, from a partner or from somebody who has not signed in.
pub(super) struct Visit {
    pub(super) app: AppState,
    pub(super) base_url: BaseUrl,
    /// Language of pages and messages.
    pub(super) lang: Lang,
    /// Address of the browser.
    pub(super) origin: String,
    session: Option<(Token, Session)>,
}

/// A request of a partner who has signed in.
pub(super) struct PartnersVisit {
    pub(super) visit: Visit,
    pub(super) session: Session,
    pub(super) token: Token,
}

impl Visit {
    /// The visit of a request for a page.
    ///
    /// # Errors
    /// 429 if the visitor's budget is used up.
    pub(super) async fn of(app: &AppState, request: &Parts) -> Result<Self> {
        let base_url = Realm::Partners.base_url(app, request);
        let session = session::of(app, Realm::Partners, request, &base_url).await?;
        Visitor::of(&app.visitors, request).pay(cost::PAGE)?;
        Ok(Self {
            lang: language::of(Realm::Partners, &request.headers, &base_url),
            origin: sign_in::origin(app, request),
            app: app.clone(),
            base_url,
            session,
        })
    }

    /// The visit of a form. Only pages of the portal may send forms.
    pub(super) async fn of_form(app: &AppState, request: &Parts) -> Result<Self> {
        let base_url = Realm::Partners.base_url(app, request);
        csrf::check_own(Realm::Partners, &request.headers, &base_url)?;
        Self::of(app, request).await
    }

    /// The visit of a partner, or of somebody who has to sign in first.
    pub(super) fn of_partner(mut self) -> Result<PartnersVisit, Box<Self>> {
        match self.session.take() {
            Some((token, session)) => Ok(PartnersVisit { visit: self, session, token }),
            None => Err(Box::new(self)),
        }
    }

    /// Texts in the visitor's language.
    pub(super) fn words(&self) -> Words {
        Words::all(self.lang)
    }

    /// Redirects to the sign-in page, which leads back to the page `back`.
    pub(super) fn to_sign_in(&self, back: &str) -> Response {
        let back: String = url::form_urlencoded::byte_serialize(back.as_bytes()).collect();
        self.to(&format!("{}?back={back}", Realm::Partners.sign_in()))
    }

    /// Redirects to a page.
    pub(super) fn to(&self, page: &str) -> Response {
        Redirect::to(&self.base_url.link(page)).into_response()
    }

    /// Redirects to a page that shows a message.
    pub(super) fn lead(&self, page: &str, notice: &Notice) -> Response {
        notice::lead(Realm::Partners, page, notice, &self.base_url)
    }

    /// Renders a page, and adds the message for it to the frame.
    pub(super) async fn page<V: IntoView + 'static>(
        &self,
        request: &Parts,
        frame: Frame,
        view: impl FnOnce(Frame) -> V + Send + 'static,
    ) -> Result<Response> {
        let path = request.uri.path();
        let Some(page) = PageRequest::new(path, "", None, self.base_url.clone()) else {
            return Err(Problem::not_found("There is no such page."));
        };
        let notice = notice::of(Realm::Partners, &request.headers, &self.base_url);
        let (is_told, is_secret) = (notice.is_some(), matches!(notice, Some(Notice::Issued(_))));
        let frame = Frame { notice, ..frame };
        let source = Arc::new(SnapshotPageData::new(self.app.pages.sources().clone()));
        let lang = self.lang;
        let page = PageRequest { lang, ..page };
        let assets = self.app.site.assets.clone();
        let context = move || {
            provide_page_context(page.clone(), source.clone(), assets.clone());
            provide_context(lang);
        };
        let own = Request::builder().uri(path).body(Body::empty());
        let own = own.map_err(|error| Problem::internal(Arc::new(error)))?;
        let mut response =
            handle_response_inner(context, move || view(frame), own, in_one_piece).await;
        // The size of a compressed page could reveal a secret in it.
        if !is_secret {
            let gzipped = single_use::gzipped(response, &request.headers).await;
            response = gzipped.map_err(|error| Problem::internal(Arc::new(error)))?;
        }
        if is_told {
            notice::set(&mut response, &notice::forgotten(Realm::Partners, &self.base_url));
        }
        Ok(response)
    }
}

impl PartnersVisit {
    /// The partner, as the API has it.
    pub(super) fn partner(&self) -> Partner {
        let is_sandbox = self.is_sandbox();
        Partner { id: self.session.partner_id, is_sandbox, operator: None, claim: None }
    }

    /// Whether the session sees the sandbox of a partner instead of real events.
    pub(super) fn is_sandbox(&self) -> bool {
        self.session.tier.is_sandbox()
    }

    /// Renders a page.
    pub(super) async fn page<V: IntoView + 'static>(
        &self,
        request: &Parts,
        view: impl FnOnce(Frame) -> V + Send + 'static,
    ) -> Result<Response> {
        let holder = self.session.holder.clone();
        let frame = Frame { holder, is_sandbox: self.is_sandbox(), notice: None };
        self.visit.page(request, frame, view).await
    }
}
