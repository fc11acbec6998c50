import type { Page, Route } from "@playwright/test";
import { expect, test } from "../support/test.js";
import { rows, status, WIDGETS } from "../support/widgets.js";

/** Failures that keep the widgets' wasm from running. */
const FAILURES: Record<string, [files: string, (route: Route) => Promise<void>]> = {
  "is blocked": ["**/*.wasm", (route) => route.abort("blockedbyclient")],
  "is refused by the server": ["**/*.wasm", (route) => route.fulfill({ status: 503 })],
  "is garbage": [
    "**/*.wasm",
    (route) => route.fulfill({ contentType: "application/wasm", body: "no wasm at all" }),
  ],
  "has no script to start it": ["**/*.js", (route) => route.abort("failed")],
};

for (const [how, [files, answer]] of Object.entries(FAILURES)) {
  test(`where wasm ${how}, widgets show what the server rendered`, async ({ expectErrors, page, service }) => {
    expectErrors(/./);
    await page.route(files, answer);
    await readable(page, service.base);
  });
}

test("in a browser without WebAssembly widgets show what the server rendered", { tag: "@release" }, async ({
  expectErrors,
  page,
  service,
}) => {
  expectErrors(/./);
  await page.addInitScript(() => Reflect.deleteProperty(window, "WebAssembly"));
  await readable(page, service.base);
});

/**
 * Checks that all content of the widgets is readable, including parts that are normally hidden until a widget is live.
 */
async function readable(page: Page, base: string): Promise<void> {
  for (const widget of WIDGETS) {
    await test.step(widget, async () => {
      await page.goto(`${base}/embed/${widget}`);
      await expect(status(page)).toHaveText(/^as of \d\d:\d\d UTC\s*$/);
      await expect(status(page)).toBeVisible();
      await expect(status(page)).not.toHaveCSS("color", "rgba(0, 0, 0, 0)");
      const times = rows(page).locator("time");
      await expect(times).toHaveCount(widget === "feed" ? 20 : 0);
      for (const time of await times.all()) {
        await expect(time).toHaveText("2020-06-01");
        await expect(time).toBeVisible();
      }
    });
  }
}
