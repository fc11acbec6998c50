import type { Page } from "@playwright/test";
import { drag, frames, settled } from "../support/globe.js";
import { expect, test } from "../support/test.js";
import { live } from "../support/widgets.js";

test.beforeEach(({ expectErrors }) =>
  expectErrors(/GPU stall|GL Driver Message|CONTEXT_LOST|context lost|WebGL/i),
);

/** Makes the globe lose its WebGL context as soon as it has one, and stores the function that restores it. */
function loseAtOnce(): void {
  const { getContext } = HTMLCanvasElement.prototype as unknown as {
    getContext: (kind: string, options?: unknown) => WebGL2RenderingContext | null;
  };
  Object.assign(window, { gone: false });
  Object.assign(HTMLCanvasElement.prototype, {
    getContext(this: HTMLCanvasElement, kind: string, options?: unknown) {
      const context = getContext.call(this, kind, options);
      if (kind === "webgl2" && context && !("lose" in window)) {
        const lose = context.getExtension("WEBGL_lose_context")!;
        this.addEventListener("webglcontextlost", () => Object.assign(window, { gone: true }));
        Object.assign(window, { lose });
        lose.loseContext();
      }
      return context;
    },
  });
}

test("a globe that loses its context while it loads is drawn and can be turned once it is back", async ({
  page,
  service,
}) => {
  await page.addInitScript(loseAtOnce);
  await page.goto(`${service.base}/embed/globe`);
  await live(page);
  await expect.poll(() => page.evaluate("gone")).toBe(true);
  await expect(page.locator(".stage > svg")).toBeVisible();
  await page.evaluate("lose.restoreContext()");
  await usable(page);
});

test("the same goes for one that has its places before the context is back", async ({
  page,
  ownService,
}) => {
  await page.addInitScript(loseAtOnce);
  await page.goto(`${ownService.base}/embed/globe`);
  await live(page);
  await ownService.svc("reports", "approve", "pending-1");
  await expect(page.locator(".total")).toHaveText("1,235 reports");
  await page.evaluate("lose.restoreContext()");
  await usable(page);
});

/** Checks that the globe can be turned by hand and keyboard, shows its places, and then comes to rest. */
async function usable(page: Page): Promise<void> {
  await settled(page);
  const before = await page.locator("canvas").screenshot();
  await drag(page, 120, 0);
  await settled(page);
  expect((await page.locator("canvas").screenshot()).equals(before)).toBe(false);
  await page.locator("canvas").focus();
  await page.keyboard.press("Enter");
  await expect(page.locator(".card > div")).toBeVisible();
  await expect(page.locator(".card > div > b")).toHaveText(/Campinas|Lyon|Kraków/);
  await settled(page);
  const drawn = await frames(page);
  await page.setViewportSize({ width: 500, height: 400 });
  await expect.poll(() => frames(page)).toBeGreaterThan(drawn);
}
