import { expect, type Frame, type Page } from "@playwright/test";

/**
 * Counts the pictures that a page draws, from outside: every one begins by clearing the canvas. To be
 * run in a page before its own scripts.
 */
export function countPictures(): void {
  const { clear } = WebGL2RenderingContext.prototype;
  Object.assign(window, { pictures: 0 });
  WebGL2RenderingContext.prototype.clear = function (mask) {
    (window as unknown as { pictures: number }).pictures += 1;
    clear.call(this, mask);
  };
}

/** How many pictures have been drawn. */
export function frames(page: Page | Frame): Promise<number> {
  return page.evaluate("pictures");
}

/** WebGL has taken over. */
export async function drawn(page: Page | Frame): Promise<void> {
  await expect(page.locator("canvas")).toBeVisible();
}

/** Drawn, with its markers, and at rest. */
export async function settled(page: Page | Frame): Promise<void> {
  await drawn(page);
  let last = -1;
  await expect
    .poll(
      async () => {
        const before = last;
        last = await frames(page);
        return last === before;
      },
      { intervals: [400] },
    )
    .toBe(true);
}

export async function drag(page: Page, dx: number, dy: number): Promise<void> {
  const { x, y, width, height } = (await page.locator("canvas").boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 + dx, y + height / 2 + dy, { steps: 8 });
  await page.mouse.up();
}
