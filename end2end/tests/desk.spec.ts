import { violations } from "../support/axe.js";
import { eachSize, expectIds, handlesKeys, other, row, signIn } from "../support/desk.js";
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

eachSize(() => {
  test("a moderator works through the queue by keys", { tag: "@release" }, async ({ page, ownService }) => {
    await signIn(page, ownService);
    await expectIds(page, ["w-4", "w-3", "w-2", "w-1", "pending-1"]);
    await handlesKeys(page);
    await expect(row(page, "w-4")).toBeFocused();
    // A key that is held down decides once.
    await page.keyboard.down("a");
    await page.keyboard.down("a");
    await page.keyboard.up("a");
    await expect(page.getByRole("status")).toHaveText("Approved w-4.");
    await expectIds(page, ["w-3", "w-2", "w-1", "pending-1"]);
    await expect(row(page, "w-3")).toHaveClass(/current/);
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await expect(page.locator(".bulk")).toContainText("2 selected");
    await page.keyboard.press("r");
    await expect(page.getByRole("status")).toHaveText("Rejected 2 reports.");
    await expectIds(page, ["w-3", "pending-1"]);
    await page.keyboard.press("u");
    await expect(page.getByRole("status")).toHaveText("Undone: 2 reports wait for a decision again.");
    await expectIds(page, ["w-3", "w-2", "w-1", "pending-1"]);
    await expect(page.locator(".waiting")).toHaveText("4 reports wait for a decision.");
  });

  test("undoing means the last decision, also when the list has not been read since", async ({ page, ownService }) => {
    await signIn(page, ownService);
    await handlesKeys(page);
    await page.route("**/desk/do/look*", async (route) => {
      await new Promise((done) => setTimeout(done, 1_000));
      await route.continue();
    });
    await page.keyboard.press("a");
    await expect(page.getByRole("status")).toHaveText("Approved w-4.");
    await page.keyboard.press("r");
    await expect(page.getByRole("status")).toHaveText("Rejected w-3.");
    await page.keyboard.press("u");
    await expect(page.getByRole("status")).toHaveText("Undone: 1 report waits for a decision again.");
    await expectIds(page, ["w-3", "w-2", "w-1", "pending-1"]);
  });

  test("the same with a mouse: the report below is the next one, and what may be the same is marked", async ({
    page,
    ownService,
  }) => {
    await signIn(page, ownService);
    const alike = "Perhaps the same as w-1 (pending): same place, same day, as many people";
    await expect(row(page, "w-2").locator(".alike")).toHaveText(alike);
    await handlesKeys(page);
    await page.getByLabel("Select w-1").check();
    await page.getByRole("button", { name: "Approve w-3" }).click();
    await expect(page.getByRole("status")).toHaveText("Approved w-3.");
    await expect(row(page, "w-2")).toBeFocused();
    await expect(page.locator(".bulk")).toContainText("1 selected");
    await page.getByRole("button", { name: "Reject w-2" }).click();
    await expect(page.getByRole("status")).toHaveText("Rejected w-2.");
    await expect(row(page, "w-1").locator(".alike")).toBeHidden();
    await page.locator("section.decisions").getByRole("button", { name: "Undo" }).first().click();
    await expect(row(page, "w-2")).toBeVisible();
  });

  test("letters typed into a filter decide nothing, whatever others do meanwhile", async ({ page, ownService }) => {
    await signIn(page, ownService);
    await handlesKeys(page);
    await expect(row(page, "w-4")).toBeFocused();
    await page.getByText("Filter").click();
    await page.getByLabel("City").focus();
    await ownService.svc("reports", "reject", "w-4");
    await expect(row(page, "w-4")).toContainText("rejected it");
    await page.keyboard.type("ara");
    await expect(page.getByLabel("City")).toBeFocused();
    await expect(page.getByLabel("City")).toHaveValue("ara");
    await expectIds(page, ["w-4", "w-3", "w-2", "w-1", "pending-1"]);
    await expect(page.locator(".waiting")).toHaveText("4 reports wait for a decision.");
    await page.locator("h1").click();
    await page.keyboard.press("a");
    await expect(page.locator(".deciding, .decisions li")).toHaveCount(0);
  });

  test("keys can be turned off, and stay so", async ({ page, ownService }) => {
    await signIn(page, ownService);
    await handlesKeys(page);
    const setting = page.getByLabel("Keys, while the list has the focus");
    await expect(setting).toBeChecked();
    await setting.uncheck();
    await page.reload();
    await expect(setting).not.toBeChecked();
    await page.locator(".reports").press("j");
    await page.locator(".reports").press("a");
    await expect(page.locator(".current, .deciding, .decisions li")).toHaveCount(0);
    await setting.check();
    await page.locator(".reports").press("j");
    await expect(row(page, "w-4")).toBeFocused();
  });

  test("shift selects a range, a number rejects with a reason, and ? shows the keys", async ({ page, ownService }) => {
    await signIn(page, ownService);
    await handlesKeys(page);
    await page.keyboard.press("?");
    await expect(page.locator(".keys .shown")).toHaveCount(1);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await expect(page.locator(".keys .shown")).toHaveCount(0);
    await page.keyboard.press("Shift+J");
    await page.keyboard.press("Shift+J");
    await expect(page.locator(".bulk")).toContainText("3 selected");
    await page.getByLabel("Select w-1").click({ modifiers: ["Shift"] });
    await expect(page.locator(".bulk")).toContainText("4 selected");
    await page.locator(".reports").press("3");
    await expect(page.locator(".told")).toHaveText("Rejected 4 reports.");
    await page.goto(`${ownService.operatorsBase}/desk/report?id=w-4`);
    await expect(page.getByText("rejected").first()).toBeVisible();
    await expect(page.getByText("Test").first()).toBeVisible();
  });

  test("new reports wait behind a button, and move nothing until it is pressed", async ({ page, ownService }) => {
    await signIn(page, ownService);
    await handlesKeys(page);
    const before = await row(page, "w-4").boundingBox();
    await ownService.import([
      { id: "n-1", type: "water", ...PLACE },
      { id: "n-2", type: "water", ...PLACE },
    ]);
    const button = page.getByRole("button", { name: "Show 2 new reports" });
    await expect(button).toBeVisible();
    expect(await row(page, "w-4").boundingBox()).toEqual(before);
    await expect(row(page, "w-4")).toBeFocused();
    await button.click();
    await expectIds(page, ["n-2", "n-1", "w-4", "w-3", "w-2", "w-1", "pending-1"]);
    await expect(row(page, "n-2")).toBeFocused();
    await expect(button).toBeHidden();
  });

  test("of two people, each sees what the other looks at and decides, and no key hits another report", async ({
    browser,
    page,
    ownService,
  }) => {
    await signIn(page, ownService, "Maria");
    await handlesKeys(page);
    await expect(row(page, "w-4")).toHaveClass(/current/);
    const jo = await other(browser);
    await signIn(jo, ownService, "Jo");
    await expect(row(jo, "w-4").locator(".note")).toHaveText("Maria is looking at this.");
    // The second person begins in the other half.
    await handlesKeys(jo);
    await expect(row(jo, "w-1")).toHaveClass(/current/);
    await expect(row(page, "w-1").locator(".note")).toHaveText("Jo is looking at this.");

    await page.keyboard.press("j");
    const reading = row(page, "w-3");
    await expect(reading).toBeFocused();
    const before = await reading.boundingBox();
    await jo.getByRole("button", { name: "Approve w-4" }).click();
    await jo.getByRole("button", { name: "Approve w-3" }).click();
    await expect(reading).toContainText("Jo approved it on ");
    await expect(row(page, "w-4")).toContainText("Jo approved it on ");
    expect(await reading.boundingBox()).toEqual(before);
    await expect(reading).toBeFocused();
    await expect(reading).toHaveClass(/current/);
    await page.keyboard.press("a");
    await expect(page.getByRole("status")).toHaveText(/^w-3: Jo approved it on /);
    await expect(page.locator(".waiting")).toHaveText("3 reports wait for a decision.");

    // Jo's page does not get this update, as if both decided at the same moment.
    await jo.route("**/desk/do/look", (route) => route.abort());
    await page.keyboard.press("j");
    await expect(row(page, "w-2")).toBeFocused();
    await page.keyboard.press("a");
    await expect(page.locator(".told")).toHaveText("Approved w-2.");
    await jo.getByRole("button", { name: "Reject w-2" }).click();
    await expect(jo.locator(".told")).toHaveText(/^w-2: Maria approved it on \d+ \w+ \d{4}, /);
    await jo.context().close();
  });
});

test("who has left is no longer shown beside a report", async ({ browser, page, ownService }) => {
  await signIn(page, ownService, "Maria");
  const jo = await other(browser);
  await signIn(jo, ownService, "Jo");
  await handlesKeys(jo);
  await expect(row(page, "w-4").locator(".note")).toHaveText("Jo is looking at this.");
  await jo.context().close();
  await expect(row(page, "w-4").locator(".note")).toBeEmpty();
});

test("an unchanged list is not sent again, and a page without service or session says so", async ({
  expectErrors,
  page,
  ownService,
}) => {
  expectErrors(/Failed to load resource/);
  await page.setViewportSize({ width: 320, height: 800 });
  await signIn(page, ownService);
  await handlesKeys(page);
  const bodies: string[] = [];
  page.on("response", async (response) => {
    if (response.url().endsWith("/desk/do/look")) bodies.push(await response.text());
  });
  await expect.poll(() => bodies.slice(-2)).toEqual(["null", "null"]);
  await page.route("**/desk/do/look", (route) => route.abort());
  const tray = page.locator(".tray");
  await expect(tray.getByRole("status")).toHaveText(/^The service does not respond\./);
  await page.unroute("**/desk/do/look");
  await expect(tray.getByRole("status")).toBeHidden();
  await page.context().clearCookies();
  await expect(tray.getByRole("status")).toHaveText(/^You are no longer signed in\./);
  await tray.getByRole("link", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
});
