import assert from "node:assert/strict";
import { test } from "node:test";
import { type NewSubscription, type PublishedReport, verify, verifyBody, VerificationError } from "svc-client";
import { all, endpoint, report, running } from "./service.js";

const its = running(0);

test("deliveries verify, also with the old secret after a rotation, and changed ones do not", async (context) => {
  const { url, next } = await endpoint(context);
  const { webhooks } = its.partner;
  const { subscription } = await webhooks.create({ url, events: ["report.created"], filter: { country: "BR" } });
  const { id, secret } = subscription;

  assert.equal((await webhooks.test(id)).status, 204);
  const tried = await next();
  const sent = await verify(tried.body, tried.headers, secret);
  assert.equal(sent.event, "webhook.test");
  assert.equal(sent.data.subscription, id);

  await its.operate("POST", "reports?approve=true", report("r-1", "São Paulo"));
  const { headers, body } = await next();
  const event = await verify(body, headers, secret);
  assert(event.event === "report.created");
  const data: PublishedReport = event.data;
  assert.deepEqual([data.id, data.city, data.status], ["r-1", "São Paulo", "APPROVED"]);
  assert.equal(event.id, headers["webhook-id"]);
  assert.equal(`${event.sequence}`, headers["x-svc-sequence"]);
  assert(await verifyBody(body, headers, secret));
  assert.deepEqual(await verify(body.toString(), new Headers(headers as Record<string, string>), secret), event);

  const tampered = Buffer.from(body.toString().replace('"peopleCount":3', '"peopleCount":4'));
  assert.equal(tampered.length, body.length);
  await assert.rejects(verify(tampered, headers, secret), VerificationError);
  assert(!(await verifyBody(tampered, headers, secret)));
  const other = { ...headers, "webhook-id": "evt_other" };
  await assert.rejects(verify(body, other, secret), /no signature matches/);
  await assert.rejects(verify(body, { ...headers, "webhook-signature": "v1,=" }, secret), /no signature matches/);
  await assert.rejects(verify(body, {}, secret), VerificationError);
  await assert.rejects(verify(body, headers, "whsec_"), TypeError);

  const rotated = await webhooks.rotate(id);
  assert.notEqual(rotated.secret, secret);
  await its.operate("POST", "reports?approve=true", report("r-2"));
  const later = await next();
  for (const one of [secret, rotated.secret]) {
    assert.equal((await verify(later.body, later.headers, one)).event, "report.created");
  }
  assert(await verifyBody(later.body, later.headers, rotated.secret));
  assert(!(await verifyBody(later.body, later.headers, secret)));
});

test("a request of the documentation verifies until it is too old", async () => {
  const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
  const headers = {
    "Webhook-Id": "evt_2N9SyZbZ8yHkVwUe3rQ1Tg",
    "Webhook-Timestamp": "1772366400",
    "Webhook-Signature": "v1,ybT4ADNTUTKOEWB5KDGpE9tqFw5qMhXAgoOyrKR5G6U=",
    "X-SVC-Signature": "sha256=5213a8c017ca1ddcb5ff9111bda049fc35a3b469c17b4a5012a5a9049c03d01f",
  };
  const body =
    '{"event":"report.created","timestamp":"2026-03-01T12:00:00.000Z","data":{"id":"r-1","city":"São Paulo","country":"Brazil","peopleCount":3,"type":"spirit","createdAt":"2026-03-01T11:59:00.000Z","status":"APPROVED"}}';
  await assert.rejects(verify(body, headers, secret), /too far away/);
  assert.equal((await verify(body, headers, secret, { tolerance: Infinity })).id, "evt_2N9SyZbZ8yHkVwUe3rQ1Tg");
  assert(await verifyBody(body, headers, secret));
});

test("a subscription is changed, replayed, listed with its deliveries, and deleted", async (context) => {
  const { url, next } = await endpoint(context);
  const { webhooks } = its.partner;
  const wanted: NewSubscription = { url, events: ["metrics.updated"] };
  const once = { idempotencyKey: "once" };
  const first = await webhooks.create(wanted, once);
  assert.deepEqual(await webhooks.create(wanted, once), first);
  const { id, secret } = first.subscription;

  const { etag, subscription: read } = await webhooks.read(id);
  assert.deepEqual([read.id, read.health.state], [id, "HEALTHY"]);
  const changed = await webhooks.change(id, { events: ["report.created"], filter: { country: "Brazik" } });
  assert.deepEqual(changed.subscription.events, ["report.created"]);
  assert.equal(changed.warnings?.[0]?.pointer, "/filter/country");
  const late = { ifMatch: etag };
  await assert.rejects(webhooks.change(id, { filter: null }, late), { code: "PRECONDITION_FAILED" });
  await assert.rejects(webhooks.rotate(id, late), { code: "PRECONDITION_FAILED" });
  await assert.rejects(webhooks.delete(id, late), { code: "PRECONDITION_FAILED" });
  const free = await webhooks.change(id, { filter: null }, { ifMatch: changed.etag });
  assert.equal((await webhooks.read(id)).etag, free.etag);
  await its.operate("POST", "reports?approve=true", report("r-3"));
  const arrived = await next();
  const event = await verify(arrived.body, arrived.headers, secret);
  assert.equal((event.data as PublishedReport).id, "r-3");

  const made = { id: "made-up", city: "Oslo", country: "Norway" };
  assert.equal((await webhooks.test(id, { event: "report.withdrawn", report: made })).status, 204);
  const tried = await next();
  const withdrawn = await verify(tried.body, tried.headers, secret);
  assert(withdrawn.event === "report.withdrawn");
  assert.deepEqual([withdrawn.data.id, withdrawn.data.city, withdrawn.data.test], ["made-up", "Oslo", true]);

  assert.equal(await webhooks.replay(id, { from: event.timestamp }), 1);
  const again = await next();
  assert.deepEqual(await verify(again.body, again.headers, secret), event);

  const listed = (await webhooks.list()).find((one) => one.id === id);
  assert.equal(listed?.health.state, "HEALTHY");
  const { deliveries } = await webhooks.deliveries(id, { limit: 1 });
  assert.equal(deliveries[0]?.eventId, withdrawn.id);
  assert.equal(deliveries[0]?.attempts[0]?.status, 204);
  assert.equal(await webhooks.delete(id, { ifMatch: free.etag }), undefined);
  await assert.rejects(webhooks.deliveries(id), { code: "NOT_FOUND" });
});

test("events of the log are limited to types, and have more members on request", async () => {
  const query = { events: ["report.created"], lang: "pt", include: ["countryCode"] } as const;
  const { events } = await its.partner.events({ ...query, types: ["water"], limit: 1 });
  const report = events[0]?.data as PublishedReport;
  assert.deepEqual([report.city, report.country, report.countryCode], ["São Paulo", "Brasil", "BR"]);
  assert.deepEqual((await its.partner.events({ ...query, types: ["spirit"] })).events, []);
});

test("pages of the log lead to its end, and a cursor to later events", async () => {
  const pages = await all(its.partner.eventPages({ limit: 2, events: ["report.created"] }));
  const ids = pages.flatMap(({ events }) => events.map(({ data }) => (data as PublishedReport).id));
  assert.deepEqual(ids, ["r-1", "r-2", "r-3"]);
  const { next: after } = pages.at(-1)!;
  await its.operate("POST", "reports/withdraw", { ids: ["r-1"] });
  const { events } = await its.partner.events({ after });
  assert.deepEqual(events.map(({ event }) => event), ["report.withdrawn"]);
});
