#!/usr/bin/env python3
"""Writes `svc_client/_sync` from `svc_client/_async`. With `--check`, fails if the files differ instead."""
import re
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parent / "src/svc_client/_async"
REPLACEMENTS = [
    (r"from asyncio import sleep", "from time import sleep"),
    (r"\bawait ", ""),
    (r"\bAwaitable\[(\w+)\]", r"\1"),
    (r" Awaitable,", ""),
    (r"\basync (def|for|with)\b", r"\1"),
    (r"\bAsync(?=[A-Z])", ""),
    (r"__a(enter|exit)__", r"__\1__"),
    (r"\ba(close|read|iter_bytes|iter_lines)\b", r"\1"),
]
HEAD = "# Written by make_sync.py from the file of the same name in `_async`: change that one.\n"


def as_sync(text: str) -> str:
    for pattern, replacement in REPLACEMENTS:
        text = re.sub(pattern, replacement, text)
    return HEAD + text if text else text


def main() -> None:
    for source in sorted(SOURCE.glob("*.py")):
        target = SOURCE.parent / "_sync" / source.name
        text = as_sync(source.read_text())
        if "--check" not in sys.argv:
            target.write_text(text)
        elif target.read_text() != text:
            sys.exit(f"{target} differs from {source}: run clients/python/make_sync.py")


if __name__ == "__main__":
    main()
