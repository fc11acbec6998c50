import type { Page } from "@playwright/test";
import { browser } from "../playwright.config.js";
import { expect, test } from "../support/test.js";
import { live } from "../support/widgets.js";

// Playwright turns the cache off, because a restored page does not load.
const ignoreDefaultArgs = ["--disable-back-forward-cache"];

test.use({ launchOptions: { ...browser.launchOptions, ignoreDefaultArgs } });

/** Returns a page that notes whether it was restored from the cache. */
function host(base: string, widgets: number): string {
  const iframe = `<iframe src="${base}/embed/metrics" title="w"></iframe>`;
  return `<!doctype html><title>Host</title>${iframe.repeat(widgets)}
    <script>onpageshow = ({ persisted }) => (window.wasRestored = persisted)</script>`;
}

/** Goes back in the page's history. Playwright's own method waits for a load. */
async function goBack(page: Page): Promise<void> {
  await page.evaluate("history.back()");
  await expect.poll(() => page.evaluate(() => document.title).catch(() => "")).toBe("Host");
}

/** Chromium's reasons for loading the page instead of restoring it. */
function reasons(page: Page): Promise<unknown> {
  return page.evaluate(() => performance.getEntriesByType("navigation")[0]!.toJSON().notRestoredReasons);
}

for (const widgets of [1, 2, 3]) {
  test(`a page with ${widgets} widgets is restored from the back/forward cache, and they are live again`, async ({
    hostPage,
    page,
    ownService,
  }) => {
    await page.goto(await hostPage(host(ownService.base, widgets)));
    for (const frame of page.frames().slice(1)) await live(frame);
    await page.goto(await hostPage("<!doctype html><title>Elsewhere</title>"));
    await expect.poll(() => ownService.openStreams()).toBe(0);
    await ownService.svc("reports", "approve", "pending-1");

    await goBack(page);
    expect(await reasons(page)).toBeNull();
    expect(await page.evaluate("wasRestored")).toBe(true);
    for (const frame of page.frames().slice(1)) {
      await expect(frame.locator(".total .number")).toHaveText("1,235");
      await live(frame);
    }
    await expect.poll(() => ownService.openStreams()).toBe(1);
  });
}

test("widgets in the cache do not get the lock of a tab that is closed, and are restored", async ({
  context,
  hostPage,
  page,
  ownService,
}) => {
  const tab = await context.newPage();
  await tab.goto(await hostPage(host(ownService.base, 1)));
  await live(tab.frames()[1]!);
  await page.goto(await hostPage(host(ownService.base, 2)));
  for (const frame of page.frames().slice(1)) await live(frame);
  await page.goto(await hostPage("<!doctype html><title>Elsewhere</title>"));
  await tab.close();
  await expect.poll(() => ownService.openStreams()).toBe(0);

  await goBack(page);
  expect(await reasons(page)).toBeNull();
  for (const frame of page.frames().slice(1)) await live(frame);
  await expect.poll(() => ownService.openStreams()).toBe(1);
});
