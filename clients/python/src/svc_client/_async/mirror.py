from __future__ import annotations

import sys
import time
from asyncio import sleep
from typing import TYPE_CHECKING, Any, Awaitable, Callable, Protocol, Sequence, TypeVar

import httpx

from ..problem import Problem

if TYPE_CHECKING:
    if sys.version_info >= (3, 11):
        from typing import Unpack
    else:
        from typing_extensions import Unpack

    from .._http import ReportPage
    from ..types import EventLog, LoggedEvent, MirrorState, Report, ReportsQuery
    from .client import AsyncClient

T = TypeVar("T")

# Seconds between attempts while the service cannot be reached.
PAUSE = 5
EVENTS = ["report.created", "report.updated", "report.withdrawn", "reports.imported"]


class AsyncMirrorStore(Protocol):
    """Storage of a mirror. Each method stores everything before it returns."""

    async def load(self) -> MirrorState | None:
        """The state that was stored last; ``None`` before the first walk is complete."""

    async def put(self, reports: Sequence[Report], walk: float) -> None:
        """Inserts or replaces reports, and stores the number of the walk with each."""

    async def delete(self, ids: Sequence[str]) -> None:
        """Deletes the reports with these ids, as far as there are any."""

    async def save(self, state: MirrorState) -> None: ...

    async def finish_walk(self, state: MirrorState) -> None:
        """Deletes all reports of other walks and stores the state, both or neither."""


class AsyncMemoryStore:
    """Reports in memory, by their ids."""

    def __init__(self) -> None:
        self.reports: dict[str, Report] = {}
        self._walks: dict[str, float] = {}
        self._state: MirrorState | None = None

    async def load(self) -> MirrorState | None:
        return self._state

    async def put(self, reports: Sequence[Report], walk: float) -> None:
        for report in reports:
            self.reports[report["id"]] = report
            self._walks[report["id"]] = walk

    async def delete(self, ids: Sequence[str]) -> None:
        for id in ids:
            self.reports.pop(id, None)
            self._walks.pop(id, None)

    async def save(self, state: MirrorState) -> None:
        self._state = state

    async def finish_walk(self, state: MirrorState) -> None:
        await self.delete([id for id, walk in self._walks.items() if walk != state["walk"]])
        self._state = state


class AsyncMirror:
    """Copy of all published reports, by the algorithms of ``docs/mirroring.md``.

    It follows the log if the client's key may read it, otherwise the list. It can be stopped at any time.
    """

    def __init__(self, client: AsyncClient, store: AsyncMirrorStore) -> None:
        self._client = client
        self._store = store

    async def update(self) -> None:
        """Brings the copy up to date.

        Reads what changed since the last call, or the whole list if that is not known. Waits while the service cannot be
        reached or refuses further requests.
        """
        state = await self._store.load()
        if state and await self._follow(state):
            return
        end = await self._log("latest")
        walk = max(time.time(), state["walk"] + 1 if state else 0)
        first = await self._store_all(walk)
        cursor = end["next"] if end else None
        walked: MirrorState = {
            "walk": walk,
            "revision": first.revision,
            "current": first.current,
            "cursor": cursor,
        }
        await self._store.finish_walk(walked)
        if cursor:
            await self._follow(walked)

    async def run(self, interval: float = 10) -> None:
        """Updates the copy every ``interval`` seconds."""
        while True:
            await self.update()
            await sleep(interval)

    async def _follow(self, state: MirrorState) -> bool:
        """Stores what changed since a state. Returns whether that is everything."""
        if state["cursor"]:
            return await self._follow_log(state, state["cursor"])
        first = await self._store_all(state["walk"], state["current"])
        await self._store.save({**state, "current": first.current or state["current"]})
        return first.revision == state["revision"]

    async def _follow_log(self, state: MirrorState, after: str) -> bool:
        while page := await self._log(after):
            await self._apply(page["events"], state["walk"])
            after = page["next"]
            await self._store.save({**state, "cursor": after})
            if not page["more"]:
                return True
        return False

    async def _apply(self, events: Sequence[LoggedEvent], walk: float) -> None:
        """Stores the effect of events. Of several about a report, only the last counts."""
        changed: dict[str, Report] = {}
        withdrawn: set[str] = set()
        for event in events:
            data: Any = event["data"]
            if event["event"] == "reports.imported":
                await self._flush(changed, withdrawn, walk)
                await self._store_all(walk, since=data["since"], until=data["until"])
            elif event["event"] == "report.withdrawn":
                changed.pop(data["id"], None)
                withdrawn.add(data["id"])
            elif event["event"] in ("report.created", "report.updated"):
                del data["status"]
                changed[data["id"]] = data
                withdrawn.discard(data["id"])
        await self._flush(changed, withdrawn, walk)

    async def _flush(self, changed: dict[str, Report], withdrawn: set[str], walk: float) -> None:
        await self._store.put(list(changed.values()), walk)
        await self._store.delete(list(withdrawn))
        changed.clear()
        withdrawn.clear()

    async def _log(self, after: str) -> EventLog | None:
        """A page of the log; ``None`` if the client may not read it, or not from there on."""
        if not self._client.has_key:
            return None
        try:
            return await _patient(lambda: self._client.events(after=after, events=EVENTS))
        except Problem as problem:
            if problem.code in ("CURSOR_EXPIRED", "FORBIDDEN"):
                return None
            raise

    async def _store_all(self, walk: float, link: str | None = None, **query: Unpack[ReportsQuery]) -> ReportPage:
        """Stores all pages from a link on, or of a query. Returns the first page."""
        if link is None:
            query["limit"] = 100
        first = page = await _patient(lambda: self._client.report_page(link, **query))
        await self._store.put(page.reports, walk)
        while page.next:
            following = page.next
            page = await _patient(lambda: self._client.report_page(following))
            await self._store.put(page.reports, walk)
        return first


async def _patient(request: Callable[[], Awaitable[T]]) -> T:
    """Repeats a request until the service can be reached and accepts it."""
    while True:
        try:
            return await request()
        except Problem as problem:
            if not problem.is_temporary:
                raise
            wait = PAUSE if problem.retry_after is None else problem.retry_after
        except httpx.TransportError:
            wait = PAUSE
        await sleep(wait)
