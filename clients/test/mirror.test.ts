import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryStore, Mirror, type Report } from "svc-client";
import { all, report, running } from "./service.js";

const its = running(0);

const byId = (one: Report, other: Report) => (one.id < other.id ? -1 : 1);

test("a mirror equals the list after publications, corrections, withdrawals and imported history", async () => {
  const store = new MemoryStore();
  const mirror = new Mirror(its.partner, store);
  /** Compares with the list as soon as the list has changed as expected. */
  const check = async (isExpected: (list: Report[]) => boolean) => {
    let list: Report[];
    do list = await all(its.partner.reports());
    while (!isExpected(list));
    await mirror.update();
    assert.deepEqual([...store.reports.values()].sort(byId), list.sort(byId));
    return store.load()!.walk;
  };
  await check((list) => list.length === 0);
  await its.operate("POST", "reports?approve=true", report("first"));
  const first = await check((list) => list.length === 1);

  const published = Array.from({ length: 200 }, (_, number) => `r-${number}`);
  for (const id of published) await its.operate("POST", "reports?approve=true", report(id));
  assert.equal(await check((list) => list.length === 201), first, "publications need no walk");

  await its.operate("PATCH", "reports/r-7", { city: "Manaus" });
  const second = await check((list) => list.some(({ id, city }) => id === "r-7" && city === "Manaus"));
  assert.notEqual(second, first);
  await its.operate("POST", "reports/withdraw", { ids: published.slice(50, 100) });
  await check((list) => list.length === 151);
  await its.operate("POST", "reports/restore", { ids: published.slice(50, 60) });
  await check((list) => list.length === 161);
  const past = { city: "Paris", country: "France", createdAt: "2020-01-01T00:00:00Z" };
  await its.service.import([{ id: "old", type: "both", ...past }], "--backfill");
  await check((list) => list.some(({ id }) => id === "old"));
});
