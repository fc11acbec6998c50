import type { Frame, Page } from "@playwright/test";
import { settled } from "../support/globe.js";
import { expect, test } from "../support/test.js";

test.beforeEach(({ expectErrors }) => expectErrors(/GPU stall|GL Driver Message/));

const loader = (base: string, widget: string, attributes = 'data-height="auto"') =>
  `<!doctype html><title>Host</title><body style="margin:0">
   <div data-svc="${widget}" ${attributes}></div><script src="${base}/embed.js"></script>`;

const frame = (page: Page): Frame => page.frames()[1]!;
const live = (page: Page) =>
  expect(frame(page).locator(".pulse")).toHaveAttribute("data-state", "live");

/** Records the heights that the widget sends from now on. */
async function heights(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(() => {
    const told: number[] = [];
    Object.assign(window, { told });
    addEventListener("message", ({ data }) => {
      if (data.type === "svc:height") told.push(data.height);
    });
  });
  return () => page.evaluate("told");
}

async function scrolls(page: Page): Promise<boolean> {
  return frame(page).evaluate(() =>
    [...document.querySelectorAll("html, body, main, ol:not(.unseen)")].some(
      ({ scrollHeight, clientHeight }) => scrollHeight > clientHeight,
    ),
  );
}

const HEADER = 40;
const ROW = 44;
const END = 20;

test("a feed is as high as its rows at any width, and keeps still", async ({ context, hostPage, ownService }) => {
  const height = `${HEADER + 20 * ROW + END}px`;
  const pages: { page: Page; told: () => Promise<number[]> }[] = [];
  for (const width of [320, 800]) {
    await test.step(`${width} px`, async () => {
      const page = await context.newPage();
      await page.setViewportSize({ width, height: 1200 });
      await page.goto(await hostPage(loader(ownService.base, "feed")));
      await expect(page.locator("iframe")).toHaveCSS("height", height);
      await live(page);
      expect(await scrolls(page)).toBe(false);
      pages.push({ page, told: await heights(page) });
    });
  }
  await ownService.svc("reports", "approve", "pending-1");
  for (const { page, told } of pages) {
    await test.step(`${page.viewportSize()!.width} px, with a new report`, async () => {
      await expect(frame(page).locator("li").first()).toHaveAttribute("data-id", "pending-1");
      await expect(page.locator("iframe")).toHaveCSS("height", height);
      expect(new Set(await told()).size).toBeLessThan(2);
      expect(await scrolls(page)).toBe(false);
    });
  }
});

test("a feed grows and shrinks with its rows", async ({ hostPage, page, ownService }) => {
  await page.goto(await hostPage(loader(ownService.base, "feed", 'data-height="auto" data-country="PE"')));
  const element = page.locator("iframe");
  await live(page);
  await expect(frame(page).locator(".nothing")).toBeVisible();
  const height = async () => (await element.boundingBox())!.height;
  await expect.poll(height).toBeLessThan(HEADER + 100);
  expect(await height()).toBeGreaterThan(HEADER + 40);
  const lima = { type: "both", city: "Lima", country: "Peru" } as const;
  await ownService.import([{ id: "one", ...lima }, { id: "two", ...lima }], "--approve");
  await expect.poll(height).toBe(HEADER + 2 * ROW + END);
  expect(await scrolls(page)).toBe(false);
  await ownService.svc("reports", "withdraw", "two");
  await expect.poll(height).toBe(HEADER + ROW + END);
  expect(await scrolls(page)).toBe(false);
});

test("a feed of a fixed height scrolls inside", async ({ hostPage, page, service }) => {
  await page.goto(await hostPage(loader(service.base, "feed", "")));
  await live(page);
  await expect(page.locator("iframe")).toHaveCSS("height", "320px");
  const list = frame(page).locator("ol");
  await list.evaluate((list) => list.scrollTo(0, 1e6));
  expect(await list.evaluate((list) => list.scrollTop)).toBe(20 * ROW + END - (320 - HEADER));
});

test("a globe is as high as suits its width, up to a limit", async ({
  hostPage,
  page,
  service,
}) => {
  await page.setViewportSize({ width: 320, height: 1200 });
  await page.goto(await hostPage(loader(service.base, "globe")));
  const element = page.locator("iframe");
  await expect(element).toHaveCSS("height", "430px");
  await settled(frame(page));
  for (const [width, height] of [[800, 600], [320, 430], [480, 590]] as const) {
    await page.setViewportSize({ width, height: 1200 });
    await expect(element).toHaveCSS("height", `${height}px`);
  }
  expect(await scrolls(page)).toBe(false);
  const told = await heights(page);
  // After the frame's new layout, the globe fills its stage.
  await expect(async () => {
    const stage = (await frame(page).locator(".stage").boundingBox())!;
    expect(stage.height).toBeCloseTo(stage.width, 0);
  }).toPass();
  // The height stays if a scrollbar narrows the page. Otherwise the scrollbar would appear and disappear forever.
  await page.setViewportSize({ width: 465, height: 1200 });
  await expect.poll(() => frame(page).evaluate("innerWidth")).toBe(465);
  await settled(frame(page));
  expect(await told()).toEqual([]);
});

test("a globe of a fixed height keeps it", async ({ hostPage, page, service }) => {
  await page.goto(await hostPage(loader(service.base, "globe", "")));
  await settled(frame(page));
  await expect(page.locator("iframe")).toHaveCSS("height", "400px");
});
