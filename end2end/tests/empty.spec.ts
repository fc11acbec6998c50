import type { Page } from "@playwright/test";
import { expect, test } from "../support/test.js";
import { overlaps, seen } from "../support/texts.js";
import { live, WIDGETS } from "../support/widgets.js";

test.beforeEach(({ expectErrors }) => expectErrors(/GPU stall|GL Driver Message/));

const NOTHING = /waiting for the first report/i;

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "alive" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("where nothing is reported yet, widgets of any size say so in a sentence", async ({ emptyService, page }) => {
      for (const widget of WIDGETS) {
        for (const [width, height] of [[320, 120], [320, 320], [400, 400]] as const) {
          if (height === 120 && widget !== "metrics") continue;
          await test.step(`${widget}, ${width} × ${height} px`, async () => {
            await page.setViewportSize({ width, height });
            await page.goto(`${emptyService.base}/embed/${widget}`);
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
  });
}

test("the first report takes the place of the sentence", async ({ context, ownEmptyService }) => {
  const pages: { widget: (typeof WIDGETS)[number]; page: Page }[] = [];
  for (const widget of WIDGETS) {
    const page = await context.newPage();
    await page.goto(`${ownEmptyService.base}/embed/${widget}`);
    await live(page);
    await expect(page.getByText(NOTHING), widget).toBeVisible();
    pages.push({ widget, page });
  }
  const lyon = { id: "first", type: "water", city: "Lyon", country: "France" } as const;
  await ownEmptyService.import([lyon], "--approve");
  for (const { widget, page } of pages) {
    await expect(page.getByText(NOTHING), widget).toBeHidden();
    const shown = { metrics: ".total .number", feed: ".feed li", globe: ".total", trend: ".total" }[widget];
    const said = { metrics: "1", feed: "Lyon", globe: "1", trend: "1" }[widget];
    await expect(page.locator(shown), widget).toContainText(said);
  }
  await ownEmptyService.svc("reports", "withdraw", "first");
  for (const { widget, page } of pages) await expect(page.getByText(NOTHING), widget).toBeVisible();
});

test("widgets of a place without reports say so too", async ({ page, service }) => {
  for (const widget of WIDGETS) {
    await test.step(widget, async () => {
      await page.setViewportSize({ width: 400, height: widget === "metrics" ? 120 : 320 });
      await page.goto(`${service.base}/embed/${widget}?country=Chile`);
      await live(page);
      const all = await seen(page);
      expect(all.filter(({ text }) => NOTHING.test(text))).toHaveLength(1);
      expect(all.some(({ text }) => /Chile/.test(text))).toBe(true);
    });
  }
});
