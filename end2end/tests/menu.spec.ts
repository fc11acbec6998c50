import { violations } from "../support/axe.js";
import { expect, test, Widget } from "../support/test.js";
import { live, WIDGETS } from "../support/widgets.js";

// Browsers without a GPU print messages about drawing in software.
test.beforeEach(({ expectErrors }) => expectErrors(/GPU stall|GL Driver Message/));

for (const widget of WIDGETS) {
  test(`the menu of the ${widget} widget is seen by who points at it, and leads on`, async ({
    context,
    page,
    service,
  }) => {
    await page.setViewportSize({ width: 600, height: widget === "metrics" ? 120 : 320 });
    await page.goto(`${service.base}/embed/${widget}?lang=de&types=water&theme=light`);
    await live(page);
    const button = page.getByRole("button", { name: "Mehr" });
    await expect(button).toHaveCSS("opacity", "0");
    await page.mouse.move(100, 60);
    await expect(button).toHaveCSS("opacity", "1");
    await button.click();
    const menu = page.locator(".menu [popover]");
    await expect(menu).toBeVisible();
    await expect(menu.locator("> :visible")).toHaveText([
      "Auf eigener Seite öffnen",
      ...(widget === "globe" ? ["Vollbild"] : []),
      "Code zum Einbetten kopieren",
      "Über diesen Dienst",
    ]);
    const { y, height } = (await menu.boundingBox())!;
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y + height).toBeLessThanOrEqual(widget === "metrics" ? 120 : 320);
    expect(await violations(page)).toEqual([]);

    const opened = context.waitForEvent("page");
    await menu.getByText("Auf eigener Seite öffnen").click();
    const own = await opened;
    await expect(own).toHaveURL(`${service.base}/embed/${widget}?theme=light&lang=de&types=water`);
    await page.bringToFront();
    await page.keyboard.press("Escape");
    await expect(menu).toBeHidden();
  });
}

test("the code to embed a widget can be copied where the page around allows it", { tag: "@release" }, async ({
  context,
  hostPage,
  page,
  service: { base },
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(
    await hostPage(
      `<!doctype html><title>Host</title><body><div data-svc="feed" data-country="BR"></div>
       <script src="${base}/embed.js" async></script>`,
    ),
  );
  await expect(page.locator("iframe")).toBeVisible();
  const frame = page.frames()[1]!;
  await live(frame);
  await page.evaluate(() => (document.querySelector("iframe")!.dataset.lang = "fr"));
  await frame.getByRole("button", { name: "Plus" }).click();
  await frame.getByText("Copier le code").click();
  await expect(frame.getByText("Copié")).toBeVisible();
  await page.locator("body").click({ position: { x: 5, y: 5 } });
  const code = await page.evaluate(() => navigator.clipboard.readText());
  expect(code).toMatch(/^<iframe src="[^"]+"\s+width="100%" height="320" [^>]*><\/iframe>$/);
  expect(code).toContain(`src="${base}/embed/feed?lang=fr&amp;country=BR"`);
  expect(code).toContain('title="Derniers signalements"');
});

test("where the page around does not allow it, the builder opens with the code", async ({
  context,
  hostPage,
  page,
  service: { base },
}) => {
  await page.goto(
    await hostPage(`<iframe src="${base}/embed/metrics?theme=dark" title="w" width=600></iframe>`),
  );
  const frame = page.frames()[1]!;
  await new Widget(frame).toBe("live");
  await frame.getByRole("button", { name: "More" }).click();
  const opened = context.waitForEvent("page");
  await frame.getByText("Copy embed code").click();
  const builder = await opened;
  await expect(builder).toHaveURL(`${base}/?widget=metrics&theme=dark#builder`);
  await expect(builder.locator("#iframe")).toContainText("/embed/metrics?theme=dark");
});

test("the globe fills the screen where that is allowed, and does not offer it elsewhere", async ({
  hostPage,
  page,
  service: { base },
}) => {
  await page.goto(`${base}/embed/globe`);
  await live(page);
  await page.getByRole("button", { name: "More" }).click();
  await page.getByText("Full screen").click();
  await expect.poll(() => page.evaluate(() => document.fullscreenElement?.tagName)).toBe("HTML");

  await page.goto(await hostPage(`<iframe src="${base}/embed/globe" title="w" width=600></iframe>`));
  const frame = page.frames()[1]!;
  await live(frame);
  await frame.getByRole("button", { name: "More" }).click();
  await expect(frame.getByText("About this service")).toBeVisible();
  await expect(frame.getByText("Full screen")).toBeHidden();
});
