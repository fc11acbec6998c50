import type { Page } from "@playwright/test";

/** Visible colour at a point of a page. */
export async function pixel(page: Page, x: number, y: number): Promise<string> {
  const png = (await page.screenshot({ clip: { x, y, width: 1, height: 1 } })).toString("base64");
  return page.evaluate(async (png) => {
    // The content security policy of the pages permits data URLs for images, but not for fetch.
    const image = Object.assign(new Image(), { src: `data:image/png;base64,${png}` });
    await image.decode();
    const context = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d")!;
    context.drawImage(image, 0, 0);
    return String([...context.getImageData(0, 0, 1, 1).data].slice(0, 3));
  }, png);
}
