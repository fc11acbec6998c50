import { expect, type Page } from "@playwright/test";
import type { Service } from "./service.js";

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

/** Waits until the list handles keys, and makes its first report the current one. */
export async function handlesKeys(page: Page): Promise<void> {
  await expect(async () => {
    await page.locator(".reports").press("j");
    await expect(page.locator(".reports > li.current")).toHaveCount(1, { timeout: 200 });
  }).toPass();
}
