use domain::scope::Scope;
use edge::representation::PRIVATE_READ_CACHE;
use http::StatusCode;
use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use super::{DATA, Parameter, Schemas, WEBHOOKS, headers, parameter};
use crate::problem::Code;

/// Problems of every operation: an invalid key, a page that may not use it, a used-up limit, a failing database.
const ALWAYS: [Code; 5] = [
    Code::Unauthenticated,
    Code::OriginNotAllowed,
    Code::RateLimited,
    Code::Unavailable,
    Code::Internal,
];

/// An operation of the API, as its handler describes it.
#[derive(Debug)]
pub struct Operation {
    pub path: &'static str,
    pub method: &'static str,
    id: &'static str,
    tag: &'static str,
    summary: &'static str,
    about: &'static str,
    needs_key: bool,
    /// Minimum scope of an operator's key.
    scope: Option<Scope>,
    segments: &'static [Parameter],
    parameters: &'static [Parameter],
    /// Whether the operation takes an `If-Match`.
    is_conditional: bool,
    body: Option<Content>,
    needs_body: bool,
    success: Success,
    /// Further successful outcomes.
    others: Vec<Success>,
    problems: Vec<Code>,
}

/// The body of a request or a response.
#[derive(Clone, Debug)]
enum Content {
    Json {
        schema: fn(&mut Schemas) -> Value,
        example: Value,
    },
    /// Content by media type.
    Other(fn(&mut Schemas) -> Value),
}

impl Content {
    fn into_value(self, schemas: &mut Schemas) -> Value {
        match self {
            Self::Json { schema, example } => {
                json!({ "application/json": { "schema": schema(schemas), "example": example } })
            }
            Self::Other(content) => content(schemas),
        }
    }
}

#[derive(Clone, Debug)]
struct Success {
    status: StatusCode,
    description: &'static str,
    content: Option<Content>,
    cache: Option<&'static str>,
    /// Headers in addition to those of every response.
    headers: &'static [&'static str],
    /// Whether the response may be one to an earlier request.
    is_replayable: bool,
}

impl Success {
    /// Whether the response has an entity tag, so that a later one may be 304.
    fn has_tag(&self) -> bool {
        self.cache == Some(PRIVATE_READ_CACHE)
    }
}

impl Operation {
    /// A public read that clients and proxies may cache.
    pub fn read(path: &'static str, id: &'static str, summary: &'static str) -> Self {
        let (status, cache) = (StatusCode::OK, Some(PRIVATE_READ_CACHE));
        Self {
            path,
            method: "get",
            id,
            tag: DATA,
            summary,
            about: "",
            needs_key: false,
            scope: None,
            segments: &[],
            parameters: &[],
            is_conditional: false,
            body: None,
            needs_body: true,
            success: Success {
                status,
                description: "",
                content: None,
                cache,
                headers: &[],
                is_replayable: false,
            },
            others: Vec::new(),
            problems: ALWAYS.into(),
        }
    }

    /// An operation by which anybody submits something.
    pub fn submission(path: &'static str, id: &'static str, summary: &'static str) -> Self {
        Self { method: "post", ..Self::read(path, id, summary) }.cache("no-store")
    }

    /// An operation that requires a partner's key.
    pub fn partners(
        method: &'static str,
        path: &'static str,
        id: &'static str,
        summary: &'static str,
    ) -> Self {
        let operation = Self { method, needs_key: true, ..Self::read(path, id, summary) };
        operation.tag(WEBHOOKS).cache("no-store").problems(&[Code::Forbidden])
    }

    /// An operation that requires an operator's key with this scope.
    pub fn operators(
        scope: Scope,
        method: &'static str,
        path: &'static str,
        id: &'static str,
        summary: &'static str,
    ) -> Self {
        let operation = Self::read(path, id, summary);
        let operation = Self { method, needs_key: true, scope: Some(scope), ..operation };
        operation.cache("no-store").problems(&[Code::Forbidden])
    }

    /// Whether the operation takes an `Idempotency-Key`: see [`idempotency`](crate::api).
    fn is_idempotent(&self) -> bool {
        self.method == "post"
    }

    /// Sets the group.
    pub fn tag(self, tag: &'static str) -> Self {
        Self { tag, ..self }
    }

    /// Sets a description in Markdown, in addition to the summary.
    pub fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    /// Sets the path segments that are in braces.
    pub fn segments(self, segments: &'static [Parameter]) -> Self {
        Self { segments, ..self }.problems(&[Code::NotFound])
    }

    /// Sets the supported query parameters.
    pub fn parameters(self, parameters: &'static [Parameter]) -> Self {
        Self { parameters, ..self }
    }

    /// Adds the header `If-Match`.
    pub fn conditional(self) -> Self {
        let problems = [Code::InvalidParameter, Code::PreconditionFailed];
        Self { is_conditional: true, ..self }.problems(&problems)
    }

    /// Sets the JSON body of requests.
    pub fn takes<T: JsonSchema>(self, example: Value) -> Self {
        let body = Content::Json { schema: Schemas::request::<T>, example };
        Self { body: Some(body), ..self }.problems(&[
            Code::InvalidJson,
            Code::InvalidBody,
            Code::UnsupportedMediaType,
            Code::PayloadTooLarge,
        ])
    }

    /// Sets the body of requests, by media type.
    pub fn takes_any_of(self, content: fn(&mut Schemas) -> Value) -> Self {
        Self { body: Some(Content::Other(content)), ..self }
    }

    /// Makes the body of requests optional.
    pub fn if_any(self) -> Self {
        Self { needs_body: false, ..self }
    }

    /// Sets a response with 200 and JSON.
    pub fn responses<T: JsonSchema>(mut self, description: &'static str, example: Value) -> Self {
        let content = Some(Content::Json { schema: Schemas::response::<T>, example });
        self.success = Success { description, content, ..self.success };
        self
    }

    /// Sets a response with 200 and another kind of body.
    pub fn answers_with(
        mut self,
        description: &'static str,
        content: fn(&mut Schemas) -> Value,
    ) -> Self {
        let content = Some(Content::Other(content));
        self.success = Success { description, content, ..self.success };
        self
    }

    /// Adds a response with this status and the same kind of body.
    pub fn or(mut self, status: StatusCode, description: &'static str) -> Self {
        let other = Success { status, description, ..self.success.clone() };
        self.others.push(other);
        self
    }

    /// Sets a response with 204.
    pub fn answers_nothing(mut self, description: &'static str) -> Self {
        let status = StatusCode::NO_CONTENT;
        self.success = Success {
            status,
            description,
            content: None,
            cache: None,
            headers: &[],
            is_replayable: false,
        };
        self
    }

    /// Sets the operation's own response headers.
    pub fn headers(mut self, headers: &'static [&'static str]) -> Self {
        self.success.headers = headers;
        self
    }

    /// Sets the status of the response to 201.
    pub fn creates(mut self) -> Self {
        self.success.status = StatusCode::CREATED;
        self
    }

    /// Sets the status of the response to 202.
    pub fn accepts(mut self) -> Self {
        self.success.status = StatusCode::ACCEPTED;
        self
    }

    /// Sets `Cache-Control`, and removes the entity tag: the response is for one caller, or never the same twice.
    pub fn cache(mut self, cache: &'static str) -> Self {
        self.success.cache = Some(cache);
        self
    }

    /// Adds problems to those of every operation.
    pub fn problems(mut self, problems: &[Code]) -> Self {
        self.problems.extend(problems);
        self
    }

    /// Converts the operation to JSON for the document.
    pub fn into_value(mut self, schemas: &mut Schemas) -> Value {
        if self.is_idempotent() {
            self.problems.extend([Code::InvalidParameter, Code::IdempotencyConflict]);
            self.success.is_replayable = true;
            self.others.iter_mut().for_each(|other| other.is_replayable = true);
        }
        let parameters = self.segments.iter().chain(self.parameters);
        let mut parameters: Vec<Value> = parameters.map(Parameter::described).collect();
        if self.success.has_tag() {
            parameters.push(parameter::if_none_match());
        }
        if self.is_conditional {
            parameters.push(parameter::if_match());
        }
        if self.is_idempotent() {
            parameters.push(parameter::idempotency_key());
        }
        // OpenAPI 3.1 calls these roles in schemes other than OAuth.
        let roles: Vec<&str> = self.scope.iter().map(|scope| scope.as_str()).collect();
        let with_key = json!({ "key": roles });
        // The empty alternative means that no key is needed.
        let security = if self.needs_key { vec![with_key] } else { vec![json!({}), with_key] };
        let mut value = json!({
            "operationId": self.id,
            "tags": [self.tag],
            "summary": self.summary,
            "description": self.about,
            "security": security,
            "parameters": parameters,
        });
        if let Some(body) = self.body {
            let content = body.into_value(schemas);
            value["requestBody"] = json!({ "required": self.needs_body, "content": content });
        }
        let successes = std::iter::once(self.success).chain(self.others);
        value["responses"] = responses(successes, &self.problems, schemas);
        value
    }
}

fn responses(
    successes: impl Iterator<Item = Success>,
    problems: &[Code],
    schemas: &mut Schemas,
) -> Value {
    let mut responses = Map::new();
    for success in successes {
        let tag = success.has_tag().then_some("ETag");
        let replayed = success.is_replayable.then_some("Idempotent-Replayed");
        let more = tag.into_iter().chain(replayed).chain(success.headers.iter().copied());
        let more: Vec<&str> = more.collect();
        let headers = headers::references(&more, success.cache);
        let mut response = json!({ "description": success.description, "headers": headers });
        let has_tag = success.has_tag();
        if let Some(content) = success.content {
            response["content"] = content.into_value(schemas);
        }
        responses.insert(success.status.as_str().to_owned(), response);
        if has_tag {
            let known = json!({
                "description": "The content that `If-None-Match` names is still current; no body",
                "headers": headers,
            });
            responses.insert("304".to_owned(), known);
        }
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

/// Response with one of these problems, or with any problem if `codes` is empty.
fn problem(status: StatusCode, codes: &[Code]) -> Value {
    let more: &[&str] = match status {
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => &["Retry-After"],
        // While the first request with the key is being handled.
        StatusCode::CONFLICT if codes.contains(&Code::IdempotencyConflict) => &["Retry-After"],
        StatusCode::UNAUTHORIZED => &["WWW-Authenticate"],
        _ => &[],
    };
    let described: Vec<String> =
        codes.iter().map(|code| format!("`{}`: {}", code.as_str(), code.when())).collect();
    let mut response = json!({
        "description": described.join("\n\n"),
        "headers": headers::references(more, Some("no-store")),
        "content": { "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } } },
    });
    if !codes.is_empty() {
        // Not in the schema: a generated client would have a separate type for each response.
        let names: Vec<&str> = codes.iter().map(|code| code.as_str()).collect();
        response["x-codes"] = names.into();
    }
    response
}
