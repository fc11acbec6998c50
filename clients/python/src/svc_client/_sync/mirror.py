# Written by make_sync.py from the file of the same name in `_async`: change that one.
from __future__ import annotations

import time
from time import sleep
from typing import TYPE_CHECKING, Protocol, Sequence

import httpx

from ..problem import Problem

if TYPE_CHECKING:
    from .._http import ReportPage
    from ..types import MirrorState, Report
    from .client import Client

# Seconds between attempts while the service cannot be reached.
PAUSE = 5


class MirrorStore(Protocol):
    """Storage of a mirror. Each method stores everything before it returns."""

    def load(self) -> MirrorState | None:
        """The state that was stored last; ``None`` before the first walk is complete."""

    def put(self, reports: Sequence[Report], walk: float) -> None:
        """Inserts or replaces reports, and stores the number of the walk with each."""

    def save(self, state: MirrorState) -> None: ...

    def finish_walk(self, state: MirrorState) -> None:
        """Deletes all reports of other walks and stores the state, both or neither."""


class MemoryStore:
    """Reports in memory, by their ids."""

    def __init__(self) -> None:
        self.reports: dict[str, Report] = {}
        self._walks: dict[str, float] = {}
        self._state: MirrorState | None = None

    def load(self) -> MirrorState | None:
        return self._state

    def put(self, reports: Sequence[Report], walk: float) -> None:
        for report in reports:
            self.reports[report["id"]] = report
            self._walks[report["id"]] = walk

    def save(self, state: MirrorState) -> None:
        self._state = state

    def finish_walk(self, state: MirrorState) -> None:
        for id in [id for id, walk in self._walks.items() if walk != state["walk"]]:
            del self.reports[id], self._walks[id]
        self._state = state


class Mirror:
    """Copy of all published reports, by the algorithm of ``docs/mirroring.md``. It can be stopped at any time."""

    def __init__(self, client: Client, store: MirrorStore) -> None:
        self._client = client
        self._store = store

    def update(self) -> None:
        """Brings the copy up to date.

        Reads what was published since the last call, or the whole list if other changes require it. Waits while the
        service cannot be reached or refuses further requests.
        """
        state = self._store.load()
        if state:
            first = self._store_all(state["current"], state["walk"])
            self._store.save({**state, "current": first.current or state["current"]})
            if first.revision == state["revision"]:
                return
        walk = max(time.time(), state["walk"] + 1 if state else 0)
        first = self._store_all(None, walk)
        self._store.finish_walk({"walk": walk, "revision": first.revision, "current": first.current})

    def run(self, interval: float = 10) -> None:
        """Updates the copy every ``interval`` seconds."""
        while True:
            self.update()
            sleep(interval)

    def _store_all(self, link: str | None, walk: float) -> ReportPage:
        """Stores all pages from a link on, or from the start of the list. Returns the first page."""
        first = page = self._page(link)
        self._store.put(page.reports, walk)
        while page.next:
            page = self._page(page.next)
            self._store.put(page.reports, walk)
        return first

    def _page(self, link: str | None) -> ReportPage:
        while True:
            try:
                return (self._client.report_page(link) if link else self._client.report_page(limit=100))
            except Problem as problem:
                if not problem.is_temporary:
                    raise
                wait = PAUSE if problem.retry_after is None else problem.retry_after
            except httpx.TransportError:
                wait = PAUSE
            sleep(wait)
