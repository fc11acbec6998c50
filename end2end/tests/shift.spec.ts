import type { BrowserContext, Page } from "@playwright/test";
import { EventEmitter, once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, test as base } from "../support/test.js";
import { live, WIDGETS } from "../support/widgets.js";

/** Maximum sum of layout shifts (CLS) that a widget may cause. Google calls up to 0.1 good. */
const MAX_SHIFT = 0.01;

const DESKTOP = { width: 1280, height: 720 };
const PHONE = { width: 375, height: 667 };

/** Rules in the documentation that reserve the space of hand-written elements. */
const RULES = /```css\n(.*?)```/s.exec(readFileSync(new URL("../../docs/embed.md", import.meta.url), "utf8"))?.[1] ?? "";

const TEXT = `<p>${"Text of the page. ".repeat(20)}</p>`;

const host = (widget: string, head = "") =>
  `<!doctype html><html lang="en"><title>Host</title>
  <meta name="viewport" content="width=device-width">${head}<body>${TEXT}${widget}${TEXT.repeat(8)}`;

/**
 * Opens a page over a connection so slow that the page is painted before the loader arrives, and again before each
 * widget does. Returns the sum of layout shifts when all widgets are live.
 */
async function shift(context: BrowserContext, page: Page, address: string): Promise<number> {
  const painted = () => page.evaluate(() => new Promise((resume) => requestAnimationFrame(() => setTimeout(resume))));
  await context.route(/\/embed(\.js|\/\w+(\?.*)?)$/, async (route) => {
    await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length);
    await painted();
    await painted();
    await route.continue();
  });
  await page.goto(address, { waitUntil: "commit" });
  await expect(page.locator("iframe")).not.toHaveCount(0);
  await page.locator("iframe").first().scrollIntoViewIfNeeded();
  for (const iframe of await page.locator("iframe").elementHandles()) await live((await iframe.contentFrame())!);
  await painted();
  await painted();
  return page.evaluate("seen.shift");
}

/** HTML of a snippet of the start page. */
async function snippet(base: string, widget: string, id: "iframe" | "script"): Promise<string> {
  const html = await (await fetch(`${base}/?widget=${widget}`)).text();
  const [, code] = new RegExp(`<code id="${id}">(.*?)</code>`, "s").exec(html)!;
  const plain = code!.replace(/<[^>]+>/g, "");
  return plain.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}

const script = (base: string, mode = "") => `<script src="${base}/embed.js" ${mode}></script>`;

/** Opens a page with this HTML for a widget, and checks that nothing moves. */
type Still = (html: string, size?: { width: number; height: number }) => Promise<void>;

const test = base.extend<{ still: Still }>({
  still: async ({ context, hostPage, page }, use) => {
    await use(async (html, size = DESKTOP) => {
      await page.setViewportSize(size);
      expect(await shift(context, page, await hostPage(html))).toBeLessThanOrEqual(MAX_SHIFT);
    });
  },
});

test.beforeEach(async ({ context, expectErrors }) => {
  expectErrors(/GPU stall|GL Driver Message/);
  await context.addInitScript(() => {
    const seen = { shift: 0 };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += (entry as unknown as { value: number }).value;
    }).observe({ type: "layout-shift", buffered: true });
  });
});

for (const widget of WIDGETS) {
  for (const id of ["iframe", "script"] as const) {
    test(`nothing moves around the ${id} of the start page, ${widget}`, async ({ ownService: { base }, still }) => {
      await still(host(await snippet(base, widget, id)));
    });
  }

  test(`nothing moves around the script of the start page on a phone, ${widget}`, async ({ ownService: { base }, still }) => {
    await still(host(await snippet(base, widget, "script")), PHONE);
  });

  test(`nothing moves around elements with the rules of the documentation, ${widget}`, async ({
    ownService: { base },
    still,
  }) => {
    const elements = `<div data-svc="${widget}"></div>${TEXT}<svc-widget type="${widget}"></svc-widget>`;
    await still(host(elements, `<style>${RULES}</style>${script(base, "async")}`), { width: 1280, height: 1100 });
  });

  for (const [device, size] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
    test(`nothing moves around ${widget} of automatic height on a ${device}`, async ({ ownService: { base }, still }) => {
      await still(host(`${script(base)}<div data-svc="${widget}" data-height="auto"></div>`), size);
    });
  }
}

test("nothing moves around <svc-widget> of automatic height", async ({ ownService: { base }, still }) => {
  await still(host(`${script(base)}<svc-widget type="feed" limit="8" height="auto"></svc-widget>`));
});

test("nothing moves around svc.mount in an element of the right height", async ({ ownService: { base }, still }) => {
  await still(
    host(`<div id="here" style="min-height: 320px"></div>
      <script src="${base}/embed.js" async onload="svc.mount(here, { type: 'feed' })"></script>`),
  );
});

test("an element without any height moves the page, which these tests notice", async ({
  context,
  hostPage,
  page,
  ownService: { base },
}) => {
  const html = host(`${script(base, "async")}<div data-svc="feed"></div>`);
  expect(await shift(context, page, await hostPage(html))).toBeGreaterThan(10 * MAX_SHIFT);
});

// Browsers ignore shifts of less than 3 px.
test("at any width, the reserved height is that of the content within 2 px", async ({
  context,
  hostPage,
  page,
  ownService: { base },
}) => {
  test.slow(); // The page has 14 widgets.
  const widths = [160, 200, 320, 419, 420, 520, 639, 640, 760, 879, 880, 1280];
  const release = new EventEmitter();
  const released = once(release, "widgets");
  await context.route(/\/embed\/\w+(\?.*)?$/, (route) => released.then(() => route.continue()));
  const elements = [
    ...widths.map((width) => `<div data-svc="metrics" data-width="${width}" data-height="auto"></div>`),
    ...["feed", "trend"].map((widget) => `<div data-svc="${widget}" data-limit="3" data-height="auto"></div>`),
  ];
  await page.setViewportSize({ width: 1400, height: 2_400 });
  await page.goto(await hostPage(`<!doctype html><body>${elements.join("")}${script(base)}`), { waitUntil: "commit" });
  await expect(page.locator("iframe")).toHaveCount(elements.length);
  const heights = () =>
    page.evaluate(async () => {
      await new Promise((resume) => requestAnimationFrame(() => setTimeout(resume)));
      return [...document.querySelectorAll("iframe")].map((iframe) => iframe.clientHeight);
    });
  const before = await heights();
  release.emit("widgets");
  for (const iframe of await page.locator("iframe").elementHandles()) await live((await iframe.contentFrame())!);
  const after = await heights();
  const wrong = after.flatMap((height, index) =>
    Math.abs(height - before[index]!) > 2 ? [`${elements[index]}: ${before[index]} px reserved, has ${height}`] : [],
  );
  expect(wrong).toEqual([]);
});
