import { join } from "node:path";
import { settled } from "../support/globe.js";
import { Widget } from "../support/test.js";
import { folder, test } from "./demo.js";

for (const theme of ["light", "dark"] as const) {
  for (const width of [160, 320, 600, 1200]) {
    test(`metrics, ${width} px, ${theme}`, async ({ page, service }) => {
      await page.setViewportSize({ width, height: 120 });
      await page.goto(`${service.base}/embed/metrics?theme=${theme}`);
      await new Widget(page).toBe("live");
      await page.screenshot({ animations: "disabled", path: join(folder, `metrics-${width}-${theme}.png`) });
    });
  }

  for (const [width, height] of [[160, 320], [320, 320], [400, 400], [600, 320], [1200, 320]] as const) {
    for (const lang of ["en", "ar"]) {
      test(`feed, ${width} px, ${theme}, ${lang}`, async ({ page, service }) => {
        await page.setViewportSize({ width, height });
        await page.goto(`${service.base}/embed/feed?theme=${theme}&lang=${lang}`);
        await page.locator('.pulse[data-state="live"]').waitFor();
        await page.screenshot({ animations: "disabled", path: join(folder, `feed-${width}-${theme}-${lang}.png`) });
      });
    }

    test(`feed as it comes from the server, ${width} px, ${theme}`, async ({ browser, service }) => {
      const page = await browser.newPage({ javaScriptEnabled: false, viewport: { width, height } });
      await page.goto(`${service.base}/embed/feed?theme=${theme}`);
      await page.screenshot({ path: join(folder, `feed-${width}-${theme}-drawn.png`) });
      await page.close();
    });
  }

  for (const width of [160, 320, 600, 1200]) {
    for (const height of [120, 240]) {
      for (const lang of ["en", "ar"]) {
        test(`trend, ${width} × ${height} px, ${theme}, ${lang}`, async ({ page, service }) => {
          await page.setViewportSize({ width, height });
          await page.goto(`${service.base}/embed/trend?theme=${theme}&lang=${lang}&to=2025-12-31`);
          await page.locator('.pulse[data-state="live"]').waitFor();
          const path = (what: string) => join(folder, `trend-${width}x${height}-${theme}-${lang}${what}.png`);
          await page.screenshot({ animations: "disabled", path: path("") });
          await page.locator(".chart").hover({ position: { x: width / 3, y: 20 } });
          await page.screenshot({ animations: "disabled", path: path("-pointed") });
        });
      }
    }
  }

  for (const [width, height] of [[320, 320], [600, 400], [1200, 500]] as const) {
    for (const lang of ["en", "ar"]) {
      test(`globe, ${width} px, ${theme}, ${lang}`, async ({ expectErrors, page, service }) => {
        expectErrors(/GPU stall|GL Driver Message/);
        await page.setViewportSize({ width, height });
        await page.goto(`${service.base}/embed/globe?theme=${theme}&lang=${lang}`);
        const path = (what: string) => join(folder, `globe-${width}-${theme}-${lang}${what}.png`);
        await settled(page);
        await page.screenshot({ path: path("") });
        await page.keyboard.press("Tab");
        await page.keyboard.press("Enter");
        await page.locator(".card > div").waitFor();
        await settled(page);
        await page.screenshot({ path: path("-card") });
      });
    }

    test(`globe as drawn by the server, ${width} px, ${theme}`, async ({ browser, service }) => {
      const page = await browser.newPage({ javaScriptEnabled: false, viewport: { width, height } });
      await page.goto(`${service.base}/embed/globe?theme=${theme}`);
      await page.screenshot({ path: join(folder, `globe-${width}-${theme}-drawn.png`) });
      await page.close();
    });
  }

  for (const width of [320, 600, 1200]) {
    test(`home, ${width} px, ${theme}`, async ({ expectErrors, page, service }) => {
      expectErrors(/GPU stall|GL Driver Message/);
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize({ width, height: 900 });
      await page.goto(service.base);
      // Frames below the fold load when they are about to become visible.
      await page.setViewportSize({ width, height: 3_000 });
      const frames = page.locator("iframe");
      for (const frame of await frames.all()) {
        await frame.contentFrame().locator('[data-state="live"]').waitFor({ state: "attached" });
      }
      for (const frame of page.frames()) if (frame.url().includes("/embed/globe")) await settled(frame);
      await page.screenshot({ path: join(folder, `home-${width}-${theme}.png`), fullPage: true });
    });
  }

  for (const path of ["/docs", "/docs/api", "/docs/stream", "/docs/mirroring", "/docs/webhooks", "/docs/webhooks-reference", "/docs/partners", "/docs/embed", "/docs/recipes", "/docs/limits", "/docs/errors", "/nope", "/embed/x"]) {
    for (const width of [320, 600, 1200]) {
      test(`${path}, ${width} px, ${theme}`, async ({ page, service }) => {
        await page.emulateMedia({ colorScheme: theme });
        await page.setViewportSize({ width, height: 900 });
        await page.goto(`${service.base}${path}`);
        const name = `${path.slice(1).replace("/", "-")}-${width}-${theme}.png`;
        await page.screenshot({ path: join(folder, name), fullPage: true });
      });
    }
  }
}
