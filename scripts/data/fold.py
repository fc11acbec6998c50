"""The fold() of server/geo/src/places/fold.rs, for building data keyed by it.

The Rust function is authoritative. Its tests check that folding leaves every key in the data files
unchanged, so they detect a difference between the two.
"""

import re
import unicodedata

PLAIN = str.maketrans(
    {
        **dict(zip(
            "øɔɵđðɖɗłƚıɨħɦŋɲŧƭƀɓǥɠɣĸƙƒƥɍʉʊʋƴɏƶəɛǝς",
            "oooddddlliihhnnttbbgggqkfpruuvyyzeeeσ",
        )),
        **{"ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ĳ": "ij"},
        **dict.fromkeys("`´ʹʻʼʽʾʿˈˊˋꞌ‘’‛′‵՚׳＇", "'"),
        **dict.fromkeys("“”״", '"'),
        **dict.fromkeys("‐‑‒–−－", "-"),
    }
)
ACCENT_OR_INVISIBLE = re.compile(
    "[\u0300-\u036f\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]"
)


def fold(text: str) -> str:
    bare = ACCENT_OR_INVISIBLE.sub("", unicodedata.normalize("NFD", text))
    # Character by character, because lower() of a whole text chooses between σ and ς.
    lower = "".join(c.lower() for c in bare).translate(PLAIN)
    return unicodedata.normalize("NFC", " ".join(lower.split()))


def without_accents(text: str) -> str:
    """Returns the text in its own case, without accents."""
    bare = ACCENT_OR_INVISIBLE.sub("", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFC", bare)
