"""Running service with its own database, and an endpoint that receives its webhooks."""

from __future__ import annotations

import json
import os
import queue
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx

BINARY = os.environ["SVC_BINARY"]
# Tests of other clients use ports from 11,000 on.
first_port = 10_200 + 100 * int(os.environ.get("TEST_PARALLEL_INDEX", "0"))
ports = iter(range(first_port, first_port + 100))


def free_port() -> int:
    for port in ports:
        with socket.socket() as candidate:
            if candidate.connect_ex(("127.0.0.1", port)) != 0:
                return port
    raise RuntimeError("no port is free")


class Service:
    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="svc-python-"))
        self.port, self.operators_port = free_port(), free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.svc("db", "migrate")
        self.key: str = self._key("--tier", "enterprise")
        headers = {"authorization": "Bearer " + self._key("--tier", "operator", "--scope", "moderate")}
        self._operator = httpx.Client(
            base_url=f"http://127.0.0.1:{self.operators_port}/operator/v1/", headers=headers
        )

    def _key(self, *tier: str) -> str:
        return json.loads(self.svc("keys", "create", "--partner", "Tests", *tier, "--json"))["key"]

    def svc(self, *arguments: str) -> str:
        result = subprocess.run(
            [BINARY, *arguments], cwd=self.folder, env=self._env(), check=True, capture_output=True, text=True
        )
        return result.stdout

    def demo(self, rows: int) -> None:
        file = self.folder / "demo.csv"
        file.write_text(self.svc("demo", "csv", "--rows", str(rows), "--seed", "7"))
        self.svc("reports", "import", str(file), "--backfill")

    def load(self, rows: list[dict[str, str]], how: str) -> None:
        """Imports reports, published with events (``--approve``) or without (``--backfill``)."""
        file = self.folder / "rows.ndjson"
        file.write_text("\n".join(json.dumps(row) for row in rows))
        self.svc("reports", "import", str(file), "--format", "ndjson", how)

    def start(self) -> None:
        addresses = ["--addr", f"127.0.0.1:{self.port}", "--ops-addr", f"127.0.0.1:{self.operators_port}"]
        flags = ["--webhook-allow-http", "--webhook-allow-private", "--intake", "on"]
        self.log = open(self.folder / "log", "ab")
        self.process = subprocess.Popen(
            [BINARY, "serve", *addresses, *flags], cwd=self.folder, env=self._env(), stderr=self.log, stdout=self.log
        )
        while self.process.poll() is None:
            with socket.socket() as connection:
                if connection.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.02)
        raise RuntimeError((self.folder / "log").read_text())

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()
        self.log.close()

    def dispose(self) -> None:
        self.stop()
        self._operator.close()
        shutil.rmtree(self.folder)

    def operate(self, method: str, path: str, body: object = None) -> Any:
        response = self._operator.request(method, path, json=body)
        assert response.is_success, response.text
        return response.json()

    def publish(self, id: str, city: str = "Campinas") -> None:
        where = {"city": city, "country": "Brazil", "eventDate": "2026-03-01"}
        self.operate("POST", "reports?approve=true", {"id": id, "type": "water", "peopleCount": 3, **where})

    def _env(self) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "DATABASE_URL": f"sqlite://{self.folder}/svc.db",
            # Open streams would otherwise delay a stop.
            "SVC_DRAIN_SPREAD": "0",
        }


class Endpoint:
    """Accepts all webhooks, and puts headers and body of each into a queue."""

    def __init__(self) -> None:
        received: queue.Queue[tuple[dict[str, str], bytes]] = queue.Queue()

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                self.send_response(204)
                self.end_headers()
                received.put((dict(self.headers), body))

            def log_message(self, *_: object) -> None:
                pass

        self._received = received
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/svc"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def next(self) -> tuple[dict[str, str], bytes]:
        return self._received.get(timeout=30)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
