import { violations } from "../support/axe.js";
import { expect, test, Widget } from "../support/test.js";

/** Texts in each language: the total of 1,234 reports, the word for today, and the words for the number of places. */
const languages = {
  en: ["1,234", "today", "3 countries · 3 cities", "live"],
  pt: ["1.234", "hoje", "3 países · 3 cidades", "ao vivo"],
  es: ["1234", "hoy", "3 países · 3 ciudades", "en vivo"],
  fr: ["1\u202f234", "aujourd’hui", "3 pays · 3 villes", "en direct"],
  de: ["1.234", "heute", "3 Länder · 3 Städte", "live"],
  ar: ["1,234", "اليوم", "3 دول · 3 مدن", "مباشر"],
} as const;

test("the widget speaks six languages, first and live", async ({ page, service }) => {
  const widget = new Widget(page);
  for (const [lang, [total, today, places, live]] of Object.entries(languages)) {
    await test.step(lang, async () => {
      const answer = await page.goto(`${service.base}/embed/metrics?lang=${lang}`);
      const html = (await answer?.text()) ?? "";
      expect(html).toContain(`>${total}<`);
      await expect(page.locator(".pulse")).toHaveAttribute("data-state", "live");
      await expect(widget.number.total).toHaveText(total);
      expect(html).toContain(`"TODAY":"${today}"`);
      await expect(widget.places).toHaveText(places);
      await expect(widget.status).toHaveText(live);
      await expect(page.locator("html")).toHaveAttribute("lang", lang);
      await expect(page.locator("html")).toHaveAttribute("dir", lang === "ar" ? "rtl" : "ltr");
      expect(await violations(page)).toEqual([]);
    });
  }
});

test.describe("for a visitor from Brazil", () => {
  test.use({ locale: "pt-BR" });

  test("the widget speaks the visitor's language, unless another is asked for", async ({
    page,
    service,
  }) => {
    const answer = await page.goto(`${service.base}/embed/metrics`);
    expect(answer?.headers()["vary"]).toContain("accept-language");
    await expect(page.locator(".total dt")).toHaveText("Total");
    await expect(page.locator(".water dt")).toHaveText("Água");
    await page.goto(`${service.base}/embed/metrics?lang=de`);
    await expect(page.locator(".water dt")).toHaveText("Wasser");
  });
});

test("a place narrows the first numbers and those of the stream", async ({ page, ownService }) => {
  await ownService.import([
    { id: "lima-1", type: "both", city: "Lima", country: "Peru", createdAt: "2026-01-01T00:00:00Z" },
  ], "--backfill");
  await ownService.import([{ id: "lima-2", type: "water", city: "Lima", country: "PE" }]);
  const widget = new Widget(page);
  const answer = await page.goto(`${ownService.base}/embed/metrics?country=peru&city=LIMA`);
  expect(await answer?.text()).toContain('<dd class="number"><bdi>1<');
  await widget.toBe("live");
  await expect(widget.number.total).toHaveText("1");
  await ownService.svc("reports", "approve", "lima-2");
  await expect(widget.number.total).toHaveText("2");
  await ownService.svc("reports", "approve", "pending-1");
  await expect(widget.number.total).toHaveText("2");
});

test("only the types asked for are shown and counted", async ({ page, service }) => {
  const widget = new Widget(page);
  await page.setViewportSize({ width: 1000, height: 120 });
  await page.goto(`${service.base}/embed/metrics?types=water,both`);
  await widget.toBe("live");
  await expect(widget.number.total).toHaveText("234");
  await expect(widget.number.water).toHaveText("230");
  await expect(page.locator("dl > .spirit")).toBeHidden();
  await expect(widget.places).toBeHidden();
});

test("an accent can be read in either theme", async ({ page, service }) => {
  for (const [theme, colour] of [
    // Yellow is too light for the light theme, and unchanged in the dark one.
    ["light", "rgb(122, 122, 0)"],
    ["dark", "rgb(255, 255, 0)"],
  ] as const) {
    await test.step(theme, async () => {
      await page.goto(`${service.base}/embed/metrics?theme=${theme}&accent=%23ff0`);
      const total = page.locator(".total .number");
      await expect(total).toHaveCSS("color", colour);
      await new Widget(page).toBe("live");
      expect(await violations(page)).toEqual([]);
    });
  }
});
