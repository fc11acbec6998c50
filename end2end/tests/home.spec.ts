import type { Locator } from "@playwright/test";
import { overflow, violations } from "../support/axe.js";
import { expect, test, Widget } from "../support/test.js";
import { WIDGETS } from "../support/widgets.js";

// Browsers without a GPU print messages about drawing in software.
test.beforeEach(({ expectErrors }) => expectErrors(/GPU stall|GL Driver Message/));

test("the page shows the widgets, alive, and the snippets with the service's address", { tag: "@release" }, async ({
  page,
  service,
}) => {
  await page.goto(service.base);
  for (const title of ["Reports so far", "Latest reports", "Reports around the world"]) {
    const widget = page.locator(`iframe[title="${title}"]`);
    await widget.scrollIntoViewIfNeeded();
    await expect(widget.contentFrame().locator('[data-state="live"]')).toBeAttached();
  }
  const [iframe, script] = await page.locator("#iframe, #script").allTextContents();
  expect(iframe).toContain(`<iframe src="${service.base}/embed/metrics"`);
  expect(script).toContain(`<script src="${service.base}/embed.js"`);
});

test("a snippet that is copied, mounts the widget on another page", async ({
  context,
  hostPage,
  page,
  service,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(service.base);
  for (const index of [0, 1]) {
    const button = page.getByRole("button").nth(index);
    await button.click();
    await expect(button).toHaveText("Copied");
    const snippet = await page.evaluate(() => navigator.clipboard.readText());

    const other = await context.newPage();
    await other.goto(await hostPage(`<!doctype html><body>${snippet}`));
    await expect(other.locator("iframe")).toHaveAttribute("height", "120");
    await new Widget(other.frames()[1]!).toBe("live");
    await other.close();
    await page.bringToFront();
  }
});

test("the way to the documentation is at the top", async ({ page, service }) => {
  await page.setViewportSize({ width: 320, height: 500 });
  await page.goto(service.base);
  const site = page.getByRole("navigation", { name: "Site" });
  await expect(site.getByRole("link", { name: "Documentation" })).toBeInViewport({ ratio: 1 });
  await site.getByRole("link", { name: "Embed" }).click();
  await expect(page.getByRole("heading", { name: "Put it on your page" })).toBeInViewport();
  await site.getByRole("link", { name: "Documentation" }).click();
  await expect(page).toHaveURL(`${service.base}/docs`);
});

/** Appearance of iframes, without their position on the page. */
const looks = (frames: Locator) =>
  frames.evaluateAll((frames) =>
    frames.map((frame) => {
      const style = getComputedStyle(frame);
      const { height, borderTopWidth, borderTopLeftRadius, boxShadow, boxSizing, maxWidth, opacity } = style;
      const { paddingTop, paddingLeft, backgroundColor } = style;
      return {
        ...{ height, borderTopWidth, borderTopLeftRadius, boxShadow, boxSizing, maxWidth, opacity },
        ...{ paddingTop, paddingLeft, backgroundColor },
      };
    }),
  );

test("the preview looks like what the snippets make", async ({ hostPage, page, service }) => {
  for (const widget of WIDGETS) {
    await page.goto(`${service.base}/?widget=${widget}`);
    const [preview] = await looks(page.locator("#preview"));
    const snippets = await page.locator("#iframe, #script").allTextContents();
    const body = snippets.map((snippet) => `<p>${snippet}</p>`).join("");
    await page.goto(await hostPage(`<!doctype html><body>${body}`));
    await expect(page.locator("iframe")).toHaveCount(2);
    const made = await looks(page.locator("iframe"));
    expect(made).toEqual([preview, preview]);
  }
});

test("a choice is seen at once in the widget and in both snippets", { tag: "@release" }, async ({ page, service }) => {
  await page.goto(service.base);
  await expect(page.getByRole("button", { name: "Show" })).toHaveCount(0);
  await page.getByRole("radio", { name: "Dark" }).check();
  await expect(page.locator("#script")).toContainText('data-theme="dark"');
  await page.getByRole("radio", { name: "Transparent" }).check();
  await expect(page.locator("#script")).toContainText('data-bg="none"');
  await expect(page.locator("#iframe")).toContainText("/embed/metrics?theme=dark&amp;bg=none");
  await expect(page.locator("#preview")).toHaveAttribute("src", "/embed/metrics?theme=dark&bg=none");
  const widget = page.frameLocator("#preview");
  await expect(widget.locator("html[data-theme=dark][data-bg=none]")).toBeAttached();
  await expect(widget.locator(".status")).toHaveText("live");
  await expect(page).toHaveURL(`${service.base}/?widget=metrics&theme=dark&bg=none`);
  // The choices add no entries to the history.
  expect(await page.evaluate(() => history.length)).toBeLessThanOrEqual(2);
});

test("types, an accent and a place are chosen by eye", { tag: "@release" }, async ({ page, service }) => {
  await page.goto(service.base);
  await page.getByRole("radio", { name: "Feed" }).check();
  await page.getByRole("checkbox", { name: "Water" }).uncheck();
  await expect(page.locator("#script")).toContainText('data-types="spirit,both"');

  await page.getByLabel("Pick the accent").fill("#c0ffee");
  await expect(page.locator("#script")).toContainText('data-accent="c0ffee"');
  await expect(page.getByLabel("Accent", { exact: true })).toHaveValue("c0ffee");

  const country = page.getByLabel("Country");
  await country.focus();
  const names = page.locator("#country-names option");
  await expect(names).not.toHaveCount(0);
  const name = (await names.first().textContent())!;
  await country.fill(name);
  await page.getByLabel("City").focus();
  await expect(page.locator("#city-names option")).not.toHaveCount(0);
  await expect(page.locator("#script")).toContainText(`data-country="${name}"`);
  await expect(page.locator("#preview")).toHaveAttribute("src", /^\/embed\/feed\?accent=c0ffee&country=/);
  // The URL contains the choices, so that it can be shared.
  await page.reload();
  await expect(page.getByLabel("Country")).toHaveValue(name);
  await expect(page.getByRole("checkbox", { name: "Water" })).not.toBeChecked();
});

test("while an accent is no colour, everything else can be chosen", async ({ page, service }) => {
  await page.goto(service.base);
  const accent = page.getByLabel("Accent", { exact: true });
  await accent.fill("red");
  await accent.press("Enter");
  await page.getByRole("radio", { name: "Dark" }).click();
  await expect(page.locator("#script")).toContainText('data-theme="dark"');
  await expect(page.frameLocator("#preview").locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(accent).toHaveValue("red");
});

test("a widget without a ground is shown on one that it can be seen on", async ({ page, service }) => {
  await page.goto(`${service.base}/?bg=none&theme=dark`);
  await expect(page.locator("#preview")).toHaveCSS("background-color", "rgb(11, 18, 32)");
  await expect(page.locator("#preview")).toHaveCSS("color-scheme", "light");
  await page.getByRole("radio", { name: "Light" }).click();
  await expect(page.locator("#preview")).toHaveCSS("background-color", "rgb(255, 255, 255)");
});

test("the snippets have the title and the language that were chosen", async ({ page, service }) => {
  await page.goto(`${service.base}/?widget=feed&lang=de`);
  await expect(page.locator("#iframe")).toContainText('title="Neueste Berichte"');
  await page.getByLabel("Title", { exact: true }).fill('Our "own"');
  await page.getByLabel("Title", { exact: true }).press("Enter");
  await expect(page.locator("#iframe")).toContainText('title="Our &quot;own&quot;"');
});

test("no type at all is every type, and no colour is said to be none", async ({ page, service }) => {
  await page.goto(`${service.base}/?types=both`);
  await page.getByRole("checkbox", { name: "Both" }).click();
  await expect(page.getByRole("checkbox", { name: "Spirit" })).toBeChecked();
  await expect(page.locator("#script")).not.toContainText("data-types");

  const accent = page.getByLabel("Accent", { exact: true });
  await accent.fill("red");
  await accent.press("Enter");
  expect(await accent.evaluate((input: HTMLInputElement) => input.validity.patternMismatch)).toBe(true);
  await expect(page.locator("#script")).not.toContainText("data-accent");
  await accent.fill("#F00");
  await accent.press("Enter");
  await expect(page.locator("#script")).toContainText('data-accent="ff0000"');
});

test("what was built, works on another page", async ({ hostPage, page, service }) => {
  for (const id of ["iframe", "script"]) {
    await page.goto(`${service.base}/?theme=dark&bg=none`);
    const snippet = await page.locator(`#${id}`).textContent();
    await page.goto(await hostPage(`<!doctype html><body>${snippet}`));
    await expect(page.locator("iframe")).toHaveCSS("color-scheme", "light");
    const widget = page.frames()[1]!;
    await expect(widget.locator("html[data-theme=dark][data-bg=none]")).toBeAttached();
    await new Widget(widget).toBe("live");
  }
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("there are snippets to select, and no buttons that do nothing", async ({
    page,
    service,
  }) => {
    await page.goto(service.base);
    await expect(page.locator("pre")).toHaveCount(3);
    await expect(page.getByRole("button")).toHaveText(["Show"]);
  });

  test("the builder is a form, whose answer shows what was chosen", async ({ page, service }) => {
    await page.goto(service.base);
    await page.getByRole("radio", { name: "Dark" }).check();
    await page.getByRole("button", { name: "Show" }).click();
    await expect(page).toHaveURL(/\?widget=metrics&theme=dark&bg=surface&.*types=spirit&.*#builder$/);
    await expect(page.getByRole("radio", { name: "Dark" })).toBeChecked();
    await expect(page.locator("#preview")).toHaveAttribute("src", "/embed/metrics?theme=dark");
    await expect(page.locator("#iframe")).toContainText("/embed/metrics?theme=dark");
    await expect(page.locator("#script")).toContainText('data-theme="dark"');
  });
});

test("every widget has a place on the page, in its grid", async ({ page, service }) => {
  await page.setViewportSize({ width: 1600, height: 900 });
  await page.goto(service.base);
  await expect(page.locator("main iframe:not(#preview)")).toHaveCount(WIDGETS.length);
  const boxes = await page.locator("main iframe:not(#preview)").evaluateAll((frames) => frames.map((frame) => frame.getBoundingClientRect().toJSON()));
  for (const { left, right } of boxes) {
    expect(left).toBeGreaterThanOrEqual(222);
    expect(right).toBeLessThanOrEqual(1378);
  }
  // The globe is a square beside the headline, and the texts of the counters are as wide as the grid.
  expect(boxes.some(({ width, height, right }) => width === 520 && height === 520 && right === 1360)).toBe(true);
  expect(boxes.some(({ width }) => width === 1156)).toBe(true);
});

test("the preview has the width that is chosen, and stays in view beside the form", async ({ page, service }) => {
  await page.setViewportSize({ width: 1200, height: 700 });
  await page.goto(`${service.base}/?widget=feed`);
  const preview = page.locator("#preview");
  for (const width of ["320", "600"]) {
    await page.getByRole("radio", { name: `${width} px` }).check();
    await expect(preview).toHaveCSS("width", `${width}px`);
  }
  await page.getByRole("radio", { name: "Full" }).check();
  expect((await preview.boundingBox())!.width).toBeGreaterThan(650);
  await page.getByLabel("Title", { exact: true }).scrollIntoViewIfNeeded();
  await expect(preview).toBeInViewport();
  await page.getByRole("radio", { name: "Dark" }).check();
  await expect(page).toHaveURL(`${service.base}/?widget=feed&theme=dark`);
});

test("the page speaks six languages, and its address keeps the chosen one", async ({ page, service }) => {
  await page.goto(service.base);
  for (const [name, tag, button] of [
    ["Deutsch", "de", "Auf Ihre Seite setzen"],
    ["العربية", "ar", "ضعه في صفحتك"],
    ["Français", "fr", "Affichez-le sur votre page"],
  ]) {
    await page.getByRole("link", { name, exact: true }).click();
    await expect(page).toHaveURL(`${service.base}/?language=${tag}`);
    await expect(page.locator("html")).toHaveAttribute("lang", tag!);
    await expect(page.getByRole("link", { name: button })).toBeVisible();
    await expect(page.frameLocator(".strip").locator("html")).toHaveAttribute("lang", tag!);
    for (const width of [320, 1200]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await violations(page), `${tag} at ${width} px`).toEqual([]);
      expect(await overflow(page), `${tag} at ${width} px`).toBe(0);
    }
  }
  await page.getByRole("radio", { name: "Sombre" }).check();
  await expect(page).toHaveURL(`${service.base}/?widget=metrics&theme=dark&language=fr`);
  await expect(page.locator("#iframe")).toContainText("/embed/metrics?theme=dark");
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("lang", "fr");
});

test("an unknown place leads to the one that is meant", async ({ page, service }) => {
  await page.goto(`${service.base}/?widget=feed`);
  await page.getByLabel("City").fill("Marseile");
  await page.getByLabel("City").blur();
  const hint = page.locator("#no-such-place");
  await expect(hint).toContainText("No such place. Did you mean Marseille, France?");
  await hint.getByRole("link").click();
  await expect(page.getByLabel("City")).toHaveValue("Marseille");
  await expect(page.locator("#preview")).toHaveAttribute("src", "/embed/feed?country=France&city=Marseille");
  await expect(hint).toBeEmpty();
});

test("axe finds nothing in light and in dark, narrow and wide, and nothing is cut off", async ({ page, service }) => {
  await page.goto(service.base);
  await expect(page.frameLocator(".strip").locator('[data-state="live"]')).toBeAttached();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [320, 1200]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await violations(page), `${colorScheme} at ${width} px`).toEqual([]);
      expect(await overflow(page), `${colorScheme} at ${width} px`).toBe(0);
    }
  }
});

test("the builder offers what the chosen widget has, and all of it is in the snippet", async ({
  page,
  service,
}) => {
  await page.goto(service.base);
  const rows = page.getByLabel("Rows");
  const rotation = page.getByRole("group", { name: "Rotation" });
  await expect(rows).toBeHidden();
  await expect(rotation).toBeHidden();
  const snippet = page.locator("#iframe");
  await page.getByRole("radio", { name: "Feed", exact: true }).check();
  await expect(rotation).toBeHidden();
  await rows.fill("5");
  await page.getByLabel("From").fill("2026-01-31");
  await page.getByLabel("To", { exact: true }).fill("2026-12-31");
  await expect(snippet).toContainText("/embed/feed?from=2026-01-31&amp;to=2026-12-31&amp;limit=5");
  // Only the invalid value is left out.
  await rows.fill("500");
  await page.getByLabel("Title").fill("Mine");
  await page.getByLabel("Title").blur();
  await expect(snippet).toContainText("?from=2026-01-31&amp;to=2026-12-31&amp;title=Mine");
  await rows.fill("5");
  await page.getByRole("radio", { name: "Globe", exact: true }).check();
  await expect(rows).toBeHidden();
  await rotation.getByRole("radio", { name: "On" }).check();
  await page.getByLabel("Start at latitude, longitude").fill("48.85, 2.35");
  await page.getByLabel("Start at latitude, longitude").blur();
  await expect(snippet).toContainText("start=48.85%2C2.35&amp;rotate=on");
});
