# Written by make_sync.py from the file of the same name in `_async`: change that one.
from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, List, Sequence

if TYPE_CHECKING:
    import httpx

    if sys.version_info >= (3, 11):
        from typing import Unpack
    else:
        from typing_extensions import Unpack

    from .. import types as api
    from .client import Client


class Webhooks:
    """A partner's subscriptions to events. Needs a key of the tier ``partner`` or ``enterprise``.

    With the same ``idempotency_key``, a repeated request has no further effect, and the response of the first. With
    ``if_match``, the ``etag`` of a state, a change is refused with ``PRECONDITION_FAILED`` if someone else has changed
    the subscription since.
    """

    def __init__(self, client: Client) -> None:
        self._json, self._send = client._json, client._send

    def create(
        self,
        url: str,
        events: Sequence[str],
        filter: api.EventFilter | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> api.CreatedSubscription:
        """Subscribes an endpoint. Only this response contains the secret: store it."""
        body = {"url": url, "events": list(events), "filter": filter}
        return self._json("webhooks", method="POST", body=body, idempotency_key=idempotency_key)

    def list(self) -> List[api.SubscriptionWithHealth]:
        """All subscriptions, newest first."""
        return (self._json("webhooks"))["subscriptions"]

    def read(self, id: str) -> api.ReadSubscription:
        return _tagged(self._send("GET", "webhooks/subscription", {"id": id}))

    def change(
        self, id: str, *, if_match: str | None = None, **change: Unpack[api.SubscriptionChange]
    ) -> api.ChangedSubscription:
        """Changes the given members. ``filter`` replaces the whole filter; ``None`` removes it."""
        return _tagged(self._send("PATCH", "webhooks", {"id": id}, body=change, if_match=if_match))

    def delete(self, id: str, *, if_match: str | None = None) -> None:
        self._send("DELETE", "webhooks", {"id": id}, if_match=if_match)

    def rotate(
        self, id: str, *, if_match: str | None = None, idempotency_key: str | None = None
    ) -> api.SubscriptionWithNewSecret:
        """Replaces the secret. For 24 hours, requests are signed with the old secret, too."""
        options = {"if_match": if_match, "idempotency_key": idempotency_key}
        return (self._json("webhooks/rotate", {"id": id}, method="POST", **options))["subscription"]

    def test(
        self, id: str, *, idempotency_key: str | None = None, **event: Unpack[api.TestEvent]
    ) -> api.TestResult:
        """Sends a made-up event, ``webhook.test`` by default, and returns the response of the endpoint."""
        options = {"body": event or None, "idempotency_key": idempotency_key}
        return self._json("webhooks/test", {"id": id}, method="POST", **options)

    def replay(
        self,
        id: str,
        *,
        from_: str | None = None,
        after: str | None = None,
        failed: bool = False,
        idempotency_key: str | None = None,
    ) -> int:
        """Sends past events again, and returns their number.

        Events since a time, after a cursor of the log, or only those that failed for good.
        """
        choices = {"from": from_, "after": after, "status": "FAILED" if failed else None}
        body = {name: value for name, value in choices.items() if value is not None}
        options = {"body": body, "idempotency_key": idempotency_key}
        return (self._json("webhooks/replay", {"id": id}, method="POST", **options))["events"]

    def deliveries(self, id: str, **query: Unpack[api.DeliveriesQuery]) -> api.DeliveryList:
        """A page of deliveries with their attempts, newest event first.

        Continue with ``next`` as ``after`` while ``more`` is true.
        """
        return self._json("webhooks/deliveries", {"id": id, **query})


def _tagged(response: httpx.Response) -> Any:
    return {**response.json(), "etag": response.headers["etag"]}
