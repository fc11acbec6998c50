"""Client of svc: metrics, reports, the live stream, webhooks and a mirror."""

from ._async.client import AsyncClient
from ._async.mirror import AsyncMemoryStore, AsyncMirror, AsyncMirrorStore
from ._http import ReportPage
from ._sync.client import Client
from ._sync.mirror import MemoryStore, Mirror, MirrorStore
from .problem import Problem
from .types import MirrorState
from .verify import VerificationError, verify, verify_body

__all__ = [
    "AsyncClient",
    "AsyncMemoryStore",
    "AsyncMirror",
    "AsyncMirrorStore",
    "Client",
    "MemoryStore",
    "Mirror",
    "MirrorState",
    "MirrorStore",
    "Problem",
    "ReportPage",
    "VerificationError",
    "verify",
    "verify_body",
]
