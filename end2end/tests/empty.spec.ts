import { Service } from "../support/service.js";
import { closePages, expect, test as base } from "../support/test.js";
import { overlaps, seen } from "../support/texts.js";
import { live, WIDGETS } from "../support/widgets.js";

const test = base.extend<{ empty: Service }>({
  /** A service that has no reports yet. */
  empty: async ({ context }, use) => {
    const service = await Service.create();
    try {
      await service.start();
      await use(service);
    } finally {
      await closePages(context);
      await service.dispose();
    }
  },
});

test.beforeEach(({ expectErrors }) => expectErrors(/GPU stall|GL Driver Message/));

const NOTHING = /no reports/i;

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "alive" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    for (const widget of WIDGETS) {
      for (const [width, height] of [[320, 120], [320, 320], [400, 400]] as const) {
        if (height === 120 && widget !== "metrics") continue;
        test(`where nothing is reported yet, the ${widget} widget of ${width} × ${height} px says so in a sentence`, async ({
          empty,
          page,
        }) => {
          await page.setViewportSize({ width, height });
          await page.goto(`${empty.base}/embed/${widget}`);
          if (javaScriptEnabled) await live(page);
          const all = await seen(page);
          const nothing = all.filter(({ text }) => NOTHING.test(text));
          expect(nothing).toHaveLength(1);
          expect(nothing[0]!.whole).toBe(true);
          expect(all.filter(({ text }) => text.startsWith("+0"))).toEqual([]);
          expect(await overlaps(page)).toEqual([]);
        });
      }
    }
  });
}

for (const widget of WIDGETS) {
  test(`the first report takes the place of the sentence in the ${widget} widget`, async ({
    empty,
    page,
  }) => {
    await page.goto(`${empty.base}/embed/${widget}`);
    await live(page);
    await expect(page.getByText(NOTHING)).toBeVisible();
    const lyon = { id: "first", type: "water", city: "Lyon", country: "France" } as const;
    await empty.import([lyon], "--approve");
    await expect(page.getByText(NOTHING)).toBeHidden();
    const shown = { metrics: ".total .number", feed: ".feed li", globe: ".total", trend: ".total" }[widget];
    const said = { metrics: "1", feed: "Lyon", globe: "1", trend: "1" }[widget];
    await expect(page.locator(shown)).toContainText(said);
    await empty.svc("reports", "withdraw", "first");
    await expect(page.getByText(NOTHING)).toBeVisible();
  });

  test(`a ${widget} widget of a place without reports says so too`, async ({ page, service }) => {
    await page.setViewportSize({ width: 400, height: widget === "metrics" ? 120 : 320 });
    await page.goto(`${service.base}/embed/${widget}?country=Chile`);
    await live(page);
    const all = await seen(page);
    expect(all.filter(({ text }) => NOTHING.test(text))).toHaveLength(1);
    expect(all.some(({ text }) => /Chile/.test(text))).toBe(true);
  });
}
