from __future__ import annotations

import contextlib
import sys
from asyncio import sleep
from typing import TYPE_CHECKING, Any, AsyncIterator, Literal, Mapping, Sequence
from urllib.parse import quote

import httpx

from .._http import ReportPage, StreamParser, links, parameters, solved
from ..problem import Problem
from .webhooks import AsyncWebhooks

if TYPE_CHECKING:
    if sys.version_info >= (3, 11):
        from typing import Unpack
    else:
        from typing_extensions import Unpack

    from .. import types as api

# A tick comes every 5 seconds. After this time without one, the connection is dead.
SILENCE = httpx.Timeout(10, read=30)


class AsyncClient:
    """Client of a service. Refused requests raise a :class:`Problem`.

    With ``wait``, a request that is refused with ``Retry-After`` waits for that time and is sent once more.
    """

    webhooks: AsyncWebhooks
    """The partner's subscriptions."""

    def __init__(
        self,
        base_url: str,
        key: str | None = None,
        *,
        wait: bool = False,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self._base = str(httpx.URL(base_url.rstrip("/") + "/api/v1/"))
        if not self._base.startswith(("http://", "https://")):
            raise ValueError(f"{base_url} is not the URL of a service")
        self._headers = {"authorization": f"Bearer {key}"} if key else {}
        self._wait = wait
        self._http = http or httpx.AsyncClient(timeout=30)
        self.webhooks = AsyncWebhooks(self)

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        await self._http.aclose()

    @property
    def has_key(self) -> bool:
        """Whether requests contain a key."""
        return bool(self._headers)

    async def metrics(self, **query: Unpack[api.Filter]) -> api.Metrics:
        return await self._json("metrics", query)

    async def series(self, **query: Unpack[api.SeriesQuery]) -> api.Series:
        """Counters over time, by month unless ``interval`` is given."""
        return await self._json("metrics/series", query)

    async def groups(self, group: api.Grouping, **query: Unpack[api.GroupsQuery]) -> api.GroupList:
        """A page of the counters by country, region, city, type or day."""
        return await self._json("metrics/by", {"group": group, **query})

    async def by(
        self, group: api.Grouping, **query: Unpack[api.GroupsQuery]
    ) -> AsyncIterator[api.ReportGroup]:
        """All groups, page by page."""
        while True:
            page = await self.groups(group, **query)
            for found in page["groups"]:
                yield found
            if "next" not in page:
                return
            query["page"] = page["next"]

    async def facets(self, **query: Unpack[api.FacetsQuery]) -> api.GeoFacets:
        """Places with reports in a period."""
        return await self._json("geo-facets", query)

    async def report_page(self, link: str | None = None, **query: Unpack[api.ReportsQuery]) -> ReportPage:
        """A page of reports, newest publication first: of a query, or at a link of an earlier page."""
        response = await self._send("GET", link or "reports", query)
        found = links(response.headers.get("link", ""), str(response.request.url))
        return ReportPage(
            reports=response.json()["reports"],
            next=found.get("next"),
            current=found.get("current"),
            revision=int(response.headers.get("reports-revision", "0")),
        )

    async def reports(self, **query: Unpack[api.ReportsQuery]) -> AsyncIterator[api.Report]:
        """All reports of a query, page by page, each once."""
        query.setdefault("limit", 100)
        page = await self.report_page(**query)
        while True:
            for report in page.reports:
                yield report
            if page.next is None:
                return
            page = await self.report_page(page.next)

    async def report(self, id: str, **query: Unpack[api.Content]) -> api.Report:
        """A published report."""
        return (await self._json(f"reports/{quote(id, safe='')}", query))["report"]

    async def download(
        self, format: Literal["csv", "geojson", "ndjson"], **query: Unpack[api.DownloadQuery]
    ) -> AsyncIterator[bytes]:
        """Parts of a file of all reports of a query."""
        response = await self._send("GET", f"reports.{format}", query, stream=True)
        try:
            async for part in response.aiter_bytes():
                yield part
        finally:
            await response.aclose()

    async def submit(
        self, report: api.ReportSubmission, *, idempotency_key: str | None = None
    ) -> api.SubmittedReport:
        """Submits a report, if the service takes them. It becomes public if the operator approves it.

        Without a key, this takes a fraction of a second of computation.
        """
        if not self.has_key:
            report = {**report, "proof": solved(await self._json("challenge"))}
        return await self._json("reports", method="POST", body=report, idempotency_key=idempotency_key)

    async def me(self) -> api.Me:
        """Key and limits of this client."""
        return await self._json("me")

    async def change_me(self, change: api.MyChange) -> api.Me:
        """Changes the address for mails about endpoints. Needs a partner's key."""
        return await self._json("me", method="PATCH", body=change)

    async def events(self, **query: Unpack[api.EventsQuery]) -> api.EventLog:
        """A page of the log of events, oldest first. Needs a key. Store ``next``, and send it as ``after``."""
        return await self._json("events", query)

    async def event_pages(self, **query: Unpack[api.EventsQuery]) -> AsyncIterator[api.EventLog]:
        """Pages of the log up to its present end. The ``next`` of the last one is the ``after`` of a later call."""
        while True:
            page = await self.events(**query)
            yield page
            if not page["more"]:
                return
            query["after"] = page["next"]

    async def stream(
        self, views: Sequence[str] | None = None, **place: Unpack[api.Place]
    ) -> AsyncIterator[api.StreamEvent]:
        """Counters and newest reports, now and then every five seconds.

        Reconnects after lost connections and temporary refusals. ``views`` are queries such as ``country=FR&limit=5``.
        """
        query = parameters({"view": list(views)} if views else place)
        headers = {**self._headers, "accept": "text/event-stream"}
        parser = StreamParser()
        while True:
            retry_after = 0
            with contextlib.suppress(httpx.TransportError):
                async with self._http.stream(
                    "GET", self._base + "stream", params=query, headers=headers, timeout=SILENCE
                ) as response:
                    if response.is_success:
                        async for line in response.aiter_lines():
                            for event in parser.feed(line):
                                yield event
                    else:
                        await response.aread()
                        problem = Problem(response)
                        if not problem.is_temporary:
                            raise problem
                        retry_after = problem.retry_after or 0
            await sleep(parser.wait(retry_after))

    async def _json(self, path: str, query: Mapping[str, Any] = {}, *, method: str = "GET", **options: Any) -> Any:
        return (await self._send(method, path, query, **options)).json()

    async def _send(
        self,
        method: str,
        path: str,
        query: Mapping[str, Any] = {},
        *,
        body: object = None,
        idempotency_key: str | None = None,
        if_match: str | None = None,
        stream: bool = False,
    ) -> httpx.Response:
        url = httpx.URL(self._base).join(path)
        # The key must not reach other services.
        if not str(url).startswith(self._base):
            raise ValueError(f"{url} is not below {self._base}")
        optional = {"idempotency-key": idempotency_key, "if-match": if_match}
        request = self._http.build_request(
            method,
            url.copy_merge_params(parameters(query)) if query else url,
            json=body,
            headers={**self._headers, **{name: value for name, value in optional.items() if value is not None}},
        )
        waits = self._wait
        while True:
            response = await self._http.send(request, stream=stream)
            if response.is_success:
                return response
            await response.aread()
            problem = Problem(response)
            if not waits or problem.retry_after is None:
                raise problem
            waits = False
            await sleep(problem.retry_after)
