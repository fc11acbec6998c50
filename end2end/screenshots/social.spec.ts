import { join } from "node:path";
import { expect } from "@playwright/test";
import { Widget } from "../support/test.js";
import { folder, test } from "./demo.js";

/** What other sites show of a link to ours: to be copied to public/social.png. */
const html = `<!doctype html>
<link rel="icon" href="data:,">
<style>
  body { box-sizing: border-box; width: 1200px; height: 630px; margin: 0; padding: 0 96px; display: grid;
    align-content: center; background: #fff; color: #14213d; font-family: system-ui, sans-serif }
  svg { width: 76px; height: 76px; margin-left: -10px }
  h1 { margin: 16px 0; font-size: 72px; line-height: 1.05; letter-spacing: -0.035em }
  p { margin: 0 0 40px; font-size: 30px; color: #5a6478 }
  div { height: 180px }
  iframe { width: 672px; height: 120px; border: 1px solid #e3e7ee; border-radius: 12px;
    transform: scale(1.5); transform-origin: 0 0 }
</style>
<span>
  <svg viewBox="0 0 24 24" fill="#b45309"><path d="M11.2 1.5C12 5.5 5 9.3 5 15.6c0 4 3.1 6.9 7 6.9s7-2.9 7-6.9c0-3.3-1.5-5.6-3-7.6 0 2-.5 3.3-1.7 4.1.2-4.2-.4-7.7-3.1-10.6z"/></svg>
  <svg viewBox="0 0 24 24" fill="#0369a1"><path d="M12 1.5c2.6 3.6 7 8.7 7 13.9a7 7 0 0 1-14 0c0-5.2 4.4-10.3 7-13.9z"/></svg>
</span>
<h1>Spirit and water,<br>counted live</h1>
<p>Free to embed, as a widget or as JSON.</p>
<div><iframe src="/embed/metrics?theme=light"></iframe></div>`;

test.use({ deviceScaleFactor: 1, viewport: { width: 1200, height: 630 } });

test("the picture for links", async ({ page, service }) => {
  await page.route("**/social", (route) => route.fulfill({ contentType: "text/html", body: html }));
  await page.goto(`${service.base}/social`);
  await new Widget(page.frames()[1]!).toBe("live");
  await expect(page.frames()[1]!.locator(".today").first()).toBeVisible();
  await page.screenshot({ animations: "disabled", path: join(folder, "social.png") });
});
