# Written by make_sync.py from the file of the same name in `_async`: change that one.
from __future__ import annotations

import sys
from typing import TYPE_CHECKING, List, Sequence
from uuid import uuid4

if TYPE_CHECKING:
    if sys.version_info >= (3, 11):
        from typing import Unpack
    else:
        from typing_extensions import Unpack

    from .. import types as api
    from .client import Client


class Webhooks:
    """A partner's subscriptions to events. Needs a key of the tier ``partner`` or ``enterprise``."""

    def __init__(self, client: Client) -> None:
        self._json = client._json

    def create(
        self,
        url: str,
        events: Sequence[str],
        filter: api.EventFilter | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> api.CreatedSubscription:
        """Subscribes an endpoint. Only this response contains the secret: store it.

        With the same ``idempotency_key``, a repeated call creates no second subscription.
        """
        body = {"url": url, "events": list(events), "filter": filter}
        headers = {"idempotency-key": idempotency_key or str(uuid4())}
        return self._json("webhooks", method="POST", body=body, headers=headers)

    def list(self) -> List[api.SubscriptionWithHealth]:
        """All subscriptions, newest first."""
        return (self._json("webhooks"))["subscriptions"]

    def change(self, id: str, **change: Unpack[api.SubscriptionChange]) -> api.ChangedSubscription:
        """Changes the given members. ``filter`` replaces the whole filter; ``None`` removes it."""
        return self._json("webhooks", {"id": id}, method="PATCH", body=change)

    def delete(self, id: str) -> None:
        self._json("webhooks", {"id": id}, method="DELETE")

    def rotate(self, id: str) -> api.SubscriptionWithNewSecret:
        """Replaces the secret. For 24 hours, requests are signed with the old secret, too."""
        return (self._json("webhooks/rotate", {"id": id}, method="POST"))["subscription"]

    def test(self, id: str) -> api.TestResult:
        """Sends a ``webhook.test`` event, and returns the response of the endpoint."""
        return self._json("webhooks/test", {"id": id}, method="POST")

    def replay(
        self, id: str, *, from_: str | None = None, after: str | None = None, failed: bool = False
    ) -> int:
        """Sends past events again, and returns their number.

        Events since a time, after a cursor of the log, or only those that failed for good.
        """
        choices = {"from": from_, "after": after, "status": "FAILED" if failed else None}
        body = {name: value for name, value in choices.items() if value is not None}
        return (self._json("webhooks/replay", {"id": id}, method="POST", body=body))["events"]

    def deliveries(self, id: str, **query: Unpack[api.DeliveriesQuery]) -> api.DeliveryList:
        """A page of deliveries with their attempts, newest event first.

        Continue with ``next`` as ``after`` while ``more`` is true.
        """
        return self._json("webhooks/deliveries", {"id": id, **query})
