//! Requests of the reference as code: a command and programs, each complete.

use super::{
    json::{array, members, pretty, text},
    tabs::Tab,
};
use crate::base_url::BaseUrl;
use serde_json::Value;

/// An example of a request.
pub(super) struct Request {
    method: String,
    url: String,
    needs_key: bool,
    /// JSON with indentation.
    body: Option<String>,
    answer: Answer,
}

/// Kind of body of the response.
#[derive(Clone, Copy, PartialEq)]
enum Answer {
    Nothing,
    Text,
    /// An endless one, shown as it arrives.
    Stream,
}

impl Request {
    /// Request with the examples of the required parameters.
    pub(super) fn of(
        path: &str,
        method: &str,
        operation: &Value,
        base_url: &BaseUrl,
        needs_key: bool,
    ) -> Self {
        let (mut path, mut query) = (path.to_owned(), Vec::new());
        for parameter in array(&operation["parameters"]) {
            let (name, example) = (text(&parameter["name"]), text(&parameter["example"]));
            if parameter["in"] == "path" {
                path = path.replace(&format!("{{{name}}}"), &example);
            } else if parameter["required"] == true && parameter["in"] == "query" {
                query.push(format!("{name}={example}"));
            }
        }
        let mark = if query.is_empty() { "" } else { "?" };
        let success = members(&operation["responses"]).next();
        let content = success.and_then(|(_, response)| members(&response["content"]).next());
        Self {
            method: method.to_uppercase(),
            url: format!("{base_url}{path}{mark}{}", query.join("&")),
            needs_key,
            body: operation
                .get("requestBody")
                .map(|body| pretty(&body["content"]["application/json"]["example"])),
            answer: match content {
                None => Answer::Nothing,
                Some(("text/event-stream", _)) => Answer::Stream,
                Some(_) => Answer::Text,
            },
        }
    }

    /// The request in each language.
    pub(super) fn tabs(&self) -> [Tab; 5] {
        let tab = |label, id, language, code| Tab { label, id, language, code };
        [
            tab("curl", "curl", "sh", self.curl()),
            tab("TypeScript", "ts", "ts", self.typescript()),
            tab("Python", "python", "python", self.python()),
            tab("Go", "go", "go", self.go()),
            tab("Rust", "rust", "rust", self.rust()),
        ]
    }

    fn curl(&self) -> String {
        let Self { method, url, needs_key, body, answer } = self;
        let mut line = match answer {
            Answer::Stream => "curl --no-buffer".to_owned(),
            Answer::Nothing | Answer::Text => "curl".to_owned(),
        };
        // A body alone makes it a POST.
        if method != "GET" && (method != "POST" || body.is_none()) {
            line += &format!(" --request {method}");
        }
        line += &format!(" '{url}'");
        if *needs_key {
            line += " \\\n  --header \"Authorization: Bearer $SVC_KEY\"";
        }
        if let Some(body) = body {
            line += &format!(" \\\n  --json '{body}'");
        }
        line
    }

    fn typescript(&self) -> String {
        let Self { method, url, needs_key, body, answer } = self;
        let mut options = String::new();
        if method != "GET" {
            options += &format!("  method: \"{method}\",\n");
        }
        let key = needs_key.then_some("Authorization: `Bearer ${process.env.SVC_KEY}`");
        let json = body.is_some().then_some("\"Content-Type\": \"application/json\"");
        let headers: Vec<_> = key.into_iter().chain(json).collect();
        if !headers.is_empty() {
            options += &format!("  headers: {{ {} }},\n", headers.join(", "));
        }
        if let Some(body) = body {
            options += &format!("  body: JSON.stringify({}),\n", body.replace('\n', "\n  "));
        }
        let options = if options.is_empty() { options } else { format!(", {{\n{options}}}") };
        let show = match answer {
            Answer::Nothing => "console.log(answer.status);",
            Answer::Text => "console.log(await answer.text());",
            Answer::Stream => {
                "const text = answer.body.pipeThrough(new TextDecoderStream());\n\
                 for await (const part of text) console.log(part);"
            }
        };
        format!("const answer = await fetch(\"{url}\"{options});\n{show}")
    }

    fn python(&self) -> String {
        let Self { method, url, needs_key, body, answer } = self;
        let imports = if *needs_key { "import os\n\nimport httpx" } else { "import httpx" };
        let mut arguments = format!("    \"{url}\",\n");
        let key = needs_key.then_some("\"Authorization\": f\"Bearer {os.environ['SVC_KEY']}\"");
        let json = body.is_some().then_some("\"Content-Type\": \"application/json\"");
        let headers: Vec<_> = key.into_iter().chain(json).collect();
        if !headers.is_empty() {
            arguments += &format!("    headers={{{}}},\n", headers.join(", "));
        }
        if let Some(body) = body {
            arguments += &format!("    content=\"\"\"{body}\"\"\",\n");
        }
        let method = method.to_lowercase();
        match answer {
            // A tick takes as long as the usual timeout.
            Answer::Stream => format!(
                "{imports}\n\nwith httpx.stream(\n    \"{method}\",\n{arguments}    timeout=None,\n) as answer:\n    \
                 for line in answer.iter_lines():\n        print(line)"
            ),
            Answer::Nothing => {
                format!(
                    "{imports}\n\nanswer = httpx.{method}(\n{arguments})\nprint(answer.status_code)"
                )
            }
            Answer::Text => {
                format!("{imports}\n\nanswer = httpx.{method}(\n{arguments})\nprint(answer.text)")
            }
        }
    }

    fn go(&self) -> String {
        let Self { method, url, needs_key, body, .. } = self;
        let mut imports = vec!["io", "log", "net/http", "os"];
        let content = match body {
            Some(body) => {
                imports.push("strings");
                format!("strings.NewReader(`{body}`)")
            }
            None => "nil".to_owned(),
        };
        let imports: String = imports.iter().map(|name| format!("\t\"{name}\"\n")).collect();
        let mut headers = String::new();
        if *needs_key {
            headers +=
                "\trequest.Header.Set(\"Authorization\", \"Bearer \"+os.Getenv(\"SVC_KEY\"))\n";
        }
        if body.is_some() {
            headers += "\trequest.Header.Set(\"Content-Type\", \"application/json\")\n";
        }
        let fail = "\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n";
        format!(
            "package main\n\nimport (\n{imports})\n\nfunc main() {{\n\
             \trequest, err := http.NewRequest(\"{method}\", \"{url}\", {content})\n{fail}{headers}\
             \tanswer, err := http.DefaultClient.Do(request)\n{fail}\
             \tdefer answer.Body.Close()\n\tlog.Println(answer.Status)\n\
             \tif _, err := io.Copy(os.Stdout, answer.Body); err != nil {{\n\t\tlog.Fatal(err)\n\t}}\n}}"
        )
    }

    fn rust(&self) -> String {
        let Self { method, url, needs_key, body, answer } = self;
        let method = method.to_lowercase();
        let mut calls = format!("        .{method}(\"{url}\")\n");
        if *needs_key {
            calls += "        .bearer_auth(std::env::var(\"SVC_KEY\")?)\n";
        }
        if let Some(body) = body {
            calls += "        .header(\"Content-Type\", \"application/json\")\n";
            calls += &format!("        .body(r#\"{body}\"#)\n");
        }
        let (binding, show) = match answer {
            Answer::Nothing => ("answer", "println!(\"{}\", answer.status());"),
            Answer::Text => ("answer", "println!(\"{}\", answer.text()?);"),
            Answer::Stream => ("mut answer", "answer.copy_to(&mut std::io::stdout())?;"),
        };
        // Streams do not end, so they have no timeout.
        let client = match answer {
            Answer::Stream => "reqwest::blocking::Client::builder().timeout(None).build()?",
            Answer::Nothing | Answer::Text => "reqwest::blocking::Client::new()",
        };
        format!(
            "// reqwest = {{ version = \"0.13\", features = [\"blocking\"] }}\n\
             fn main() -> Result<(), Box<dyn std::error::Error>> {{\n    \
             let {binding} = {client}\n{calls}        .send()?;\n    {show}\n    Ok(())\n}}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn request(method: &str, operation: &Value, needs_key: bool) -> Request {
        let base_url = BaseUrl::new("https://a.example", "");
        Request::of("/p/{id}", method, operation, &base_url, needs_key)
    }

    #[test]
    fn a_command_sends_what_the_operation_is() {
        let id = json!({ "name": "id", "in": "path", "required": true, "example": "r-1" });
        let text = json!({ "name": "q", "in": "query", "required": true, "example": "x" });
        let body = json!({ "content": { "application/json": { "example": 1 } } });
        for (method, operation, command) in [
            ("get", json!({}), "curl 'https://a.example/p/{id}'"),
            ("get", json!({ "parameters": [id, text] }), "curl 'https://a.example/p/r-1?q=x'"),
            ("post", json!({}), "curl --request POST 'https://a.example/p/{id}'"),
            (
                "post",
                json!({ "parameters": [id], "requestBody": body }),
                "curl 'https://a.example/p/r-1' \\\n  --json '1'",
            ),
            (
                "patch",
                json!({ "requestBody": body }),
                "curl --request PATCH 'https://a.example/p/{id}' \\\n  --json '1'",
            ),
        ] {
            assert_eq!(request(method, &operation, false).curl(), command);
        }
    }

    #[test]
    fn programs_send_key_and_body() {
        let operation = json!({
            "requestBody": { "content": { "application/json": { "example": { "a": 1 } } } },
            "responses": { "200": { "content": { "application/json": {} } } },
        });
        let request = request("patch", &operation, true);
        assert_eq!(
            request.typescript(),
            "const answer = await fetch(\"https://a.example/p/{id}\", {\n  method: \"PATCH\",\n  \
             headers: { Authorization: `Bearer ${process.env.SVC_KEY}`, \"Content-Type\": \"application/json\" },\n  \
             body: JSON.stringify({\n    \"a\": 1\n  }),\n});\nconsole.log(await answer.text());"
        );
        assert_eq!(
            request.python(),
            "import os\n\nimport httpx\n\nanswer = httpx.patch(\n    \"https://a.example/p/{id}\",\n    \
             headers={\"Authorization\": f\"Bearer {os.environ['SVC_KEY']}\", \
             \"Content-Type\": \"application/json\"},\n    \
             content=\"\"\"{\n  \"a\": 1\n}\"\"\",\n)\nprint(answer.text)"
        );
        let rust = request.rust();
        assert!(rust.contains(".patch(\"https://a.example/p/{id}\")"), "{rust}");
        assert!(rust.contains(".body(r#\"{\n  \"a\": 1\n}\"#)\n        .send()?;"), "{rust}");
        let go = request.go();
        assert!(
            go.contains("\"PATCH\", \"https://a.example/p/{id}\", strings.NewReader(`{\n"),
            "{go}"
        );
    }
}
