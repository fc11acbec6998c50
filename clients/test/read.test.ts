import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, Problem } from "svc-client";
import { all, running } from "./service.js";

const its = running(450);

const raw = async (path: string) => (await fetch(`${its.service.base}/api/v1/${path}`)).json();

test("methods return what the API returns", async () => {
  assert.deepEqual(await its.visitor.metrics(), await raw("metrics"));
  const filter = { from: "2020-01-01", types: ["spirit", "both"] };
  assert.deepEqual(await its.visitor.metrics(filter), await raw("metrics?from=2020-01-01&types=spirit,both"));
  assert.deepEqual(await its.visitor.series({ interval: "year" }), await raw("metrics/series?interval=year"));
  const period = { from: "2020-01-01", to: "2030-01-01" };
  const facets = await its.visitor.facets(period);
  assert.deepEqual(facets, await raw("geo-facets?from=2020-01-01&to=2030-01-01"));
  assert.match(facets.locations[0]?.id ?? "", /^pl_/);
});

test("a report, a list and a download have more members on request, and times of publication limit them", async () => {
  const content = { lang: "fr", include: ["eventDate", "typeLabel"] } as const;
  const [report] = (await its.visitor.reportPage({ limit: 1, ...content })).reports;
  assert.match(report?.eventDate ?? "", /^\d{4}-\d\d-\d\d$/);
  const id = report?.id ?? "";
  assert.deepEqual(await its.visitor.report(id, content), report);
  await assert.rejects(its.visitor.report("a/b"), { code: "NOT_FOUND" });

  const every = await all(its.partner.reports());
  const until = every[200]?.createdAt ?? "";
  const old = await all(its.partner.reports({ until }));
  assert.deepEqual(old, every.filter(({ createdAt }) => createdAt <= until));
  const lines = (await (await its.partner.download("ndjson", { until })).text()).trimEnd().split("\n");
  assert.deepEqual(lines.map((line) => JSON.parse(line)), old);
  await assert.rejects(its.partner.download("csv", { from: "yesterday" }), { code: "INVALID_PERIOD" });
});

test("a submitted report waits for a decision, once for each key of idempotency", async () => {
  const report = { type: "water", city: "Lyon", country: "France", note: "by the river" } as const;
  const submitted = await its.visitor.submit(report);
  assert.equal(submitted.status, "PENDING");
  assert.equal((await its.operate("GET", `reports/${submitted.id}`)).city, "Lyon");
  const once = { idempotencyKey: "once" };
  const first = await its.partner.submit({ ...report, city: "Nice" }, once);
  assert.deepEqual(await its.partner.submit({ ...report, city: "Nice" }, once), first);
  await assert.rejects(its.partner.submit({ ...report, city: "Lille" }, once), { code: "IDEMPOTENCY_CONFLICT" });
  const empty = await its.partner.submit({ ...report, city: "" }).catch((error) => error);
  assert.equal(empty.errors[0].pointer, "/city");
});

test("pages of reports and groups contain each one once", async () => {
  const { total } = await its.partner.metrics();
  const reports = await all(its.partner.reports());
  assert.equal(total, 450);
  assert.equal(new Set(reports.map(({ id }) => id)).size, total);
  assert.equal(reports.length, total);
  const groups = await all(its.partner.by("city", { limit: 7 }));
  assert.equal(new Set(groups.map(({ key }) => key)).size, groups.length);
  assert.equal(groups.reduce((sum, group) => sum + group.total, 0), total);
  const brazilian = await all(its.partner.reports({ country: "BR", limit: 11 }));
  assert.equal(brazilian.length, (await its.partner.metrics({ country: "Brasil" })).total);
});

test("refused requests throw problems", async () => {
  const refused = await its.visitor.metrics({ from: "yesterday" }).catch((error) => error);
  assert(refused instanceof Problem);
  assert.deepEqual([refused.status, refused.code, refused.isTemporary], [400, "INVALID_PERIOD", false]);
  assert.match(refused.detail, /"from"/);
  const unauthenticated = new Client({ baseUrl: its.service.base, key: "svc_wrong" });
  await assert.rejects(unauthenticated.me(), { name: "Problem", code: "UNAUTHENTICATED", status: 401 });
  const body = { url: "https://partner.example.com", events: [], filter: { contry: "BR" } } as any;
  const invalid = await its.partner.webhooks.create(body).catch((error) => error);
  assert.equal(invalid.code, "INVALID_BODY");
  assert.equal(invalid.errors[0].pointer, "/filter/contry");
});

test("the key goes to the service only", async () => {
  await assert.rejects(its.partner.reportPage("http://127.0.0.1:9/api/v1/reports"), TypeError);
  assert.throws(() => new Client({ baseUrl: "localhost:3000" }), TypeError);
  assert.equal((await its.partner.me()).tier, "enterprise");
  assert.equal((await its.partner.changeMe({ email: "ada@example.org" })).email, "ada@example.org");
  assert.equal((await its.partner.changeMe({ email: null })).email, undefined);
  assert.equal((await its.visitor.me()).tier, "public");
});

test("a request over the limit has a time to wait, or waits if the client is made so", async () => {
  const { subscription } = await its.partner.webhooks.create({
    url: "http://127.0.0.1:9/svc",
    events: ["report.created"],
  });
  await its.partner.webhooks.test(subscription.id);
  const refused = await its.partner.webhooks.test(subscription.id).catch((error) => error);
  assert.equal(refused.code, "RATE_LIMITED");
  assert(refused.retryAfter >= 1 && refused.retryAfter <= 5, `${refused.retryAfter}`);
  const patient = new Client({ baseUrl: its.service.base, key: its.key, wait: true });
  assert.match((await patient.webhooks.test(subscription.id)).error ?? "", /./);
});
