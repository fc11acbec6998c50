import { expect, type Frame, type Page } from "@playwright/test";

/**
 * Counts the pictures that a page draws: each starts by clearing the canvas. This must run before the page's own
 * scripts.
 */
export function countPictures(): void {
  const { clear } = WebGL2RenderingContext.prototype;
  Object.assign(window, { pictures: 0 });
  WebGL2RenderingContext.prototype.clear = function (mask) {
    (window as unknown as { pictures: number }).pictures += 1;
    clear.call(this, mask);
  };
}

/** Number of pictures drawn so far. */
export function frames(page: Page | Frame): Promise<number> {
  return page.evaluate("pictures");
}

/** Waits until WebGL draws the globe. */
export async function drawn(page: Page | Frame): Promise<void> {
  await expect(page.locator("canvas")).toBeVisible();
}

/** Waits until the globe is drawn with its markers, and has drawn nothing for a while. */
export async function settled(page: Page | Frame): Promise<void> {
  await drawn(page);
  await page.evaluate(async () => {
    const pictures = () => (window as unknown as { pictures: number }).pictures;
    const now = () => performance.now();
    let [last, since] = [pictures(), now()];
    for (const end = now() + 15_000; now() - since < 400; ) {
      if (now() > end) throw new Error("the globe does not come to rest");
      // Not with animation frames, because iframes out of view get none.
      await new Promise((resume) => setTimeout(resume, 50));
      if (pictures() !== last) [last, since] = [pictures(), now()];
    }
  });
}

/** Waits for this number of animation frames. */
export function animationFrames(page: Page | Frame, count: number): Promise<void> {
  return page.evaluate(async (count) => {
    for (let frame = 0; frame < count; frame++) await new Promise(requestAnimationFrame);
  }, count);
}

/** Waits until a frame has detected that it is out of view. Observers created earlier are notified first. */
export function outOfSight(frame: Frame): Promise<void> {
  return frame.evaluate(
    () =>
      new Promise((resume) => {
        new IntersectionObserver(([entry]) => {
          if (!entry!.isIntersecting) resume();
        }).observe(document.documentElement);
      }),
  );
}

export async function drag(page: Page, dx: number, dy: number): Promise<void> {
  const { x, y, width, height } = (await page.locator("canvas").boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 + dx, y + height / 2 + dy, { steps: 8 });
  await page.mouse.up();
}
