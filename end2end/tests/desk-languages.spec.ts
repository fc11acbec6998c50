import type { Page } from "@playwright/test";
import { expectIds, handlesKeys } from "../support/desk.js";
import { checks, LANGUAGES } from "../support/languages.js";
import type { Row, Service } from "../support/service.js";
import { expect, test } from "../support/test.js";
import { untranslated } from "../support/untranslated.js";

const LONG = "A person with a name that is long enough to be cut off somewhere";
const PLACE = { city: "Campinas", region: "São Paulo", country: "Brazil" };
const WAITING: Row[] = [
  { id: "w-1", type: "spirit", ...PLACE, peopleCount: 3, lat: -22.91, lng: -47.06 },
  { id: "w-2", type: "spirit", ...PLACE, peopleCount: 3, lat: -22.91, lng: -47.06 },
  { id: "w-3", type: "water", ...PLACE, city: "Campinass", peopleCount: 12 },
  { id: "w-4", type: "both", city: "صنعاء", country: "Yemen" },
];
const DECIDED: Row[] = ["approved", "rejected", "withdrawn"].map((id) => ({ id, type: "water", ...PLACE }));

/** File in which most rows have another fault, and a column has an unknown name. */
const FAULTY = [
  "id,type,city,country,eventDate,peopleCount,lat,lng,People",
  "f-1,spirit,Recife,Brazil,2026-01-02,1,,,17",
  "f-2,wine,Recife,Brazil,2026-01-02,1,,,1",
  "f-3,water,Recife,Brazil,13/02/2026,1,,,1",
  "f-4,water,Recife,Brazil,2999-01-02,1,,,1",
  'f-5,water,Recife,Brazil,2026-01-02,"1,200",,,1',
  "f-6,water,Recife,Brazil,2026-01-02,-1,,,1",
  "f-7,water,Recife,Brazil,2026-01-02,1,95,10,1",
  "f-8,water,Recife,Brazil,2026-01-02,1,9,,1",
  "f-9,water,,,2026-01-02,1,,,1",
  "f-1,water,Recife,Brazil,2026-01-02,1,,,1",
  "f-10,water,Recife",
  'f-11,water,"Recife,Brazil,2026-01-02,1,,,1',
].join("\n");

test.beforeEach(({ expectErrors }) => expectErrors(/40[034] \(|does not conform to the required format/));

for (const [number, lang] of LANGUAGES.entries()) {
  test(`all pages of the desk in ${lang} are accessible, fit each width and are translated`, async ({
    page,
    ownService,
  }) => {
    test.slow(); // The test runs axe 31 times.
    await prepare(ownService);
    await use(page, ownService, lang);
    const base = ownService.operatorsBase;
    const check = checks(page, number);
    await page.goto(`${base}/desk/sign-in`);
    await check("sign-in");
    await signIn(page, await ownService.operatorsKey("Ada", "admin"));
    await upload(page, ownService);
    await check("preview");
    await page.locator("form.send button").click();
    await page.waitForURL(/import\?id=/);
    await check("import");
    for (const path of PAGES) {
      await page.goto(`${base}/desk${path}`);
      // Texts within are part of the page.
      await page.locator("details").evaluateAll((all) => all.forEach((one) => one.setAttribute("open", "")));
      await check(path);
    }
  });
}

/** Pages of the desk, besides those above. */
const PAGES = [
  "",
  "?status=APPROVED&country=Brazil&type=water&q=Camp&from=2020-01-01",
  "?status=WITHDRAWN",
  "?from=tomorrow",
  "?q=nothing-like-this",
  "/report?id=w-2&list=",
  "/report?id=approved",
  "/report?id=none",
  "/all?step=reject&country=Brazil",
  "/all?step=withdraw&status=APPROVED",
  "/all?step=approve&from=tomorrow",
  "/correct?country=Brazil",
  "/correct?country=Brazil&newCity=Santos",
  "/correct?country=Brazil&newLat=95",
  "/correct?from=tomorrow",
  "/places",
  "/imports",
  "/import?id=none",
  "/preview?id=none",
  "/audit",
  "/audit?by=day",
  "/audit?actor=nobody",
  "/audit/entry?id=1",
  "/audit/entry?id=999",
  "/overview?interval=week",
  "/keys",
  "/webhooks",
  "/nowhere",
];

test("after each action of a moderator, the page is in Arabic", async ({ browser, page, ownService }) => {
  await prepare(ownService);
  await use(page, ownService, "ar");
  await page.goto(`${ownService.operatorsBase}/desk`);
  const key = await ownService.operatorsKey("Maria", "admin");
  await signIn(page, "svc_wrong");
  await expectArabic(page, "[role=alert]");
  await signIn(page, key);
  await handlesKeys(page);
  for (const pressed of ["a", "u", "3", "x", "x", "?"]) {
    await page.keyboard.press(pressed);
    if (/[au3]/.test(pressed)) await expectArabic(page, ".told:not(:empty)");
    expect.soft(await untranslated(page), pressed).toEqual([]);
  }
  await page.keyboard.press("Escape");
  // The list has been read since the undoing, which permits it to move rows.
  await expectIds(page, ["w-4", "w-2", "w-1", "pending-1"]);
  await ownService.svc("reports", "approve", "w-2");
  await expect(page.locator('[data-id="w-2"].gone')).toBeVisible();
  await ownService.import([{ id: "n-1", type: "water", ...PLACE }]);
  await expect(page.locator(".tray button")).toBeVisible();
  expect.soft(await untranslated(page), "decided by somebody else, and new").toEqual([]);
  await page.locator('[data-id="w-2"] .glyph').click();
  await page.keyboard.press("a");
  await expectArabic(page, ".told:not(:empty)");

  const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await use(plain, ownService, "ar");
  await plain.goto(`${ownService.operatorsBase}/desk`);
  await signIn(plain, key);
  await plain.locator('[data-id="w-1"] button.approve').click();
  await expectArabic(plain, "main > .done");
  await plain.locator(".decisions button").first().click();
  await expectArabic(plain, "main > .done");
  await plain.locator(".bulk button.reject").click();
  await expectArabic(plain, "main > .trouble");
  await plain.goto(`${ownService.operatorsBase}/desk/report?id=w-1`);
  await plain.locator("details.correct summary").click();
  await plain.locator("details.correct [name*=lat]").fill("95");
  await plain.locator("details.correct button").click();
  await expectArabic(plain, "main .trouble");
  await plain.context().close();
});

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with scripts" : "without scripts";
  test(`the language is that of the browser, or chosen below each page ${how}`, async ({ browser, ownService }) => {
    const context = await browser.newContext({ javaScriptEnabled, locale: "fr-FR" });
    const page = await context.newPage();
    const html = page.locator("html");
    await page.goto(`${ownService.operatorsBase}/desk/sign-in?back=%2Fdesk%2Faudit%3Factor%3DMaria`);
    await expect(page.getByRole("heading", { name: "Se connecter" })).toBeVisible();
    await page.getByRole("button", { name: "Deutsch" }).click();
    await expect(html).toHaveAttribute("lang", "de");
    await page.getByLabel("Eigener Schlüssel").fill(await ownService.operatorsKey("Maria", "read"));
    await page.getByRole("button", { name: "Anmelden" }).click();
    await expect(page).toHaveURL(/\/desk\/audit\?actor=Maria$/);
    await page.getByRole("button", { name: "العربية" }).click();
    await expect(page).toHaveURL(/\/desk\/audit\?actor=Maria$/);
    await expect(html).toHaveAttribute("dir", "rtl");
    await expect(page.getByRole("button", { name: "العربية" })).toHaveAttribute("aria-current", "true");
    await page.locator("nav .home").click();
    await expect(html).toHaveAttribute("lang", "ar");
    await page.getByRole("button", { name: "English" }).click();
    await expect(page.getByRole("heading", { name: "Queue" })).toBeVisible();
    await context.close();
  });
}

/** Adds reports of all statuses, keys and subscriptions. */
async function prepare(service: Service): Promise<void> {
  await service.import([...WAITING, ...DECIDED]);
  await service.svc("reports", "approve", "approved", "withdrawn");
  await service.svc("reports", "withdraw", "withdrawn");
  await service.svc("reports", "reject", "rejected");
  await service.operatorsKey(LONG, "read");
  const { key } = JSON.parse(await service.svc("keys", "create", "--partner", "Aid", "--json"));
  const subscribed = await fetch(`${service.base}/api/v1/webhooks`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      url: `https://93.184.215.14/${"a-long-path-without-a-space/".repeat(4)}`,
      events: ["report.created"],
    }),
  });
  expect(subscribed.status).toBe(201);
}

/** Chooses a language, as the buttons below each page do. */
async function use(page: Page, service: Service, lang: string): Promise<void> {
  await page.context().addCookies([{ name: "svc_desk_lang", value: lang, url: service.operatorsBase }]);
}

/** Signs in on a page in any language. */
async function signIn(page: Page, key: string): Promise<void> {
  await page.locator("input[name=key]").fill(key);
  await page.locator("input[name=key]").press("Enter");
}

/** Uploads the faulty file, which leads to its preview. */
async function upload(page: Page, service: Service): Promise<void> {
  await page.locator("nav .person").waitFor();
  await page.goto(`${service.operatorsBase}/desk/imports`);
  const buffer = Buffer.from(FAULTY);
  await page.locator("input[type=file]").setInputFiles({ name: "day.csv", mimeType: "text/csv", buffer });
  await page.locator(".upload button.main").click();
  await page.waitForURL(/preview\?id=/);
}

async function expectArabic(page: Page, selector: string): Promise<void> {
  await expect(page.locator(selector)).toHaveText(/\p{Script=Arabic}/u);
  expect.soft(await untranslated(page), selector).toEqual([]);
}
