import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test, Widget } from "../support/test.js";

const folder =
  process.env.SCREENSHOTS ??
  fileURLToPath(new URL("../test-results/screenshots", import.meta.url));

test.beforeAll(() => mkdir(folder, { recursive: true }));

for (const theme of ["light", "dark"] as const) {
  for (const width of [160, 320, 600, 1200]) {
    test(`metrics, ${width} px, ${theme}`, async ({ page, service }) => {
      await page.setViewportSize({ width, height: 120 });
      await page.goto(`${service.base}/embed/metrics?theme=${theme}`);
      const widget = new Widget(page);
      await widget.toBe("live");
      await service.svc("reports", "approve", "pending-1");
      await expect(widget.number.total).toHaveText("1,235");
      await page.screenshot({ path: join(folder, `metrics-${width}-${theme}.png`) });
    });
  }

  for (const width of [320, 600, 1200]) {
    test(`home, ${width} px, ${theme}`, async ({ page, service }) => {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize({ width, height: 900 });
      await page.goto(service.base);
      await new Widget(page.frames()[1]!).toBe("live");
      await page.screenshot({ path: join(folder, `home-${width}-${theme}.png`), fullPage: true });
    });
  }
}
