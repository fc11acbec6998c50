import assert from "node:assert/strict";
import { test } from "node:test";
import { report, restart, running } from "./service.js";

const its = running(30);

test("the stream sends counters and reports of a place", async () => {
  const seen: Record<string, unknown> = {};
  for await (const { event, data } of its.visitor.stream({ country: "BR" })) {
    seen[event] = data;
    if (seen["metrics"] && seen["reports"]) break;
  }
  assert.deepEqual(seen["metrics"], await its.visitor.metrics({ country: "BR" }));
  assert.deepEqual(seen["reports"], { reports: (await its.visitor.reportPage({ country: "BR" })).reports });
});

test("views arrive again when they change, and after a restart of the service", async () => {
  const views = ["country=BR&limit=1", "country=FR"];
  const totals: number[] = [];
  const aborted = new AbortController();
  for await (const event of its.visitor.stream({ views, signal: aborted.signal })) {
    if (event.event !== "view" || event.data.view !== views[0]) continue;
    totals.push(event.data.metrics.total);
    if (totals.length === 1) await its.operate("POST", "reports?approve=true", report("new"));
    if (totals.length === 2) {
      assert.equal(event.data.reports[0]?.id, "new");
      await restart(its);
    }
    if (totals.length === 3) aborted.abort();
  }
  const [before = 0] = totals;
  assert.deepEqual(totals, [before, before + 1, before + 1]);
});

test("a refusal for good ends the stream with its problem", async () => {
  await assert.rejects(its.visitor.stream({ views: ["contry=BR"] }).next(), { code: "INVALID_PARAMETER" });
});
