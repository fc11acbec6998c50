import type { Browser, Page } from "@playwright/test";
import type { Service } from "./service.js";
import { expect, test } from "./test.js";

/** Signs in at the desk with a new key of this name. */
export async function signIn(
  page: Page,
  service: Service,
  name = "Maria",
  scope: "moderate" | "admin" = "moderate",
): Promise<void> {
  const key = await service.operatorsKey(name, scope);
  await page.goto(`${service.operatorsBase}/desk`);
  await enter(page, key);
}

/** Enters a key on the sign-in page, which then leads to the queue. */
export async function enter(page: Page, key: string): Promise<void> {
  await page.getByLabel("Your key").fill(key);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Queue" })).toBeVisible();
}

/** Waits until the scripts of the list run, which would remove earlier selections. */
export async function runsScripts(page: Page): Promise<void> {
  await expect(page.locator(".bulk .every")).toBeVisible();
}

/** Waits until the list handles keys, and makes its first report the current one. */
export async function handlesKeys(page: Page): Promise<void> {
  await expect(async () => {
    await page.locator(".reports").press("j");
    await expect(page.locator(".reports > li.current")).toHaveCount(1, { timeout: 200 });
  }).toPass();
}

/** Row of a report in a list. */
export const row = (page: Page, id: string) => page.locator(`.reports > li[data-id="${id}"]`);

/** Waits until the list has these rows, besides those that are being decided on. */
export async function expectIds(page: Page, expected: string[]): Promise<void> {
  const rows = page.locator(".reports > li:not(.deciding)");
  await expect.poll(() => rows.evaluateAll((all) => all.map((one) => one.dataset.id))).toEqual(expected);
}

/** Widths of phones, tablets and computers, each in one of the themes. */
const SIZES = [
  { viewport: { width: 320, height: 800 }, colorScheme: "light" },
  { viewport: { width: 768, height: 800 }, colorScheme: "dark" },
  { viewport: { width: 1280, height: 800 }, colorScheme: "light" },
] as const;

/** Declares stories for each size. */
export function eachSize(declare: () => void): void {
  for (const size of SIZES) sized(size, declare);
}

function sized(size: (typeof SIZES)[number], declare: () => void): void {
  test.describe(`at ${size.viewport.width} px`, () => {
    test.use(size);
    declare();
  });
}

function scripted(javaScriptEnabled: boolean, declare: () => void): void {
  test.describe(javaScriptEnabled ? "with scripts" : "without scripts", () => {
    test.use({ javaScriptEnabled });
    declare();
  });
}

/** Declares stories for each size, with and without scripts. */
export function eachWay(declare: () => void): void {
  scripted(true, () => eachSize(declare));
  scripted(false, () => eachSize(declare));
}

/**
 * Declares long stories, which have pages of their own, for each size: without scripts in the middle one, with scripts
 * in the others.
 */
export function alternately(declare: (javaScriptEnabled: boolean) => void): void {
  for (const [number, size] of SIZES.entries()) {
    scripted(number !== 1, () => sized(size, () => declare(number !== 1)));
  }
}

/** Page of another person, in a context with the options of the test. */
export async function other(browser: Browser): Promise<Page> {
  return (await browser.newContext()).newPage();
}

/** Text of the file that a link leads to. */
export async function downloaded(page: Page, link: string): Promise<string> {
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: link }).click();
  const stream = await (await downloading).createReadStream();
  return Buffer.concat(await stream.toArray()).toString();
}
