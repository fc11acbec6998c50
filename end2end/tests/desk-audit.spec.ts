import { alternately, downloaded, other, runsScripts, signIn } from "../support/desk.js";
import type { Row } from "../support/service.js";
import { expect, test } from "../support/test.js";

const PLACE = { city: "Campinas", region: "São Paulo", country: "Brazil" };
const WAITING: Row[] = [1, 2, 3].map((number) => ({ id: `w-${number}`, type: "water", ...PLACE }));

test.beforeEach(async ({ ownService }) => {
  await ownService.import(WAITING);
});

alternately((javaScriptEnabled) => {
  test("who approved a report is found in three clicks", async ({
    browser,
    expectErrors,
    page: maria,
    ownService,
  }) => {
    // Maria's list, after she is signed out.
    expectErrors(/401 \(Unauthorized\)/);
    await signIn(maria, ownService, "Maria");
    if (javaScriptEnabled) await runsScripts(maria);
    await maria.getByLabel("Select w-1").check();
    await maria.getByLabel("Select w-2").check();
    await maria.getByRole("button", { name: "Approve selected" }).click();
    await expect(maria.getByRole("status").filter({ hasText: "Approved 2 reports." })).toBeVisible();

    const jo = await other(browser);
    await signIn(jo, ownService, "Jo", "admin");
    // One click on any page, and the id.
    await jo.getByRole("link", { name: "Audit" }).click();
    await jo.getByLabel("Report, import, key or webhook").fill("w-2");
    await jo.keyboard.press("Enter");
    const entries = jo.locator(".history > li");
    await expect(entries).toHaveCount(2);
    await expect(entries.first()).toContainText("Maria approved 2 reports");
    // The reports of the decision, and the history of one of them.
    await jo.getByRole("link", { name: "2 reports" }).click();
    await expect(jo.getByRole("heading", { name: "Maria approved 2 reports" })).toBeVisible();
    await jo.getByRole("link", { name: "w-1", exact: true }).click();
    await expect(jo.locator(".history > li").first()).toContainText("Maria approved 2 reports");

    await jo.getByRole("link", { name: "Audit" }).click();
    await jo.getByRole("link", { name: "By person and day" }).click();
    const sum = jo.getByRole("row", { name: "Last 14 days Maria" });
    await expect(sum.getByRole("cell")).toHaveText(["Last 14 days", "2", "0", "0", "0"]);
    await sum.getByRole("link", { name: "Maria" }).click();
    await expect(jo.getByLabel("Person")).toHaveValue("Maria");
    await expect(jo.locator(".history > li").first()).toContainText("Maria approved 2 reports");
    const lines = (await downloaded(jo, "Download as CSV")).split("\r\n");
    expect(lines[1]).toMatch(/^\d{4}-.*Z,Maria,approved,2 reports,,/);

    // Somebody is signed out in three clicks.
    await jo.getByRole("link", { name: "Overview" }).click();
    await jo.getByRole("link", { name: "Manage keys and sessions" }).click();
    await jo.getByRole("button", { name: "Sign Maria out" }).click();
    await expect(jo.getByRole("status")).toHaveText("The session has ended.");
    await maria.reload();
    await expect(maria.getByRole("heading", { name: "Sign in" })).toBeVisible();
    await jo.context().close();
  });
});

test("the title of the queue has the number of pending reports", async ({ page, ownService }) => {
  await signIn(page, ownService);
  await expect(page).toHaveTitle("(4) Queue · Desk");
  await ownService.svc("reports", "approve", "w-1");
  await expect(page).toHaveTitle("(3) Queue · Desk");
  await ownService.svc("reports", "reject", "--all-pending");
  await expect(page).toHaveTitle("Queue · Desk");
});

test("the navigation is one line of a narrow window", async ({ page, ownService }) => {
  await page.setViewportSize({ width: 320, height: 800 });
  await signIn(page, ownService, "Ada with a rather long name", "admin");
  const tops = await page
    .locator("body > nav ul a")
    .evaluateAll((links) => new Set(links.map((link) => link.getBoundingClientRect().top)).size);
  expect(tops).toBe(1);
});
