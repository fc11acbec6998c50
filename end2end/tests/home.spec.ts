import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { expect, test, Widget } from "../support/test.js";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core"), "utf8");

test("the page shows the widget, alive, and the snippets with the service's address", async ({
  page,
  service,
}) => {
  await page.goto(service.base);
  await new Widget(page.frames()[1]!).toBe("live");
  const [iframe, script] = await page.locator("pre").allTextContents();
  expect(iframe).toContain(`<iframe src="${service.base}/embed/metrics"`);
  expect(script).toContain(`<script src="${service.base}/embed.js"`);
});

test("a snippet that is copied, mounts the widget on another page", async ({
  context,
  hostPage,
  page,
  service,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(service.base);
  for (const index of [0, 1]) {
    const button = page.getByRole("button").nth(index);
    await button.click();
    await expect(button).toHaveText("Copied");
    const snippet = await page.evaluate(() => navigator.clipboard.readText());

    const other = await context.newPage();
    await other.goto(await hostPage(`<!doctype html><body>${snippet}`));
    await expect(other.locator("iframe")).toHaveAttribute("height", "120");
    await new Widget(other.frames()[1]!).toBe("live");
    await other.close();
    await page.bringToFront();
  }
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("there are snippets to select, and no buttons that do nothing", async ({
    page,
    service,
  }) => {
    await page.goto(service.base);
    await expect(page.locator("pre")).toHaveCount(2);
    await expect(page.getByRole("button")).toHaveCount(0);
  });
});

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [320, 1200]) {
    test(`axe finds nothing in ${colorScheme} at ${width} px, and nothing is cut off`, async ({
      page,
      service,
    }) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await page.goto(service.base);
      await new Widget(page.frames()[1]!).toBe("live");
      await page.evaluate(axe);
      const found = await page.evaluate("axe.run().then(({ violations }) => violations)");
      expect(found).toEqual([]);
      const { scroll, client } = await page.evaluate(() => ({
        scroll: document.documentElement.scrollWidth,
        client: document.documentElement.clientWidth,
      }));
      expect(scroll).toBe(client);
    });
  }
}
