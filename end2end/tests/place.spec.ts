import type { Page } from "@playwright/test";
import { settled } from "../support/globe.js";
import { pending } from "../support/reports.js";
import { expect, test } from "../support/test.js";
import { seen } from "../support/texts.js";
import { live, rows, WIDGETS } from "../support/widgets.js";

test.beforeEach(({ expectErrors }) => expectErrors(/GPU stall|GL Driver Message/));

/** Visible texts outside lists. */
async function around(page: Page): Promise<string[]> {
  return (await seen(page)).filter(({ listed }) => !listed).map(({ text }) => text);
}

/** Height in pixels at which a widget has room for the name of its place. */
const height = (widget: string) => (widget === "metrics" ? 120 : 400);

test("widgets of a country say which, at any width", async ({ page, service }) => {
  for (const widget of WIDGETS) {
    await page.goto(`${service.base}/embed/${widget}?country=BR`);
    await live(page);
    for (const width of [320, 600, 1200]) {
      await page.setViewportSize({ width, height: height(widget) });
      const texts = (await around(page)).join("\n");
      expect(texts, `${widget}, ${width} px`).toContain("Brazil");
      expect(texts, `${widget}, ${width} px`).not.toMatch(/\b1 countr/);
    }
  }
});

test("widgets of a city say which", async ({ page, service }) => {
  for (const widget of WIDGETS) {
    await page.setViewportSize({ width: 600, height: height(widget) });
    await page.goto(`${service.base}/embed/${widget}?country=poland&city=krakow`);
    await live(page);
    const texts = (await around(page)).join("\n");
    expect(texts, widget).toContain("Kraków");
    expect(texts, widget).not.toMatch(/\b1 countr|\b1 cit/);
  }
});

test("a title overrides the heading of widgets, and is only text", async ({ page, service }) => {
  for (const widget of WIDGETS) {
    await page.setViewportSize({ width: 600, height: height(widget) });
    for (const title of ["My title", "<img src=x onerror=alert(1)> & more"]) {
      await test.step(`${widget}, ${title}`, async () => {
        const query = new URLSearchParams({ country: "Brazil", title });
        await page.goto(`${service.base}/embed/${widget}?${query}`);
        await live(page);
        await expect(page.getByRole("heading")).toHaveText(title);
        await expect(page).toHaveTitle(title);
        expect(await around(page)).toContain(title);
      });
    }
  }
});

test("widgets name their country in their own language", async ({ page, service }) => {
  for (const widget of WIDGETS) {
    await page.setViewportSize({ width: 600, height: height(widget) });
    for (const [lang, name] of [["de", "Brasilien"], ["fr", "Brésil"], ["ar", "البرازيل"]] as const) {
      await page.goto(`${service.base}/embed/${widget}?country=Brazil&lang=${lang}`);
      await live(page);
      expect((await around(page)).join("\n"), `${widget} in ${lang}`).toContain(name);
    }
  }
});

test("rows of the feed have their countries in the widget's language, first and later", async ({
  page,
  ownService,
}) => {
  await page.goto(`${ownService.base}/embed/feed?lang=de&country=Brazil`);
  await live(page);
  await expect(rows(page).first()).toContainText("Campinas, Brasilien");
  await page.goto(`${ownService.base}/embed/feed?lang=de`);
  await live(page);
  await ownService.svc("reports", "approve", "pending-1");
  await expect(rows(page).first()).toContainText("Lyon, Frankreich");
  for (const row of await rows(page).allTextContents()) expect(row).toMatch(/Brasilien|Frankreich|Polen/);
});

test("places of the globe have their countries in the widget's language, first and later", async ({
  page,
  ownService,
}) => {
  await page.goto(`${ownService.base}/embed/globe?lang=de`);
  await live(page);
  await settled(page);
  const places = page.locator("ol.places");
  await expect(places).toContainText("Campinas, Brasilien: 412 Berichte");
  const quito = { ...pending, id: "far", city: "Sydney", country: "Australia" };
  await ownService.import([quito], "--approve");
  await expect(page.locator(".arrival")).toHaveText("Sydney, Australien");
  await expect(places).toContainText("Sydney, Australien: 1 Bericht");
  await page.locator("canvas").focus();
  await page.keyboard.press("Enter");
  await expect(page.locator(".card > div")).toContainText("Australien");
});

test("cities have their names in the widget's language", async ({ page, ownService }) => {
  const vienna = { ...pending, id: "wien", city: "Vienna", country: "Austria" };
  await ownService.import([vienna], "--approve");
  await page.goto(`${ownService.base}/embed/feed?lang=de`);
  await expect(page.locator('[data-id="wien"]')).toContainText("Wien, Österreich");
  await live(page);
  await expect(page.locator('[data-id="wien"]')).toContainText("Wien, Österreich");
  await page.goto(`${ownService.base}/embed/globe?lang=de`);
  await expect(page.locator("ol.places")).toContainText("Wien, Österreich: 1 Bericht");
});
