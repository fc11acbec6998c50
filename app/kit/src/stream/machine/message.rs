//! Messages on the channel of all pages.

/// Name of the channel and the lock, for services that have a host to themselves. It changes when
/// pages of the old and the new version would misunderstand each other.
pub(crate) const CHANNEL: &str = "svc live 1";

/// A message on the channel. In its text form, the first character is the kind. Pages ignore kinds
/// that their version lacks.
#[derive(Clone, Copy)]
pub(crate) enum Message<'a> {
    /// This page shows this view; the leader should respond.
    Show(&'a str),
    /// The page with this id leads; the others should announce their views.
    Lead(&'a str),
    /// The leader leaves.
    Leave,
    /// From the leader: its stream has no room for this view.
    Full(&'a str),
    /// From the leader: data of some view, as received.
    Data(&'a str),
    /// From the leader, with its id: the latest data are up to date.
    Good(&'a str),
    /// From the leader, with its id: newer data could not be read, so the latest data are the last
    /// known.
    Bad(&'a str),
}

impl<'a> Message<'a> {
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        let (kind, rest) = text.split_at_checked(1)?;
        Some(match kind {
            "?" => Self::Show(rest),
            "!" => Self::Lead(rest),
            "-" => Self::Leave,
            "#" => Self::Full(rest),
            "{" => Self::Data(text),
            "." => Self::Good(rest),
            "x" => Self::Bad(rest),
            _ => return None,
        })
    }

    pub(crate) fn text(self) -> String {
        let (kind, rest) = match self {
            Self::Show(view) => ("?", view),
            Self::Lead(id) => ("!", id),
            Self::Leave => ("-", ""),
            Self::Full(view) => ("#", view),
            Self::Data(data) => ("", data),
            Self::Good(id) => (".", id),
            Self::Bad(id) => ("x", id),
        };
        [kind, rest].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_understood() {
        for text in ["?country=BR", "?", "!05", "-", "#lang=de", "{\"view\":\"\"}", ".05", "x05"] {
            assert_eq!(Message::parse(text).unwrap().text(), text);
        }
        for text in ["", "é", "metrics{}"] {
            assert!(Message::parse(text).is_none(), "{text}");
        }
    }
}
