"""Parts of both clients that neither send nor wait."""

from __future__ import annotations

import hashlib
import itertools
import json
import random
import re
from dataclasses import dataclass
from typing import Any, Iterator, Mapping, cast
from urllib.parse import urljoin

import httpx

from .types import Challenge, ProofOfWork, Report, StreamEvent

MAX_WAIT = 60.0


@dataclass(frozen=True)
class ReportPage:
    """Reports, newest publication first."""

    reports: list[Report]
    next: str | None
    """URL of the next page; ``None`` on the last one."""
    current: str | None
    """URL of the reports that are published after those of this first page."""
    revision: int
    """Number that changes if a copy of the list must be read again."""


def parameters(query: Mapping[str, Any]) -> httpx.QueryParams:
    """Parameters of a query: lists are separated by commas, except ``view``, which is repeated."""
    pairs: list[tuple[str, str | int | float | bool | None]] = []
    for name, value in query.items():
        if value is None:
            continue
        is_list = isinstance(value, (list, tuple))
        values = value if is_list and name == "view" else [",".join(value) if is_list else value]
        pairs.extend((name.rstrip("_"), str(value)) for value in values)
    return httpx.QueryParams(pairs)


def links(header: str, base: str) -> dict[str, str]:
    """URLs of a ``Link`` header (RFC 8288) by their relation."""
    found = re.findall(r'<([^>]*)>\s*;\s*rel="?(\w+)"?', header)
    return {relation: urljoin(base, target) for target, relation in found}


def solved(task: Challenge) -> ProofOfWork:
    """Solution of a challenge: a nonce with which SHA-256 of the challenge begins with enough zero bits."""
    begun = hashlib.sha256(f"{task['challenge']}:".encode())
    limit = 1 << (256 - task["difficulty"])
    for nonce in itertools.count():
        complete = begun.copy()
        complete.update(b"%d" % nonce)
        if int.from_bytes(complete.digest(), "big") < limit:
            break
    return {"challenge": task["challenge"], "nonce": str(nonce)}


class StreamParser:
    """Events from the lines of a stream, and the wait before it is opened again."""

    def __init__(self) -> None:
        self.retry = 2.0
        self.failures = 0
        self._event = self._data = ""

    def feed(self, line: str) -> Iterator[StreamEvent]:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            self._event = value
        elif name == "data":
            self._data += value
        elif name == "retry":
            self.retry = int(value) / 1000
        elif not line:
            event, data = self._event, self._data
            self._event = self._data = ""
            if event:
                self.failures = 0
                yield cast(StreamEvent, {"event": event, "data": json.loads(data)})

    def wait(self, retry_after: float = 0) -> float:
        """Seconds before the next attempt: the time that the stream gave, doubled after each failure."""
        self._event = self._data = ""
        backoff = min(self.retry * 2**self.failures, MAX_WAIT)
        if self.failures:
            backoff *= random.uniform(0.75, 1.25)
        self.failures += 1
        return max(backoff, retry_after)
