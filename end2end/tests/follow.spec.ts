import type { Page } from "@playwright/test";
import { Docs } from "../support/docs.js";
import { expect, test } from "../support/test.js";

/** Stand-ins: a feed that sends the selected row, and a globe that records the reports to show. */
const FEED = `<!doctype html><title>Feed</title><script>
  select = (id) => parent.postMessage({ type: "svc:select", report: { id, city: "Lyon" } }, "*");
</script>`;
const GLOBE = `<!doctype html><title>Globe</title><script>
  addEventListener("message", ({ data, source }) => {
    if (source === parent && data.type === "svc:show") document.body.append(data.report.id + " " + data.report.city + ";");
  });
</script>`;

test.beforeEach(async ({ context }) => {
  for (const [path, body] of [["feed", FEED], ["globe", GLOBE]] as const) {
    await context.route(`**/fake/${path}*`, (route) => route.fulfill({ contentType: "text/html", body }));
  }
});

/** Reports that each frame of the page was requested to show. */
async function shown(page: Page): Promise<(string | null)[]> {
  return Promise.all(page.frames().slice(1).map((frame) => frame.locator("body").textContent()));
}

async function select(page: Page, feed: string, id: string): Promise<void> {
  const frame = page.frames().find((frame) => frame.url().endsWith(`/fake/feed?${feed}`))!;
  await frame.evaluate(`select(${JSON.stringify(id)})`);
}

test("a globe that follows shows what is selected in a feed, and no other globe does", async ({
  hostPage,
  page,
  service: { base },
}) => {
  const script = `<script src="${base}/embed.js"></script>`;
  await page.goto(
    await hostPage(`<!doctype html><head>${script}</head><body>
      <div data-svc="feed" id="news" data-src="${base}/fake/feed?news"></div>
      <svc-widget type="feed" id="other" src="${base}/fake/feed?other"></svc-widget>
      <div data-svc="globe" data-follow="news" data-src="${base}/fake/globe"></div>
      <svc-widget type="globe" follow="other" src="${base}/fake/globe"></svc-widget>
      <svc-widget type="globe" follow src="${base}/fake/globe"></svc-widget>
      <div data-svc="globe" data-src="${base}/fake/globe"></div><main></main>`),
  );
  await page.evaluate(
    (src) => Object(window).svc.mount(document.querySelector("main"), { type: "globe", follow: "news", src }),
    `${base}/fake/globe`,
  );
  await expect(page.locator("iframe")).toHaveCount(7);
  await expect.poll(() => page.frames().slice(1).every((frame) => frame.url().includes("/fake/"))).toBe(true);
  for (const frame of page.frames().slice(1)) await frame.waitForLoadState();

  await select(page, "news", "a");
  await select(page, "other", "b");
  // In page order: two feeds, then the globes.
  const order = await page.locator("iframe").evaluateAll((all) => all.length);
  expect(order).toBe(7);
  await expect.poll(async () => (await shown(page)).sort()).toEqual(["", "", "", "a Lyon;", "a Lyon;", "a Lyon;b Lyon;", "b Lyon;"]);
  const texts = await Promise.all(
    (await page.locator("iframe").all()).map((one) => one.contentFrame().locator("body").textContent()),
  );
  expect(texts).toEqual(["", "", "a Lyon;", "b Lyon;", "a Lyon;b Lyon;", "", "a Lyon;"]);
});

test("the snippet of the documentation does so", async ({ hostPage, page, service: { base } }) => {
  await page.route("**/embed/feed*", (route) => route.fulfill({ contentType: "text/html", body: FEED }));
  await page.route("**/embed/globe*", (route) => route.fulfill({ contentType: "text/html", body: GLOBE }));
  const snippet = (await Docs.read("embed.md", base)).code("A globe that follows a feed", "html");
  await page.goto(await hostPage(`<!doctype html><body>${snippet}<script src="${base}/embed.js"></script>`));
  await expect.poll(() => page.frames().length).toBe(3);
  for (const frame of page.frames().slice(1)) await frame.waitForLoadState();
  await page.frames()[1]!.evaluate(`select("a")`);
  await expect(page.frameLocator("iframe >> nth=1").locator("body")).toHaveText("a Lyon;");
});

test("what the page itself or a strange frame says is not passed on", async ({ hostPage, page, service: { base } }) => {
  await page.goto(
    await hostPage(`<!doctype html><script src="${base}/embed.js"></script>
      <body><iframe id="news" src="${base}/fake/feed?strange" title="strange"></iframe>
      <div data-svc="feed" data-src="${base}/fake/feed?ours"></div>
      <div data-svc="globe" data-follow data-src="${base}/fake/globe"></div>`),
  );
  await expect.poll(() => page.frames().length).toBe(4);
  for (const frame of page.frames().slice(1)) await frame.waitForLoadState();
  await select(page, "strange", "no");
  await page.evaluate(() => postMessage({ type: "svc:select", report: { id: "no" } }, "*"));
  await select(page, "ours", "yes");
  const globe = page.locator("iframe").nth(2).contentFrame().locator("body");
  await expect(globe).toHaveText("yes Lyon;");
});
