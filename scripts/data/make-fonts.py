#!/usr/bin/env python3
"""Writes server/data/fonts/, the fonts of PNG pictures.

    pip install fonttools==4.68.0
    python3 -B scripts/data/make-fonts.py

Needs npm. Deterministic: the pinned packages give the same bytes.

Sources: Inter, for Latin, Greek and Cyrillic, and Noto Sans Arabic, both under the SIL Open Font
License 1.1, from the packages of @expo-google-fonts. Only the letters of running text are kept, and
Inter's tabular figures. The two are merged into one font per weight, because the renderer falls back
to another font only if both produce the same number of glyphs for a text, which Arabic ligatures
prevent.
"""

import pathlib
import tempfile

from fontTools import subset
from fontTools.merge import Merger
from fontTools.ttLib import TTFont
from fontTools.ttLib.scaleUpem import scale_upem

from packages import npm

FONTS = pathlib.Path(__file__).parent.parent.parent / "server/data/fonts"

# Latin with the letters of all of Europe and Vietnam, Greek, Cyrillic; punctuation and currencies.
INTER = [
    *range(0x20, 0x7F), *range(0xA0, 0x180), 0x192, 0x1A0, 0x1A1, 0x1AF, 0x1B0, *range(0x218, 0x21C),
    0x2BB, 0x2BC, *range(0x2C6, 0x2DE), *range(0x300, 0x30D), 0x323,
    *range(0x370, 0x400), *range(0x400, 0x482), *range(0x490, 0x4C0),
    *range(0x1E80, 0x1E86), *range(0x1EA0, 0x1EFA), 0x1E9E,
    *range(0x2000, 0x2010), *range(0x2010, 0x2028), 0x202F, *range(0x2030, 0x203B),
    0x20AC, 0x2116, 0x2122, 0x2190, 0x2192, 0x2212, 0xFFFD,
]
ARABIC = [
    0x60C, *range(0x61B, 0x6D6),
    *range(0x6F0, 0x6FA),
]

# Package, name in the package, letters.
SOURCES = [
    ("@expo-google-fonts/inter", "Inter", INTER),
    ("@expo-google-fonts/noto-sans-arabic", "NotoSansArabic", ARABIC),
]
WEIGHTS = {"400Regular": "regular", "600SemiBold": "bold"}
UNITS = 2048
# Directional marks have no shape, but the renderer requires one.
DIRECTIONS = range(0x2066, 0x206A)
NO_WIDTH = 0x200B
# 2026-01-01, in seconds since 1904.
EPOCH = 3_850_070_400


def main() -> None:
    FONTS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        roots = {package: npm(package, folder) for package, _, _ in SOURCES}
        for weight, name in WEIGHTS.items():
            parts = []
            for package, source, letters in SOURCES:
                font = reduced(roots[package] / weight / f"{source}_{weight}.ttf", letters)
                scale_upem(font, UNITS)
                parts.append(folder / f"{source}.ttf")
                font.save(parts[-1])
            font = Merger().merge([str(part) for part in parts])
            unseen(font)
            target = FONTS / f"{name}.ttf"
            font["head"].created = font["head"].modified = EPOCH
            font.recalcTimestamp = False
            font.save(target, reorderTables=True)
            print(f"{target.name}: {target.stat().st_size} bytes")


def reduced(path: pathlib.Path, letters: list[int]) -> TTFont:
    font = TTFont(path, recalcTimestamp=False)
    tabular_figures(font)
    options = subset.Options()
    # Features that scripts need to be readable. Stylistic alternatives are left out, because the
    # renderer does not use them.
    options.layout_features = ["ccmp", "locl", "mark", "mkmk", "kern", "init", "medi", "fina", "rlig", "liga", "curs"]
    options.hinting = False
    options.name_IDs = [0, 1, 2, 4, 6, 13, 14, 16, 17]
    options.notdef_outline = True
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=letters)
    subsetter.subset(font)
    return font


def tabular_figures(font: TTFont) -> None:
    """Makes tabular figures the default, so that columns of numbers align."""
    lookups = font["GSUB"].table.LookupList.Lookup
    features = font["GSUB"].table.FeatureList.FeatureRecord
    indices = {i for record in features if record.FeatureTag == "tnum" for i in record.Feature.LookupListIndex}
    tabular = {}
    for index in indices:
        for table in lookups[index].SubTable:
            tabular.update(getattr(getattr(table, "ExtSubTable", table), "mapping", {}))
    for table in font["cmap"].tables:
        if table.isUnicode():
            for figure in map(ord, "0123456789"):
                if figure in table.cmap:
                    table.cmap[figure] = tabular.get(table.cmap[figure], table.cmap[figure])


def unseen(font: TTFont) -> None:
    """Gives directional marks the glyph of the zero-width space."""
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap.update(dict.fromkeys(DIRECTIONS, table.cmap[NO_WIDTH]))


if __name__ == "__main__":
    main()
