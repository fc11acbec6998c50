//! Removes secrets from text that others read: the log, traces, problems, and the displayed
//! settings. Clients paste keys and webhook secrets into paths and queries by mistake, and from
//! there they reach logs and traces. URLs of databases and collectors contain passwords, in one of
//! several places.

use std::{borrow::Cow, ops::Range};

/// Replacement of a secret.
const MASK: char = '…';

const KEY_MARK: &str = "svc_";
const SECRET_MARK: &str = "whsec_";

/// Number of public characters after the mark of a key. Together with the mark, they are the key's
/// prefix.
const PUBLIC_CHARACTERS: usize = 8;
/// Maximum number of characters after a mark that are not redacted, because a shorter part of a key
/// is useless. Names such as `svc_connections` are shorter.
const MAX_HARMLESS: usize = 16;

/// Parts of the names of secret parameters, in lower case and without punctuation. Examples of such
/// names: `password`, `pass`, `api-key`, `access_token`.
const SECRET_NAMES: [&str; 9] =
    ["pass", "pwd", "secret", "token", "apikey", "accesskey", "auth", "credential", "signature"];

/// A path or query for use in messages, at most 100 characters. Redacted before it is cut, because
/// half a key would not be recognised as a key.
pub fn quoted(text: &str) -> String {
    redacted(text).chars().take(100).collect()
}

/// Redacts API keys (except for their prefixes), webhook secrets, and the values of parameters with
/// secret names, such as `?password=…`. Also finds percent-encoded secrets, since the text may be a
/// path or query.
pub fn redacted(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut shown = String::new();
    let (mut copied, mut at) = (0, 0);
    while at < bytes.len() {
        match secret(&bytes[at..]) {
            Some(Range { start, end }) => {
                shown.push_str(&text[copied..at + start]);
                shown.push(MASK);
                copied = at + end;
                at = copied;
            }
            None => at += 1,
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    shown.push_str(&text[copied..]);
    Cow::Owned(shown)
}

/// Range of the bytes to hide, if a key, a webhook secret or a secret parameter starts here.
fn secret(bytes: &[u8]) -> Option<Range<usize>> {
    match bytes.first()? {
        b'?' | b'&' => return parameter(bytes),
        b's' | b'w' | b'%' => {}
        // The most common case.
        _ => return None,
    }
    if let Some(mark) = after_mark(bytes, KEY_MARK) {
        let prefix =
            characters(&bytes[mark..], |byte| byte.is_ascii_alphanumeric()).take(PUBLIC_CHARACTERS);
        let start = mark + prefix.sum::<usize>();
        return hidden(bytes, mark, start, |byte| byte.is_ascii_alphanumeric());
    }
    let mark = after_mark(bytes, SECRET_MARK)?;
    // Standard and URL-safe base64.
    hidden(bytes, mark, mark, |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_')
    })
}

/// Range of the value of a parameter, if the parameter has a secret name.
fn parameter(bytes: &[u8]) -> Option<Range<usize>> {
    let (mut at, mut name) = (1, String::new());
    let start = loop {
        let (byte, length) = character(&bytes[at..])?;
        at += length;
        match byte {
            b'=' => break at,
            b'-' | b'_' | b'.' => {}
            _ if byte.is_ascii_alphanumeric() => name.push(byte.to_ascii_lowercase().into()),
            _ => return None,
        }
    };
    let ends =
        |byte: &u8| matches!(byte, b'&' | b'"' | b'\\' | b'<' | b'>') || byte.is_ascii_whitespace();
    let end = bytes[start..].iter().position(ends).map_or(bytes.len(), |length| start + length);
    let is_secret = SECRET_NAMES.iter().any(|part| name.contains(part));
    (is_secret && start < end).then_some(start..end)
}

/// Range from `start` to the last character after the mark, if there are enough characters for a
/// secret.
fn hidden(
    bytes: &[u8],
    mark: usize,
    start: usize,
    is_part: fn(u8) -> bool,
) -> Option<Range<usize>> {
    let (mut count, mut end) = (0, mark);
    for length in characters(&bytes[mark..], is_part) {
        count += 1;
        end += length;
    }
    (count > MAX_HARMLESS).then_some(start..end)
}

/// Length of the mark, if the bytes start with it.
fn after_mark(bytes: &[u8], mark: &str) -> Option<usize> {
    mark.bytes().try_fold(0, |at, expected| {
        let (byte, length) = character(&bytes[at..])?;
        (byte == expected).then_some(at + length)
    })
}

/// Encoded lengths of the characters at the start, as long as `is_part` accepts them.
fn characters(bytes: &[u8], is_part: fn(u8) -> bool) -> impl Iterator<Item = usize> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let (byte, length) = character(&bytes[at..])?;
        at += length;
        is_part(byte).then_some(length)
    })
}

/// The first byte, percent-decoded, and the length of its encoding.
fn character(bytes: &[u8]) -> Option<(u8, usize)> {
    let digit = |at: usize| bytes.get(at).and_then(|byte| char::from(*byte).to_digit(16));
    match (bytes.first()?, digit(1), digit(2)) {
        (b'%', Some(high), Some(low)) => Some((u8::try_from(high << 4 | low).ok()?, 3)),
        (byte, ..) => Some((*byte, 1)),
    }
}

/// Redacts the password in a URL, whether it is before the host or in a parameter. In malformed
/// URLs, everything that may be a password is redacted. Other text is returned unchanged.
pub fn without_passwords(url: &str) -> String {
    let place = place(url);
    let shown = match password(&url[place..]) {
        Some(Range { start, end }) => {
            format!("{}{MASK}{}", &url[..place + start], &url[place + end..])
        }
        None => url.to_owned(),
    };
    redacted(&shown).into_owned()
}

/// Index of user, password and host in a URL. The scheme may be missing, or follow the name of a
/// flag.
fn place(url: &str) -> usize {
    let Some(at) = url.find("://") else {
        return if url.starts_with("mailto:") { url.len() } else { 0 };
    };
    let is_of_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    let scheme = url[..at].trim_end_matches(is_of_scheme);
    // Otherwise the slashes are part of a password.
    if scheme.contains(':') { 0 } else { at + 3 }
}

/// Range of the password in a URL without its scheme: `user:password@host1,host2/path?query`.
/// Slashes and at signs in the password should be percent-encoded, but may not be.
fn password(place: &str) -> Option<Range<usize>> {
    let end = place.rfind('@')?;
    let authority = place.split(['/', '?', '#']).next()?;
    let user = match authority.rfind('@') {
        Some(at) => authority[..at].split(':').next()?,
        None if authority.split(',').all(is_host) => return None,
        None => authority.split(':').next()?,
    };
    let start = user.len() + 1;
    (start < end && place.as_bytes().get(user.len()) == Some(&b':')).then_some(start..end)
}

/// Whether the text can be a host with an optional port, rather than a user with a password.
fn is_host(text: &str) -> bool {
    let is_port = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.ends_with(']') || text.rsplit_once(':').is_none_or(|(_, port)| is_port(port))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "svc_4fT0aQx9BcDeFgHiJkLmNoPqRsTuVwXyZ01234";
    const SECRET: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

    #[test]
    fn of_a_key_the_prefix_is_left_and_of_a_secret_its_mark() {
        for (text, shown) in [
            (format!("/keys/{KEY}/x"), "/keys/svc_4fT0aQx9…/x"),
            (format!("?a={KEY}&b={KEY}"), "?a=svc_4fT0aQx9…&b=svc_4fT0aQx9…"),
            (format!("{{\"secret\":\"{SECRET}\"}}"), "{\"secret\":\"whsec_…\"}"),
            (format!("ä{KEY}ö {SECRET}"), "äsvc_4fT0aQx9…ö whsec_…"),
            // A key with one character too many or missing is nearly as good as the key, because
            // the rest can be guessed.
            (format!("{KEY}5"), "svc_4fT0aQx9…"),
            (KEY[..40].to_owned(), "svc_4fT0aQx9…"),
        ] {
            assert_eq!(redacted(&text), shown, "{text}");
        }
    }

    #[test]
    fn percent_encoding_hides_no_secret() {
        let key = KEY.replace('_', "%5F").replace('D', "%44");
        assert_eq!(redacted(&format!("/{key}?")), "/svc%5F4fT0aQx9…?");
        let early = KEY.replace("4f", "%34f").replace('s', "%73");
        assert_eq!(redacted(&early), "%73vc_%34fT0aQx9…");
        let secret = SECRET.replace('_', "%5f").replace('=', "%3D");
        assert_eq!(redacted(&format!("s={secret}&t=1")), "s=whsec%5f…&t=1");
        // Invalid percent-encodings are plain text.
        assert_eq!(redacted("100 %, %5, %zz, svc%5"), "100 %, %5, %zz, svc%5");
    }

    #[test]
    fn prefixes_names_and_all_other_text_stay_as_they_are() {
        for text in [
            "",
            "svc_4fT0aQx9",
            "svc_4fT0aQx9…",
            "svc_http_requests_total svc_connections_refused",
            "begins with whsec_, and whsec_…",
            "svc_ whsec_ svc serves s w %",
            "Ünïcödé svc_ñ",
        ] {
            assert!(matches!(redacted(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }

    #[test]
    fn passwords_are_hidden_wherever_a_url_has_them() {
        for (url, shown) in [
            ("postgres://u:p@h/d", "postgres://u:…@h/d"),
            ("postgres://u:p@h1:5432,h2:5432/d", "postgres://u:…@h1:5432,h2:5432/d"),
            ("redis+cluster://u:p@h1:1,u:p@h2:2", "redis+cluster://u:…@h2:2"),
            ("rediss://:p@h:6379", "rediss://:…@h:6379"),
            (
                "postgres:///d?user=u&password=p@q&host=/run",
                "postgres:///d?user=u&password=…&host=/run",
            ),
            ("postgres://u@h/d?Pass%77ord=p", "postgres://u@h/d?Pass%77ord=…"),
            ("unix:///run/redis?user=u&pass=p", "unix:///run/redis?user=u&pass=…"),
            ("https://otlp.example/x?a=b&api-key=k#", "https://otlp.example/x?a=b&api-key=…"),
            (
                "https://otlp.example/x?api_key=k,l&access_token=t",
                "https://otlp.example/x?api_key=…&access_token=…",
            ),
            // Not encoded as required.
            ("postgres://u:p/q?r@s@h/d", "postgres://u:…@h/d"),
            ("postgres://u:p@q/r@h/d", "postgres://u:…@h/d"),
            // Without a scheme, and after a flag.
            ("u:p@h/d", "u:…@h/d"),
            ("u:p://q@h/d", "u:…@h/d"),
            ("--redis-ur=redis://:p@h", "--redis-ur=redis://:…@h"),
        ] {
            assert_eq!(without_passwords(url), shown, "{url}");
        }
    }

    #[test]
    fn what_has_no_password_is_shown_as_it_is() {
        for text in [
            "",
            "sqlite://data/a:b@c.db",
            "postgres://u@h:5432,[::1]:5432/d?application_name=a@b",
            "postgres://h1:1,h2:2/d?options[search_path]=a@b&sslmode=require&password=",
            "rediss://u@h?cert=/c.pem&key=/k.pem&prefix=p",
            "https://[::1]:80/a:b@c?tenant=t&monkey=m",
            "10.0.0.0/8,::1",
            "mailto:a:b@example.org?subject=x",
            "'self' https://example.org",
            "[::]:3000",
        ] {
            assert_eq!(without_passwords(text), text);
        }
    }

    #[test]
    fn parameters_with_a_secret_are_hidden_in_any_text() {
        let line = r#"{"url":"https://h/v1?a=1&api-key=k","b":"?token=t\" x"} ?password=p q"#;
        let shown = r#"{"url":"https://h/v1?a=1&api-key=…","b":"?token=…\" x"} ?password=… q"#;
        assert_eq!(redacted(line), shown);
        assert_eq!(redacted("why? a=b&c, ?x=y, 1 && 2"), "why? a=b&c, ?x=y, 1 && 2");
    }
}
