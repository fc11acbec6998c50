import type { Page } from "@playwright/test";
import { handlesKeys, signIn } from "../support/desk.js";
import { settled } from "../support/globe.js";
import type { Row } from "../support/service.js";
import { expect, test } from "../support/test.js";
import { live, WIDGETS } from "../support/widgets.js";

test.beforeEach(({ expectErrors }) => expectErrors(/GPU stall|GL Driver Message/));

/** Maximum number of bytes transferred in a first load, including headers. */
const BUDGETS = { metrics: 55_000, feed: 66_000, globe: 96_000, trend: 63_000 } as const;

/** Budget of the queue of the desk with 50 reports. */
const DESK_BUDGET = 110_000;

test("the loader costs at most 2.5 kB", { tag: "@release" }, async ({ page, ownService }) => {
  await page.goto(ownService.base);
  const [request] = await Promise.all([
    page.waitForEvent("requestfinished", (request) => request.url().endsWith("/embed.js")),
    page.addScriptTag({ url: "/embed.js" }),
  ]);
  expect((await request.sizes()).responseBodySize).toBeLessThanOrEqual(2_500);
});

test("each widget has a budget", () => {
  expect(Object.keys(BUDGETS).sort()).toEqual([...WIDGETS].sort());
});

for (const [widget, budget] of Object.entries(BUDGETS)) {
  const beside = widget === "globe" ? " beside its markers" : "";
  test(`a first load of the ${widget} widget costs at most ${budget / 1_000} kB${beside}`, { tag: "@release" }, async ({
    hostPage,
    page,
    ownService,
  }) => {
    const sizes = transfers(page, ownService.base);
    // The widget is in a frame, because browsers load an icon for top-level pages, at an unpredictable time.
    const src = `${ownService.base}/embed/${widget}`;
    const answer = page.waitForResponse(src);
    await page.goto(await hostPage(`<!doctype html><iframe src="${src}" width="600" height="400" title="w"></iframe>`));
    const frame = page.frames()[1]!;
    await live(frame);
    if (widget === "globe") await settled(frame);
    expect((await answer).headers()["content-security-policy"]).not.toContain("unsafe-inline");
    const files = (await Promise.all(sizes)).filter(([path]) => !path.endsWith("/markers"));
    expect(files.length).toBeGreaterThan(4);
    expect(sum(files), files.map((file) => file.join(": ")).join("\n")).toBeLessThanOrEqual(budget);
  });
}

test(`a first load of the desk costs at most ${DESK_BUDGET / 1_000} kB`, { tag: "@release" }, async ({
  browser,
  page,
  ownService,
}) => {
  const place = { city: "Campinas", region: "São Paulo", country: "Brazil" };
  const reports = Array.from({ length: 60 }, (_, index) => ({ id: `w-${index}`, type: "water", ...place, peopleCount: index + 1 }));
  await ownService.import(reports as Row[]);
  await signIn(page, ownService);
  // Has the cookie of the session, and an empty cache.
  const context = await browser.newContext({ storageState: await page.context().storageState() });
  const first = await context.newPage();
  const sizes = transfers(first, ownService.operatorsBase);
  await first.goto(`${ownService.operatorsBase}/desk`);
  await expect(first.locator(".reports > li")).toHaveCount(50);
  await handlesKeys(first);
  // Without the icon, which browsers load at an unpredictable time, and without the list, which is read again and again.
  const files = (await Promise.all(sizes)).filter(([path]) => !/^\/(favicon|desk\/do\/)/.test(path));
  expect(files.length).toBe(4);
  expect(sum(files), files.map((file) => file.join(": ")).join("\n")).toBeLessThanOrEqual(DESK_BUDGET);
  await context.close();
});

/** Size of each transfer of a page from a service, with its path. */
function transfers(page: Page, base: string): Promise<[string, number]>[] {
  const sizes: Promise<[string, number]>[] = [];
  page.on("requestfinished", (request) => {
    if (!request.url().startsWith(base)) return;
    const size = request.sizes().then((size) => size.responseBodySize + size.responseHeadersSize);
    sizes.push(size.then((size) => [new URL(request.url()).pathname, size]));
  });
  return sizes;
}

const sum = (files: [string, number][]): number => files.reduce((sum, [, size]) => sum + size, 0);
