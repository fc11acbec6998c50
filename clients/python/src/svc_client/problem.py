from __future__ import annotations

from typing import Any

import httpx

from .types import Fault

TEMPORARY = {408, 429, 500, 502, 503, 504}


class Problem(Exception):
    """Refused request (RFC 9457). Decide by ``code``: codes do not change, texts can."""

    def __init__(self, response: httpx.Response) -> None:
        """Reads the problem of a response whose body has been read."""
        members = _members(response)
        self.status: int = response.status_code
        self.code: str = members.get("code", "")
        """Name of the kind of error, such as ``RATE_LIMITED``; empty if the response is not from the service."""
        self.title: str = members.get("title", "")
        self.detail: str = members.get("detail", "")
        self.errors: list[Fault] = members.get("errors", [])
        """Faults of the request's body."""
        self.request_id: str | None = members.get("requestId")
        seconds = response.headers.get("retry-after", "")
        self.retry_after: int | None = int(seconds) if seconds.isdigit() else None
        """Seconds until the request can be repeated."""
        reason = self.detail or self.title or response.reason_phrase
        super().__init__(f"{self.status} {self.code}: {reason}")

    @property
    def is_temporary(self) -> bool:
        """Whether the same request can succeed later."""
        return self.status in TEMPORARY


def _members(response: httpx.Response) -> dict[str, Any]:
    try:
        members = response.json()
    except ValueError:
        return {}
    return members if isinstance(members, dict) else {}
