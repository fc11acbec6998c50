import { settled } from "../support/globe.js";
import { expect, test } from "../support/test.js";
import { live, WIDGETS } from "../support/widgets.js";

test.beforeEach(({ expectErrors }) => expectErrors(/GPU stall|GL Driver Message/));

/** Maximum number of bytes transferred in a first load, including headers. */
const BUDGETS = { metrics: 56_800, feed: 71_000, globe: 99_500, trend: 67_450 } as const;

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
    const sizes: Promise<[string, number]>[] = [];
    page.on("requestfinished", (request) => {
      if (!request.url().startsWith(ownService.base)) return;
      const size = request.sizes().then((size) => size.responseBodySize + size.responseHeadersSize);
      sizes.push(size.then((size) => [new URL(request.url()).pathname, size]));
    });
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
    const sum = files.reduce((sum, [, size]) => sum + size, 0);
    expect(sum, files.map((file) => file.join(": ")).join("\n")).toBeLessThanOrEqual(budget);
  });
}
