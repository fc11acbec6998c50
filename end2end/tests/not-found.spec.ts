import { overflow, violations } from "../support/axe.js";
import { expect, test, Widget } from "../support/test.js";

test.beforeEach(({ expectErrors }) => expectErrors(/status of 40[04]|GPU stall|GL Driver Message/));

test("who gets lost finds the way on, in either theme, narrow and wide", async ({ page, service }) => {
  for (const path of ["/nope", "/embed/x", "/docs/nothing"]) {
    await page.goto(`${service.base}${path}`);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [320, 1200]) {
        await page.setViewportSize({ width, height: 600 });
        expect(await violations(page), `${path} in ${colorScheme} at ${width} px`).toEqual([]);
        expect(await overflow(page), `${path} in ${colorScheme} at ${width} px`).toBe(0);
      }
    }
  }
  for (const width of [320, 1200]) {
    await page.setViewportSize({ width, height: 600 });
    await page.goto(`${service.base}/docs/nothing`);
    await page.getByRole("link", { name: "Documentation" }).click();
    await expect(page).toHaveURL(`${service.base}/docs`);
  }
});

test("in a frame of any size an unknown widget names those there are", { tag: "@release" }, async ({
  hostPage,
  page,
  service: { base },
}) => {
  for (const [width, height] of [[320, 120], [160, 120], [600, 320]] as const) {
    await test.step(`${width} × ${height} px`, async () => {
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
});

test("in a frame of any size a misspelt option is named, with the one that is meant", async ({
  hostPage,
  page,
  service: { base },
}) => {
  for (const lang of ["en", "de", "ar"]) {
    for (const [width, height] of [[160, 120], [320, 120], [600, 320]] as const) {
      await test.step(`${lang} at ${width} × ${height} px`, async () => {
        await page.goto(
          await hostPage(`<!doctype html><iframe src="${base}/embed/metrics?lang=${lang}&contry=FR" width="${width}"
            height="${height}" frameborder="0" title="Misspelt"></iframe>`),
        );
        const frame = page.frames()[1]!;
        await expect(frame.getByText("contry")).toBeVisible();
        await expect(frame.getByText("country")).toBeVisible();
        const size = await frame.evaluate(() => {
          const { scrollWidth, scrollHeight } = document.documentElement;
          return [scrollWidth, scrollHeight];
        });
        expect(size).toEqual([width, height]);
        expect(await violations(frame)).toEqual([]);
      });
    }
  }
});
