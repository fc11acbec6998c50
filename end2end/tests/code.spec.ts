import type { Locator, Page } from "@playwright/test";
import { pixel } from "../support/pixel.js";
import { expect, test } from "../support/test.js";

test.beforeEach(({ expectErrors }) => expectErrors(/GPU stall|GL Driver Message/));

/** Code block that is wider than its frame. */
async function wide(page: Page): Promise<Locator> {
  const blocks = page.locator("pre");
  const index = await blocks.evaluateAll((all) => all.findIndex((one) => one.scrollWidth > one.clientWidth + 40));
  expect(index).toBeGreaterThanOrEqual(0);
  return blocks.nth(index);
}

/** Colours at the left and right edge of a block, above its first line. */
async function edges(page: Page, block: Locator): Promise<[string, string]> {
  const { x, y, width } = (await block.boundingBox())!;
  const at = (x: number) => pixel(page, Math.round(x), Math.round(y + 8));
  return [await at(x + 2), await at(x + width - 3)];
}

/** Scrolls a block, and returns after the change is painted. */
async function scroll(block: Locator, left: number): Promise<void> {
  await block.evaluate(async (block, left) => {
    block.scrollLeft = left;
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  }, left);
}

test("on a phone, code that goes on beyond an edge shows it there, in light and in dark", async ({ page, service }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  for (const path of ["/", "/docs/embed"]) {
    for (const colorScheme of ["light", "dark"] as const) {
      await test.step(`${path} in ${colorScheme}`, async () => {
        await page.emulateMedia({ colorScheme });
        await page.goto(`${service.base}${path}`);
        const block = await wide(page);
        await block.scrollIntoViewIfNeeded();
        const [plain, more] = await edges(page, block);
        expect(more).not.toBe(plain);

        await scroll(block, 60);
        const [before, after] = await edges(page, block);
        expect(before).not.toBe(plain);
        expect(after).toBe(more);

        await scroll(block, 10_000);
        expect(await edges(page, block)).toEqual([before, plain]);
      });
    }
  }
});

test("code that fits has no such edge", async ({ page, service }) => {
  await page.setViewportSize({ width: 1200, height: 700 });
  await page.goto(`${service.base}/docs/embed`);
  const block = page.locator("pre").first();
  await block.scrollIntoViewIfNeeded();
  const [left, right] = await edges(page, block);
  expect(left).toBe(right);
});

test("code scrolls by keyboard, and says what it is", async ({ page, service }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  for (const path of ["/", "/docs/embed", "/docs/api/metrics"]) {
    await page.goto(`${service.base}${path}`);
    const names = await page.locator("pre").evaluateAll((blocks) =>
      blocks.map((block) => {
        const label = document.getElementById(block.getAttribute("aria-labelledby") ?? "");
        return [block.getAttribute("role"), block.tabIndex, Boolean(label?.textContent)];
      }),
    );
    expect(new Set(names.map(String))).toEqual(new Set(["group,0,true"]));
  }
  await page.goto(service.base);
  const block = page.getByRole("group", { name: "As an iframe" });
  await block.focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => block.evaluate((block) => block.scrollLeft)).toBeGreaterThan(0);
});
