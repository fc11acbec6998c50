import type { Page } from "@playwright/test";
import { metrics } from "../support/stream.js";
import { expect, test, Widget } from "../support/test.js";
import { live, status, total, TOTALS } from "../support/widgets.js";

test.beforeEach(({ expectErrors }) => expectErrors(/GPU stall|GL Driver Message/));

/** Simulates a page that enters (`pagehide`) or leaves (`pageshow`) the back/forward cache. */
async function turn(page: Page, type: "pagehide" | "pageshow"): Promise<void> {
  await page.evaluate((type) => window.dispatchEvent(new PageTransitionEvent(type, { persisted: true })), type);
}

for (const widget of TOTALS) {
  test(`a visitor who goes back finds the ${widget} widget live`, async ({ page, ownService }) => {
    await page.goto(`${ownService.base}/embed/${widget}`);
    await live(page);
    await page.goto(`${ownService.base}/docs`);
    await ownService.svc("reports", "approve", "pending-1");
    await page.goBack();
    await live(page);
    const number = widget === "metrics" ? new Widget(page).number.total : total(page);
    await expect(number).toContainText("1,235");
    await expect.poll(() => ownService.openStreams()).toBe(1);
  });

  test(`the ${widget} widget closes its stream for the back/forward cache, and opens one when it is shown again`, async ({
    page,
    scripted,
  }) => {
    await page.goto(`${scripted.base}/embed/${widget}`);
    await expect.poll(() => scripted.open.size).toBe(1);
    scripted.send("metrics", metrics);
    await expect(status(page)).toHaveText("live");

    await turn(page, "pagehide");
    await expect.poll(() => scripted.open.size).toBe(0);
    await turn(page, "pageshow");
    await expect.poll(() => scripted.open.size).toBe(1);
    scripted.send("metrics", { ...metrics, water: 231, total: 1235 });
    const number = widget === "metrics" ? new Widget(page).number.total : total(page);
    await expect(number).toContainText("1,235");
    await expect(status(page)).toHaveText("live");
  });
}
