use super::{
    content::{Content, Heading},
    prose::{self, Prose, cut},
};
use crate::page_data::ProblemCode;

/// Section of `docs/errors.md` that only links to the codes. The page has the codes in its place.
const CODES: &str = "Codes";

/// `docs/errors.md`, followed by the codes. Each code has an anchor, the target of a problem's `type`; they are too
/// many
/// for the index.
pub(super) fn content(
    markdown: &str,
    read: impl Fn(&str) -> Prose,
    problems: &[ProblemCode],
) -> Content {
    let section = |problem: &ProblemCode| {
        let ProblemCode { code, status, when } = problem;
        let when = prose::inline(when);
        format!(
            "<section id=\"{code}\"><h3><code>{code}</code></h3>\
             <p><b class=\"status\">{status}</b> when {when}.</p></section>"
        )
    };
    let Prose { lead, mut html, mut headings } = read(&cut(markdown, CODES).1);
    html += "<h2 id=\"codes\">Codes</h2><div class=\"codes\">";
    html.extend(problems.iter().map(section));
    html += "</div>";
    headings.push(Heading { id: "codes".to_owned(), text: CODES.to_owned() });
    Content { lead, body: prose::body(html), headings }
}
