//! The desk in a browser without scripts: pages, forms and a cookie.

mod admin;
mod confirming;
mod importing;
mod overview;
mod signing_in;

use std::cell::RefCell;

use domain::{scope::Scope, tier::Tier};
use reqwest::{Method, RequestBuilder};
use serde_json::Value;

use svc::{
    config::{self, ListenAddress},
    keys::ApiKey,
};

use crate::{
    harness::{Answer, Running, open},
    operator::key,
};

const START: &str = "2026-03-01T12:00:00.000Z";

/// Starts a service with the desk on the public address.
pub(crate) async fn running() -> Running {
    Running::with(config::Serve { operator_on: ListenAddress::Public, ..open() }, START).await
}

/// Adds a form as the body of a request.
pub(crate) fn form(request: RequestBuilder, fields: &[(&str, &str)]) -> RequestBuilder {
    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    request.header("content-type", "application/x-www-form-urlencoded").body(body)
}

/// Browser that runs no scripts.
pub(crate) struct Browser<'r> {
    pub(crate) running: &'r Running,
    /// Path of the pages: `/desk` or `/partners`.
    home: &'static str,
    pub(crate) cookie: String,
    /// Cookie that holds the message for the next page.
    told: RefCell<String>,
}

impl<'r> Browser<'r> {
    /// Creates the browser of a user who has not signed in at the desk.
    pub(crate) fn new(running: &'r Running) -> Self {
        Self::at(running, "/desk")
    }

    /// Creates the browser of a user who has not signed in.
    pub(crate) fn at(running: &'r Running, home: &'static str) -> Self {
        Self { running, home, cookie: String::new(), told: RefCell::default() }
    }

    /// Start of the cookie that holds the message for the next page.
    fn notice(&self) -> String {
        format!("svc_{}_notice=", &self.home[1..])
    }

    /// Creates the browser of a user who has signed in with a new key.
    pub(crate) async fn of(running: &'r Running, name: &str, scope: Scope) -> Self {
        let key = key(running, name, Tier::Operator, Some(scope)).await;
        let mut browser = Self::new(running);
        let answer = browser.sign_in(&key).await;
        assert_eq!((answer.status, answer.header("location")), (302, "/desk"));
        browser
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.running.http.request(method, self.running.url(path));
        let request = request.header("accept", "text/html,*/*");
        let told = self.told.borrow();
        let cookies: Vec<&str> =
            [&*self.cookie, &**told].into_iter().filter(|cookie| !cookie.is_empty()).collect();
        if cookies.is_empty() { request } else { request.header("cookie", cookies.join("; ")) }
    }

    /// Stores or clears the message cookie, as the response requires.
    fn keep(&self, answer: &Answer) {
        let set = answer.headers.get_all("set-cookie").iter();
        let mut set = set.map(|cookie| cookie.to_str().unwrap());
        if let Some(cookie) = set.find(|cookie| cookie.starts_with(&self.notice())) {
            let (cookie, rest) = cookie.split_once(';').unwrap();
            let is_forgotten = rest.contains("Max-Age=0");
            *self.told.borrow_mut() = if is_forgotten { String::new() } else { cookie.to_owned() };
        }
    }

    /// Message for the next page.
    pub(crate) fn told(&self) -> String {
        let told = self.told.borrow();
        let told = told.strip_prefix(&self.notice()).unwrap_or_default();
        let told = url::form_urlencoded::parse(told.as_bytes()).next();
        told.map(|(told, _)| told.into_owned()).unwrap_or_default()
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        let request = self.request(Method::GET, path);
        let answer = self.running.ask(request, &[]).await;
        self.keep(&answer);
        answer
    }

    /// Sends a form from a page of the service.
    pub(crate) async fn send(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let origin = self.running.url("");
        let request =
            self.request(Method::POST, path).header("origin", origin.trim_end_matches('/'));
        let answer = self.running.ask(form(request, fields), &[]).await;
        self.keep(&answer);
        answer
    }

    /// Sends a form as the script of a page does, and returns the JSON of the response.
    pub(crate) async fn call(&self, path: &str, fields: &[(&str, &str)]) -> Value {
        let origin = self.running.url("");
        let request = self.running.http.post(self.running.url(path)).header("cookie", &self.cookie);
        let request =
            request.header("accept", "*/*").header("origin", origin.trim_end_matches('/'));
        let answer = self.running.ask(form(request, fields), &[]).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        serde_json::from_str(&answer.text()).unwrap()
    }

    pub(crate) async fn sign_in(&mut self, key: &ApiKey) -> Answer {
        let answer =
            self.send(&format!("{}/do/sign-in", self.home), &[("key", key.as_str())]).await;
        let cookie = answer.header("set-cookie").split(';').next().unwrap_or_default();
        if !cookie.starts_with(&self.notice()) {
            self.cookie = cookie.to_owned();
        }
        answer
    }

    /// Ids of the reports on a page of the queue.
    pub(crate) async fn ids(&self, path: &str) -> Vec<String> {
        let page = self.get(path).await;
        assert_eq!(page.status, 200, "{}", page.text());
        let text = page.text();
        let ids = text.split("data-id=\"").skip(1);
        ids.map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
    }
}

/// Returns a page without the elements around data.
pub(crate) fn plain(page: &str) -> String {
    ["<!>", "<bdi>", "</bdi>", "<code>", "</code>"]
        .iter()
        .fold(page.to_owned(), |page, tag| page.replace(tag, ""))
}

/// Confirmation value in the form of a confirmation page.
pub(crate) fn confirmed(page: &str) -> String {
    let (_, rest) = page.split_once("name=\"confirmed\" value=\"").unwrap();
    rest.split('"').next().unwrap().to_owned()
}
