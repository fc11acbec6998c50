import { overflow, violations } from "../support/axe.js";
import { expect, test, Widget } from "../support/test.js";

test.beforeEach(({ expectErrors }) => expectErrors(/status of 404|GPU stall|GL Driver Message/));

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [320, 1200]) {
    test(`who gets lost finds the way on, in ${colorScheme} at ${width} px`, async ({ page, service }) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 600 });
      for (const path of ["/nope", "/embed/x"]) {
        await page.goto(`${service.base}${path}`);
        expect(await violations(page)).toEqual([]);
        expect(await overflow(page)).toBe(0);
      }
      await page.goto(`${service.base}/docs/nothing`);
      await page.getByRole("link", { name: "Documentation" }).click();
      await expect(page).toHaveURL(`${service.base}/docs`);
    });
  }
}

for (const [width, height] of [[320, 120], [160, 120], [600, 320]] as const) {
  test(`in a frame of ${width} × ${height} px an unknown widget names those there are`, async ({
    hostPage,
    page,
    service: { base },
  }) => {
    await page.goto(
      await hostPage(`<!doctype html><iframe src="${base}/embed/x" width="${width}" height="${height}"
        frameborder="0" title="Unknown"></iframe>`),
    );
    const frame = page.frames()[1]!;
    await expect(frame.getByRole("heading", { name: "Unknown widget" })).toBeVisible();
    const size = await frame.evaluate(() => {
      const { scrollWidth, scrollHeight } = document.documentElement;
      return [scrollWidth, scrollHeight];
    });
    expect(size).toEqual([width, height]);
    await frame.getByRole("link", { name: "Counters" }).click();
    await new Widget(frame).toBe("live");
  });
}
