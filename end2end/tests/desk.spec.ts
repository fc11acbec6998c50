import type { Browser, BrowserContextOptions, Page } from "@playwright/test";
import { overflow, violations } from "../support/axe.js";
import { enter, handlesKeys, signIn } from "../support/desk.js";
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

/** Widths of phones, tablets and computers, each in one of the themes. */
const SIZES = [
  [320, "light"],
  [768, "dark"],
  [1280, "light"],
] as const;

/** Ids of the rows, without those that are being decided on. */
const ids = (page: Page) =>
  page.locator(".reports > li:not(.deciding)").evaluateAll((rows) => rows.map((row) => row.dataset.id));
const expectIds = (page: Page, expected: string[]) => expect.poll(() => ids(page)).toEqual(expected);
const row = (page: Page, id: string) => page.locator(`.reports > li[data-id="${id}"]`);

test.beforeEach(async ({ ownService }) => {
  await ownService.import(WAITING);
});

test("a moderator works through the queue by keys", { tag: "@release" }, async ({ page, ownService }) => {
  await signIn(page, ownService);
  await expectIds(page, ["w-4", "w-3", "w-2", "w-1", "pending-1"]);
  await handlesKeys(page);
  await expect(row(page, "w-4")).toBeFocused();
  await page.keyboard.press("a");
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

for (const [width, colorScheme] of SIZES) {
  test(`the same with a mouse at ${width}, and what may be the same is marked`, async ({ page, ownService }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await signIn(page, ownService);
    await expect(row(page, "w-2").locator(".alike")).toHaveText("Perhaps the same as w-1 (pending): same place, same day, as many people");
    await handlesKeys(page);
    await page.getByRole("button", { name: "Reject w-2" }).click();
    await expect(page.getByRole("status")).toHaveText("Rejected w-2.");
    await expect(row(page, "w-1").locator(".alike")).toBeHidden();
    await page.locator("section.decisions").getByRole("button", { name: "Undo" }).click();
    await expect(row(page, "w-2")).toBeVisible();
  });
}

test("a decision by a button leads to the report below, and leaves other selections alone", async ({ page, ownService }) => {
  await signIn(page, ownService);
  await handlesKeys(page);
  await page.getByLabel("Select w-1").check();
  await page.getByRole("button", { name: "Approve w-3" }).click();
  await expect(page.getByRole("status")).toHaveText("Approved w-3.");
  await expect(row(page, "w-2")).toBeFocused();
  await expect(page.locator(".bulk")).toContainText("1 selected");
});

test("a key that is held down decides once", async ({ page, ownService }) => {
  await signIn(page, ownService);
  await handlesKeys(page);
  await page.keyboard.down("a");
  await page.keyboard.down("a");
  await page.keyboard.up("a");
  await expect(page.getByRole("status")).toHaveText("Approved w-4.");
  await expectIds(page, ["w-3", "w-2", "w-1", "pending-1"]);
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

test("a report that a colleague decides on stays where it is, and the next key hits no other", async ({
  browser,
  page,
  ownService,
}) => {
  const jo = await other(browser);
  await signIn(page, ownService, "Maria");
  await signIn(jo, ownService, "Jo");
  await handlesKeys(page);
  await handlesKeys(jo);
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
  await page.keyboard.press("j");
  await expect(row(page, "w-2")).toBeFocused();
  await expect(page.locator(".waiting")).toHaveText("3 reports wait for a decision.");
  await jo.context().close();
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

test("an unchanged list is not sent again, and a page without service or session says so", async ({
  expectErrors,
  page,
  ownService,
}) => {
  expectErrors(/Failed to load resource/);
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

test("the second of two people who decide at once sees who was first", async ({ browser, page, ownService }) => {
  const jo = await other(browser);
  await signIn(page, ownService, "Maria");
  await signIn(jo, ownService, "Jo");
  await handlesKeys(page);
  await handlesKeys(jo);
  // Jo's page does not get this update, as if both decided at the same moment.
  await jo.route("**/desk/do/look", (route) => route.abort());
  await page.getByRole("button", { name: "Approve w-2" }).click();
  await expect(page.locator(".told")).toHaveText("Approved w-2.");
  await jo.getByRole("button", { name: "Reject w-2" }).click();
  await expect(jo.locator(".told")).toHaveText(
    /^w-2: Maria approved it on \d+ \w+ \d{4}, /,
  );
  await jo.context().close();
});

for (const [width, colorScheme] of SIZES) {
  test(`without scripts, everything goes by forms at ${width}`, { tag: "@release" }, async ({ browser, ownService }) => {
    const page = await other(browser, { javaScriptEnabled: false, colorScheme, viewport: { width, height: 800 } });
    await signIn(page, ownService);
    await page.getByRole("button", { name: "Approve w-4" }).click();
    await expectIds(page, ["w-3", "w-2", "w-1", "pending-1"]);
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
    await expect(page.getByText("No report matches.")).toBeVisible();
    await page.getByRole("link", { name: "Remove Type: Water" }).click();
    await page.getByRole("link", { name: /^Approved [\d,]+$/ }).click();
    await expect(row(page, "w-4").getByRole("button")).toHaveText(["Withdraw"]);
    await expect(row(page, "w-3")).toBeVisible();
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
    await page.context().close();
  });
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with scripts" : "without scripts";
  test(`a file is imported ${how}, and refused rows are shown and downloaded`, async ({
    browser,
    ownService,
  }) => {
    const page = await other(browser, { javaScriptEnabled });
    await signIn(page, ownService);
    await page.getByRole("link", { name: "Imports" }).click();
    const file = "id,type,city,country,People\nf-1,spirit,Recife,Brazil,17\nf-2,wine,Recife,Brazil,1\n";
    const buffer = Buffer.from(file);
    await page.getByLabel("File").setInputFiles({ name: "day.csv", mimeType: "text/csv", buffer });
    await page.getByRole("button", { name: "Upload" }).click();
    await expect(page.getByRole("heading", { name: "day.csv" })).toBeVisible();
    await expect(page.getByText("2 rows: 1 new, 0 there already, 1 refused.")).toBeVisible();
    await expect(page.getByText('the column "People" is not used')).toBeVisible();
    if (javaScriptEnabled) {
      expect(await violations(page)).toEqual([]);
    }
    await page.locator(`select[name="column.People"]`).selectOption("peopleCount");
    await page.getByRole("button", { name: "Show the preview" }).click();
    await expect(page.getByRole("cell", { name: "17", exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Import 1 report" }).click();
    await expect(page.getByRole("heading", { name: "Its reports now" })).toBeVisible();
    await expect(page.getByRole("cell", { name: "wine", exact: true })).toBeVisible();
    const downloading = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download them" }).click();
    const stream = await (await downloading).createReadStream();
    const text = Buffer.concat(await stream.toArray()).toString();
    expect(text.split("\n")[0]).toBe("refusedBecause,id,type,city,country,People");
    await page.getByRole("link", { name: "1 pending", exact: true }).click();
    await expectIds(page, ["f-1"]);
    await page.context().close();
  });
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with scripts" : "without scripts";
  test(`a report is corrected on its page ${how}, and the public sees it`, async ({ browser, ownService }) => {
    await ownService.svc("reports", "approve", "w-3");
    const page = await other(browser, { javaScriptEnabled });
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
    await page.context().close();
  });
}

test("the reference of the operators' API does what it is told with a key", async ({ page, ownService }) => {
  const key = await ownService.operatorsKey("Script", "moderate");
  await page.goto(`${ownService.operatorsBase}/docs/operator`);
  await page.getByLabel("Key of the tier operator").fill(key);
  const list = page.locator("#listAllReports");
  await list.getByLabel("type").selectOption("water");
  await list.getByRole("button", { name: "Send" }).click();
  await expect(list.getByRole("status")).toHaveText("200 OK");
  await expect(list.locator(".answer pre")).toContainText('"id": "w-3"');
  await expect(list.locator(".answer pre")).not.toContainText('"id": "w-1"');
  const one = page.locator("#correctReport");
  await one.getByLabel("id").fill("w-3");
  await one.getByLabel("body").fill('{ "peopleCount": 13 }');
  await one.getByRole("button", { name: "Send" }).click();
  await expect(one.locator(".answer pre")).toContainText('"peopleCount": 13');
  await expect(one.locator(".answer pre")).toContainText('"actor": "Script"');
});

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with" : "without";
  test(`an administrator creates a key and revokes it, ${how} scripts`, async ({ browser, ownService }) => {
    const ada = await other(browser, { javaScriptEnabled });
    await signIn(ada, ownService, "Ada", "admin");
    await ada.getByRole("link", { name: "Overview" }).click();
    await ada.getByRole("link", { name: "Manage keys and sessions" }).click();
    await ada.getByLabel("Name").fill("Jo");
    await ada.getByRole("combobox", { name: /^For/ }).selectOption("operator:moderate");
    await ada.getByRole("button", { name: "Create" }).click();
    await expect(ada.getByRole("heading", { name: "The new key of Jo" })).toBeVisible();
    const key = (await ada.locator(".issued code").textContent()) ?? "";
    await ada.reload();
    await expect(ada.locator(".entries > li", { hasText: "Jo" })).toHaveCount(1);
    await expect(ada.locator("main")).not.toContainText(key);

    const jo = await other(browser, { javaScriptEnabled });
    await jo.goto(`${ownService.operatorsBase}/desk`);
    await enter(jo, key);

    const entry = ada.locator(".entries > li", { hasText: "Jo" }).first();
    await entry.getByText("Revoke", { exact: true }).click();
    await entry.getByRole("button", { name: "Revoke svc_" }).click();
    await expect(ada.getByRole("status")).toHaveText(`The key ${key.slice(0, 12)} is revoked.`);
    await jo.reload();
    await expect(jo.getByRole("heading", { name: "Sign in" })).toBeVisible();
  });
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing in the operators' reference in ${colorScheme}, and nothing is cut off`, async ({
    page,
    ownService,
  }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto(`${ownService.operatorsBase}/docs/operator`);
    for (const width of [320, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await violations(page), `${width}`).toEqual([]);
      expect(await overflow(page), `${width}`).toBe(0);
    }
  });
}

/** Opens a page of another visitor. */
async function other(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  return (await browser.newContext(options)).newPage();
}

test("two people see what the other looks at, and begin in different halves", async ({ browser, page, ownService }) => {
  await signIn(page, ownService, "Maria");
  await handlesKeys(page);
  await expect(row(page, "w-4")).toHaveClass(/current/);
  const jo = await other(browser);
  await signIn(jo, ownService, "Jo");
  await expect(row(jo, "w-4").locator(".note")).toHaveText("Maria is looking at this.");
  await handlesKeys(jo);
  await expect(row(jo, "w-1")).toHaveClass(/current/);
  await expect(row(page, "w-1").locator(".note")).toHaveText("Jo is looking at this.");
  await jo.context().close();
  await expect(row(page, "w-1").locator(".note")).toBeEmpty();
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
