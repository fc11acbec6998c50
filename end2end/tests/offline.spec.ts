import type { Route } from "@playwright/test";
import { holdTimers } from "../support/moments.js";
import { expect, test } from "../support/test.js";

const CORS = { "access-control-allow-origin": "*" };

for (const [how, answer] of [
  ["cannot be reached", (route: Route) => route.abort()],
  ["answers with an error", (route: Route) => route.fulfill({ status: 503, headers: CORS })],
] as const) {
  test(`where the service ${how}, a quiet note stands in for a widget until the next try`, async ({
    expectErrors,
    hostPage,
    page,
    service: { base },
  }) => {
    expectErrors(/Failed to load resource/);
    await page.addInitScript(holdTimers, [3_000, 60_000] as const);
    await page.route("**/embed/feed*", answer);
    await page.goto(
      await hostPage(
        `<!doctype html><html lang="de"><body><div data-svc="feed" data-lang="page"></div>
         <div data-svc="metrics"></div><script src="${base}/embed.js" async></script>`,
      ),
    );
    const [feed, metrics] = [page.frameLocator("iframe >> nth=0"), page.frameLocator("iframe >> nth=1")];
    await expect(metrics.locator(".pulse")).toHaveAttribute("data-state", "live");
    await expect.poll(() => page.evaluate<number[]>("delays()")).toContain(3_000);
    await page.evaluate("fire()");
    await expect(feed.locator("body")).toHaveText("Neueste Berichte: offline");

    await page.unroute("**/embed/feed*");
    expect(await page.evaluate<number>("fire()")).toBeGreaterThan(0);
    await expect(feed.locator(".pulse")).toHaveAttribute("data-state", "live");
    await expect(metrics.locator(".pulse")).toHaveAttribute("data-state", "live");
    // The timer has no effect on a widget that has loaded.
    await page.evaluate("fire()");
    await expect(feed.locator(".pulse")).toBeVisible();
  });
}

test("a widget whose scripts are blocked can still be read, and is loaded only once more", async ({
  expectErrors,
  hostPage,
  page,
  ownService: { base },
}) => {
  expectErrors(/Failed to load resource/);
  await page.addInitScript(holdTimers, [3_000, 60_000] as const);
  await page.route(/\/(boot\.[\w-]+|retry)\.js/, (route) => route.abort());
  const documents: string[] = [];
  page.on("framenavigated", (frame) => documents.push(frame.url()));
  await page.goto(
    await hostPage(`<!doctype html><body><div data-svc="metrics"></div><script src="${base}/embed.js" async></script>`),
  );
  const ours = () => documents.filter((url) => url === `${base}/embed/metrics`).length;
  const total = page.frameLocator("iframe").locator(".total .number");
  for (const loaded of [1, 2]) {
    await expect.poll(() => page.evaluate<number[]>("delays()")).toEqual([3_000]);
    await expect(total).toHaveText("1,234");
    expect(ours()).toBe(loaded);
    await page.evaluate("fire()");
  }
  await expect(total).toHaveText("1,234");
  expect(await page.evaluate("delays()")).toEqual([]);
  expect(ours()).toBe(2);
});
