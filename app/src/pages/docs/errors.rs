use super::{
    content::{Content, Heading},
    prose::{self, Prose},
};
use crate::{base_url::BaseUrl, source::ProblemCode};

/// Section of `docs/errors.md` that only leads to the list of codes.
const CODES: &str = "Codes";

/// The Markdown, followed by the codes. Each code has an anchor, the target of a problem's `type`; they are too many for
/// the index.
pub(super) fn content(markdown: &str, problems: &[ProblemCode], base_url: &BaseUrl) -> Content {
    let section = |problem: &ProblemCode| {
        let ProblemCode { code, status, when } = problem;
        let when = prose::inline(when);
        format!(
            "<section id=\"{code}\"><h3><code>{code}</code></h3>\
             <p><b class=\"status\">{status}</b> when {when}.</p></section>"
        )
    };
    let Prose { lead, mut html, mut headings } =
        Prose::read(&prose::without(markdown, CODES), base_url);
    html += "<h2 id=\"codes\">Codes</h2><div class=\"codes\">";
    html.extend(problems.iter().map(section));
    html += "</div>";
    headings.push(Heading { id: "codes".to_owned(), text: CODES.to_owned() });
    Content { lead, body: prose::body(html), headings }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_codes_replace_the_section_that_leads_to_them() {
        let markdown = "# Errors\n\nLead.\n\n## Retries\n\nWait.\n\n## Codes\n\nElsewhere.\n";
        let problems = [ProblemCode { code: "GONE", status: 410, when: "it is `gone`" }];
        let base_url = BaseUrl::new("http://a.example", "");
        let Content { lead, headings, .. } = content(markdown, &problems, &base_url);
        assert_eq!(lead, "Lead.");
        let ids: Vec<_> = headings.iter().map(|heading| heading.id.as_str()).collect();
        assert_eq!(ids, ["retries", "codes"]);
    }
}
