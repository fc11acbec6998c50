import { violations } from "../support/axe.js";
import { expect, test, Widget } from "../support/test.js";

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the page shows the numbers and the time that they are from", async ({ page, service }) => {
    const widget = new Widget(page);
    await page.goto(`${service.base}/embed/metrics`);
    await expect(widget.number.total).toHaveText("1,234");
    await expect(widget.number.spirit).toHaveText("1,000");
    await expect(widget.number.water).toHaveText("230");
    await expect(widget.number.both).toHaveText("4");
    await expect(widget.today).toHaveText(/^\s*$/);
    await expect(widget.places).toHaveText("3 countries · 3 cities");
    await expect(widget.status).toHaveText(/^as of \d\d:\d\d UTC\s*$/);
    await expect(widget.status).not.toHaveCSS("color", "rgba(0, 0, 0, 0)");
  });
});

test("the widget becomes live without an error in the console", { tag: "@release" }, async ({ page, service }) => {
  const widget = new Widget(page);
  await page.goto(`${service.base}/embed/metrics`);
  await widget.toBe("live");
  await expect(widget.number.total).toHaveText("1,234");
});

test.describe("for a visitor from Germany", () => {
  test.use({ locale: "de-DE" });

  test("numbers are written the German way", async ({ page, service }) => {
    await page.goto(`${service.base}/embed/metrics`);
    await expect(new Widget(page).number.total).toHaveText("1.234");
  });
});

test("a report that another process approves is counted in an iframe", { tag: "@release" }, async ({
  hostPage,
  page,
  ownService,
}) => {
  const src = `${ownService.base}/embed/metrics`;
  await page.goto(await hostPage(`<!doctype html><iframe src="${src}" title="w"></iframe>`));
  const widget = new Widget(page.frames()[1]!);
  await widget.toBe("live");

  await ownService.svc("reports", "approve", "pending-1");

  await expect(widget.number.water).toHaveText("231");
  await expect(widget.number.total).toHaveText("1,235");
  await expect(widget.today).toContainText("+1");
});

test("no policy is violated, and the policy allows nothing inline", { tag: "@release" }, async ({ page, service }) => {
  const answer = await page.goto(`${service.base}/embed/metrics`);
  const policy = answer?.headers()["content-security-policy"] ?? "";
  expect(policy).toContain("script-src");
  expect(policy).not.toContain("'unsafe-inline'");
  expect(policy).not.toContain("'unsafe-eval'");
  await new Widget(page).toBe("live");
  const html = (await answer?.text()) ?? "";
  expect(html).not.toMatch(/ style=/);
  expect(Buffer.byteLength(html)).toBeLessThan(7_000);
});

test("its ground is what was asked for, or what the visitor prefers", async ({ page, service }) => {
  for (const [query, scheme, background] of [
    ["", "light", "rgb(255, 255, 255)"],
    ["", "dark", "rgb(11, 18, 32)"],
    ["?theme=auto", "dark", "rgb(11, 18, 32)"],
    ["?theme=light", "dark", "rgb(255, 255, 255)"],
    ["?theme=dark", "light", "rgb(11, 18, 32)"],
    ["?theme=%22%3E%3Cscript%3Ealert(1)%3C/script%3E", "light", "rgb(255, 255, 255)"],
    ["?theme=dark&bg=none", "light", "rgba(0, 0, 0, 0)"],
  ] as const) {
    await test.step(`"${query}" for a visitor who prefers ${scheme}`, async () => {
      await page.emulateMedia({ colorScheme: scheme });
      await page.goto(`${service.base}/embed/metrics${query}`);
      await expect(page.locator("body")).toHaveCSS("background-color", background);
      await new Widget(page).toBe("live");
    });
  }
});

test("axe finds nothing in the widget, in either theme, at any width", async ({ page, service }) => {
  for (const theme of ["light", "dark"]) {
    await page.goto(`${service.base}/embed/metrics?theme=${theme}`);
    await new Widget(page).toBe("live");
    for (const width of [160, 320, 600, 1200]) {
      await page.setViewportSize({ width, height: 120 });
      expect(await violations(page), `${theme} at ${width} px`).toEqual([]);
    }
  }
});
