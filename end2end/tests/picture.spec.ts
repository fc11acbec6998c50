import type { Page } from "@playwright/test";
import { expect, test } from "../support/test.js";
import { WIDGETS } from "../support/widgets.js";

/** Fonts that "system-ui" may stand for. */
const FONTS = ["system-ui", "DejaVu Sans", "Verdana", "sans-serif"];

/** Image as displayed by the browser. */
interface Image {
  width: number;
  height: number;
  /** Red, green, blue and opacity of the corner and of a nearby point inside the card. */
  corner: number[];
  inside: number[];
  /** Number of different colours, at most a hundred. */
  colours: number;
}

/** Loads an image as a page of another site does, and reads its pixels. */
async function load(page: Page, url: string): Promise<Image> {
  return page.evaluate(async (url) => {
    const image = new Image();
    image.crossOrigin = "anonymous";
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    const context = canvas.getContext("2d", { willReadFrequently: true })!;
    context.drawImage(image, 0, 0);
    const at = (x: number, y: number) => [...context.getImageData(x, y, 1, 1).data];
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const colours = new Set<number>();
    for (let at = 0; at < data.length && colours.size < 100; at += 4) {
      colours.add((data[at]! << 16) | (data[at + 1]! << 8) | data[at + 2]!);
    }
    const [width, height] = [canvas.width, canvas.height];
    return { width, height, corner: at(0, 0), inside: at(20, 6), colours: colours.size };
  }, url);
}

/** Shows an SVG inline, after a style element of the page. */
async function show(page: Page, url: string): Promise<void> {
  const svg = await (await fetch(url)).text();
  await page.setContent(`<!doctype html><link rel="icon" href="data:,"><style></style>${svg}`);
}

test("pictures are images in both formats, the PNG twice as large", { tag: "@release" }, async ({
  hostPage,
  ownService,
  page,
}) => {
  await page.goto(await hostPage(`<!doctype html><link rel="icon" href="data:,">`));
  for (const widget of WIDGETS) {
    await test.step(widget, async () => {
      const svg = await load(page, `${ownService.base}/embed/${widget}.svg?theme=light`);
      const png = await load(page, `${ownService.base}/embed/${widget}.png`);
      expect([png.width, png.height]).toEqual([2 * svg.width, 2 * svg.height]);
      for (const image of [svg, png]) {
        // The image has letters and icons, not only a card with round corners.
        expect(image.colours).toBeGreaterThan(20);
        expect(image.corner[3]).toBe(0);
        expect(image.inside).toEqual([255, 255, 255, 255]);
      }
      const dark = await load(page, `${ownService.base}/embed/${widget}.png?theme=dark`);
      expect(dark.inside).toEqual([11, 18, 32, 255]);
      const bare = await load(page, `${ownService.base}/embed/${widget}.png?bg=none`);
      expect(bare.inside[3]).toBe(0);
    });
  }
});

test("no text of a picture leaves it, whatever the language and the font", async ({ page, service }) => {
  const title = encodeURIComponent("A title that is so long that it can't be shown as a whole");
  for (const widget of WIDGETS) {
    for (const lang of ["en", "de", "ar"]) {
      for (const query of [`lang=${lang}`, `lang=${lang}&title=${title}`]) {
        await show(page, `${service.base}/embed/${widget}.svg?${query}`);
        for (const font of FONTS) {
          const outside = await page.evaluate((font) => {
            document.querySelector("style")!.textContent = `text { font-family: ${font} !important }`;
            const card = document.querySelector("svg[role=img]")!.getBoundingClientRect();
            const texts = [...document.querySelectorAll("svg[role=img] text")];
            return texts
              .map((text) => ({ text: text.textContent, box: text.getBoundingClientRect() }))
              .filter(({ box }) => box.left < card.left + 4 || box.right > card.right - 4)
              .map(({ text }) => text);
          }, font);
          expect(outside, `${widget}, ${query} in ${font}`).toEqual([]);
        }
      }
    }
  }
});

test("no counter of the picture leaves its column, whatever the font", async ({ page, service }) => {
  await show(page, `${service.base}/embed/metrics.svg`);
  for (const font of [...FONTS, "monospace"]) {
    const [right, edges] = await page.evaluate((font) => {
      document.querySelector("style")!.textContent = `text { font-family: ${font} !important }`;
      const card = document.querySelector("svg[role=img]")!.getBoundingClientRect();
      const numbers = [...document.querySelectorAll('text[font-size="20"]')] as SVGTextElement[];
      const lines = [...document.querySelectorAll("path.line")] as SVGPathElement[];
      const end = (element: SVGElement) => element.getBoundingClientRect().right - card.left;
      return [numbers.map(end), [...lines.map(end), card.width]] as const;
    }, font);
    expect(right.length, font).toBe(4);
    right.forEach((end, index) => expect(end, font).toBeLessThan(edges[index]! - 4));
  }
});

test("an SVG is light or dark, as readers prefer", async ({ page, service }) => {
  for (const [scheme, ground] of [
    ["light", "rgb(255, 255, 255)"],
    ["dark", "rgb(11, 18, 32)"],
  ] as const) {
    await test.step(scheme, async () => {
      await page.emulateMedia({ colorScheme: scheme });
      await page.goto(`${service.base}/embed/metrics.svg`);
      await expect(page.locator(".ground")).toHaveCSS("fill", ground);
      await expect(page.locator('text[font-size="20"]').first()).toHaveText("1,234");
    });
  }
});

test("Arabic is read from the right", async ({ page, service }) => {
  await page.goto(`${service.base}/embed/metrics.svg?lang=ar`);
  const numbers = page.locator('text[font-size="20"]');
  const [total, spirit] = [await numbers.nth(0).boundingBox(), await numbers.nth(1).boundingBox()];
  const card = await page.locator("svg[role=img]").boundingBox();
  expect(total!.x).toBeGreaterThan(spirit!.x + spirit!.width);
  // The first number ends at the right edge of the card, except for its margin.
  expect(card!.x + card!.width - (total!.x + total!.width)).toBeLessThan(20);
});
