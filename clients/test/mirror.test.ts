import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, MemoryStore, Mirror, type Report } from "svc-client";
import { all, report, running } from "./service.js";

const its = running(0);

const byId = (one: Report, other: Report) => (one.id < other.id ? -1 : 1);
const sorted = (reports: Iterable<Report>) => [...reports].sort(byId);

/** Brings a copy up to date as soon as the list has changed as expected, compares it, and returns the state. */
async function updated(client: Client, store: MemoryStore, isExpected: (list: Report[]) => boolean) {
  let list: Report[];
  do list = await all(its.partner.reports());
  while (!isExpected(list));
  await new Mirror(client, store).update();
  assert.deepEqual(sorted(store.reports.values()), sorted(list));
  return store.load()!;
}

test("mirrors equal the list after publications, corrections, withdrawals and imported history", async () => {
  const [byLog, byList] = [new MemoryStore(), new MemoryStore()];
  const check = async (isExpected: (list: Report[]) => boolean) => {
    const { walk: logWalk } = await updated(its.partner, byLog, isExpected);
    const { walk: listWalk } = await updated(its.visitor, byList, isExpected);
    return { logWalk, listWalk };
  };
  await check((list) => list.length === 0);
  await its.operate("POST", "reports?approve=true", report("first"));
  const first = await check((list) => list.length === 1);

  const place = { city: "Campinas", country: "Brazil" };
  const published = Array.from({ length: 200 }, (_, number) => `r-${number}`);
  await its.service.import(published.map((id) => ({ id, type: "water", ...place })), "--approve");
  assert.deepEqual(await check((list) => list.length === 201), first, "publications need no walk");

  await its.operate("PATCH", "reports/r-7", { city: "Manaus" });
  const second = await check((list) => list.some(({ id, city }) => id === "r-7" && city === "Manaus"));
  assert.equal(second.logWalk, first.logWalk, "with the log, corrections need no walk");
  assert.notEqual(second.listWalk, first.listWalk);
  await its.operate("POST", "reports/withdraw", { ids: published.slice(50, 100) });
  await check((list) => list.length === 151);
  await its.operate("POST", "reports/restore", { ids: published.slice(50, 60) });
  await check((list) => list.length === 161);

  const past = (number: number) => new Date(Date.UTC(2020, 0, 1, number)).toISOString();
  const history = Array.from({ length: 120 }, (_, number) => ({ id: `old-${number}`, createdAt: past(number) }));
  await its.service.import(history.map((row) => ({ type: "both", ...place, ...row })), "--backfill");
  await its.operate("POST", "reports/withdraw", { ids: ["old-3"] });
  const last = await check((list) => list.length === 280);
  assert.equal(last.logWalk, first.logWalk, "with the log, history needs no walk");
});

test("a mirror by the log starts again if the service was restored from an older backup", async (context) => {
  const store = new MemoryStore();
  await its.service.stop();
  const older = await its.service.copy();
  context.after(() => older.dispose());
  await its.service.start();
  await its.operate("POST", "reports?approve=true", report("lost"));
  const { walk } = await updated(its.partner, store, (list) => list.some(({ id }) => id === "lost"));

  await older.start();
  await new Mirror(new Client({ baseUrl: older.base, key: its.key }), store).update();
  assert.notEqual(store.load()?.walk, walk);
  assert(store.reports.has("first") && !store.reports.has("lost"));
});

test("a mirror whose key may not read the log follows the list, and changes to the log with another key", async () => {
  const forPages = ["--partner", "Page", "--origins", "https://page.example"];
  const created = await its.service.svc("keys", "create", ...forPages, "--json");
  const page = new Client({ baseUrl: its.service.base, key: JSON.parse(created).key });
  const store = new MemoryStore();
  assert.equal((await updated(page, store, () => true)).cursor, undefined);
  await its.operate("PATCH", "reports/r-8", { city: "Natal" });
  const state = await updated(its.partner, store, (list) => list.some(({ city }) => city === "Natal"));
  assert.match(state.cursor ?? "", /^c_/);
});
