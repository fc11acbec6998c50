import type { CDPSession, Page } from "@playwright/test";
import { frames, settled } from "../support/globe.js";
import { expect, test } from "../support/test.js";

test.use({ hasTouch: true, viewport: { width: 400, height: 700 } });
test.beforeEach(({ expectErrors }) => expectErrors(/GPU stall|GL Driver Message/));

type Point = { x: number; y: number };

/** Sends real touches, which the browser may treat as scrolling. */
async function touches(page: Page): Promise<(type: string, ...points: Point[]) => Promise<void>> {
  const session: CDPSession = await page.context().newCDPSession(page);
  return async (type, ...points) => {
    const touchPoints = points.map((point, id) => ({ ...point, id }));
    await session.send("Input.dispatchTouchEvent", { type: type as "touchStart", touchPoints });
  };
}

const host = (base: string) =>
  `<!doctype html><meta name="viewport" content="width=device-width"><body style="margin:0;height:3000px">
   <iframe src="${base}/embed/globe" width="400" height="400" style="border:0" title="w"></iframe>`;

test("a finger that goes up over the globe scrolls the page, and one that goes aside turns it", async ({
  hostPage,
  page,
  service,
}) => {
  await page.goto(await hostPage(host(service.base)));
  const frame = page.frames()[1]!;
  await settled(frame);
  const touch = await touches(page);

  const before = await frames(frame);
  await touch("touchStart", { x: 150, y: 200 });
  for (let x = 150; x <= 250; x += 10) await touch("touchMove", { x, y: 200 });
  await touch("touchEnd");
  await expect.poll(() => frames(frame)).toBeGreaterThan(before + 3);
  expect(await page.evaluate("scrollY")).toBe(0);
  await settled(frame);

  await touch("touchStart", { x: 200, y: 300 });
  for (let y = 300; y >= 150; y -= 10) await touch("touchMove", { x: 200, y });
  await touch("touchEnd");
  await expect.poll(() => page.evaluate("scrollY")).toBeGreaterThan(80);
});

test("two fingers that part come nearer, and those that meet go away again", async ({
  hostPage,
  page,
  service,
}) => {
  await page.goto(await hostPage(host(service.base)));
  const frame = page.frames()[1]!;
  await settled(frame);
  const touch = await touches(page);
  const canvas = frame.locator("canvas");
  const pair = (apart: number) =>
    [{ x: 200 - apart / 2, y: 200 }, { x: 200 + apart / 2, y: 200 }] as const;

  await touch("touchStart", ...pair(60));
  for (let apart = 60; apart <= 180; apart += 10) await touch("touchMove", ...pair(apart));
  await touch("touchEnd");
  await expect(canvas).toHaveClass(/zoomed/);
  await settled(frame);

  await touch("touchStart", ...pair(180));
  for (let apart = 180; apart >= 40; apart -= 10) await touch("touchMove", ...pair(apart));
  await touch("touchEnd");
  await expect(canvas).not.toHaveClass(/zoomed/);
  // The gesture has neither zoomed nor scrolled the page itself.
  expect(await page.evaluate("visualViewport.scale")).toBe(1);
  expect(await page.evaluate("scrollY")).toBe(0);
});
