//! Colours of code: a small lexer for the languages of the documentation. It marks comments, strings, numbers, keywords
//! and names, and leaves the rest without a colour, also constructs that it has no rule for.

use std::fmt::Write;

/// Parts of a language that the lexer needs.
struct Grammar {
    /// Start of comments up to the end of the line.
    line_comments: &'static [&'static str],
    /// Start and end of other comments.
    block_comment: Option<(&'static str, &'static str)>,
    quotes: &'static [char],
    keywords: &'static [&'static str],
    /// Whether a word before a colon or an equals sign is a name: of a member, a header or a setting.
    has_names: bool,
}

const PLAIN: Grammar = Grammar {
    line_comments: &[],
    block_comment: None,
    quotes: &['"'],
    keywords: &[],
    has_names: false,
};

const SCRIPT: Grammar = Grammar {
    line_comments: &["//"],
    block_comment: Some(("/*", "*/")),
    quotes: &['"', '\'', '`'],
    keywords: &[
        "async",
        "await",
        "break",
        "case",
        "catch",
        "class",
        "const",
        "default",
        "else",
        "export",
        "for",
        "from",
        "function",
        "if",
        "import",
        "in",
        "let",
        "new",
        "null",
        "of",
        "return",
        "switch",
        "throw",
        "true",
        "try",
        "undefined",
        "while",
        "false",
    ],
    has_names: false,
};

/// The grammar of a language, by the name that Markdown has for it.
fn grammar(language: &str) -> Grammar {
    match language {
        "js" | "jsx" | "ts" => SCRIPT,
        "go" => Grammar {
            quotes: &['"', '`'],
            keywords: &[
                "break", "case", "const", "continue", "defer", "else", "for", "func", "if",
                "import", "nil", "package", "range", "return", "struct", "switch", "type", "var",
            ],
            ..SCRIPT
        },
        "rust" => Grammar {
            quotes: &['"'],
            keywords: &[
                "async", "await", "const", "else", "fn", "for", "if", "impl", "in", "let", "match",
                "mut", "pub", "return", "struct", "use", "while",
            ],
            ..SCRIPT
        },
        "python" => Grammar {
            line_comments: &["#"],
            quotes: &['"', '\''],
            keywords: &[
                "and", "as", "async", "await", "break", "class", "def", "elif", "else", "except",
                "False", "for", "from", "if", "import", "in", "is", "None", "not", "or", "raise",
                "return", "True", "try", "while", "with",
            ],
            ..PLAIN
        },
        "console" => PLAIN,
        "sh" => Grammar {
            line_comments: &["#"],
            quotes: &['"', '\''],
            keywords: &[
                "case", "do", "done", "else", "esac", "export", "fi", "for", "if", "in", "sudo",
                "then", "while",
            ],
            ..PLAIN
        },
        "css" => Grammar { block_comment: SCRIPT.block_comment, has_names: true, ..PLAIN },
        "json" => Grammar { keywords: &["true", "false", "null"], has_names: true, ..PLAIN },
        "http" => {
            Grammar { keywords: &["GET", "POST", "PATCH", "DELETE"], has_names: true, ..PLAIN }
        }
        "toml" | "ini" | "yaml" => Grammar {
            line_comments: &["#"],
            quotes: &['"', '\''],
            keywords: &["true", "false"],
            has_names: true,
            ..PLAIN
        },
        "nginx" | "haproxy" | "caddyfile" => Grammar { line_comments: &["#"], ..PLAIN },
        _ => Grammar { quotes: &[], ..PLAIN },
    }
}

/// HTML of code. Each part is a `span` whose class has the colour in `style/parts/code.css`.
pub(super) fn highlighted(language: &str, code: &str) -> String {
    match language {
        "html" | "vue" => markup(code),
        _ => lexed(&grammar(language), code),
    }
}

fn lexed(grammar: &Grammar, code: &str) -> String {
    let (mut html, mut rest) = (String::new(), code);
    while let Some(first) = rest.chars().next() {
        let (class, length) = part(grammar, code, rest, first);
        let (text, after) = rest.split_at(length);
        push(&mut html, class, text);
        rest = after;
    }
    html
}

/// Class and length of the first part of `rest`, which starts with `first`.
fn part(grammar: &Grammar, code: &str, rest: &str, first: char) -> (&'static str, usize) {
    let before = code[..code.len() - rest.len()].chars().next_back();
    // "#" in the middle of a word, as in an address, starts no comment; neither does "//" after a colon.
    let is_apart = before.is_none_or(char::is_whitespace);
    if is_apart && grammar.line_comments.iter().any(|start| rest.starts_with(start)) {
        return ("c", rest.find('\n').unwrap_or(rest.len()));
    }
    if let Some((start, end)) = grammar.block_comment.filter(|(start, _)| rest.starts_with(start)) {
        let inside = &rest[start.len()..];
        let length = inside.find(end).map_or(rest.len(), |at| start.len() + at + end.len());
        return ("c", length);
    }
    if grammar.quotes.contains(&first) {
        let length = quoted(rest, first);
        return (if is_name(grammar, &rest[length..]) { "n" } else { "s" }, length);
    }
    if first.is_alphanumeric() || first == '_' {
        let is_inside =
            |c: char| c.is_alphanumeric() || c == '_' || (c == '-' && grammar.has_names);
        let length = rest.find(|c| !is_inside(c)).unwrap_or(rest.len());
        let word = &rest[..length];
        return match word {
            _ if grammar.keywords.contains(&word) => ("k", length),
            _ if first.is_ascii_digit() => ("d", length),
            _ if is_name(grammar, &rest[length..]) => ("n", length),
            _ => ("", length),
        };
    }
    ("", first.len_utf8())
}

/// Whether the text before `after` is a name.
fn is_name(grammar: &Grammar, after: &str) -> bool {
    let after = after.trim_start_matches(' ');
    grammar.has_names
        && (after.starts_with(": ") || after.starts_with('=') || after.starts_with(":\n"))
}

/// Length of a string in quotes, up to the end of the code if it does not end.
fn quoted(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

/// Tags with their attributes, and the contents of scripts and styles.
fn markup(code: &str) -> String {
    let (mut html, mut rest) = (String::new(), code);
    while let Some(at) = rest.find('<') {
        let (text, tag) = rest.split_at(at);
        push(&mut html, "", text);
        if tag.starts_with("<!--") {
            let length = tag.find("-->").map_or(tag.len(), |at| at + 3);
            push(&mut html, "c", &tag[..length]);
            rest = &tag[length..];
            continue;
        }
        let length = tag.find('>').map_or(tag.len(), |at| at + 1);
        let name = tag[1..length]
            .find(|c: char| c.is_whitespace() || c == '>')
            .map_or(length, |at| at + 1);
        push(&mut html, "k", &tag[..name]);
        attributes(&mut html, &tag[name..length]);
        rest = &tag[length..];
        for (start, grammar) in [("<script", SCRIPT), ("<style", self::grammar("css"))] {
            if tag.starts_with(start) {
                let end = rest.find("</").unwrap_or(rest.len());
                html += &lexed(&grammar, &rest[..end]);
                rest = &rest[end..];
            }
        }
    }
    push(&mut html, "", rest);
    html
}

/// The rest of a tag: attributes and its end.
fn attributes(html: &mut String, mut rest: &str) {
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| !c.is_whitespace() && !['=', '>', '/', '"'].contains(&c);
        let (class, length) = match first {
            '"' => ("s", quoted(rest, '"')),
            '>' | '/' => ("k", first.len_utf8()),
            _ if is_word(first) => ("n", rest.find(|c| !is_word(c)).unwrap_or(rest.len())),
            _ => ("", first.len_utf8()),
        };
        push(html, class, &rest[..length]);
        rest = &rest[length..];
    }
}

fn push(html: &mut String, class: &str, text: &str) {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    // Writing to a string cannot fail.
    _ = match class {
        "" => write!(html, "{text}"),
        _ if text.is_empty() => Ok(()),
        _ => write!(html, "<span class=\"{class}\">{text}</span>"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_has_its_parts() {
        for (language, code, html) in [
            (
                "sh",
                "curl 'a&b' # c",
                "curl <span class=\"s\">'a&amp;b'</span> <span class=\"c\"># c</span>",
            ),
            ("sh", "curl https://a/b#c", "curl https://a/b#c"),
            (
                "js",
                "const a = `b`; // it's\n",
                "<span class=\"k\">const</span> a = <span class=\"s\">`b`</span>; <span class=\"c\">// it's</span>\n",
            ),
            (
                "json",
                "{ \"a\": 1, \"b\": \"\\\"\" }",
                "{ <span class=\"n\">\"a\"</span>: <span class=\"d\">1</span>, <span class=\"n\">\"b\"</span>: \
                 <span class=\"s\">\"\\\"\"</span> }",
            ),
            (
                "http",
                "GET /a\nretry-after: 5",
                "<span class=\"k\">GET</span> /a\n<span class=\"n\">retry-after</span>: <span class=\"d\">5</span>",
            ),
            (
                "html",
                "<a href=\"b\">c</a><!-- d -->",
                "<span class=\"k\">&lt;a</span> <span class=\"n\">href</span>=<span class=\"s\">\"b\"</span>\
                 <span class=\"k\">&gt;</span>c<span class=\"k\">&lt;/a</span><span class=\"k\">&gt;</span>\
                 <span class=\"c\">&lt;!-- d --&gt;</span>",
            ),
            ("", "a \"b\" <c>", "a \"b\" &lt;c&gt;"),
        ] {
            assert_eq!(highlighted(language, code), html, "{language}");
        }
    }

    #[test]
    fn the_text_stays_as_it_is() {
        let languages = [
            "js", "go", "rust", "python", "sh", "css", "json", "http", "toml", "nginx", "html",
            "vue", "markdown",
        ];
        for code in [
            "",
            "'",
            "\"\\",
            "<",
            "<a",
            "<a b=\"",
            "<script>x",
            "/*",
            "é\"ü",
            "<!--",
            "a: b\n",
            "`${x}`",
        ] {
            for language in languages {
                let html = highlighted(language, code);
                let mut text = String::new();
                for part in html.split('<') {
                    text += part.split_once('>').map_or(part, |(_, text)| text);
                }
                let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
                assert_eq!(text, code, "{language}");
            }
        }
    }
}
