import type { Page } from "@playwright/test";
import { settled } from "../support/globe.js";
import { expect, test } from "../support/test.js";

test.beforeEach(({ expectErrors }) => expectErrors(/GPU stall|GL Driver Message/));

// The gazetteer contains the country, but no such city.
const place = { city: "Nirgendwo", country: "Poland" };

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a place of which only the country is known is a halo without a core", async ({ page, ownService }) => {
    await ownService.import([{ id: "rough", type: "water", ...place }], "--approve");
    await page.goto(`${ownService.base}/embed/globe?city=Nirgendwo`);
    await expect(page.locator(".lights path.water.halo")).not.toHaveCount(0);
    await expect(page.locator(".lights path:not(.halo)")).toHaveCount(0);
    await page.goto(`${ownService.base}/embed/globe?city=Lyon`);
    await expect(page.locator(".lights path.spirit:not(.halo)")).toHaveCount(1);
  });
});

test("WebGL draws no core either, and its card says that it is approximate", async ({
  page,
  ownService,
}) => {
  await ownService.import([{ id: "rough", type: "water", ...place }], "--approve");
  await ownService.import([{ id: "exact", type: "water", city: "Pune", country: "India" }], "--approve");
  const note = page.locator(".card small");

  await page.goto(`${ownService.base}/embed/globe?theme=light&city=Pune`);
  await open(page, "Pune");
  await expect(note).toBeHidden();
  const exact = await middle(page);

  await page.goto(`${ownService.base}/embed/globe?theme=light&city=Nirgendwo`);
  await open(page, "Nirgendwo");
  await expect(note).toBeVisible();
  await expect(note).toHaveText("Approximate position");
  const rough = await middle(page);

  // The background shows through, and its colour differs much from that of water.
  expect(rough[0]! - exact[0]!).toBeGreaterThan(60);
});

test("the card says so in other languages", async ({ page, ownService }) => {
  await ownService.import([{ id: "rough", type: "water", ...place }], "--approve");
  for (const [lang, text] of Object.entries({
    pt: "Posição aproximada",
    es: "Posición aproximada",
    fr: "Position approximative",
    de: "Ungefähre Lage",
    ar: "موقع تقريبي",
  })) {
    await test.step(lang, async () => {
      await page.goto(`${ownService.base}/embed/globe?lang=${lang}&city=Nirgendwo`);
      await open(page, "Nirgendwo");
      await expect(page.locator(".card small")).toHaveText(text);
    });
  }
});

/** Clicks on the place that the globe faces. */
async function open(page: Page, city: string): Promise<void> {
  await settled(page);
  const { x, y, width, height } = (await page.locator("canvas").boundingBox())!;
  await page.mouse.click(x + width / 2, y + height / 2);
  await expect(page.locator(".card > div")).toBeVisible();
  await expect(page.locator(".card > div > b")).toHaveText(city);
}

/** Colour in the middle of the next picture: red, green, blue. */
function middle(page: Page): Promise<number[]> {
  return page.evaluate(async () => {
    document.documentElement.dataset.again = "";
    // The globe observes the change first and requests its animation frame before this function.
    await null;
    await new Promise(requestAnimationFrame);
    const canvas = document.querySelector("canvas")!;
    const copy = document.createElement("canvas").getContext("2d")!;
    copy.drawImage(canvas, -canvas.width / 2, -canvas.height / 2);
    return [...copy.getImageData(0, 0, 1, 1).data.slice(0, 3)];
  });
}
