use std::sync::{Arc, LazyLock};

use app::base_url::BaseUrl;
use base::cache::{Cache, Limits};
use edge::representation::Representation;
use serde_json::{Value, json};

/// Maximum number of base URLs for which the document is cached: a service has one or two.
const ADDRESSES: u64 = 8;

/// An API document, assembled at the first request.
#[derive(Debug)]
pub struct Description {
    /// The document without the URLs that depend on the base URL.
    pub document: LazyLock<Value, Box<dyn FnOnce() -> Value + Send>>,
    /// Path of the reference page.
    page: &'static str,
    by_address: Cache<BaseUrl, Representation>,
}

impl Description {
    pub fn new(assemble: impl FnOnce() -> Value + Send + 'static, page: &'static str) -> Self {
        let limits = Limits { weight: ADDRESSES, ..Limits::default() };
        let document = LazyLock::new(Box::new(assemble) as Box<_>);
        Self { document, page, by_address: Cache::new(limits, |_, _| 1) }
    }

    /// Returns the document of the service at `base_url`. Its URLs are absolute, because a document is often read from
    /// a file.
    pub async fn at(&self, base_url: &BaseUrl) -> Arc<Representation> {
        if let Some(document) = self.by_address.get(base_url).await {
            return document;
        }
        let document = Arc::new(Representation::json(&self.with_urls(base_url)));
        self.by_address.insert(base_url.clone(), document.clone()).await;
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
