import { EventEmitter, once } from "node:events";
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
    await expect(feed.locator("body")).toHaveText("feed: offline");

    await page.unroute("**/embed/feed*");
    expect(await page.evaluate<number>("fire()")).toBeGreaterThan(0);
    await expect(feed.locator(".pulse")).toHaveAttribute("data-state", "live");
    await expect(metrics.locator(".pulse")).toHaveAttribute("data-state", "live");
    // The timer has no effect on a widget that has loaded.
    await page.evaluate("fire()");
    await expect(feed.locator(".pulse")).toBeVisible();
  });
}

for (const [how, element] of Object.entries({
  "a div": (content: string) => `<div data-svc="feed" style="min-height: 320px">${content}</div>`,
  "<svc-widget>": (content: string) =>
    `<svc-widget type="feed" style="display: block; min-height: 320px">${content}</svc-widget>`,
})) {
  for (const mode of ["async", ""]) {
    test(`content of ${how} is there until the widget is, with a script ${mode || "before it"}`, async ({
      context,
      expectErrors,
      hostPage,
      page,
      ownService: { base },
    }) => {
      expectErrors(/Failed to load resource/);
      await page.addInitScript(holdTimers, [3_000, 60_000] as const);
      const release = new EventEmitter();
      const released = once(release, "widget");
      let isAway = true;
      await context.route("**/embed/feed", async (route) => {
        await released;
        await (isAway ? route.abort() : route.continue());
      });
      await page.goto(
        await hostPage(
          `<!doctype html><body style="margin: 0"><script src="${base}/embed.js" ${mode}></script>
           ${element(`<p style="margin: 20px 0">The <a href="/reports">reports</a></p>`)}<footer>End</footer>`,
        ),
        { waitUntil: "commit" },
      );
      const [link, iframe] = [page.getByRole("link"), page.locator("iframe")];
      const rest = async () => {
        const { y } = (await page.locator("footer").boundingBox())!;
        return { y, link: await link.isVisible(), iframe: await iframe.isVisible() };
      };
      await expect(iframe).toHaveCount(1);
      await expect(link).toBeVisible();
      expect((await link.boundingBox())!.y).toBeLessThan(60);
      expect((await rest()).y).toBe(320);

      release.emit("widget");
      for (const attempt of ["the first", "the next"]) {
        await test.step(`${attempt} attempt fails`, async () => {
          await expect.poll(() => page.evaluate<number[]>("delays()")).toContain(3_000);
          expect(await rest()).toEqual({ y: 320, link: true, iframe: false });
          await page.evaluate("fire()");
          await expect.poll(() => page.evaluate<number[]>("delays()")).toEqual([45_000]);
          expect(await rest()).toEqual({ y: 320, link: true, iframe: false });
          isAway = attempt === "the first";
          await page.evaluate("fire()");
        });
      }
      await expect(page.frameLocator("iframe").locator(".pulse")).toHaveAttribute("data-state", "live");
      expect(await rest()).toEqual({ y: 320, link: false, iframe: true });
    });
  }
}

test("an element inside a div has options that change, and can be moved", async ({ hostPage, page, service: { base } }) => {
  await page.goto(
    await hostPage(
      `<!doctype html><body><div data-svc="metrics" id="mine"><b>Soon</b></div><main></main>
       <script src="${base}/embed.js"></script>`,
    ),
  );
  const inner = page.frameLocator("#mine > iframe");
  await expect(inner.locator(".pulse")).toHaveAttribute("data-state", "live");
  await page.locator("#mine").evaluate((element) => (element.dataset.theme = "dark"));
  await expect(inner.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.evaluate(() => document.querySelector("main")!.append(document.getElementById("mine")!));
  await expect(page.frameLocator("main > #mine > iframe").locator(".pulse")).toHaveAttribute("data-state", "live");
  await expect(page.locator("iframe")).toHaveCount(1);
  await expect(page.getByText("Soon")).toBeHidden();
});

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
