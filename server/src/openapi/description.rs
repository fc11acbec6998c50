use serde_json::{Value, json};

/// The assembled document.
#[derive(Debug)]
pub struct Description {
    /// Without the URLs that depend on where the service is reached.
    pub document: Value,
}

impl Description {
    /// The document of the service at `base_url`. Its URLs are absolute, because a document is often
    /// read from a file.
    pub fn at(&self, base_url: &str) -> Value {
        let mut document = self.document.clone();
        document["info"]["contact"]["url"] = base_url.into();
        document["servers"] = json!([{ "url": base_url }]);
        document["externalDocs"]["url"] = format!("{base_url}/docs").into();
        document
    }
}
