import { eachSize, eachWay, runsScripts, signIn } from "../support/desk.js";
import { expect, test } from "../support/test.js";

const PLACE = { region: "", country: "Brazil" };
/** Thirty reports with two misspelt names of one city, and one with its right name. */
const WRONG = Array.from({ length: 30 }, (_, number) => ({
  id: `c-${number}`,
  type: "spirit" as const,
  city: number < 28 ? "Santoss" : "Sanntos",
  ...PLACE,
}));

test.beforeEach(async ({ ownService }) => {
  await ownService.import([...WRONG, { id: "right", type: "water", city: "Santos", ...PLACE }]);
});

eachWay(() => {
  test("thirty cities are corrected at once and back", async ({ page, ownService }) => {
    await signIn(page, ownService);
    await page.goto(`${ownService.operatorsBase}/desk?type=spirit&country=Brazil`);
    await page.getByRole("link", { name: "Correct a value" }).click();
    await expect(page.getByText("Santoss 28, Sanntos 2")).toBeVisible();
    await page.getByLabel("City").fill("Santos");
    await page.getByRole("button", { name: "Check" }).click();
    await expect(page.getByText("city: Santoss → Santos 28")).toBeVisible();
    await expect(page.getByText("city: Sanntos → Santos 2")).toBeVisible();
    await page.getByRole("button", { name: "Correct 30 reports" }).click();
    await expect(page.locator(".done")).toHaveText("Corrected 30 reports.");
    await expect(page.locator(".reports .place").first()).toContainText("Santos Brazil");
    await page.locator("section.decisions").getByRole("button", { name: "Undo" }).click();
    await expect(page.getByText("Undone: 30 reports have their earlier values again.")).toBeVisible();
    await expect(page.locator(".reports .place").first()).toContainText("Sanntos");
  });
});

eachSize(() => {
  test("selected reports are corrected, and two spellings become one", async ({ page, ownService }) => {
    await signIn(page, ownService);
    await runsScripts(page);
    await page.getByLabel("Select c-28").check();
    await page.getByLabel("Select c-29").check();
    await page.getByRole("button", { name: "Correct selected" }).click();
    await page.getByLabel("City").fill("Santoss");
    await page.getByRole("button", { name: "Check" }).click();
    await page.getByRole("button", { name: "Correct 2 reports" }).click();
    await page.getByRole("link", { name: "Places spelled in two ways" }).click();
    await expect(page.getByText("pending: 30", { exact: true })).toBeVisible();
    const santos = page.getByRole("link", { name: "Keep this: Santos, Brazil" });
    await page.getByRole("button", { name: "These are two places: Santos, Brazil; Santoss, Brazil" }).click();
    await expect(page.locator(".done")).toHaveText("Kept apart: Santos, Brazil; Santoss, Brazil.");
    await expect(santos).toHaveCount(0);
    await page.getByText("1 pair that you and others keep apart").click();
    await page.getByRole("button", { name: "Pair again" }).click();
    await santos.click();
    await page.getByRole("button", { name: "Correct 30 reports" }).click();
    await expect(page.locator(".done")).toHaveText("Corrected 30 reports.");
    await expect(santos).toHaveCount(0);
    await page.getByRole("button", { name: "Undo" }).first().click();
    await expect(page.getByText("pending: 30", { exact: true })).toBeVisible();
    await expect(santos).toBeVisible();
  });
});
