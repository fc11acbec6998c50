import { test as base, expect, Widget } from "../support/test.js";
import { Upgrade } from "../support/upgrade.js";
import { holdTimers } from "../support/moments.js";

const test = base.extend<{ upgrade: Upgrade }>({
  upgrade: async ({ ownService, context }, use) => {
    const upgrade = await Upgrade.start(ownService);
    await use(upgrade);
    for (const page of context.pages()) await page.close();
    await upgrade.close();
  },
});

const isAsset = (path: string) => path.startsWith("/assets/");

test.beforeEach(({ expectErrors }) => expectErrors(/Failed to load resource|MIME type|preloaded using link preload/));

test("what the old nodes do not have yet is loaded later, and until then widgets can be read", async ({
  hostPage,
  page,
  upgrade,
}) => {
  // The loader's timeout for a widget that sends no message.
  await page.addInitScript(holdTimers, [3_000, 3_000] as const);
  upgrade.route = (path) => (isAsset(path) ? "old" : "new");
  await page.goto(
    await hostPage(`<!doctype html><body><div data-svc="metrics" data-theme="dark"></div>
      <iframe src="${upgrade.base}/embed/feed" title="plain" width="400" height="320"></iframe>
      <script src="${upgrade.base}/embed.js"></script>`),
  );
  const [metrics, plain] = [page.frameLocator("iframe >> nth=0"), page.frameLocator("iframe >> nth=1")];
  await expect(metrics.locator(".total .number")).toHaveText("1,234");
  await expect.poll(() => page.evaluate<number[]>("delays()")).toContain(3_000);
  await page.evaluate("fire()");
  await expect(metrics.locator(".total .number")).toHaveText("1,234");
  await expect(plain.locator("li")).toHaveCount(20);
  await expect.poll(() => upgrade.answered.filter((line) => /^old .*boot\./.test(line)).length).toBeGreaterThan(2);
  const documents = () => upgrade.answered.filter((line) => line.startsWith("new /embed/metrics"));
  expect(documents()).toHaveLength(1);

  // The upgrade is complete.
  upgrade.route = () => "new";
  for (const frame of page.frames().slice(1)) {
    await expect(frame.locator(".pulse")).toHaveAttribute("data-state", "live");
  }
  await expect(metrics.locator("body")).toHaveCSS("background-color", "rgb(11, 18, 32)");
  expect(documents()).toHaveLength(1);
});

test("where the first request for each asset reaches an old node, widgets come to life", async ({ page, upgrade }) => {
  const asked = new Set<string>();
  upgrade.route = (path) => {
    const [asset] = path.split("?") as [string];
    const isFirst = isAsset(path) && !asked.has(asset);
    asked.add(asset);
    return isFirst ? "old" : "new";
  };
  await page.goto(`${upgrade.base}/embed/metrics?theme=dark`);
  await new Widget(page).toBe("live");
  await expect(page.locator("body")).toHaveCSS("background-color", "rgb(11, 18, 32)");
  // A loaded stylesheet is not requested again.
  const sheets = upgrade.answered.filter((line) => line.includes(".css"));
  expect(sheets.map((line) => line.split(" ")[0])).toEqual(["old", "new"]);
});

test("a page of the old version whose assets are gone is loaded again", async ({ page, upgrade }) => {
  test.slow(); // The page retries slowly, because the nodes that have its assets may be busy.
  let isDone = false;
  upgrade.route = (path) => (isAsset(path) || isDone ? "new" : "old");
  await page.goto(`${upgrade.base}/embed/metrics?theme=dark`);
  await expect(page.locator(".total .number")).toHaveText("1,234");
  isDone = true;
  await new Widget(page).toBe("live");
  await expect(page.locator("body")).toHaveCSS("background-color", "rgb(11, 18, 32)");
});
