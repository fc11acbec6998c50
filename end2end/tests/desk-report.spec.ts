import type { Page } from "@playwright/test";
import { overflow, violations } from "../support/axe.js";
import { eachSize, eachWay, handlesKeys, row, signIn } from "../support/desk.js";
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

/** Checks the page in both themes. */
async function expectAccessible(page: Page): Promise<void> {
  expect(await overflow(page)).toBe(0);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    expect(await violations(page), colorScheme).toEqual([]);
  }
}

eachSize(() => {
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

  test("a report is corrected in its row", { tag: "@release" }, async ({ expectErrors, page, ownService }) => {
    expectErrors(/400 \(Bad Request\)/);
    await signIn(page, ownService);
    await handlesKeys(page);
    await expect(row(page, "w-5")).toBeFocused();
    await page.keyboard.press("e");
    const editor = page.getByRole("group", { name: "Correct w-5" });
    await expect(editor.getByLabel("Type")).toBeFocused();
    await editor.getByLabel("City").fill("");
    await editor.getByLabel("City").press("Enter");
    await expect(editor.getByRole("alert")).toContainText(/Nothing was changed\. .?city.?: /);
    await expect(editor.getByLabel("City")).toBeFocused();
    await expectAccessible(page);
    await page.keyboard.type("Valinhos");
    await editor.getByLabel("People").fill("7");
    await editor.getByLabel("Latitude").fill("-22.97");
    await editor.getByLabel("Latitude").press("Enter");
    await expect(editor).toHaveCount(0);
    await expect(row(page, "w-5")).toContainText("Valinhos");
    await expect(row(page, "w-5")).toContainText("7 people");
    await expect(row(page, "w-5").getByRole("img", { name: "Map: -22.97, -47.06" })).toBeVisible();
    await expect(row(page, "w-5")).toBeFocused();

    // By a mouse; one at a time, so that none is forgotten.
    const other = page.getByRole("group", { name: "Correct w-4" });
    await page.getByRole("link", { name: "Correct w-4" }).click();
    await expect(other.getByLabel("Type")).toBeFocused();
    await other.getByLabel("City").fill("Nowhere");
    await page.getByRole("link", { name: "Correct w-3" }).click();
    await expect(other.getByLabel("Type")).toBeFocused();
    await expect(other.getByLabel("City")).toHaveValue("Nowhere");
    await other.getByLabel("City").press("Escape");
    await expect(other).toHaveCount(0);
    await expect(row(page, "w-4")).toBeFocused();
    await expect(row(page, "w-4")).toContainText("Campinas");

    await page.goto(`${ownService.operatorsBase}/desk/report?id=w-5&list=`);
    await expect(page.locator(".report > dl")).toContainText("Valinhos, São Paulo, Brazil");
    await expect(page.getByLabel("Latitude")).toHaveValue("-22.97");
    await expectAccessible(page);
    const name = page.locator(".surroundings bdi");
    await expect(name).toHaveText("Valinhos");
    const map = await page.locator(".surroundings").boundingBox();
    const box = await name.boundingBox();
    expect(box!.x).toBeGreaterThanOrEqual(map!.x);
    expect(box!.y + box!.height).toBeLessThanOrEqual(map!.y + map!.height);
  });

  test("a row that a colleague corrects changes in place, and keeps the focus", async ({ page, ownService }) => {
    await signIn(page, ownService);
    await handlesKeys(page);
    const link = row(page, "w-5").getByRole("link", { name: "Open w-5" });
    await page.getByLabel("Select w-5").check();
    await link.focus();
    const key = await ownService.operatorsKey("Jo", "moderate");
    const corrected = await fetch(`${ownService.operatorsBase}/operator/v1/reports/w-5`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ type: "spirit", city: "Valinhos", lat: null, lng: null }),
    });
    expect(corrected.status).toBe(200);
    await expect(row(page, "w-5")).toContainText("Valinhos");
    await expect(row(page, "w-5")).toHaveClass("spirit current");
    await expect(row(page, "w-5").locator(".map")).toHaveCount(0);
    await expect(link).toBeFocused();
    await expect(page.getByLabel("Select w-5")).toBeChecked();
    await page.getByRole("button", { name: "Approve w-5" }).click();
    await expect(page.getByRole("status")).toHaveText("Approved w-5.");
  });

  test("what is typed into a row stays while a colleague decides on it, and keys decide nothing", async ({ page, ownService }) => {
    await signIn(page, ownService);
    await handlesKeys(page);
    await page.keyboard.press("e");
    const editor = row(page, "w-5").locator(".edit");
    await expect(editor.getByLabel("Type")).toBeFocused();
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

  test.describe("without scripts", () => {
    test.use({ javaScriptEnabled: false });

    test("a decision leads to the next report, too, and a link to the form", async ({ page, ownService }) => {
      await signIn(page, ownService);
      await row(page, "w-5").getByRole("link", { name: "Open w-5" }).click();
      await expect(page.locator(".keys")).toBeHidden();
      await page.getByRole("button", { name: "Approve", exact: true }).click();
      await expect(heading(page, "w-4")).toBeVisible();
      await page.getByRole("link", { name: "Next report" }).click();
      await expect(heading(page, "w-3")).toBeVisible();
      await page.getByRole("link", { name: "Back to the list" }).click();
      await row(page, "w-4").getByRole("link", { name: "Correct w-4" }).click();
      await expect(page.getByLabel("City")).toBeInViewport();
      await page.getByLabel("City").fill("Valinhos");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("link", { name: "Back to the list" }).click();
      await expect(row(page, "w-4")).toContainText("Valinhos");
    });
  });
});

eachWay(() => {
  test("a report is corrected on its page, and the public sees it", async ({ page, ownService }) => {
    await ownService.svc("reports", "approve", "w-3");
    await signIn(page, ownService);
    await page.goto(`${ownService.operatorsBase}/desk/report?id=w-3`);
    await page.getByText("Correct this report").click();
    await page.getByLabel("City").fill("Oslo");
    await page.getByLabel("Region").fill("");
    await page.getByLabel("Country").fill("Norway");
    await page.getByLabel("Latitude").fill("95");
    await page.getByLabel("Longitude").fill("10.75");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("alert")).toContainText("Nothing was changed. lat: ");
    await expect(page.locator(".report > dl")).toContainText("Campinas");

    // Nothing typed is lost.
    await expect(page.getByLabel("City")).toHaveValue("Oslo");
    await expect(page.getByLabel("Region")).toHaveValue("");
    await page.getByLabel("Latitude").fill("59.9");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.locator(".report > dl")).toContainText("Oslo, Norway");
    await expect(page.locator(".history")).toContainText("Maria");
    await expect(page.getByRole("alert")).toHaveCount(0);
    const total = async () => {
      const counters = await fetch(`${ownService.base}/api/v1/metrics?city=Oslo&country=NO`);
      return (await counters.json()).total;
    };
    await expect.poll(total).toBe(1);
  });
});
