from __future__ import annotations

import functools
import json
import shutil
import typing
import unittest
from typing import NotRequired, get_origin, get_type_hints

import httpx
from service import Endpoint, Service
from svc_client import (
    AsyncClient,
    AsyncMemoryStore,
    AsyncMirror,
    Client,
    MemoryStore,
    Mirror,
    Problem,
    VerificationError,
    types,
    verify,
    verify_body,
)

BRAZIL = "country=BR&limit=1"


class Running(unittest.TestCase):
    rows = 0

    @classmethod
    def setUpClass(cls) -> None:
        cls.service = Service()
        if cls.rows:
            cls.service.demo(cls.rows)
        cls.service.start()
        cls.addClassCleanup(cls.service.dispose)
        cls.visitor = cls.enterClassContext(Client(cls.service.base))
        cls.partner = cls.enterClassContext(Client(cls.service.base, cls.service.key))

    def raw(self, path: str) -> object:
        return httpx.get(f"{self.service.base}/api/v1/{path}").json()


class Reading(Running):
    rows = 450

    def test_methods_return_what_the_api_returns(self) -> None:
        self.assertEqual(self.visitor.metrics(), self.raw("metrics"))
        filtered = self.visitor.metrics(from_="2020-01-01", types=["spirit", "both"])
        self.assertEqual(filtered, self.raw("metrics?from=2020-01-01&types=spirit,both"))
        self.assertEqual(self.visitor.series(interval="year"), self.raw("metrics/series?interval=year"))
        facets = self.visitor.facets(from_="2020-01-01", to="2030-01-01")
        self.assertEqual(facets, self.raw("geo-facets?from=2020-01-01&to=2030-01-01"))

    def test_reports_and_downloads_have_more_members_on_request_and_times_of_publication_limit_them(self) -> None:
        report = self.visitor.report_page(limit=1, lang="fr", include=["eventDate", "typeLabel"]).reports[0]
        self.assertRegex(report["eventDate"], r"^\d{4}-\d\d-\d\d$")
        self.assertEqual(self.visitor.report(report["id"], lang="fr", include=["eventDate", "typeLabel"]), report)
        with self.assertRaises(Problem) as refused:
            self.visitor.report("a/b")
        self.assertEqual(refused.exception.code, "NOT_FOUND")
        every = list(self.partner.reports())
        until = every[200]["createdAt"]
        old = list(self.partner.reports(until=until))
        self.assertEqual(old, [report for report in every if report["createdAt"] <= until])
        lines = b"".join(self.partner.download("ndjson", until=until)).splitlines()
        self.assertEqual([json.loads(line) for line in lines], old)
        with self.assertRaises(Problem) as refused:
            list(self.partner.download("csv", from_="yesterday"))
        self.assertEqual(refused.exception.code, "INVALID_PERIOD")

    def test_a_submitted_report_waits_for_a_decision_once_for_each_key_of_idempotency(self) -> None:
        report: types.ReportSubmission = {"type": "water", "city": "Lyon", "country": "France"}
        submitted = self.visitor.submit(report)
        self.assertEqual(submitted["status"], "PENDING")
        self.assertEqual(self.service.operate("GET", f"reports/{submitted['id']}")["city"], "Lyon")
        first = self.partner.submit({**report, "city": "Nice"}, idempotency_key="once")
        self.assertEqual(self.partner.submit({**report, "city": "Nice"}, idempotency_key="once"), first)
        with self.assertRaises(Problem) as refused:
            self.partner.submit({**report, "city": "Lille"}, idempotency_key="once")
        self.assertEqual(refused.exception.code, "IDEMPOTENCY_CONFLICT")

    def test_pages_contain_each_report_and_group_once(self) -> None:
        total = self.partner.metrics()["total"]
        ids = [report["id"] for report in self.partner.reports()]
        self.assertEqual((total, len(ids), len(set(ids))), (450, 450, 450))
        groups = list(self.partner.by("city", limit=7))
        self.assertEqual(len({group["key"] for group in groups}), len(groups))
        self.assertEqual(sum(group["total"] for group in groups), total)

    def test_refused_requests_raise_problems(self) -> None:
        with self.assertRaises(Problem) as refused:
            self.visitor.metrics(from_="yesterday")
        problem = refused.exception
        self.assertEqual((problem.status, problem.code, problem.is_temporary), (400, "INVALID_PERIOD", False))
        self.assertIn('"from"', problem.detail)
        with self.assertRaises(Problem) as refused:
            self.partner.webhooks.create("https://partner.example.com", [], {"contry": "BR"})  # type: ignore
        self.assertEqual(refused.exception.errors[0]["pointer"], "/filter/contry")

    def test_the_key_goes_to_the_service_only(self) -> None:
        with self.assertRaises(ValueError):
            self.partner.report_page("http://127.0.0.1:9/api/v1/reports")
        with Client(self.service.base.upper(), self.service.key) as same:
            second = same.report_page(same.report_page(limit=1).next)
            self.assertEqual(second.reports, same.report_page(limit=2).reports[1:])
        with self.assertRaises(ValueError):
            Client("svc.example.org")
        self.assertEqual(self.partner.me()["tier"], "enterprise")
        self.assertEqual(self.partner.change_me({"email": "ada@example.org"})["email"], "ada@example.org")
        self.assertNotIn("email", self.partner.change_me({"email": None}))
        self.assertEqual(self.visitor.me()["tier"], "public")

    def test_a_request_over_the_limit_waits_if_the_client_is_made_so(self) -> None:
        id = self.partner.webhooks.create("http://127.0.0.1:9/svc", ["report.created"])["subscription"]["id"]
        self.partner.webhooks.test(id)
        with self.assertRaises(Problem) as refused:
            self.partner.webhooks.test(id)
        self.assertEqual(refused.exception.code, "RATE_LIMITED")
        self.assertIn(refused.exception.retry_after, range(1, 6))
        with Client(self.service.base, self.service.key, wait=True) as patient:
            self.assertIn("error", patient.webhooks.test(id))

    def test_types_have_the_members_of_the_schemas(self) -> None:
        schemas = typing.cast(typing.Any, self.raw("openapi.json"))["components"]["schemas"]
        wrapped = {"OtherEvent", "Problem", "Replay", "RotatedSubscription", "StreamEvent", "SubscriptionList"}
        wrapped |= {"FeatureProperties", "OneReport", "OneSubscription"}
        requests = {"FilterInput": "EventFilter", "SubscriptionInput": None, "ReplayRequest": None, "Tick": None}
        requests["ViewReport"] = "Report"
        for name in schemas.keys() - wrapped:
            mine = getattr(types, requests.get(name, name) or "", None)
            if name in requests and mine is None:
                continue
            hints = get_type_hints(mine, include_extras=True)
            optional = {member for member in hints if get_origin(hints[member]) is NotRequired}
            required = mine.__required_keys__ - optional
            with self.subTest(name):
                header = {"etag"}
                self.assertEqual(set(hints) - header, set(schemas[name].get("properties", {})))
                self.assertEqual(required - header, set(schemas[name].get("required", [])))


class Webhooks(Running):
    def test_deliveries_verify_also_after_a_rotation_and_changed_ones_do_not(self) -> None:
        endpoint = Endpoint()
        self.addCleanup(endpoint.close)
        webhooks = self.partner.webhooks
        created = webhooks.create(endpoint.url, ["report.created"], {"country": "BR"})
        id, secret = created["subscription"]["id"], created["subscription"]["secret"]
        made: types.TestReport = {"id": "made-up", "city": "Oslo", "country": "Norway"}
        tried = webhooks.test(id, event="report.withdrawn", report=made, idempotency_key="once")
        self.assertEqual(tried.get("status"), 204)
        headers, body = endpoint.next()
        event = verify(body, headers, secret)
        withdrawn: typing.Any = event["data"]
        self.assertEqual((event["event"], withdrawn["id"]), ("report.withdrawn", "made-up"))
        self.assertTrue(withdrawn["test"])

        self.service.publish("r-1", "São Paulo")
        headers, body = endpoint.next()
        event = verify(body, headers, secret)
        self.assertEqual(event["data"]["city"], "São Paulo")  # type: ignore
        self.assertTrue(verify_body(body, headers, secret))
        tampered = body.replace(b'"peopleCount":3', b'"peopleCount":4')
        self.assertNotEqual(tampered, body)
        for wrong in [
            (tampered, headers),
            (body, {**headers, "webhook-id": "evt_other"}),
            (body, {**headers, "webhook-signature": "v1,="}),
            (body, {}),
        ]:
            with self.assertRaises(VerificationError):
                verify(*wrong, secret)
        self.assertFalse(verify_body(tampered, headers, secret))
        with self.assertRaisesRegex(VerificationError, "too far away"):
            verify(body, headers, secret, tolerance=-1)
        with self.assertRaises(ValueError):
            verify(body, headers, "whsec_")

        rotated = webhooks.rotate(id)["secret"]
        self.service.publish("r-2")
        headers, body = endpoint.next()
        self.assertEqual(verify(body, headers, secret), verify(body, headers, rotated))
        self.assertTrue(verify_body(body, headers, rotated))
        self.assertFalse(verify_body(body, headers, secret))

        read = webhooks.read(id)
        self.assertEqual(read["subscription"]["health"]["state"], "HEALTHY")
        names = ["report.created", "report.withdrawn"]
        changed = webhooks.change(id, filter=None, events=names, if_match=read["etag"])
        self.assertNotIn("filter", changed["subscription"])
        for late in [functools.partial(webhooks.change, url=endpoint.url), webhooks.rotate, webhooks.delete]:
            with self.assertRaises(Problem) as refused:
                late(id, if_match=read["etag"])
            self.assertEqual(refused.exception.code, "PRECONDITION_FAILED")
        self.assertEqual(webhooks.replay(id, from_=event["timestamp"]), 2)
        # In the order of the log, but events of different reports can overtake each other.
        received = [endpoint.next() for _ in range(2)]
        again = {verify(body, headers, rotated)["id"] for headers, body in received}
        self.assertIn(event["id"], again)
        self.assertEqual(webhooks.list()[0]["health"]["state"], "HEALTHY")
        deliveries = webhooks.deliveries(id, status="DELIVERED")["deliveries"]
        self.assertIn(event["id"], [delivery["eventId"] for delivery in deliveries])
        pages = list(self.partner.event_pages(limit=1, events=["report.created"]))
        self.assertEqual(sum(len(page["events"]) for page in pages), 2)
        self.assertEqual(self.partner.events(after=pages[-1]["next"], events=["report.created"])["events"], [])
        log = self.partner.events(types=["water"], lang="pt", include=["countryCode"], limit=1)
        published: typing.Any = log["events"][0]["data"]
        self.assertEqual((published["country"], published["countryCode"]), ("Brasil", "BR"))
        webhooks.delete(id, if_match=changed["etag"])
        with self.assertRaises(Problem) as refused:
            webhooks.deliveries(id)
        self.assertEqual(refused.exception.code, "NOT_FOUND")

    def test_a_request_of_the_documentation_verifies_until_it_is_too_old(self) -> None:
        secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
        headers = {
            "Webhook-Id": "evt_2N9SyZbZ8yHkVwUe3rQ1Tg",
            "Webhook-Timestamp": "1772366400",
            "Webhook-Signature": "v1,ybT4ADNTUTKOEWB5KDGpE9tqFw5qMhXAgoOyrKR5G6U=",
            "X-SVC-Signature": "sha256=5213a8c017ca1ddcb5ff9111bda049fc35a3b469c17b4a5012a5a9049c03d01f",
        }
        body = '{"event":"report.created","timestamp":"2026-03-01T12:00:00.000Z","data":{"id":"r-1","city":"São Paulo","country":"Brazil","peopleCount":3,"type":"spirit","createdAt":"2026-03-01T11:59:00.000Z","status":"APPROVED"}}'.encode()
        with self.assertRaisesRegex(VerificationError, "too far away"):
            verify(body, headers, secret)
        self.assertEqual(verify(body, headers, secret, tolerance=float("inf"))["id"], headers["Webhook-Id"])
        self.assertTrue(verify_body(body, headers, secret))


class Stream(Running):
    rows = 30

    def test_the_stream_sends_counters_and_reports_of_a_place(self) -> None:
        seen = {}
        for event in self.visitor.stream(country="BR"):
            seen[event["event"]] = event["data"]
            if len(seen) == 2:
                break
        reports = self.visitor.report_page(country="BR").reports
        self.assertEqual(seen, {"metrics": self.visitor.metrics(country="BR"), "reports": {"reports": reports}})

    def test_views_arrive_again_when_they_change_and_after_a_restart(self) -> None:
        totals = []
        for event in self.visitor.stream([BRAZIL, "country=FR"]):
            if event["event"] != "view" or event["data"]["view"] != BRAZIL:
                continue
            totals.append(event["data"]["metrics"]["total"])
            if len(totals) == 1:
                self.service.publish("new")
            if len(totals) == 2:
                self.assertEqual(event["data"]["reports"][0]["id"], "new")
                self.service.stop()
                self.service.start()
            if len(totals) == 3:
                break
        self.assertEqual(totals, [totals[0], totals[0] + 1, totals[0] + 1])

    def test_a_refusal_for_good_ends_the_stream_with_its_problem(self) -> None:
        with self.assertRaises(Problem) as refused:
            next(iter(self.visitor.stream(["contry=BR"])))
        self.assertEqual(refused.exception.code, "INVALID_PARAMETER")


class Mirroring(Running):
    def updated(
        self, client: Client, store: MemoryStore, is_expected: typing.Callable[[dict[str, types.Report]], bool]
    ) -> types.MirrorState:
        """Brings a copy up to date as soon as the list has changed as expected, and compares it."""
        while not is_expected(reports := {report["id"]: report for report in self.partner.reports()}):
            pass
        Mirror(client, store).update()
        self.assertEqual(store.reports, reports)
        state = store.load()
        assert state
        return state

    def test_mirrors_equal_the_list_after_publications_corrections_withdrawals_and_imported_history(self) -> None:
        by_log, by_list = MemoryStore(), MemoryStore()

        def check(is_expected: typing.Callable[[dict[str, types.Report]], bool]) -> tuple[float, float]:
            log_walk = self.updated(self.partner, by_log, is_expected)["walk"]
            return log_walk, self.updated(self.visitor, by_list, is_expected)["walk"]

        check(lambda reports: not reports)
        self.service.publish("first")
        first = check(lambda reports: len(reports) == 1)
        row = {"type": "water", "city": "Campinas", "country": "Brazil"}
        published = [f"r-{number}" for number in range(200)]
        self.service.load([{**row, "id": id} for id in published], "--approve")
        self.assertEqual(check(lambda reports: len(reports) == 201), first, "publications need no walk")
        self.service.operate("PATCH", "reports/r-7", {"city": "Manaus"})
        second = check(lambda reports: reports["r-7"]["city"] == "Manaus")
        self.assertEqual(second[0], first[0], "with the log, corrections need no walk")
        self.assertNotEqual(second[1], first[1])
        self.service.operate("POST", "reports/withdraw", {"ids": published[50:100]})
        check(lambda reports: len(reports) == 151)
        self.service.operate("POST", "reports/restore", {"ids": published[50:60]})
        check(lambda reports: len(reports) == 161)
        history = [{**row, "id": f"old-{day}", "createdAt": f"2020-01-{day:02}T12:00:00Z"} for day in range(1, 32)]
        self.service.load(history, "--backfill")
        self.service.operate("POST", "reports/withdraw", {"ids": ["old-3"]})
        last = check(lambda reports: len(reports) == 191)
        self.assertEqual(last[0], first[0], "with the log, history needs no walk")

    def test_a_mirror_by_the_log_starts_again_if_the_service_was_restored_from_an_older_backup(self) -> None:
        store = MemoryStore()
        self.service.stop()
        backup = self.service.folder.with_name(self.service.folder.name + "-backup")
        shutil.copytree(self.service.folder, backup)
        self.service.start()
        self.service.publish("lost")
        walk = self.updated(self.partner, store, lambda reports: "lost" in reports)["walk"]
        self.service.stop()
        shutil.rmtree(self.service.folder)
        backup.rename(self.service.folder)
        self.service.start()
        restored = self.updated(self.partner, store, lambda reports: "lost" not in reports)
        self.assertNotEqual(restored["walk"], walk)


class Asynchronous(unittest.IsolatedAsyncioTestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.service = Service()
        cls.service.demo(250)
        cls.service.start()
        cls.addClassCleanup(cls.service.dispose)

    async def test_the_asynchronous_client_does_the_same(self) -> None:
        service = self.service
        async with AsyncClient(service.base, service.key) as client:
            raw = httpx.get(f"{service.base}/api/v1/metrics").json()
            self.assertEqual(await client.metrics(), raw)
            ids = [report["id"] async for report in client.reports()]
            self.assertEqual((len(ids), len(set(ids))), (250, 250))
            with self.assertRaises(Problem):
                await client.series(interval="hour")  # type: ignore
            async for event in client.stream([BRAZIL]):
                self.assertEqual(event["event"], "view")
                break
            store = AsyncMemoryStore()
            await AsyncMirror(client, store).update()
            self.assertEqual(set(store.reports), set(ids))
            subscription = (await client.webhooks.create("http://127.0.0.1:9", ["report.created"]))["subscription"]
            self.assertEqual([one["id"] for one in await client.webhooks.list()], [subscription["id"]])


if __name__ == "__main__":
    unittest.main()
