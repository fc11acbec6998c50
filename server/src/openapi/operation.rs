use http::StatusCode;
use serde_json::{Map, Value, json};

use super::{headers, parameter};
use crate::http::problem::Code;

/// What any request may be answered with: a bad key, a used-up limit, a failing database.
const ALWAYS: [Code; 4] =
    [Code::Unauthenticated, Code::RateLimited, Code::Unavailable, Code::Internal];

/// One operation of the API, as its handler describes it.
pub(in super::super) struct Operation {
    pub(super) path: &'static str,
    pub(super) method: &'static str,
    id: &'static str,
    summary: &'static str,
    about: &'static str,
    needs_key: bool,
    parameters: Vec<Value>,
    body: Option<Value>,
    success: Success,
    problems: Vec<Code>,
}

struct Success {
    status: StatusCode,
    description: &'static str,
    content: Option<Value>,
    /// Whether it carries an entity tag, so that asking again may be answered with 304.
    tagged: bool,
}

impl Operation {
    /// A public read, cached by its entity tag.
    pub(in super::super) fn read(
        path: &'static str,
        id: &'static str,
        summary: &'static str,
    ) -> Self {
        let success =
            Success { status: StatusCode::OK, description: "", content: None, tagged: true };
        Self {
            path,
            method: "get",
            id,
            summary,
            about: "",
            needs_key: false,
            parameters: vec![],
            body: None,
            success,
            problems: ALWAYS.into(),
        }
    }

    /// What only a partner may do.
    pub(in super::super) fn partners(
        method: &'static str,
        path: &'static str,
        id: &'static str,
        summary: &'static str,
    ) -> Self {
        let operation = Self { method, needs_key: true, ..Self::read(path, id, summary) };
        operation.untagged().problems(&[Code::Forbidden])
    }

    /// More than the summary says; Markdown.
    pub(in super::super) fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    pub(in super::super) fn parameters(self, parameters: impl IntoIterator<Item = Value>) -> Self {
        Self { parameters: parameters.into_iter().collect(), ..self }
    }

    /// The JSON that has to be sent.
    pub(in super::super) fn takes(self, schema: &str, example: Value) -> Self {
        let body = json!({ "required": true, "content": content(reference(schema), example) });
        Self { body: Some(body), ..self }
    }

    /// Answers 200 with JSON.
    pub(in super::super) fn answers(
        self,
        description: &'static str,
        schema: Value,
        example: Option<Value>,
    ) -> Self {
        let mut media = json!({ "schema": schema });
        if let Some(example) = example {
            media["example"] = example;
        }
        self.answers_with(description, json!({ "application/json": media }))
    }

    /// Answers 200 with a body of another kind.
    pub(in super::super) fn answers_with(
        mut self,
        description: &'static str,
        content: Value,
    ) -> Self {
        self.success = Success { description, content: Some(content), ..self.success };
        self
    }

    /// Answers with another status than 200.
    pub(in super::super) fn status(mut self, status: StatusCode) -> Self {
        self.success.status = status;
        self
    }

    /// Answers without a body.
    pub(in super::super) fn answers_nothing(mut self, description: &'static str) -> Self {
        self.success = Success { description, content: None, ..self.success };
        self
    }

    /// Has no entity tag, because it is made for one caller or never the same.
    pub(in super::super) fn untagged(mut self) -> Self {
        self.success.tagged = false;
        self
    }

    pub(in super::super) fn problems(mut self, problems: &[Code]) -> Self {
        self.problems.extend(problems);
        self
    }

    pub(super) fn into_value(self) -> Value {
        let mut parameters = self.parameters;
        if self.success.tagged {
            parameters.push(parameter::if_none_match());
        }
        let with_key = json!({ "key": [] });
        // The empty alternative is to send none.
        let security = if self.needs_key { vec![with_key] } else { vec![json!({}), with_key] };
        let mut value = json!({
            "operationId": self.id,
            "summary": self.summary,
            "description": self.about,
            "security": security,
            "parameters": parameters,
        });
        if let Some(body) = self.body {
            value["requestBody"] = body;
        }
        value["responses"] = responses(&self.success, &self.problems);
        value
    }
}

/// A reference to a schema by its name.
pub(in super::super) fn reference(schema: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{schema}") })
}

fn content(schema: Value, example: Value) -> Value {
    json!({ "application/json": { "schema": schema, "example": example } })
}

fn responses(success: &Success, problems: &[Code]) -> Value {
    let mut responses = Map::new();
    let carried: &[&str] = match (&success.content, success.tagged) {
        (None, _) => &[],
        (Some(_), false) => &["Cache-Control"],
        (Some(_), true) => &["ETag", "Cache-Control"],
    };
    let mut answer = json!({
        "description": success.description,
        "headers": headers::references(carried),
    });
    if let Some(content) = &success.content {
        answer["content"] = content.clone();
    }
    responses.insert(success.status.as_str().to_owned(), answer);
    if success.tagged {
        let known = json!({
            "description": "What `If-None-Match` names is still right; there is no body",
            "headers": headers::references(&["ETag", "Cache-Control"]),
        });
        responses.insert("304".to_owned(), known);
    }
    for code in Code::ALL {
        let status = code.status();
        if !problems.contains(&code) || responses.contains_key(status.as_str()) {
            continue;
        }
        let same: Vec<Code> = Code::ALL
            .into_iter()
            .filter(|other| problems.contains(other) && other.status() == status)
            .collect();
        responses.insert(status.as_str().to_owned(), problem(status, &same));
    }
    responses.insert("default".to_owned(), {
        let mut any = problem(StatusCode::OK, &[]);
        any["description"] = "Any other problem".into();
        any
    });
    Value::Object(responses)
}

/// The answer that says one of these problems; with none of them, any.
fn problem(status: StatusCode, codes: &[Code]) -> Value {
    let mut more = vec![];
    match status {
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => more.push("Retry-After"),
        StatusCode::UNAUTHORIZED => more.push("WWW-Authenticate"),
        _ => {}
    }
    let said: Vec<String> =
        codes.iter().map(|code| format!("`{}`: {}", code.as_str(), code.when())).collect();
    let names: Vec<&str> = codes.iter().map(|code| code.as_str()).collect();
    let schema = match names.is_empty() {
        true => reference("Problem"),
        false => json!({
            "allOf": [reference("Problem"), { "properties": { "code": { "enum": names } } }],
        }),
    };
    json!({
        "description": said.join("\n\n"),
        "headers": headers::references(&more),
        "content": { "application/problem+json": { "schema": schema } },
    })
}
