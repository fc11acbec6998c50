import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Frame, Page } from "@playwright/test";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core"), "utf8");

/** Violations that axe finds on the page; empty if there are none. */
export async function violations(page: Page | Frame): Promise<unknown> {
  // Loading axe takes as long as running it on a small page.
  if (await page.evaluate("!window.axe")) await page.evaluate(axe);
  return page.evaluate(`axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations)`);
}

/** Number of pixels by which the page is wider than the viewport. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}
