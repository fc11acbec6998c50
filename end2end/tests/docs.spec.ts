import { overflow, violations } from "../support/axe.js";
import { expect, test } from "../support/test.js";

const PAGES = ["", "/api", "/api/metrics", "/api/reports", "/api/stream", "/api/webhooks", "/api/objects", "/data", "/stream", "/mirroring", "/webhooks", "/webhooks-reference", "/partners", "/embed", "/recipes", "/clients", "/limits", "/errors"].map(
  (name) => `/docs${name}`,
);

// Browsers without a GPU print messages about drawing in software.
test.beforeEach(({ expectErrors }) => expectErrors(/GPU stall|GL Driver Message/));

for (const path of PAGES) {
  test(`axe finds nothing on ${path} in either theme, at any width, and nothing is cut off`, async ({
    page,
    service,
  }) => {
    await page.goto(`${service.base}${path}`);
    // Pages without code to copy.
    const isPlain = ["/docs/api", "/docs/partners"].includes(path);
    if (!isPlain) await expect(page.getByRole("button", { name: "Copy" }).first()).toBeVisible();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [320, 1200]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await violations(page), `in ${colorScheme} at ${width} px`).toEqual([]);
        expect(await overflow(page), `in ${colorScheme} at ${width} px`).toBe(0);
      }
    }
  });
}

test("the index leads to every page, and stands beside the text where there is room", { tag: "@release" }, async ({
  page,
  service,
}) => {
  await page.setViewportSize({ width: 1200, height: 800 });
  await page.goto(`${service.base}/docs`);
  const index = page.getByRole("navigation", { name: "Documentation" });
  for (const [name, path] of [
    ["API", "/docs/api"],
    ["Webhooks", "/docs/webhooks"],
    ["Webhooks reference", "/docs/webhooks-reference"],
    ["Errors", "/docs/errors"],
    ["Overview", "/docs"],
  ]) {
    await index.getByRole("link", { name, exact: true }).click();
    await expect(page).toHaveURL(`${service.base}${path}`);
    await expect(index.locator("[aria-current]")).toHaveText(name!);
    const beside = (await index.boundingBox())!;
    const text = (await page.getByRole("main").boundingBox())!;
    expect(beside.x + beside.width).toBeLessThanOrEqual(text.x);
  }
});

test("on a phone, one line has the search and a button that opens the index", async ({ page, service }) => {
  await page.setViewportSize({ width: 320, height: 600 });
  for (const base of [service.base, service.operatorsBase]) {
    await page.goto(`${base}/docs/embed`);
    const index = page.getByRole("navigation", { name: "Documentation" });
    expect((await index.boundingBox())!.height).toBeLessThanOrEqual(64);
    await expect(index.getByRole("link", { name: "Errors", exact: true })).toBeHidden();
    await index.getByRole("button", { name: "Embedding" }).click();
    expect(await violations(page)).toEqual([]);
    await index.getByRole("link", { name: "Errors", exact: true }).click();
    await expect(page).toHaveURL(`${base}/docs/errors`);
  }
});

test("the search is opened by a key, and its results lead to headings", { tag: "@release" }, async ({ page, service }) => {
  await page.setViewportSize({ width: 1200, height: 800 });
  await page.goto(`${service.base}/docs`);
  await page.keyboard.press("/");
  const field = page.getByRole("searchbox", { name: "Search the documentation" });
  await expect(field).toBeFocused();
  await field.fill("layout shift");
  const found = page.locator(".search li a");
  await expect(found.first()).toHaveText(/^Without layout shift/);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("ArrowDown");
  await expect(found.first()).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(field).toBeFocused();
  await expect(found.first()).toBeHidden();
  await field.fill("getStream");
  await expect(page.locator(".search [role=status]")).toHaveText("No results");
  await field.fill("without layout");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${service.base}/docs/embed#without-layout-shift`);
  await expect(page.getByRole("heading", { name: "Without layout shift" })).toBeInViewport();
});

test("what the search found is below its field, in wide windows, too", async ({ page, service }) => {
  for (const width of [320, 1200]) {
    await page.setViewportSize({ width, height: 600 });
    await page.goto(`${service.base}/docs/embed`);
    await page.getByRole("searchbox").fill("webhook");
    await expect(page.locator(".search li a").first()).toBeVisible();
    const field = (await page.getByRole("searchbox").boundingBox())!;
    const found = (await page.locator(".search ul").boundingBox())!;
    expect(found.y).toBeGreaterThanOrEqual(field.y + field.height);
    expect(found.x + found.width).toBeLessThanOrEqual(width);
  }
});

test("an anchor from before the reference had parts leads to its place", async ({ page, service }) => {
  for (const [before, now] of [
    ["getMetrics", "metrics#getMetrics"],
    ["metrics/series", "metrics#getMetricsSeries"],
    ["object-Metrics", "objects#object-Metrics"],
  ]) {
    await page.goto("about:blank");
    await page.goto(`${service.base}/docs/api#${before}`);
    await expect(page).toHaveURL(`${service.base}/docs/api/${now}`);
  }
});

test("code is copied as it stands", { tag: "@release" }, async ({ context, page, service }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`${service.base}/docs`);
  const button = page.getByRole("button", { name: "Copy" }).first();
  await button.click();
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.trim()).toBe(`curl '${service.base}/api/v1/metrics'`);
});

test("a request is shown in the selected language, without JavaScript, too", async ({ browser, page, service }) => {
  const withoutScripts = await browser.newPage({ javaScriptEnabled: false });
  for (const tab of [page, withoutScripts]) {
    await tab.goto(`${service.base}/docs/api/webhooks`);
    const operation = tab.locator("#subscribe");
    const languages = operation.getByRole("group", { name: "Language" });
    await expect(languages.getByRole("radio")).toHaveCount(5);
    await expect(operation.locator("#curl-subscribe")).toContainText("--json '{");
    await expect(operation.locator("#python-subscribe")).toBeHidden();
    await languages.getByText("Python", { exact: true }).first().click();
    await expect(operation.locator("#python-subscribe")).toContainText("answer = httpx.post(");
    await expect(operation.locator("#curl-subscribe")).toBeHidden();
    // The arrow keys select the next language.
    await languages.getByRole("radio", { name: "Python" }).press("ArrowRight");
    await expect(operation.locator("#go-subscribe")).toContainText('"POST"');
    // Other operations keep theirs.
    await expect(tab.locator("#curl-listSubscriptions")).toBeVisible();
  }
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.locator("#subscribe").getByRole("button", { name: "Copy" }).first().click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^package main\n/);
  await withoutScripts.close();
});

test("the stream's snippet works on another page", async ({ hostPage, page, ownService }) => {
  await page.goto(`${ownService.base}/docs/stream`);
  const snippet = await page.locator("pre").first().textContent();
  await page.goto(
    await hostPage(`<!doctype html><b id="total"></b><i id="newest"></i>
      <script type="module">${snippet}</script>`),
  );
  await expect(page.locator("#total")).toHaveText("1234 (+0 today)");
  await expect(page.locator("#newest")).toHaveText(/^(Campinas|Lyon|Kraków), /);
});

test.describe("trying out", () => {
  test("a read shows status, headers and body in place", { tag: "@release" }, async ({ page, service }) => {
    await page.goto(`${service.base}/docs/api/metrics`);
    const operation = page.locator("#getMetrics");
    await operation.getByLabel("country").fill("FR");
    await operation.getByRole("button", { name: "Send" }).click();
    await expect(operation.getByRole("status")).toHaveText("200 OK");
    const answer = operation.locator(".answer");
    await expect(answer.locator("dl")).toContainText('"public";r=');
    await expect(answer.locator("dl")).toContainText('W/"');
    const body = JSON.parse((await answer.locator("pre").textContent())!);
    expect(body).toMatchObject({ total: 411, countries: 1 });
    await expect(answer.locator("pre")).toContainText('\n  "spirit": ');
    await expect(page).toHaveURL(/\/docs\/api\/metrics$/);
  });

  test("a mistake is shown as the problem that it is", async ({ expectErrors, page, service }) => {
    expectErrors(/400 \(Bad Request\)/);
    await page.goto(`${service.base}/docs/api/reports`);
    const operation = page.locator("#getReports");
    await operation.getByLabel("since").fill("yesterday");
    await operation.getByRole("button", { name: "Send" }).click();
    await expect(operation.getByRole("status")).toHaveText("400 Bad Request");
    await expect(operation.locator(".answer")).toContainText("INVALID_SINCE");
  });

  test("of the stream its first tick is shown", async ({ page, service }) => {
    await page.goto(`${service.base}/docs/api/stream`);
    const operation = page.locator("#getStream");
    await operation.getByRole("button", { name: "Send" }).click();
    const answer = operation.locator(".answer");
    await expect(answer.locator("pre")).toContainText("event: metrics");
    await expect(answer.locator("pre")).toContainText("event: reports");
    await expect(operation.getByRole("button", { name: "Send" })).toBeEnabled();
  });
});

test.describe("trying out with a key", () => {
  test.beforeEach(async ({ ownService, page }) => {
    await page.goto(`${ownService.base}/docs/api/webhooks`);
    const created = await ownService.svc("keys", "create", "--partner", "Aid", "--json");
    await page.getByLabel("Key, if you have one").fill(JSON.parse(created).key);
  });

  test("a key is sent, and kept nowhere", async ({ context, page }) => {
    const operation = page.locator("#listSubscriptions");
    await operation.getByRole("button", { name: "Send" }).click();
    await expect(operation.locator(".answer")).toContainText('"subscriptions": []');
    await expect(operation.locator("dl")).toContainText('"partner";r=');

    const kept = await page.evaluate(() => [localStorage.length, sessionStorage.length]);
    expect([kept, await context.cookies()]).toEqual([[0, 0], []]);
    await page.reload();
    await expect(page.getByLabel("Key, if you have one")).toHaveValue("");
  });

  test("a subscription is made with the body in its field", async ({ expectErrors, page }) => {
    expectErrors(/400 \(Bad Request\)/);
    const operation = page.locator("#subscribe");
    await operation.getByLabel("body").fill('{ "url": "https://localhost/", "events": ["report.created"] }');
    await operation.getByRole("button", { name: "Send" }).click();
    await expect(operation.locator(".answer")).toContainText("URL_NOT_ALLOWED");
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("every page is complete, and has no button that does nothing", async ({ page, service }) => {
    for (const path of PAGES) {
      await test.step(path, async () => {
        await page.goto(`${service.base}${path}`);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await expect(page.getByRole("button", { name: "Copy" })).toHaveCount(0);
        const buttons = await page.getByRole("button").allTextContents();
        // Operations that need a key, or more than a GET, have no form.
        const forms = { "/docs/api/metrics": 4, "/docs/api/reports": 6, "/docs/api/stream": 1, "/docs/api/objects": 3 };
        expect(buttons).toEqual(Array(forms[path as keyof typeof forms] ?? 0).fill("Send"));
      });
    }
  });

  test("a form shows the API's answer, though most of its fields are empty", async ({
    page,
    service,
  }) => {
    await page.goto(`${service.base}/docs/api/metrics`);
    await page.locator("#getMetrics").getByLabel("country").fill("FR");
    await page.locator("#getMetrics").getByRole("button", { name: "Send" }).click();
    await expect(page).toHaveURL(`${service.base}/api/v1/metrics?country=FR`);
    await expect(page.locator("body")).toContainText('"total":411');
  });
});
