import { holdTimers } from "../support/moments.js";
import { expect, test } from "../support/test.js";

test("where the service cannot be reached, a quiet note stands in for a widget until it can", async ({
  expectErrors,
  hostPage,
  page,
  service: { base },
}) => {
  expectErrors(/Failed to load resource/);
  await page.addInitScript(holdTimers, [3_000, 60_000] as const);
  await page.route("**/embed/feed*", (route) => route.abort());
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
  await expect(feed.locator("body")).toHaveText("Neueste Berichte · offline");

  await page.unroute("**/embed/feed*");
  expect(await page.evaluate<number>("fire()")).toBeGreaterThan(0);
  await expect(feed.locator(".pulse")).toHaveAttribute("data-state", "live");
  await expect(metrics.locator(".pulse")).toHaveAttribute("data-state", "live");
  // The timer of a widget that is there means nothing.
  await page.evaluate("fire()");
  await expect(feed.locator(".pulse")).toBeVisible();
});
