import { violations } from "../support/axe.js";
import { look } from "../support/moments.js";
import type { Page } from "@playwright/test";
import { pending } from "../support/reports.js";
import { metrics } from "../support/stream.js";
import { expect, test } from "../support/test.js";

const rows = (page: Page) => page.locator("ol > li");
const live = (page: Page) => expect(page.locator(".pulse")).toHaveAttribute("data-state", "live");

/** Data of a stream event in which `ids` are the newest reports, newest first. */
function reports(ids: string[], type = "spirit") {
  return {
    reports: ids.map((id) => ({
      id,
      type,
      city: `City ${id}`,
      country: "Nowhere",
      peopleCount: 2,
      createdAt: new Date(Date.now() - 3 * 60_000).toISOString(),
    })),
  };
}

/** This number of ids, newest first. */
const ids = (newest: number, count = 20) =>
  Array.from({ length: count }, (_, index) => `${newest - index}`);

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the list is there, with times that do not grow old", async ({ page, service }) => {
    await page.goto(`${service.base}/embed/feed`);
    await expect(rows(page)).toHaveCount(20);
    await expect(page.locator(".total")).toHaveText("1,234 reports");
    await expect(page.locator(".status")).toHaveText(/^as of \d\d:\d\d UTC\s*$/);
    await expect(rows(page).first().locator("time")).toHaveText("2020-06-01");
    await expect(rows(page).first().locator("time")).toBeVisible();
  });
});

test("a report that another process approves comes in at the top", { tag: "@release" }, async ({ page, ownService }) => {
  await page.setViewportSize({ width: 400, height: 320 });
  await page.goto(`${ownService.base}/embed/feed`);
  await live(page);
  // This report is newer than the pending one that all tests of a worker share.
  await ownService.import([{ ...pending, id: "fresh" }]);
  await ownService.svc("reports", "approve", "fresh");
  const first = rows(page).first();
  await expect(first).toHaveAttribute("data-id", "fresh");
  await expect(first.locator(".place")).toHaveText("Lyon, France");
  await expect(first.locator(".people")).toHaveText("1 person");
  await expect(first.locator("time")).toHaveText(/^(now|\ds ago)$/);
  await expect(first.locator(".kind")).toHaveText("Water");
  await expect(page.locator(".total")).toHaveText("1,235 reports");
  await expect(rows(page)).toHaveCount(20);
  // A correction appears at once, even while a visitor reads the list.
  await first.hover();
  const key = await ownService.operatorsKey("Maria", "moderate");
  const corrected = await fetch(`${ownService.operatorsBase}/operator/v1/reports/fresh`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ type: "spirit", peopleCount: 99 }),
  });
  expect(corrected.status).toBe(200);
  await expect(first.locator(".people")).toHaveText("99 people");
  await expect(first.locator(".kind")).toHaveText("Spirit");
  await expect(rows(page)).toHaveCount(20);
});

test("the days of events are shown where that is asked for", async ({ page, ownService }) => {
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const place = { city: "Lyon", country: "France", type: "water" } as const;
  await ownService.import([{ id: "old", ...place, eventDate: day(70) }]);
  await page.goto(`${ownService.base}/embed/feed?dates=event`);
  await live(page);
  await ownService.svc("reports", "approve", "old");
  const time = page.locator('li[data-id="old"] time');
  await expect(time).toHaveText("2 mo. ago");
  await expect(time).toHaveAttribute("datetime", day(70));
  await ownService.import([{ id: "fresh", ...place, eventDate: day(0) }, { id: "late", ...place, eventDate: day(1) }]);
  await ownService.svc("reports", "approve", "fresh", "late");
  await expect(page.locator('li[data-id="fresh"] time')).toHaveText("today");
  await expect(page.locator('li[data-id="late"] time')).toHaveText("yesterday");
  // Without the option, the feed shows the submission time.
  await page.goto(`${ownService.base}/embed/feed`);
  await expect(time).toHaveText(/^(now|\d+s ago|\d+ min\. ago)$/);
});

test("seconds are counted, and the first row of each day has its name", async ({ page, scripted }) => {
  await page.goto(`${scripted.base}/embed/feed`);
  await expect.poll(() => scripted.open.size).toBe(1);
  const noon = new Date().setHours(12, 0, 0, 0);
  const day = 86_400_000;
  const ages = [noon + day / 3, noon, noon - day, noon - day - 1_000, noon - 9 * day];
  const now = new Date().toISOString();
  const of = (createdAt: string, index: number) => ({ ...reports([`${index}`]).reports[0]!, createdAt });
  const days = ages.map((time) => new Date(time).toISOString());
  scripted.send("reports", { reports: [now, ...days].map(of) });
  const time = rows(page).first().locator("time");
  await expect(time).toHaveText(/^\ds ago$/);
  await expect(time).toHaveText(/^\d\ds ago$/, { timeout: 15_000 });
  const named = page.locator(".day:not([hidden])");
  const last = new Date(noon - 9 * day).toLocaleDateString("en-US", { dateStyle: "medium" });
  await expect(named).toHaveText(["today", "yesterday", last]);
  await expect(rows(page).nth(3).locator(".day")).toHaveText("yesterday");
  await expect(rows(page).nth(3).locator(".day")).toBeVisible();
  await expect(rows(page).nth(4).locator(".day")).toBeHidden();
});

test("in Arabic, some months ago are not some months from now", async ({ page, scripted }) => {
  await page.goto(`${scripted.base}/embed/feed?lang=ar`);
  await expect.poll(() => scripted.open.size).toBe(1);
  scripted.send("metrics", metrics);
  const createdAt = new Date(Date.now() - 160 * 86_400_000).toISOString();
  scripted.send("reports", { reports: [{ ...reports(["1"]).reports[0]!, createdAt }] });
  await expect(rows(page).locator("time")).toHaveText("قبل 5 أشهر");
});

test("a report that is withdrawn goes", async ({ page, ownService }) => {
  await page.goto(`${ownService.base}/embed/feed`);
  await live(page);
  const id = (await rows(page).first().getAttribute("data-id")) ?? "";
  await ownService.svc("reports", "withdraw", id);
  await expect(page.locator(`[data-id="${id}"]`)).toHaveCount(0);
  await expect(rows(page)).toHaveCount(20);
});

test("what comes in moves nothing that the browser calls a shift", async ({ page, scripted }) => {
  await page.setViewportSize({ width: 400, height: 320 });
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(`${scripted.base}/embed/feed`);
  await expect.poll(() => scripted.open.size).toBe(1);
  scripted.send("metrics", metrics);
  for (const newest of [100, 101, 104]) {
    scripted.send("reports", reports(ids(newest)));
    await expect(rows(page).first()).toHaveAttribute("data-id", `${newest}`);
    await expect(rows(page)).toHaveCount(20);
  }
  await expect(rows(page).first().locator("time")).toHaveText("3 min. ago");
  await page.waitForFunction(() => document.getAnimations().length === 0);
  expect(await page.evaluate("shifts")).toEqual([]);
});

test("the list waits while it is read, and then catches up", async ({ page, scripted }) => {
  await page.setViewportSize({ width: 400, height: 320 });
  await page.goto(`${scripted.base}/embed/feed`);
  await expect.poll(() => scripted.open.size).toBe(1);
  scripted.send("reports", reports(ids(100)));
  await expect(rows(page).first()).toHaveAttribute("data-id", "100");

  const first = rows(page).first();
  for (const [begin, end] of [
    [() => page.locator("ol").hover(), () => page.mouse.move(200, 10)],
    [() => page.locator("ol").focus(), () => page.locator("ol").blur()],
    [
      () => page.locator("ol").evaluate((list) => list.scrollTo(0, 100)),
      () => page.locator("ol").evaluate((list) => list.scrollTo(0, 0)),
    ],
  ] as const) {
    const before = Number(await first.getAttribute("data-id"));
    await begin();
    scripted.send("reports", reports(ids(before + 1)));
    scripted.send("reports", reports(ids(before + 2)));
    // This later event has been handled, so the two before it have been too.
    scripted.send("metrics", { ...metrics, spirit: before });
    await expect(page.locator(".total")).toHaveText(`${before + 234} reports`);
    await expect(first).toHaveAttribute("data-id", `${before}`);
    await end();
    await expect(first).toHaveAttribute("data-id", `${before + 2}`);
  }
});

test("those who hear the page are told now and then, not each time", async ({ page, scripted }) => {
  await page.goto(`${scripted.base}/embed/feed`);
  await expect.poll(() => scripted.open.size).toBe(1);
  scripted.send("reports", reports(ids(100)));
  await expect(page.getByRole("status")).toHaveText("20 new reports");
  scripted.send("reports", reports(ids(101)));
  await expect(rows(page).first()).toHaveAttribute("data-id", "101");
  await expect(page.getByRole("status")).toHaveText("20 new reports");
});

test("a list of some types has those too that went by while nobody looked", async ({
  page,
  ownService,
}) => {
  await page.goto(`${ownService.base}/embed/feed?types=both`);
  await live(page);
  await expect(page.locator(".feed li")).toHaveCount(4);
  await page.evaluate(look, true);
  const passed = { ...pending, id: "passed-by", type: "both", city: "Quito", country: "Ecuador" } as const;
  await ownService.import([passed], "--approve");
  const others = Array.from({ length: 25 }, (_, index) => ({ ...pending, id: `other-${index}` }));
  await ownService.import(others, "--approve");
  await page.evaluate(look, false);
  await expect(page.locator(".feed li")).toHaveCount(5);
  await expect(page.locator(".feed li").first()).toContainText("Quito");
  await expect(page.locator(".feed time").first()).toBeVisible();
});

test("a list of at most 5, 20 or 100 reports has as many, each below the other, also later", async ({
  context,
  ownService,
}) => {
  const tops = (page: Page) =>
    rows(page).evaluateAll((rows) => rows.map((row) => (row as HTMLElement).getBoundingClientRect().top));
  const complete = async (page: Page, limit: number) => {
    const [first, ...others] = await tops(page);
    expect(others, `at most ${limit}`).toEqual(others.map((_, index) => first! + 44 * (index + 1)));
    expect(others.length).toBe(limit - 1);
  };
  const pages: [number, Page][] = [];
  for (const limit of [5, 20, 100]) {
    const page = await context.newPage();
    await page.setViewportSize({ width: 400, height: 320 });
    await page.goto(`${ownService.base}/embed/feed?limit=${limit}`);
    await live(page);
    await complete(page, limit);
    pages.push([limit, page]);
  }
  await ownService.svc("reports", "approve", "pending-1");
  for (const [limit, page] of pages) {
    await expect(rows(page).first()).toHaveAttribute("data-id", "pending-1");
    await page.waitForFunction(() => document.getAnimations().length === 0);
    await complete(page, limit);
  }
});

test("options narrow the list: a place, types, a language", async ({ page, ownService }) => {
  await page.goto(`${ownService.base}/embed/feed?country=poland&types=both,water&lang=de`);
  await live(page);
  await expect(page.locator("ol .country").first()).toHaveText("Polen");
  await expect(page.locator("ol > .spirit")).toHaveCount(0);
  await expect(page.locator(".label")).toHaveText("Polen");
  await expect(page.locator(".total")).toHaveText(/^\d+ Berichte$/);
  await ownService.import([{ id: "pl", type: "water", city: "Łódź", country: "Poland" }], "--approve");
  await expect(rows(page).first()).toHaveAttribute("data-id", "pl");
  await expect(rows(page).first().locator("time")).toHaveText(/^(jetzt|vor \d+ s)$/);
});

test("an empty list says so, and what names strangers give is only text", async ({
  page,
  ownService,
}) => {
  await page.goto(`${ownService.base}/embed/feed?country=Chile`);
  await expect(page.locator(".nothing")).toBeVisible();
  await live(page);
  const city = "<img src=x onerror=alert(1)> of a very long name that fits nowhere at all";
  await ownService.import([{ id: "cl", type: "both", city, country: "Chile" }], "--approve");
  await expect(rows(page).first().locator("b")).toHaveText(city);
  await expect(page.locator(".nothing")).toBeHidden();
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
});

test("from right to left, names of either script begin at the right", async ({ page, ownService }) => {
  const place = { type: "both", country: "Egypt" } as const;
  await ownService.import([{ id: "a", ...place, city: "القاهرة" }, { id: "b", ...place, city: "Giza" }], "--approve");
  await page.goto(`${ownService.base}/embed/feed?lang=ar&country=Egypt`);
  await live(page);
  const right = async (selector: string) => {
    const { x, width } = (await page.locator(selector).boundingBox())!;
    return Math.round(x + width);
  };
  // The direction of a city's name does not move its country.
  for (const id of ["a", "b"]) {
    const [city, country] = await Promise.all(
      ["b", ".country"].map(async (part) => (await page.locator(`[data-id="${id}"] ${part}`).boundingBox())!),
    );
    expect(country!.x + country!.width, id).toBeLessThanOrEqual(city!.x);
  }
  const people = await right('[data-id="a"] .people');
  expect(await right('[data-id="a"] .place')).toBe(people);
  expect(await right('[data-id="b"] .place')).toBe(people);
});

test("axe finds nothing in the feed, in either theme, narrow and wide", async ({ page, service }) => {
  for (const theme of ["light", "dark"]) {
    await page.goto(`${service.base}/embed/feed?theme=${theme}`);
    await live(page);
    for (const width of [320, 1200]) {
      await page.setViewportSize({ width, height: 320 });
      expect(await violations(page), `${theme} at ${width} px`).toEqual([]);
    }
  }
});
