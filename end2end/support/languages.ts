import type { Page } from "@playwright/test";
import { overflow, violations } from "./axe.js";
import { expect } from "./test.js";
import { untranslated } from "./untranslated.js";

/** Languages of all pages. */
export const LANGUAGES = ["en", "pt", "es", "fr", "de", "ar"] as const;

const WIDTHS = [320, 768, 1280] as const;
const THEMES = ["light", "dark"] as const;

/**
 * Returns a check of pages in the language with this number: they are in it, fit each width, and axe finds nothing. Over
 * all languages, axe sees each page in each width and theme.
 */
export function checks(page: Page, number: number): (name: string) => Promise<void> {
  const lang = LANGUAGES[number]!;
  const html = page.locator("html");
  let combination = number;
  return async (name) => {
    combination += 1;
    await page.emulateMedia({ colorScheme: THEMES[Math.floor(combination / WIDTHS.length) % THEMES.length]! });
    await expect.soft(html, name).toHaveAttribute("lang", lang);
    await expect.soft(html, name).toHaveAttribute("dir", lang === "ar" ? "rtl" : "ltr");
    if (lang === "ar") expect.soft(await untranslated(page), name).toEqual([]);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      expect.soft(await overflow(page), `${name} at ${width}`).toBe(0);
      if (width === WIDTHS[combination % WIDTHS.length]) {
        expect.soft(await violations(page), `${name} at ${width}`).toEqual([]);
      }
    }
  };
}
