import type { Page } from "@playwright/test";
import { violations } from "../support/axe.js";
import { frames, settled } from "../support/globe.js";
import { pending } from "../support/reports.js";
import { metrics } from "../support/stream.js";
import { expect, test } from "../support/test.js";
import { live, rows, shown, status, total, WIDGETS } from "../support/widgets.js";

test.beforeEach(({ expectErrors }) => expectErrors(/GPU stall|GL Driver Message/));

/** Data of a stream event in which report `newest` and the 19 before it are the newest. */
function reports(newest: number) {
  const createdAt = new Date().toISOString();
  const report = { type: "spirit", city: "Lyon", country: "France", peopleCount: 1, createdAt };
  return { reports: Array.from({ length: 20 }, (_, index) => ({ ...report, id: `${newest - index}` })) };
}

const pause = (page: Page) => page.getByRole("button", { name: /pause/i });
/** Button that resumes. It may be a separate button, or the pause button while pressed. */
const resume = (page: Page) =>
  page
    .getByRole("button", { name: /resume|play|continue/i })
    .or(page.getByRole("button", { name: /pause/i, pressed: true }));
/** Visible number of waiting reports, shown in addition to the announcement. */
const waiting = (page: Page, count: number) =>
  page.getByText(new RegExp(`^${count} new\\b`)).and(page.locator(":not([role=status])"));

test("where WebGL draws, the list of places has a name and is kept up to date", async ({
  page,
  ownService,
}) => {
  await page.goto(`${ownService.base}/embed/globe`);
  await live(page);
  await settled(page);
  const places = page.getByRole("list", { name: /places/i });
  await expect(places.getByRole("listitem")).toHaveText([
    "Campinas, Brazil: 412 reports",
    "Lyon, France: 411 reports",
    "Kraków, Poland: 411 reports",
  ]);
  await ownService.import([{ ...pending, id: "quito", city: "Quito", country: "Ecuador" }], "--approve");
  await ownService.svc("reports", "approve", "pending-1");
  await expect(places.getByRole("listitem")).toHaveText([
    "Campinas, Brazil: 412 reports",
    "Lyon, France: 412 reports",
    "Kraków, Poland: 411 reports",
    "Quito, Ecuador: 1 report",
  ]);
});

for (const widget of WIDGETS) {
  test(`the ${widget} widget does not announce that its connection is lost or found`, async ({
    page,
    scripted,
  }) => {
    await page.goto(`${scripted.base}/embed/${widget}`);
    await expect.poll(() => scripted.open.size).toBe(1);
    scripted.send("metrics", metrics);
    await expect(status(page)).toHaveText("live");
    await silent(page);
    scripted.send("error", { message: "no" });
    await expect(status(page)).toHaveText(/^reconnecting/);
    await silent(page);
  });
}

/** Checks that all live regions are empty. */
async function silent(page: Page): Promise<void> {
  const live = "[role=status], [role=alert], [role=log], [aria-live=polite], [aria-live=assertive]";
  const regions = page.locator(live);
  const nothing = Array<string>(await regions.count()).fill("");
  await expect(regions).toHaveText(nothing, { useInnerText: true });
}

for (const [how, begin, end] of [
  // `hover()` would scroll to a row that is still sliding in, and scrolling counts as reading.
  ["pointed at", (page: Page) => page.mouse.move(200, 150), (page: Page) => page.mouse.move(200, 10)],
  ["focused", (page: Page) => page.locator(".feed ol").focus(), (page: Page) => page.locator(".feed ol").blur()],
  [
    "scrolled",
    (page: Page) => page.locator(".feed ol").evaluate((list) => list.scrollTo(0, 100)),
    (page: Page) => page.locator(".feed ol").evaluate((list) => list.scrollTo(0, 0)),
  ],
] as const) {
  test(`a feed that waits because it is ${how} says how many reports are new`, async ({
    page,
    scripted,
  }) => {
    await page.setViewportSize({ width: 400, height: 320 });
    await page.goto(`${scripted.base}/embed/feed`);
    await expect.poll(() => scripted.open.size).toBe(1);
    scripted.send("reports", reports(100));
    await expect(rows(page).first()).toHaveAttribute("data-id", "100");

    await begin(page);
    scripted.send("reports", reports(101));
    await expect(waiting(page, 1)).toBeVisible();
    scripted.send("reports", reports(103));
    await expect(waiting(page, 3)).toBeVisible();
    await expect(rows(page).first()).toHaveAttribute("data-id", "100");
    await end(page);
    await expect(rows(page).first()).toHaveAttribute("data-id", "103");
    await expect(waiting(page, 3)).toBeHidden();
  });
}

test("a feed that is paused stays as it is until it is resumed", async ({ page, scripted }) => {
  await page.setViewportSize({ width: 400, height: 320 });
  await page.goto(`${scripted.base}/embed/feed`);
  await expect.poll(() => scripted.open.size).toBe(1);
  scripted.send("reports", reports(100));
  await expect(rows(page).first()).toHaveAttribute("data-id", "100");
  const before = await shown(page);

  await pause(page).click();
  await page.mouse.move(1, 1);
  await resume(page).blur();
  scripted.send("reports", reports(102));
  await expect(waiting(page, 2)).toBeVisible();
  expect(await shown(page)).toEqual(before);
  expect(await violations(page)).toEqual([]);
  // The numbers continue to change, because they do not move.
  scripted.send("metrics", { ...metrics, water: 231 });
  await expect(total(page)).toHaveText("1,235 reports");

  await resume(page).press("Enter");
  await pause(page).blur();
  await expect(rows(page).first()).toHaveAttribute("data-id", "102");
  await expect(waiting(page, 2)).toBeHidden();
});

test("a globe that is paused does not turn to new reports until it is resumed", async ({
  page,
  ownService,
}) => {
  await page.goto(`${ownService.base}/embed/globe`);
  await live(page);
  await settled(page);
  await pause(page).click();
  await settled(page);
  const before = { frames: await frames(page), picture: await picture(page) };

  const sydney = { ...pending, city: "Sydney", country: "Australia" };
  await ownService.import([{ ...sydney, id: "far" }], "--approve");
  await expect(total(page)).toHaveText("1,235 reports");
  await expect(page.locator("ol.places")).toContainText("Sydney");
  await settled(page);
  // At most the new marker, the name and its removal are drawn; nothing moves.
  expect((await frames(page)) - before.frames).toBeLessThan(6);
  expect(await violations(page)).toEqual([]);

  await resume(page).press("Enter");
  await ownService.import([{ ...sydney, id: "farther" }], "--approve");
  await expect(page.locator(".arrival")).toHaveText("Sydney, Australia");
  await settled(page);
  expect((await picture(page)).equals(before.picture)).toBe(false);
});

test("keyboard hints come into view when the globe has the focus", async ({ page, service }) => {
  await page.goto(`${service.base}/embed/globe`);
  await settled(page);
  await expect(page.getByText(/arrow keys/i)).toBeHidden();
  await page.keyboard.press("Tab");
  await page.locator("canvas").focus();
  await expect(page.getByText(/arrow keys/i)).toBeVisible();
});

test("in Arabic, an Arabic comma stands between city and country", async ({ page, ownService }) => {
  await page.goto(`${ownService.base}/embed/feed?lang=ar`);
  await live(page);
  await ownService.svc("reports", "approve", "pending-1");
  await expect(page.locator('[data-id="pending-1"]')).toBeVisible();
  for (const place of await page.locator(".feed .place").allTextContents()) {
    expect(place).toMatch(/^[^,]+، [^,]+$/);
  }
  await page.goto(`${ownService.base}/embed/globe?lang=ar`);
  for (const place of await page.locator("ol.places li").allTextContents()) {
    expect(place).toContain("، ");
    expect(place).not.toMatch(/, /);
  }
});

function picture(page: Page): Promise<Buffer> {
  return page.locator("canvas").screenshot();
}
