import type { FrameLocator, Page } from "@playwright/test";
import { overflow, violations } from "../support/axe.js";
import { Service } from "../support/service.js";
import { expect, test as base } from "../support/test.js";

interface Intake {
  /** Service that takes reports from the public. */
  open: Service;
}

const test = base.extend<Intake>({
  open: async ({}, use) => {
    const service = await Service.create();
    try {
      await service.start("--intake", "on");
      await use(service);
    } finally {
      await service.dispose();
    }
  },
});

test.use({ locale: "en-US" });

// Chromium logs the status of each refused request.
const REFUSED = /status of (422|429|400)/;

/** Waits until the script has taken over the form. */
const started = (page: Page | FrameLocator) => expect(page.locator("html")).toHaveAttribute("data-boot", "started");

/** Texts of the faults of fields. */
const faults = (page: Page) => page.locator(".fault").filter({ hasText: /\S/ });

async function fillIn(page: Page, city = "Lyon"): Promise<void> {
  await page.getByRole("radio", { name: "Water" }).check({ force: true });
  await page.getByLabel("City").fill(city);
  await page.getByLabel("Country").fill("France");
  await page.getByLabel("Number of people").fill("12");
}

async function pending(service: Service): Promise<Record<string, unknown>[]> {
  const { reports } = JSON.parse(await service.svc("reports", "list", "--status", "PENDING", "--json"));
  return reports;
}

test("a report is sent with a proof of work, thanked for, and waits for a decision", { tag: "@release" }, async ({ page, open }) => {
  await page.goto(`${open.base}/embed/report`);
  await started(page);
  await fillIn(page);
  await page.getByLabel("Note").fill("At the river");
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await page.getByRole("button", { name: "Send" }).click();
  expect((await sent).url()).toBe(`${open.base}/api/v1/reports`);
  const thanks = page.getByRole("status");
  await expect(thanks).toContainText("Thank you. Your report will be checked.");
  await expect(thanks).toBeFocused();
  const id = await thanks.locator("bdi").textContent();
  await expect(page.locator("form")).toBeHidden();
  const [report, ...others] = await pending(open);
  expect(others).toEqual([]);
  expect(report).toMatchObject({ id, type: "water", city: "Lyon", country: "France", peopleCount: 12 });
  await page.getByRole("link", { name: "Report another event" }).click();
  await expect(page.locator("form")).toBeVisible();
  await expect(page.getByLabel("City")).toHaveValue("");
  await expect(page.getByRole("radio", { name: "Spirit" })).toBeFocused();
});

test("what is wrong is said at its field, and the first one has the focus", async ({ page, open, expectErrors }) => {
  expectErrors(REFUSED);
  await page.goto(`${open.base}/embed/report?lang=en`);
  await started(page);
  await page.getByLabel("Country").fill("France");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(faults(page)).toHaveText(["Choose a type.", "Enter the name of the city."]);
  await expect(page.getByRole("radio", { name: "Spirit" })).toBeFocused();
  await expect(page.getByLabel("City")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByLabel("City")).toHaveAccessibleDescription("Enter the name of the city.");
  expect(await violations(page)).toEqual([]);
  await fillIn(page);
  await page.getByLabel("Date").fill("2999-01-01");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(faults(page)).toHaveText(["Enter a date that is not in the future."]);
  await expect(page.getByLabel("Date")).toBeFocused();
  expect(await pending(open)).toEqual([]);
});

test("after too many reports, the form says so", async ({ page, open, expectErrors }) => {
  expectErrors(REFUSED);
  await page.goto(`${open.base}/embed/report`);
  await started(page);
  for (let count = 1; count <= 5; count += 1) {
    await fillIn(page, `Lyon ${count}`);
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("link", { name: "Report another event" }).click();
  }
  await fillIn(page, "Nice");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByRole("alert")).toHaveText("Too many reports came from your network. Try again later.");
  await expect(page.getByLabel("City")).toHaveValue("Nice");
  expect(await pending(open)).toHaveLength(5);
});

test("cities are suggested, and the only country of one is filled in", async ({ page, open }) => {
  await page.goto(`${open.base}/embed/report`);
  await started(page);
  await page.getByLabel("City").pressSequentially("marseil");
  await expect(page.locator("#cities option")).toHaveCount(1);
  // A browser sends this event when a visitor chooses a suggestion.
  await page.getByLabel("City").evaluate((city: HTMLInputElement) => {
    city.value = "Marseille";
    city.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await expect(page.getByLabel("Country")).toHaveValue("France");
});

test("a choice of the page around it changes the language of the form, which can still be sent", async ({ hostPage, page, open }) => {
  const script = `<script src="${open.base}/embed.js" data-base="${open.base}" async></script>`;
  await page.goto(await hostPage(`<!doctype html><html lang="en"><title>h</title><main>${script}
    <div data-svc="report" data-height="auto" data-lang="en"></div></main></html>`));
  const frame = page.frameLocator("iframe");
  await started(frame);
  await page.locator("iframe").evaluate((iframe) => (iframe.dataset.lang = "de"));
  await expect(frame.getByRole("heading")).toHaveText("Ein Ereignis melden");
  await frame.getByRole("button", { name: "Senden" }).click();
  await expect(frame.locator(".fault").filter({ hasText: /\S/ })).toHaveText([
    "Wählen Sie eine Art.",
    "Geben Sie den Namen der Stadt ein.",
    "Geben Sie den Namen des Landes ein.",
  ]);
  await frame.getByRole("radio", { name: "Wasser" }).check({ force: true });
  await frame.getByLabel("Stadt").fill("Lyon");
  await frame.getByLabel("Land").fill("France");
  await frame.getByRole("button", { name: "Senden" }).click();
  await expect(frame.getByRole("status")).toContainText("Danke.");
  expect(await pending(open)).toHaveLength(1);
});

test("a report whose response is lost can be sent again", async ({ page, open, expectErrors }) => {
  expectErrors(/ERR_FAILED/);
  await page.goto(`${open.base}/embed/report?lang=en`);
  await started(page);
  await fillIn(page);
  await page.route("**/api/v1/reports", (route) => route.abort());
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByRole("alert")).toHaveText("The report could not be sent. Try again.");
  await page.unroute("**/api/v1/reports");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByRole("status")).toContainText("Thank you.");
  await expect(page.locator(".trouble")).toHaveText("");
});

test("the form fits every width in both themes and from right to left, and axe finds nothing", async ({ page, open }) => {
  for (const width of [320, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    for (const query of ["theme=light", "theme=dark", "lang=ar&theme=dark", "lang=de", "theme=dark&accent=ff6600"]) {
      await page.goto(`${open.base}/embed/report?${query}`);
      await started(page);
      expect(await overflow(page), `${query} at ${width}`).toBe(0);
      expect(await violations(page), `${query} at ${width}`).toEqual([]);
    }
  }
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});

test("in Arabic, the form is from right to left", async ({ page, open }) => {
  await page.goto(`${open.base}/embed/report?lang=ar`);
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  await expect(page.getByRole("heading")).toHaveText("الإبلاغ عن حدث");
  await expect(page.getByLabel("المدينة")).toBeVisible();
});

test("options fill in the place, and choose the types and the heading", async ({ page, open }) => {
  await page.goto(`${open.base}/embed/report?country=Brazil&city=Campinas&types=spirit,water&title=Wells`);
  await expect(page.getByLabel("City")).toHaveValue("Campinas");
  await expect(page.getByLabel("Country")).toHaveValue("Brazil");
  await expect(page.getByRole("radio")).toHaveCount(2);
  await expect(page.getByRole("heading")).toHaveText("Wells");
});

test("a page embeds the form with the script, as high as its content", async ({ hostPage, page, open }) => {
  const script = `<script src="${open.base}/embed.js" data-base="${open.base}" async></script>`;
  await page.goto(await hostPage(`<!doctype html><html lang="en"><title>h</title><main>${script}
    <div data-svc="report" data-height="auto" data-lang="en"></div></main></html>`));
  const frame = page.frameLocator("iframe");
  await expect(frame.getByRole("heading")).toHaveText("Report an event");
  const inside = await frame.locator("main").evaluate((main) => main.getBoundingClientRect().height);
  await expect(page.locator("iframe")).toHaveJSProperty("clientHeight", Math.ceil(inside));
  await expect(page.locator("iframe")).toHaveAttribute("title", "Report an event");
});

test("without intake, the widget is a sentence", async ({ page, service }) => {
  await page.goto(`${service.base}/embed/report`);
  await expect(page.locator("main")).toContainText("No reports are taken here at the moment.");
  await expect(page.locator("form")).toHaveCount(0);
  expect(await violations(page)).toEqual([]);
});

test("the builder offers the form where the service takes reports", async ({ page, open, service, expectErrors }) => {
  expectErrors(/GPU stall|GL Driver Message/);
  await page.goto(`${open.base}/?widget=report`);
  await expect(page.getByRole("radio", { name: "Form" })).toBeChecked();
  await expect(page.locator("#iframe")).toContainText("/embed/report");
  await page.goto(service.base);
  await expect(page.getByRole("radio", { name: "Form" })).toHaveCount(0);
});

test("a first load of the form costs at most 12 kB, and its script 4 kB", { tag: "@release" }, async ({ hostPage, page, open }) => {
  const sizes: Promise<[string, number, number]>[] = [];
  page.on("requestfinished", (request) => {
    if (!request.url().startsWith(open.base)) return;
    const { pathname } = new URL(request.url());
    sizes.push(request.sizes().then((size) => [pathname, size.responseBodySize, size.responseHeadersSize]));
  });
  const src = `${open.base}/embed/report`;
  await page.goto(await hostPage(`<!doctype html><iframe src="${src}" width="600" height="600" title="w"></iframe>`));
  await started(page.frameLocator("iframe"));
  await page.waitForLoadState("load");
  const files = await Promise.all(sizes);
  expect(files.map(([path]) => path.replace(/\.[\w-]+(?=\.\w+$)/, "")).sort()).toEqual([
    "/assets/report.css",
    "/assets/report.js",
    "/embed/report",
    "/retry.js",
  ]);
  const [, script] = files.find(([path]) => /^\/assets\/report.*\.js$/.test(path))!;
  expect(script).toBeLessThanOrEqual(4_000);
  const bytes = files.reduce((sum, [, body, headers]) => sum + body + headers, 0);
  expect(bytes, files.map((file) => file.join(": ")).join("\n")).toBeLessThanOrEqual(12_000);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a plain form is refused when it is sent at once, keeps its values, and is accepted after some seconds", async ({
    page,
    open,
    expectErrors,
  }) => {
    expectErrors(REFUSED);
    await page.goto(`${open.base}/embed/report?lang=en&theme=dark`);
    await fillIn(page);
    await page.getByRole("button", { name: "Send" }).click();
    await expect(page.getByRole("alert")).toHaveText("The form was sent too soon or too late. Send it again.");
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await expect(page.getByLabel("City")).toHaveValue("Lyon");
    await expect(page.getByRole("radio", { name: "Water" })).toBeChecked();
    // The service accepts forms that are older than five seconds.
    await expect(async () => {
      await page.getByRole("button", { name: "Send" }).click();
      await expect(page.getByRole("status")).toContainText("Thank you.", { timeout: 1_000 });
    }).toPass({ intervals: [6_000] });
    const [report] = await pending(open);
    expect(report).toMatchObject({ type: "water", city: "Lyon", country: "France", peopleCount: 12 });
    await page.getByRole("link", { name: "Report another event" }).click();
    await expect(page.getByLabel("City")).toHaveValue("");
  });

  test("a refused form says what is wrong", async ({ page, open, expectErrors }) => {
    expectErrors(REFUSED);
    await page.goto(`${open.base}/embed/report?lang=en`);
    await page.locator("form").evaluate((form) => form.setAttribute("novalidate", ""));
    await page.getByLabel("Country").fill("France");
    await page.getByRole("button", { name: "Send" }).click();
    await expect(faults(page)).toHaveText(["Choose a type.", "Enter the name of the city."]);
    await expect(page.getByLabel("Country")).toHaveValue("France");
  });

  test("the form works in the frame of another site", async ({ hostPage, page, open, expectErrors }) => {
    expectErrors(REFUSED);
    const frame = `<iframe src="${open.base}/embed/report?lang=en" width="600" height="700" title="w"></iframe>`;
    await page.goto(await hostPage(`<!doctype html>${frame}`));
    const form = page.frameLocator("iframe");
    await form.getByRole("radio", { name: "Spirit" }).check({ force: true });
    await form.getByLabel("City").fill("Lyon");
    await form.getByLabel("Country").fill("France");
    await form.getByRole("button", { name: "Send" }).click();
    await expect(form.getByRole("alert")).toContainText("Send it again.");
  });
});
