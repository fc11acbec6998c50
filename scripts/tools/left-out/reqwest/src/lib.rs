//! Left out: downloads. The tools that cargo-leptos calls are on its PATH.

use std::fmt;

/// The only outcome of a request.
#[derive(Debug)]
pub struct Error;

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("this build of cargo-leptos downloads nothing")
    }
}

impl std::error::Error for Error {}

pub async fn get(_: &str) -> Result<Response, Error> {
    Err(Error)
}

#[derive(Default)]
pub struct ClientBuilder;

impl ClientBuilder {
    pub fn user_agent(self, _: &str) -> Self {
        self
    }

    pub fn build(self) -> Result<Client, Error> {
        Ok(Client)
    }
}

#[derive(Default)]
pub struct Client;

impl Client {
    pub fn get(&self, _: String) -> RequestBuilder {
        RequestBuilder
    }
}

pub struct RequestBuilder;

impl RequestBuilder {
    pub async fn send(self) -> Result<Response, Error> {
        Err(Error)
    }
}

#[derive(Debug)]
pub struct StatusCode;

impl StatusCode {
    pub fn is_success(&self) -> bool {
        false
    }
}

impl fmt::Display for StatusCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Error.fmt(formatter)
    }
}

/// Never exists: nothing is sent.
pub enum Response {}

impl Response {
    pub fn status(&self) -> StatusCode {
        match *self {}
    }

    pub async fn bytes(self) -> Result<bytes::Bytes, Error> {
        match self {}
    }

    pub async fn json<T: serde::de::DeserializeOwned>(self) -> Result<T, Error> {
        match self {}
    }
}
