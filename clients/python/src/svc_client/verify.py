from __future__ import annotations

import base64
import hmac
import json
import re
import time
from typing import Mapping, cast

from .types import ReceivedEvent


class VerificationError(Exception):
    """Request that is not from the service, or too old. Respond with 401."""


def verify(
    body: bytes, headers: Mapping[str, str], secret: str, *, tolerance: float = 300
) -> ReceivedEvent:
    """Verifies a webhook by its ``webhook-signature``, and returns its event.

    Pass the bytes of the body as they arrived. ``tolerance`` is the maximum difference between the clocks in seconds.
    For 24 hours after a rotation, requests are signed with both secrets, so either one verifies them.
    """
    given = {name.lower(): value for name, value in headers.items()}
    id, timestamp = given.get("webhook-id", ""), given.get("webhook-timestamp", "")
    if not id or not re.fullmatch(r"[0-9]{1,15}", timestamp):
        raise VerificationError("a header of the webhook is missing")
    mac = hmac.digest(_key(secret), f"{id}.{timestamp}.".encode() + body, "sha256")
    expected = b"v1," + base64.b64encode(mac)
    signatures = given.get("webhook-signature", "").encode().split(b" ")
    if not any(hmac.compare_digest(signature, expected) for signature in signatures):
        raise VerificationError("no signature matches")
    if abs(time.time() - int(timestamp)) > tolerance:
        raise VerificationError("the timestamp is too far away: the request is a replay, or a clock is wrong")
    sequence = given.get("x-svc-sequence", "")
    event = {**json.loads(body), "id": id, "sequence": int(sequence) if sequence.isdigit() else None}
    return cast(ReceivedEvent, event)


def verify_body(body: bytes, headers: Mapping[str, str], secret: str) -> bool:
    """Whether ``X-SVC-Signature`` is the signature of the body.

    It covers neither the time nor the ``webhook-id``, so prefer :func:`verify`, which detects replays.
    """
    _key(secret)
    given = {name.lower(): value for name, value in headers.items()}.get("x-svc-signature", "")
    expected = "sha256=" + hmac.digest(secret.encode(), body, "sha256").hex()
    return hmac.compare_digest(given.encode(), expected.encode())


def _key(secret: str) -> bytes:
    """Key within the secret. With an empty key, anyone could sign."""
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except ValueError:
        key = b""
    if not key or not secret.startswith("whsec_"):
        raise ValueError("a webhook secret is whsec_ followed by base64")
    return key
