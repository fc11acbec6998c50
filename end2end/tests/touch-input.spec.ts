import { expect, test } from "../support/test.js";

test.beforeEach(({ expectErrors }) => expectErrors(/GPU stall|GL Driver Message/));
test.use({ hasTouch: true, isMobile: true, viewport: { width: 375, height: 700 } });

test("what is written in has letters of 16 px, below which iOS zooms in", async ({ page, service }) => {
  for (const path of ["/", "/docs/api/metrics"]) {
    await page.goto(`${service.base}${path}`);
    const fields = page.locator("input:not([type=radio], [type=checkbox], [type=color]), select, textarea");
    const sizes = await fields.evaluateAll((fields) =>
      fields.map((field) => [field.getAttribute("name") ?? field.id, parseFloat(getComputedStyle(field).fontSize)]),
    );
    expect(sizes.length).toBeGreaterThan(4);
    expect(sizes.filter(([, size]) => Number(size) < 16)).toEqual([]);
  }
});
