import type { Page } from "@playwright/test";
import { settled } from "../support/globe.js";
import { pending } from "../support/reports.js";
import type { ReadOnlyService } from "../support/service.js";
import { metrics } from "../support/stream.js";
import { expect, test } from "../support/test.js";
import { live, rows, shown, total } from "../support/widgets.js";

test.beforeEach(({ expectErrors }) => expectErrors(/GPU stall|GL Driver Message/));

/** Newest reports in the API's list. */
async function newest(service: ReadOnlyService, query = "limit=21"): Promise<{ id: string }[]> {
  const answer = await fetch(`${service.base}/api/v1/reports?${query}`);
  return ((await answer.json()) as { reports: { id: string }[] }).reports;
}

const ids = (reports: { id: string }[]) => reports.map(({ id }) => id);

test("what moves up when a report is withdrawn comes in at the bottom, and is not news", async ({
  page,
  ownService,
}) => {
  const before = ids(await newest(ownService));
  await page.goto(`${ownService.base}/embed/feed`);
  await live(page);
  expect(await shown(page)).toEqual(before.slice(0, 20));

  await ownService.svc("reports", "withdraw", before[4]!);
  await expect(page.locator(`[data-id="${before[4]}"]`)).toHaveCount(0);
  const after = before.filter((id) => id !== before[4]);
  await expect.poll(() => shown(page)).toEqual(after);
  await expect(page.locator(".feed li.new")).toHaveCount(0);
  for (const said of await page.getByRole("status").allTextContents()) {
    expect(said).not.toContain("new report");
  }
});

test("of a withdrawal and a new report at once, only the new report is highlighted and announced", async ({
  page,
  scripted,
  service,
}) => {
  const reports = await newest(service);
  await page.goto(`${scripted.base}/embed/feed`);
  await expect.poll(() => scripted.open.size).toBe(1);
  scripted.send("reports", { reports: reports.slice(0, 20) });
  const added = { ...reports[0]!, id: "added", city: "Quito", country: "Ecuador" };
  const after = [added, ...reports.filter((_, index) => index !== 7 && index !== 8)];
  scripted.send("reports", { reports: after });

  await expect.poll(() => shown(page)).toEqual(ids(after));
  await expect(page.locator(".feed li.new")).toHaveCount(1);
  await expect(rows(page).first()).toHaveClass(/\bnew\b/);
  await expect(page.getByRole("status").filter({ hasText: "1 new report" })).toHaveCount(1);
});

test("the globe stays where it is when a report is withdrawn, and tells nobody of news", async ({
  page,
  ownScripted: scripted,
  ownService,
}) => {
  const reports = await newest(ownService);
  const arrivals = await recordArrivals(page);
  await page.goto(`${scripted.base}/embed/globe`);
  await expect.poll(() => scripted.open.size).toBe(1);
  scripted.send("reports", { reports: reports.slice(0, 20) });
  await settled(page);

  scripted.send("reports", { reports: reports.filter((_, index) => index !== 4) });
  // This later event has been handled, so the one before it has been too.
  scripted.send("metrics", { ...metrics, spirit: 999 });
  await expect(total(page)).toHaveText("1,233 reports");
  for (const said of await page.getByRole("status").allTextContents()) {
    expect(said).not.toContain("new report");
  }

  // The next name shown is that of the next new report.
  const quito = { ...pending, id: "quito", city: "Quito", country: "Ecuador" };
  await ownService.import([quito], "--approve");
  const published = async () => ids(await newest(ownService));
  await expect.poll(published).toContain("quito");
  scripted.send("reports", { reports: await newest(ownService, "limit=20") });
  scripted.send("metrics", { ...metrics, spirit: 999, water: 231 });
  await expect.poll(arrivals).toContain("Quito, Ecuador");
  expect(await arrivals()).toEqual(["Quito, Ecuador"]);
});

test("a list of some types loses a report that is withdrawn without being loaded again", async ({
  page,
  ownService,
}) => {
  await page.goto(`${ownService.base}/embed/feed?types=water`);
  await live(page);
  await page.evaluate("window.untouched = true");
  const before = await shown(page);
  expect(before).toHaveLength(20);

  await ownService.svc("reports", "withdraw", before[3]!);
  const rest = before.filter((id) => id !== before[3]);
  await expect.poll(async () => (await shown(page)).slice(0, 19)).toEqual(rest);
  await expect(rows(page)).toHaveCount(20);
  await expect(total(page)).toHaveText("229 reports");
  await expect(page.locator(".feed li.new")).toHaveCount(0);
  await expect(page.locator(".feed time").last()).toBeVisible();
  expect(await page.evaluate("window.untouched")).toBe(true);
});

test("a list of some types that loses its last report says that there is none", async ({
  page,
  ownService,
}) => {
  await page.goto(`${ownService.base}/embed/feed?types=both`);
  await live(page);
  const before = await shown(page);
  expect(before).toHaveLength(4);
  await ownService.svc("reports", "withdraw", ...(before as string[]));
  await expect(rows(page)).toHaveCount(0);
  await expect(page.getByText("Waiting for the first report")).toBeVisible();
});

/** Records each name that the globe shows for a new report. */
async function recordArrivals(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const arrivals: string[] = [];
    Object.assign(window, { arrivals });
    new MutationObserver(() => {
      const name = document.querySelector<HTMLElement>(".arrival:not([hidden])")?.textContent;
      if (name && arrivals.at(-1) !== name) arrivals.push(name);
    }).observe(document, { attributes: true, characterData: true, childList: true, subtree: true });
  });
  return () => page.evaluate("arrivals");
}
