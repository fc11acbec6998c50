import { eachSize, expectIds, row, signIn } from "../support/desk.js";
import type { Row } from "../support/service.js";
import { expect, test } from "../support/test.js";

const PLACE = { city: "Campinas", region: "São Paulo", country: "Brazil" };
/** Pending reports, two of which may be duplicates. */
const WAITING: Row[] = [
  { id: "w-1", type: "spirit", ...PLACE, peopleCount: 3 },
  { id: "w-2", type: "spirit", ...PLACE, peopleCount: 3 },
  { id: "w-3", type: "water", ...PLACE, peopleCount: 12 },
  { id: "w-4", type: "both", city: "صنعاء", country: "Yemen" },
];

test.beforeEach(async ({ ownService }) => {
  await ownService.import(WAITING);
});

test.use({ javaScriptEnabled: false });

eachSize(() => {
  test("without scripts, everything goes by forms", { tag: "@release" }, async ({ page, ownService }) => {
    await signIn(page, ownService);
    // Nothing is shown that needs scripts.
    await expect(page.locator(".bulk").getByRole("checkbox")).toBeHidden();
    await expect(page.locator(".keys")).toBeHidden();
    await page.getByRole("button", { name: "Approve w-4" }).click();
    await expect(page.locator(".done")).toHaveText("Approved w-4.");
    await expectIds(page, ["w-3", "w-2", "w-1", "pending-1"]);
    // Success is confirmed once.
    await page.reload();
    await expect(page.locator(".done")).toHaveCount(0);
    await page.getByLabel("Select w-2").check();
    await page.getByLabel("Select w-1").check();
    await page.getByRole("button", { name: "Reject selected" }).click();
    await expectIds(page, ["w-3", "pending-1"]);
    await page.locator("section.decisions").getByRole("button", { name: "Undo" }).first().click();
    await expectIds(page, ["w-3", "w-2", "w-1", "pending-1"]);
    await page.getByLabel("Type").selectOption("water");
    await page.getByRole("button", { name: "Show" }).click();
    await expectIds(page, ["w-3", "pending-1"]);
    await page.getByRole("link", { name: "Approve 2 reports …" }).click();
    await page.getByRole("button", { name: "Approve 2 reports" }).click();
    await expect(page.locator(".done")).toHaveText("Approved 2 reports.");
    await expect(page.getByText("No report matches.")).toBeVisible();
    await expect(page.locator(".bulk, .all")).toBeHidden();
    await page.getByRole("link", { name: "Remove Type: Water" }).click();
    await page.getByRole("link", { name: /^Approved [\d,]+$/ }).click();
    await expect(row(page, "w-4").getByRole("button")).toHaveText(["Withdraw"]);
    await expect(row(page, "w-3")).toBeVisible();
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect(page.locator(".done")).toHaveText("You are signed out.");
  });
});
