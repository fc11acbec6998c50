import type { Page } from "@playwright/test";
import { overflow, violations } from "../support/axe.js";
import { handlesKeys, signIn } from "../support/desk.js";
import type { Row } from "../support/service.js";
import { expect, test } from "../support/test.js";

const PLACE = { city: "Campinas", region: "São Paulo", country: "Brazil" };
const WAITING: Row[] = [1, 2, 3, 4, 5].map((index) => ({
  id: `w-${index}`,
  type: "water",
  ...PLACE,
  peopleCount: 10 * index,
  lat: -22.91,
  lng: -47.06,
}));

const row = (page: Page, id: string) => page.locator(`.reports > li[data-id="${id}"]`);
const heading = (page: Page, id: string) => page.getByRole("heading", { name: id, exact: true });
const switched = (page: Page) => page.getByLabel("Keys:");

test.beforeEach(async ({ ownService }) => {
  await ownService.import(WAITING);
});

/** Opens the newest of the reports from the list. */
async function open(page: Page): Promise<void> {
  await row(page, "w-5").getByRole("link", { name: "Open w-5" }).click();
  await expect(heading(page, "w-5")).toBeVisible();
  await expect(switched(page)).toBeVisible();
}

test("reports are decided on one after the other on their pages, by keys", { tag: "@release" }, async ({ page, ownService }) => {
  await signIn(page, ownService);
  await open(page);
  await page.keyboard.press("j");
  await expect(heading(page, "w-4")).toBeVisible();
  await expect(switched(page)).toBeVisible();
  await page.keyboard.press("k");
  await expect(heading(page, "w-5")).toBeVisible();
  await expect(switched(page)).toBeVisible();
  await page.keyboard.press("a");
  await expect(page.getByRole("status")).toHaveText("Approved w-5.");
  await expect(heading(page, "w-4")).toBeVisible();
  await expect(switched(page)).toBeVisible();
  await page.keyboard.press("3");
  await expect(page.getByRole("status")).toHaveText("Rejected w-4.");
  await expect(heading(page, "w-3")).toBeVisible();
  await expect(switched(page)).toBeVisible();
  await page.keyboard.press("u");
  await expect(page.getByRole("status")).toHaveText("Undone: 1 report waits for a decision again.");
  await expect(heading(page, "w-4")).toBeVisible();
  await expect(switched(page)).toBeVisible();
  await expect(page.locator(".history")).toContainText("Test");
  await page.keyboard.press("o");
  await expect(page.getByRole("heading", { name: "Queue" })).toBeVisible();
  await expect(row(page, "w-4")).toBeVisible();
  await expect(row(page, "w-5")).toHaveCount(0);
});

test("keys on a report's page act neither in fields, nor when held down or turned off", async ({ page, ownService }) => {
  await signIn(page, ownService);
  await open(page);
  await page.getByLabel("Note (optional)").focus();
  await page.keyboard.type("area");
  await expect(page.getByLabel("Note (optional)")).toHaveValue("area");
  await page.getByRole("button", { name: "Reject", exact: true }).focus();
  await page.keyboard.press("a");
  await page.locator("h1").click();
  await page.keyboard.press("e");
  await expect(page.getByLabel("Type")).toBeFocused();
  await page.keyboard.press("a");
  await expect(heading(page, "w-5")).toBeVisible();
  await page.locator("h1").click();
  await page.keyboard.press("?");
  await expect(page.locator(".keys .shown")).toHaveCount(1);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(page.locator(".keys .shown")).toHaveCount(0);
  await switched(page).uncheck();
  await page.locator("h1").click();
  await page.keyboard.press("a");
  await page.reload();
  await expect(switched(page)).not.toBeChecked();
  await switched(page).check();
  await page.locator("h1").click();
  await page.keyboard.down("a");
  await page.keyboard.down("a");
  await page.keyboard.up("a");
  await expect(page.getByRole("status")).toHaveText("Approved w-5.");
  await expect(heading(page, "w-4")).toBeVisible();
  await expect(switched(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(row(page, "w-4")).toBeVisible();
});

test("without scripts, a decision leads to the next report, too", async ({ browser, ownService }) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await signIn(page, ownService);
  await row(page, "w-5").getByRole("link", { name: "Open w-5" }).click();
  await expect(page.locator(".keys")).toBeHidden();
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(heading(page, "w-4")).toBeVisible();
  await page.getByRole("link", { name: "Next report" }).click();
  await expect(heading(page, "w-3")).toBeVisible();
  await page.getByRole("link", { name: "Back to the list" }).click();
  await expect(row(page, "w-4")).toBeVisible();
  await page.context().close();
});

test("a report is corrected in its row by keys", { tag: "@release" }, async ({ expectErrors, page, ownService }) => {
  expectErrors(/400 \(Bad Request\)/);
  await signIn(page, ownService);
  await handlesKeys(page);
  await expect(row(page, "w-5")).toBeFocused();
  await page.keyboard.press("e");
  const editor = row(page, "w-5").getByRole("group", { name: "Correct w-5" });
  await expect(editor.getByLabel("Type")).toBeFocused();
  await editor.getByLabel("City").fill("");
  await editor.getByLabel("City").press("Enter");
  await expect(editor.getByRole("alert")).toContainText(/Nothing was changed\. .?city.?: /);
  await expect(editor.getByLabel("City")).toBeFocused();
  await page.keyboard.type("Valinhos");
  await editor.getByLabel("People").fill("7");
  await editor.getByLabel("People").press("Enter");
  await expect(editor).toHaveCount(0);
  await expect(row(page, "w-5")).toContainText("Valinhos");
  await expect(row(page, "w-5")).toContainText("7 people");
  await expect(row(page, "w-5")).toBeFocused();
  await page.keyboard.press("e");
  await editor.getByLabel("City").fill("Nowhere");
  await editor.getByLabel("City").press("Escape");
  await expect(editor).toHaveCount(0);
  await expect(row(page, "w-5")).toBeFocused();
  await page.keyboard.press("j");
  await expect(row(page, "w-4")).toBeFocused();
  await page.goto(`${ownService.operatorsBase}/desk/report?id=w-5`);
  await expect(page.locator(".report > dl")).toContainText("Valinhos, São Paulo, Brazil");
  await expect(page.getByLabel("Latitude")).toHaveValue("-22.91");
});

test("what is typed into a row stays while a colleague decides on it, and keys decide nothing", async ({ page, ownService }) => {
  await signIn(page, ownService);
  await handlesKeys(page);
  await page.keyboard.press("e");
  const editor = row(page, "w-5").locator(".edit");
  await editor.getByLabel("City").fill("Valinhos");
  await ownService.svc("reports", "approve", "w-5");
  await expect(row(page, "w-5")).toContainText("approved it on ");
  await expect(editor.getByLabel("City")).toBeFocused();
  await expect(editor.getByLabel("City")).toHaveValue("Valinhos");
  await row(page, "w-3").click();
  await page.keyboard.press("a");
  await expect(page.locator(".deciding, .decisions li")).toHaveCount(0);
  await expect(editor.getByLabel("City")).toHaveValue("Valinhos");
  await editor.getByRole("button", { name: "Save" }).click();
  await expect(editor).toHaveCount(0);
  await expect(row(page, "w-5")).toContainText("Valinhos");
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing in an open row and on a report's page in ${colorScheme}, and nothing is cut off`, async ({
    expectErrors,
    page,
    ownService,
  }) => {
    expectErrors(/400 \(Bad Request\)/);
    await page.emulateMedia({ colorScheme });
    await signIn(page, ownService);
    await handlesKeys(page);
    await page.keyboard.press("e");
    const editor = row(page, "w-5").locator(".edit");
    await editor.getByLabel("City").fill("");
    await editor.getByLabel("City").press("Enter");
    await expect(editor.getByRole("alert")).toBeVisible();
    for (const path of ["", "/desk/report?id=w-5&list="]) {
      if (path !== "") await page.goto(ownService.operatorsBase + path);
      for (const width of [320, 768, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await violations(page), `${path} at ${width}`).toEqual([]);
        expect(await overflow(page), `${path} at ${width}`).toBe(0);
      }
    }
    const name = page.locator(".surroundings bdi");
    await expect(name).toHaveText("Campinas");
    const map = await page.locator(".surroundings").boundingBox();
    const box = await name.boundingBox();
    expect(box!.x).toBeGreaterThanOrEqual(map!.x);
    expect(box!.y + box!.height).toBeLessThanOrEqual(map!.y + map!.height);
  });
}
