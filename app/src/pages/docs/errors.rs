use super::{content::Content, prose};
use crate::source::ProblemCode;
use serde_json::Value;

const LEAD: &str = "Every error is sent as `application/problem+json` (RFC 9457). Its `code` is one of \
                    these, its `detail` says how to fix the request, and its `type` points here.";

/// The lead, and one anchor a code, where the `type` of a problem points. They are too many for the
/// index.
pub(super) fn content(problems: &[ProblemCode], openapi: &Value) -> Content {
    let section = |problem: &ProblemCode| {
        let ProblemCode { code, status, when } = problem;
        let when = prose::inline(when);
        format!(
            "<section id=\"{code}\"><h2><code>{code}</code></h2>\
             <p><b class=\"status\">{status}</b> when {when}.</p></section>"
        )
    };
    let example = &openapi["components"]["schemas"]["Problem"]["example"];
    let example = serde_json::to_string_pretty(example).unwrap_or_default();
    let mut html = prose::blocks(&format!("```json\n{example}\n```"));
    html += "<div class=\"codes\">";
    html.extend(problems.iter().map(section));
    html += "</div>";
    Content { lead: prose::inline(LEAD), body: prose::body(html), headings: Vec::new() }
}
