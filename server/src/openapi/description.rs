use std::sync::{Arc, LazyLock};

use app::base_url::BaseUrl;
use base::cache::{Cache, Limits};
use edge::representation::Representation;
use serde_json::{Value, json};

use super::version_3_0;

/// Maximum number of documents that are cached: a service has one or two base URLs.
const DOCUMENTS: u64 = 16;

/// A version of OpenAPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OpenApi {
    V3_0,
    V3_1,
}

/// An API document, assembled at the first request.
#[derive(Debug)]
pub struct Description {
    /// The document without the URLs that depend on the base URL.
    pub document: LazyLock<Value, Box<dyn FnOnce() -> Value + Send>>,
    /// Path of the reference page.
    page: &'static str,
    by_address: Cache<(BaseUrl, OpenApi), Representation>,
}

impl Description {
    pub fn new(assemble: impl FnOnce() -> Value + Send + 'static, page: &'static str) -> Self {
        let limits = Limits { weight: DOCUMENTS, ..Limits::default() };
        let document = LazyLock::new(Box::new(assemble) as Box<_>);
        Self { document, page, by_address: Cache::new(limits, |_, _| 1) }
    }

    /// Returns the document of the service at `base_url`. Its URLs are absolute, because a document is often read from
    /// a file.
    pub async fn at(&self, base_url: &BaseUrl, version: OpenApi) -> Arc<Representation> {
        let key = (base_url.clone(), version);
        if let Some(document) = self.by_address.get(&key).await {
            return document;
        }
        let document = self.with_urls(base_url);
        let document = match version {
            OpenApi::V3_0 => version_3_0::converted(document),
            OpenApi::V3_1 => document,
        };
        let document = Arc::new(Representation::json(&document));
        self.by_address.insert(key, document.clone()).await;
        document
    }

    fn with_urls(&self, base_url: &BaseUrl) -> Value {
        let mut document = Value::clone(&self.document);
        let contact = &mut document["info"]["contact"]["url"];
        if contact == "" {
            *contact = base_url.as_str().into();
        }
        document["servers"] = json!([{ "url": base_url.as_str() }]);
        document["externalDocs"]["url"] = format!("{base_url}{}", self.page).into();
        let kind = &mut document["components"]["schemas"]["Problem"]["example"]["type"];
        *kind = base_url.link(kind.as_str().unwrap_or_default()).into();
        document
    }
}
