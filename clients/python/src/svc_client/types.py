"""Objects of the API. Version 1 only gains optional members and new names: ignore unknown ones.

Instants are ISO 8601 in UTC with milliseconds and ``Z``; dates are ``YYYY-MM-DD`` in UTC. ``type`` of a report is
``spirit``, ``water`` or ``both`` today.
"""

import sys
from typing import Any, Dict, List, Literal, Optional, Sequence, TypedDict, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired
else:
    from typing_extensions import NotRequired

Language = Literal["en", "pt", "es", "fr", "de", "ar"]
Grouping = Literal["country", "region", "city", "type", "day"]


class Place(TypedDict, total=False):
    """Reports of a place. Case and accents do not matter; ``country`` can also be an ISO 3166 code."""

    country: str
    region: str
    city: str


class Filter(Place, total=False):
    """Selection of reports. ``from_`` and ``to`` are event dates, both inclusive."""

    from_: str
    to: str
    types: Sequence[str]


class SeriesQuery(Filter, total=False):
    interval: Literal["day", "week", "month", "year"]


class GroupsQuery(Filter, total=False):
    sort: Literal["total", "spirit", "water", "both", "name", "key"]
    lang: Language
    limit: int
    page: str


class FacetsQuery(TypedDict):
    from_: str
    to: str
    types: NotRequired[Sequence[str]]
    lang: NotRequired[Language]


class Content(TypedDict, total=False):
    """Names of places in a language, and additional members of reports."""

    lang: Language
    include: Sequence[Literal["countryCode", "region", "eventDate", "position", "typeLabel"]]


class DownloadQuery(Filter, Content, total=False):
    """Reports of a download. ``since`` and ``until`` are times of publication, both inclusive."""

    since: str
    until: str


class ReportsQuery(DownloadQuery, total=False):
    limit: int


class EventsQuery(Place, Content, total=False):
    after: str
    events: Sequence[str]
    types: Sequence[str]
    limit: int


class DeliveriesQuery(TypedDict, total=False):
    status: Literal["PENDING", "DELIVERED", "FAILED"]
    limit: int
    after: str


class Metrics(TypedDict):
    spirit: int
    water: int
    both: int
    total: int
    spiritToday: int
    waterToday: int
    bothToday: int
    totalToday: int
    countries: int
    cities: int
    updatedAt: str


SeriesPoint = TypedDict(
    "SeriesPoint", {"from": str, "to": str, "spirit": int, "water": int, "both": int, "total": int}
)
Series = TypedDict(
    "Series", {"interval": str, "from": str, "to": str, "points": List[SeriesPoint], "updatedAt": str}
)


class Position(TypedDict):
    lat: float
    lng: float
    precision: str


class ReportGroup(TypedDict):
    key: str
    name: str
    country: NotRequired[str]
    region: NotRequired[str]
    countryCode: NotRequired[str]
    position: NotRequired[Position]
    spirit: int
    water: int
    both: int
    total: int


class GroupList(TypedDict):
    groups: List[ReportGroup]
    next: NotRequired[str]


Period = TypedDict("Period", {"from": str, "to": str})


class Location(TypedDict):
    country: str
    region: str
    city: str
    countryCode: NotRequired[str]
    id: str


class GeoFacets(TypedDict):
    period: Period
    locations: List[Location]


class Report(TypedDict):
    id: str
    city: str
    country: str
    peopleCount: int
    type: str
    createdAt: str
    # On request:
    eventDate: NotRequired[str]
    countryCode: NotRequired[str]
    region: NotRequired[str]
    position: NotRequired[Position]
    typeLabel: NotRequired[str]


class ReportList(TypedDict):
    reports: List[Report]


class ProofOfWork(TypedDict):
    challenge: str
    nonce: str


class Challenge(TypedDict):
    """Task whose solution is the ``proof`` of a report."""

    challenge: str
    difficulty: int
    """Number of zero bits with which SHA-256 of the challenge, a colon and the nonce must begin."""
    expiresAt: str


class ReportSubmission(TypedDict):
    """Report to submit. ``note`` and ``contact`` are for the operator only, and ``website`` must be empty."""

    type: Literal["spirit", "water", "both"]
    city: str
    region: NotRequired[Optional[str]]
    country: str
    peopleCount: NotRequired[Optional[int]]
    eventDate: NotRequired[Optional[str]]
    note: NotRequired[Optional[str]]
    contact: NotRequired[Optional[str]]
    website: NotRequired[Optional[str]]
    proof: NotRequired[Optional[ProofOfWork]]
    """Solution of a challenge, needed without a key. ``submit`` adds it."""


class SubmittedReport(TypedDict):
    id: str
    status: Literal["PENDING"]


class View(TypedDict):
    """Data of one of several queries on a stream."""

    view: str
    metrics: Metrics
    reports: List[Report]
    """Reports, with the day of the event if the view has ``dates=event``."""


class MetricsEvent(TypedDict):
    event: Literal["metrics"]
    data: Metrics


class ReportsEvent(TypedDict):
    event: Literal["reports"]
    data: ReportList


class ViewEvent(TypedDict):
    event: Literal["view"]
    data: View


class TickEvent(TypedDict):
    event: Literal["tick"]
    data: Dict[str, Any]


class TickError(TypedDict):
    message: str


class ErrorEvent(TypedDict):
    event: Literal["error"]
    data: TickError


StreamEvent = Union[MetricsEvent, ReportsEvent, ViewEvent, TickEvent, ErrorEvent]


class MyKey(TypedDict):
    prefix: str
    holder: str
    scope: NotRequired[str]
    expiresAt: NotRequired[str]
    origins: NotRequired[List[str]]


class MyLimits(TypedDict):
    """Limits that are left out do not exist for the caller."""

    requestsPerMinute: NotRequired[int]
    requestsLeft: NotRequired[int]
    resetSeconds: NotRequired[int]
    streams: NotRequired[int]
    subscriptions: int


class MyChange(TypedDict, total=False):
    """A change of the partner; None removes the address."""

    email: Optional[str]


class Me(TypedDict):
    tier: str
    key: NotRequired[MyKey]
    email: NotRequired[str]
    limits: MyLimits


class EventFilter(Place, total=False):
    types: List[str]


class SubscriptionChange(TypedDict, total=False):
    url: str
    events: List[str]
    filter: Optional[EventFilter]
    status: Literal["ACTIVE", "DISABLED"]


class Warning(TypedDict):
    """Possible mistake in a request that was accepted."""

    pointer: NotRequired[str]
    detail: str


class SubscriptionWithSecret(TypedDict):
    """New subscription. Only this response contains the secret: store it."""

    id: str
    url: str
    events: List[str]
    filter: NotRequired[EventFilter]
    secret: str
    createdAt: str


class CreatedSubscription(TypedDict):
    subscription: SubscriptionWithSecret
    warnings: NotRequired[List[Warning]]


class Subscription(TypedDict):
    id: str
    url: str
    events: List[str]
    filter: NotRequired[EventFilter]
    createdAt: str
    status: str
    disabledReason: NotRequired[str]


class ChangedSubscription(TypedDict):
    subscription: Subscription
    warnings: NotRequired[List[Warning]]
    etag: str
    """Header of the response: the ``if_match`` of the next change."""


class SubscriptionWithNewSecret(Subscription):
    secret: str


class EndpointHealth(TypedDict):
    state: str
    since: NotRequired[str]
    reason: NotRequired[str]
    nextAttemptAt: NotRequired[str]
    backlog: int


class SubscriptionWithHealth(Subscription):
    health: EndpointHealth


class ReadSubscription(TypedDict):
    subscription: SubscriptionWithHealth
    etag: str
    """Header of the response: the ``if_match`` of a change of this state."""


class TestReport(TypedDict, total=False):
    """Made-up report. The members of a sample report stand in for those that are left out."""

    id: Optional[str]
    type: Optional[Literal["spirit", "water", "both"]]
    city: Optional[str]
    region: Optional[str]
    country: Optional[str]
    peopleCount: Optional[int]
    createdAt: Optional[str]


class TestEvent(TypedDict, total=False):
    """Event of a test, ``webhook.test`` by default. ``report`` is for events about reports."""

    event: Literal[
        "webhook.test",
        "report.created",
        "report.updated",
        "report.withdrawn",
        "metrics.updated",
        "reports.imported",
        "subscription.paused",
        "subscription.disabled",
    ]
    report: TestReport


class TestResult(TypedDict):
    """Result of a test: the ``status`` of the endpoint's response, or an ``error`` if there was none."""

    status: NotRequired[int]
    error: NotRequired[str]
    durationMs: int


class Attempt(TypedDict):
    startedAt: str
    durationMs: int
    status: NotRequired[int]
    error: NotRequired[str]
    response: NotRequired[str]
    """Beginning of a response that did not accept the event."""


class Delivery(TypedDict):
    id: str
    event: str
    eventId: str
    status: str
    createdAt: str
    attempts: List[Attempt]


class DeliveryList(TypedDict):
    deliveries: List[Delivery]
    next: str
    more: bool


class PublishedReport(Report):
    status: str
    test: NotRequired[bool]
    """``True`` in a made-up event, which a test sends. Real events do not have it."""


class WithdrawnReport(Report):
    status: str
    test: NotRequired[bool]
    """``True`` in a made-up event, which a test sends. Real events do not have it."""


class UpdatedMetrics(Metrics):
    test: NotRequired[bool]
    """``True`` in a made-up event, which a test sends. Real events do not have it."""


class ImportedReports(TypedDict):
    """History that was imported without an event for each report.

    A query with ``since`` and ``until`` contains the reports.
    """

    reports: int
    since: str
    until: str
    test: NotRequired[bool]
    """``True`` in a made-up event, which a test sends. Real events do not have it."""


class StoppedSubscription(TypedDict):
    """Another subscription of the partner that receives nothing at present."""

    subscription: str
    url: str
    reason: NotRequired[str]
    since: NotRequired[str]
    test: NotRequired[bool]
    """``True`` in a made-up event, which a test sends. Real events do not have it."""


class WebhookTest(TypedDict):
    message: str
    subscription: str


EventData = Union[PublishedReport, WithdrawnReport, UpdatedMetrics, ImportedReports]


class LoggedEvent(TypedDict):
    """Event of the log. Of two events, the one with the larger ``sequence`` is newer."""

    id: str
    sequence: int
    event: str
    timestamp: str
    data: EventData


class EventLog(TypedDict):
    events: List[LoggedEvent]
    next: str
    more: bool


class ReceivedEvent(TypedDict):
    """Verified webhook. With ``"test": True`` in its data, it is made up: ignore it.

    ``sequence`` is not signed: TLS protects it.
    """

    id: str
    sequence: Optional[int]
    event: str
    timestamp: str
    data: Union[EventData, StoppedSubscription, WebhookTest]


class Fault(TypedDict):
    """Fault in the body of a request."""

    detail: str
    pointer: NotRequired[str]
    line: NotRequired[int]


class MirrorState(TypedDict):
    """Place of a mirror in the log or the list, to be stored with its reports."""

    walk: float
    """Number of the last complete walk through the list."""
    revision: int
    """Revision of the list in that walk."""
    current: Optional[str]
    """URL of later reports; ``None`` if the list was empty."""
    cursor: Optional[str]
    """Place in the log; ``None`` if the client may not read it."""
