import type { Page } from "@playwright/test";

/** The colour of a page at a point, as one sees it. */
export async function pixel(page: Page, x: number, y: number): Promise<string> {
  const png = (await page.screenshot({ clip: { x, y, width: 1, height: 1 } })).toString("base64");
  return page.evaluate(async (png) => {
    // Which the content security policy of our pages allows, other than to fetch it.
    const image = Object.assign(new Image(), { src: `data:image/png;base64,${png}` });
    await image.decode();
    const context = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d")!;
    context.drawImage(image, 0, 0);
    return String([...context.getImageData(0, 0, 1, 1).data].slice(0, 3));
  }, png);
}
