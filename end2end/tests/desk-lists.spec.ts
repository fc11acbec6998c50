import { eachWay, signIn } from "../support/desk.js";
import type { Row } from "../support/service.js";
import { expect, test } from "../support/test.js";

/** Pending reports from Brazil, every second of them about water. */
const reports = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `r-${index + 1}`,
    type: index % 2 === 0 ? "water" : "spirit",
    city: "Santos",
    country: "Brazil",
  }));

eachWay(() => {
  test("filters, order and page stay when a report is opened and left", async ({ page, ownService }) => {
    await ownService.import(reports(130));
    await signIn(page, ownService);
    await page.getByLabel("Type").selectOption("water");
    await page.getByLabel("Order").selectOption("oldest");
    await page.getByRole("button", { name: "Show" }).click();
    await expect(page.locator(".waiting")).toHaveText("66 reports match.");
    await page.getByRole("link", { name: "More", exact: true }).click();
    await expect(page.locator(".reports > li")).toHaveCount(16);
    const list = page.url();
    const ids = () => page.locator(".reports > li").evaluateAll((rows) => rows.map((row) => row.dataset.id));
    const before = await ids();
    await page.locator(".reports .open").nth(3).click();
    await page.getByRole("link", { name: "Back to the list" }).click();
    await expect(page).toHaveURL((url) => url.href.split("#")[0] === list);
    expect(await ids()).toEqual(before);
  });

  test("a decision on thousands of reports is undone at once", async ({ page, ownService }) => {
    await ownService.import(reports(2_500));
    await signIn(page, ownService);
    await page.getByRole("link", { name: /^Brazil / }).click();
    await page.getByRole("link", { name: "Reject 2,500 reports …" }).click();
    await page.getByRole("button", { name: "Reject 2,500 reports" }).click();
    await expect(page.locator(".done")).toHaveText("Rejected 2,500 reports.");
    await expect(page.locator(".decisions li")).toHaveCount(1);
    await page.locator(".decisions").getByRole("button", { name: "Undo" }).click();
    await expect(page.getByRole("status").filter({ hasText: "Undone: 2,500 reports wait" })).toBeVisible();
    await expect(page.locator(".waiting")).toHaveText("2,500 reports match.");
  });
});
