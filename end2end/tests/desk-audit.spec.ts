import type { Browser } from "@playwright/test";
import { signIn } from "../support/desk.js";
import type { Row } from "../support/service.js";
import { expect, test } from "../support/test.js";

const PLACE = { city: "Campinas", region: "São Paulo", country: "Brazil" };
const WAITING: Row[] = [1, 2, 3].map((number) => ({ id: `w-${number}`, type: "water", ...PLACE }));

/** Page of another person, in a context of its own. */
async function other(browser: Browser, options = {}) {
  const context = await browser.newContext(options);
  return context.newPage();
}

test.beforeEach(async ({ ownService }) => {
  await ownService.import(WAITING);
});

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with scripts" : "without scripts";

  test(`who approved a report is found in three clicks ${how}`, async ({ browser, ownService }) => {
    const maria = await other(browser, { javaScriptEnabled });
    await signIn(maria, ownService, "Maria");
    await maria.getByLabel("Select w-1").check();
    await maria.getByLabel("Select w-2").check();
    await maria.getByRole("button", { name: "Approve selected" }).click();
    await expect(maria.getByRole("status").filter({ hasText: "Approved 2 reports." })).toBeVisible();

    const jo = await other(browser, { javaScriptEnabled });
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
    const downloading = jo.waitForEvent("download");
    await jo.getByRole("link", { name: "Download as CSV" }).click();
    const stream = await (await downloading).createReadStream();
    const lines = Buffer.concat(await stream.toArray()).toString().split("\r\n");
    expect(lines[1]).toMatch(/^\d{4}-.*Z,Maria,approved,2 reports,,/);

    // Somebody is signed out in three clicks.
    await jo.getByRole("link", { name: "Overview" }).click();
    await jo.getByRole("link", { name: "Manage keys and sessions" }).click();
    await jo.getByRole("button", { name: "Sign Maria out" }).click();
    await expect(jo.getByRole("status")).toHaveText("The session has ended.");
    await maria.reload();
    await expect(maria.getByRole("heading", { name: "Sign in" })).toBeVisible();
    await maria.context().close();
    await jo.context().close();
  });
}

test("without scripts, success is confirmed once, and nothing is shown that needs scripts", async ({
  browser,
  ownService,
}) => {
  const page = await other(browser, { javaScriptEnabled: false });
  await signIn(page, ownService);
  await expect(page.locator(".bulk").getByRole("checkbox")).toBeHidden();
  await expect(page.locator(".keys")).toBeHidden();
  await page.getByRole("button", { name: "Approve w-3" }).click();
  await expect(page.locator(".done")).toHaveText("Approved w-3.");
  await page.reload();
  await expect(page.locator(".done")).toHaveCount(0);
  await page.getByRole("link", { name: /^Reject \d+ reports/ }).click();
  await page.getByRole("button", { name: /^Reject \d+ reports/ }).click();
  await expect(page.locator(".done")).toHaveText(/^Rejected \d+ reports\.$/);
  await expect(page.locator(".bulk, .all")).toBeHidden();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.locator(".done")).toHaveText("You are signed out.");
  await page.context().close();
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
