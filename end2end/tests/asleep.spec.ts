import type { Page } from "@playwright/test";
import { expect, test, Widget } from "../support/test.js";
import { live, shown, status, total, WIDGETS } from "../support/widgets.js";

test.beforeEach(({ expectErrors }) => expectErrors(/Failed to load resource|GPU stall|GL Driver Message/));

/**
 * Makes the page's clock jump ahead, as it does when a machine wakes. `holdTimers` explains why Playwright's own clock
 * is not used.
 */
function movableClock(): void {
  const { Date } = window;
  let ahead = 0;
  class Moved extends Date {
    constructor(...args: []) {
      super(...(args.length ? args : ([Date.now() + ahead] as unknown as [])));
    }
    static override now(): number {
      return Date.now() + ahead;
    }
  }
  Object.assign(window, {
    Date: Moved,
    moveClock(milliseconds: number) {
      ahead += milliseconds;
    },
  });
}

async function setAsleep(page: Page, asleep: boolean): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Page.setWebLifecycleState", { state: asleep ? "frozen" : "active" });
  await devtools.detach();
}

for (const widget of WIDGETS) {
  test(`the ${widget} widget of a browser that slept for an hour catches up by itself, once`, async ({
    browserName,
    page,
    ownService,
  }) => {
    test.skip(browserName !== "chromium", "only Chromium lets a test put a page to sleep");
    await page.addInitScript(movableClock);
    await page.goto(`${ownService.base}/embed/${widget}`);
    await live(page);

    await setAsleep(page, true);
    // The connection is lost and a report is published while the browser sleeps.
    await ownService.stop();
    await ownService.svc("reports", "approve", "pending-1");
    await ownService.start();
    await setAsleep(page, false);
    await page.evaluate("moveClock(3_600_000)");

    const number = widget === "metrics" ? new Widget(page).number.total : total(page);
    // The trend counts the last thirty days.
    await expect(number).toContainText(widget === "trend" ? "1 report" : "1,235");
    await expect(status(page)).toHaveText("live");
    await expect.poll(() => ownService.openStreams()).toBe(1);
    if (widget === "feed") {
      const ids = await shown(page);
      expect(ids[0]).toBe("pending-1");
      expect(new Set(ids).size).toBe(ids.length);
    }
  });
}
