#!/usr/bin/env python3
"""Writes server/geo/data/countries.tsv: all countries with the keys that identify them.

    python3 -B scripts/data/make-countries.py

Needs npm. Deterministic: the pinned packages give the same bytes.

One line per country: ISO alpha-2, alpha-3, usual English name, then its keys (folded names, without
the two codes and the English name), separated by `|`. XK, a user-assigned code, is Kosovo.

Sources: the territory names of Unicode CLDR (Unicode-3.0), and country_aliases.tsv. All 675 locales
would be 640 kB, mostly names of small territories in languages in which they are rarely needed. Kept
are the country's official languages, and further languages depending on its population: see
LANGUAGES.
"""

import collections
import pathlib
import re
import tempfile
import unicodedata

from fold import fold
from packages import npm, read_json

HERE = pathlib.Path(__file__).parent
TARGET = HERE.parent.parent / "server/geo/data/countries.tsv"

# Languages of the names of a country, by its minimum population. From six million on, all languages
# with full CLDR coverage are included.
LANGUAGES = {
    0: set("ar de en es fr it ja nl pt ru zh".split()),
    100_000: set("""bg bn ca cs da el et fa fi he hi hr hu id ko lt lv ms nb pl ro sk sl sr sv th
        tr uk ur vi yue""".split()),
}
ALL_LANGUAGES = 6_000_000
# English in the Deseret alphabet, and Cherokee: full coverage, but no reports.
NOWHERE = {"chr", "en-Dsrt"}
# In CLDR but not countries of ISO 3166-1.
NOT_COUNTRIES = set("AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ".split())
# Parts of countries that have their own code in CLDR.
PARTS = {"AC": "SH", "CP": "FR", "CQ": "GG", "DG": "IO", "EA": "ES", "IC": "ES", "TA": "SH"}
# Usual English names that are not CLDR's first choice.
USUAL = {
    "BL": "Saint Barthélemy",
    "CD": "Democratic Republic of the Congo",
    "CG": "Republic of the Congo",
    "HK": "Hong Kong",
    "MM": "Myanmar",
    "MO": "Macao",
    "PS": "Palestine",
    "VC": "Saint Vincent and the Grenadines",
}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        core = npm("cldr-core", pathlib.Path(folder))
        names = npm("cldr-localenames-full", pathlib.Path(folder))
        write(core, names)


def write(core: pathlib.Path, names: pathlib.Path) -> None:
    mappings = read_json(core / "supplemental/codeMappings.json")["supplemental"]["codeMappings"]
    english = territories(names / "main/en/territories.json")
    alpha3 = {
        code: "XKX" if code == "XK" else mapping["_alpha3"]
        for code, mapping in sorted(mappings.items())
        if "_alpha3" in mapping and re.fullmatch("[A-Z]{2}", code)
        and code in english and code not in NOT_COUNTRIES
    }
    assert len(alpha3) == 250, len(alpha3)

    usual = {code: USUAL.get(code) or plain_english(english[code]) for code in alpha3}
    codes = {fold(a): code for code in alpha3 for a in (code, alpha3[code])}
    firm = dict(codes)
    for source in (hand_made(), {fold(name): code for code, name in usual.items()}):
        for key, code in source.items():
            assert firm.setdefault(key, code) == code, (key, code, firm[key])

    found = collections.defaultdict(set)
    for key, code in cldr_keys(core, names, alpha3):
        if key not in firm:
            found[key].add(code)
    unsettled = {key: codes for key, codes in found.items() if len(codes) > 1}
    assert not unsettled, f"settle these in country_aliases.tsv: {unsettled}"
    keys = firm | {key: min(codes) for key, codes in found.items()}

    derived = collections.defaultdict(set)
    for key, code in keys.items():
        for variant in variants(key):
            if variant not in keys:
                derived[variant].add(code)
    keys |= {key: min(codes) for key, codes in derived.items() if len(codes) == 1}

    given = codes.keys() | {fold(name) for name in usual.values()}
    aliases = collections.defaultdict(list)
    for key in sorted(keys.keys() - given):
        aliases[keys[key]].append(key)
    lines = (f"{c}\t{alpha3[c]}\t{usual[c]}\t{'|'.join(aliases[c])}\n" for c in alpha3)
    TARGET.write_text("".join(lines), encoding="utf-8")
    size = TARGET.stat().st_size
    print(f"{TARGET.name}: {len(alpha3)} countries, {len(keys)} keys, {size} bytes")


def territories(path: pathlib.Path) -> dict[str, str]:
    (locale,) = read_json(path)["main"].values()
    return locale["localeDisplayNames"]["territories"]


def plain_english(name: str) -> str:
    return name.replace("&", "and").replace("St. ", "Saint ")


def hand_made() -> dict[str, str]:
    keys = {}
    for line in (HERE / "country_aliases.tsv").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            code, *names = line.split("\t")
            for name in names:
                assert keys.setdefault(fold(name), code) == code, name
    return keys


def cldr_keys(core: pathlib.Path, names: pathlib.Path, countries: dict[str, str]):
    levels = read_json(core / "coverageLevels.json")["effectiveCoverageLevels"]
    info = read_json(core / "supplemental/territoryInfo.json")["supplemental"]["territoryInfo"]
    full = {locale.split("-")[0] for locale, level in levels.items() if level == "modern"}
    official = {
        code: {
            language.split("_")[0]
            for language, facts in info.get(code, {}).get("languagePopulation", {}).items()
            if "_officialStatus" in facts
        }
        for code in countries
    }
    inhabitants = {code: int(info[code]["_population"]) for code in countries}

    for path in sorted(names.glob("main/*/territories.json")):
        locale = path.parent.name
        language = locale.split("-")[0]
        if locale in NOWHERE:
            continue
        for territory, name in territories(path).items():
            code = territory.split("-")[0]
            code = PARTS.get(code, code)
            if code not in countries or name == code:
                continue
            if (
                language in official[code]
                or (language in full and inhabitants[code] >= ALL_LANGUAGES)
                or any(language in some and inhabitants[code] >= n for n, some in LANGUAGES.items())
            ):
                yield fold(name), code


def variants(key: str):
    """Yields other ways of typing a key."""
    # Arabic is often typed without hamza and madda on the alif.
    yield unicodedata.normalize(
        "NFC", re.sub("[\u0653-\u0655]", "", unicodedata.normalize("NFD", key))
    )
    if not re.search("[a-z]", key):
        return
    swaps = [("&", "and"), ("st. ", "st "), ("st. ", "saint "), ("saint ", "st "), ("-", " "),
             ("'", ""), ("'", " "), (" and the ", " and "), (".", "")]
    for old, new in swaps:
        if old in key:
            yield fold(key.replace(old, new))
            # Two variants at once: "St. Vincent & Grenadines" is also "saint vincent and
            # grenadines".
            for older, newer in swaps:
                yield fold(key.replace(old, new).replace(older, newer))
    if bracketed := re.fullmatch(r"(.+) \(.+\)", key):
        yield bracketed[1]


if __name__ == "__main__":
    main()
