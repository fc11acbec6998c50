import type { Page } from "@playwright/test";
import { violations } from "../support/axe.js";
import { settled } from "../support/globe.js";
import { expect, test } from "../support/test.js";
import { live, rows, shown, WIDGETS } from "../support/widgets.js";

/** Page with one widget that stores the widget's messages about reports and places. */
const host = (src: string) =>
  `<!doctype html><title>Host</title><iframe src="${src}" width=700 height=400 title="w"></iframe>
   <script>
     told = [];
     addEventListener("message", ({ data }) => {
       if (/report|select/.test(data.type)) told.push(data);
     });
   </script>`;

const told = (page: Page) => page.evaluate<Record<string, unknown>[]>("told");

// Browsers without a GPU print messages about drawing in software.
test.beforeEach(({ expectErrors }) => expectErrors(/GPU stall|GL Driver Message/));

test("widgets tell the page of each new report, and of no other", async ({ context, hostPage, ownService }) => {
  const pages: [string, Page][] = [];
  for (const widget of WIDGETS) {
    const page = await context.newPage();
    await page.goto(await hostPage(host(`${ownService.base}/embed/${widget}?country=FR`)));
    await live(page.frames()[1]!);
    pages.push([widget, page]);
  }
  await ownService.import(
    [
      { id: "new-1", type: "both", city: "Nice", country: "France", peopleCount: 3 },
      { id: "new-2", type: "spirit", city: "Lima", country: "Peru" },
    ],
    "--approve",
  );
  for (const [widget, page] of pages) {
    await test.step(widget, async () => {
      await expect.poll(() => told(page)).toHaveLength(1);
      const newest = await fetch(`${ownService.base}/api/v1/reports?country=FR&limit=1`);
      const { reports } = (await newest.json()) as { reports: unknown[] };
      expect(await told(page)).toEqual([{ type: "svc:report", report: reports[0] }]);
    });
  }
});

test("the feed tells the page which report was clicked", async ({ hostPage, page, service }) => {
  await page.goto(await hostPage(host(`${service.base}/embed/feed?lang=de`)));
  const frame = page.frames()[1]!;
  await live(frame);
  const row = rows(frame).nth(2);
  const id = await row.getAttribute("data-id");
  await row.click();
  await expect.poll(() => told(page)).toHaveLength(1);
  const newest = await fetch(`${service.base}/embed/live?view=lang%3Dde`);
  const { reports } = (await newest.json()) as { reports: { id: string }[] };
  const report = reports.find((report) => report.id === id);
  expect(await told(page)).toEqual([{ type: "svc:select", report }]);
});

test("a row of the feed is selected by keyboard, too", async ({ hostPage, page, service }) => {
  await page.goto(await hostPage(host(`${service.base}/embed/feed`)));
  const frame = page.frames()[1]!;
  await live(frame);
  const ids = await shown(frame);
  const button = (index: number) => rows(frame).nth(index).getByRole("button");
  await page.locator("iframe").focus();
  // The list is a single tab stop, however many rows it has; the next one is the menu.
  await frame.locator("ol").focus();
  await page.keyboard.press("ArrowDown");
  await expect(button(0)).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await expect(button(1)).toBeFocused();
  await expect(button(1)).toHaveAccessibleName(/^[^,]+, [^,]+$/);
  await page.keyboard.press("Enter");
  await page.keyboard.press("End");
  await expect(button(19)).toBeFocused();
  await expect(button(19)).toBeInViewport();
  await page.keyboard.press("ArrowDown");
  await expect(button(19)).toBeFocused();
  await page.keyboard.press(" ");
  await page.keyboard.press("Home");
  await expect(button(0)).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(button(0)).toBeFocused();
  await expect.poll(() => told(page)).toHaveLength(2);
  expect((await told(page)).map(({ report }) => (report as { id: string }).id)).toEqual([ids[1], ids[19]]);
  expect(await violations(frame)).toEqual([]);

  await page.keyboard.press("Tab");
  await expect(frame.locator(".menu > button")).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await expect(frame.locator("ol")).toBeFocused();
});

test("the globe tells the page which place was clicked", async ({ hostPage, page, service }) => {
  await page.goto(await hostPage(host(`${service.base}/embed/globe?city=Lyon`)));
  const frame = page.frames()[1]!;
  await settled(frame);
  await frame.locator("canvas").click();
  await expect.poll(() => told(page)).toEqual([
    {
      type: "svc:select",
      place: { city: "Lyon", country: "France", spirit: 333, water: 77, both: 1 },
    },
  ]);
});

test("the globe turns to a report that the page shows it", async ({ hostPage, page, ownService }) => {
  await ownService.import(
    [{ id: "sydney", type: "water", city: "Sydney", country: "Australia" }],
    "--approve",
  );
  await page.goto(await hostPage(host(`${ownService.base}/embed/globe?start=48,2`)));
  const frame = page.frames()[1]!;
  await settled(frame);
  const card = frame.locator(".card > div");
  await expect(card).toBeHidden();
  const show = (report: unknown) =>
    page.evaluate((report) => frames[0]!.postMessage({ type: "svc:show", report }, "*"), report);

  // A report is found by its id or by the names of its place.
  await show({ id: "sydney" });
  await expect(card.locator("> b")).toHaveText("Sydney");
  await show({ id: "gone", city: "Kraków", country: "Poland" });
  await expect(card.locator("> b")).toHaveText("Kraków");
  for (const report of [{}, { id: "nobody" }, { id: 7, city: {} }, "x", null]) await show(report);
  await settled(frame);
  await expect(card.locator("> b")).toHaveText("Kraków");
});
