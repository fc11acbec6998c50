import type { Page } from "@playwright/test";
import { history } from "../support/reports.js";
import { metrics } from "../support/stream.js";
import { expect, test, Widget } from "../support/test.js";

const WIDTHS = [160, 199, 200, 320, 419, 420, 600, 639, 640, 1200, 1600];

const millions = {
  ...metrics,
  total: 1_234_567,
  spirit: 841_212,
  water: 312_749,
  both: 80_606,
  totalToday: 1_564,
  spiritToday: 1_209,
  countries: 157,
  cities: 21_234,
};

test("everything fits 120 px at any width, whatever the numbers", async ({ page, scripted }) => {
  const widget = new Widget(page);
  // Rolling digits leave their line, which clips them.
  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const width of WIDTHS) {
    await test.step(`${width} px`, async () => {
      await page.setViewportSize({ width, height: 120 });
      await scripted.show(page, "/embed/metrics");
      expect(await outside(page)).toEqual([]);

      scripted.send("metrics", millions);
      await expect(widget.number.total).toHaveText("1,234,567");
      expect(await outside(page)).toEqual([]);

      scripted.send("error", { message: "no" });
      await widget.toBe("reconnecting");
      expect(await outside(page)).toEqual([]);
    });
  }
});

test("nothing moves while it loads and lives, at any width", async ({ page, scripted }) => {
  const widget = new Widget(page);
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { sources, value } = entry as unknown as Shift;
        // The dot of the status stays where it is, but not in its box, which grows. It is no node.
        if (sources.every(({ node }) => !node)) continue;
        const moved = sources.map(({ node, previousRect: from, currentRect: to }) => {
          const text = node?.textContent?.slice(0, 40);
          return `${text}: ${from.x},${from.y} → ${to.x},${to.y}`;
        });
        shifts.push(`${value}: ${moved.join("; ")}`);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  for (const width of [160, 320, 600, 1200]) {
    await test.step(`${width} px`, async () => {
      await page.setViewportSize({ width, height: 120 });
      await scripted.show(page, "/embed/metrics");
      scripted.send("metrics", millions);
      await expect(widget.number.total).toHaveText("1,234,567");
      scripted.send("error", { message: "no" });
      await widget.toBe("reconnecting");
      scripted.send("metrics", metrics);
      await expect(widget.number.total).toHaveText("1,234");
      await page.evaluate(() => new Promise(requestAnimationFrame));
      expect(await page.evaluate("shifts")).toEqual([]);
    });
  }
});

test("in a right-to-left page it is mirrored at any width", async ({ page, service }) => {
  await page.route("**/embed/metrics", async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace("<html ", '<html dir="rtl" ');
    await route.fulfill({ response: answer, body });
  });
  const widget = new Widget(page);
  for (const width of [160, 320, 600, 1200]) {
    await test.step(`${width} px`, async () => {
      await page.setViewportSize({ width, height: 120 });
      await page.goto(`${service.base}/embed/metrics`);
      await widget.toBe("live");
      expect(await outside(page)).toEqual([]);

      const total = (await widget.number.total.boundingBox())!;
      expect(total.x + total.width).toBeGreaterThan(width - 24);
      if (width >= 200) {
        const spirit = (await widget.number.spirit.boundingBox())!;
        expect(spirit.x + spirit.width).toBeLessThan(total.x + total.width - 40);
      }
      if (width === 1200) {
        const status = (await widget.status.boundingBox())!;
        const title = (await page.locator(".label").boundingBox())!;
        // A digit is drawn slightly beside its box, where it looks aligned.
        expect(Math.abs(title.x + title.width - total.x - total.width)).toBeLessThan(3);
        expect(status.x).toBeLessThan(24);
      }
    });
  }
});

test("the texts of feed and globe fit any width, alive and without JavaScript", async ({ browser, ownService }) => {
  test.slow(); // The test has 160 layouts.
  const many = history(12_345, 2_345, 345).map((row) => ({ ...row, id: `more-${row.id}` }));
  await ownService.import(many, "--backfill");
  for (const javaScriptEnabled of [true, false]) {
    const context = await browser.newContext({ javaScriptEnabled });
    const page = await context.newPage();
    for (const [widget, height] of [["feed", 320], ["globe", 360]] as const) {
      for (const lang of ["en", "fr", "de", "ar"]) {
        const name = `${widget} in ${lang}, ${javaScriptEnabled ? "alive" : "without JavaScript"}`;
        await page.setViewportSize({ width: 160, height });
        await page.goto(`${ownService.base}/embed/${widget}?lang=${lang}`);
        if (javaScriptEnabled) await expect(page.locator('.pulse[data-state="live"]'), name).toBeVisible();
        for (const width of [160, 199, 239, 240, 280, 320, 419, 420, 600, 1200]) {
          await page.setViewportSize({ width, height });
          expect(await cutOff(page), `${name}, ${width} px`).toEqual([]);
        }
      }
    }
    await context.close();
  }
});

/** Texts that extend beyond the sides of the page or overlap in the header. */
async function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const boxes = [...document.querySelectorAll(".total, .status, .people, time, .credit, .hint")]
      .filter((element) => element.getClientRects().length > 0)
      .map((element) => ({ element, box: element.getBoundingClientRect() }));
    const wrong = boxes.filter(({ box }) => box.left < 0 || box.right > innerWidth);
    const [total, status] = [".total", ".status"].map((selector) => {
      const box = document.querySelector(selector)!.getBoundingClientRect();
      return { left: box.left, right: box.right, top: box.top, bottom: box.bottom };
    }) as [DOMRect, DOMRect];
    const lines = wrong.map(({ element, box }) => `${element.textContent}: ${box.left}–${box.right}`);
    if (
      total.left < status.right &&
      status.left < total.right &&
      total.top < status.bottom &&
      status.top < total.bottom
    ) {
      lines.push("the total and the state lie over one another");
    }
    return lines;
  });
}

/** Layout shift as reported by Chromium. */
interface Shift {
  value: number;
  sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
}

/** Layout faults: texts that extend beyond their cell or the page, and scrolling. */
async function outside(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const wrong: string[] = [];
    const { scrollHeight, scrollWidth, clientWidth } = document.documentElement;
    if (scrollHeight > 120 || scrollWidth > clientWidth) {
      wrong.push(`${scrollWidth} × ${scrollHeight} to scroll`);
    }
    const seen = "dt, .number, .status, [role=status], .places, .bar";
    for (const element of document.querySelectorAll(seen)) {
      if (hidden(element)) continue;
      const text = extent(element);
      const cell = element.closest("dl > div, .pulse, body")!.getBoundingClientRect();
      const box = element.closest("dl > div") ? cell : document.body.getBoundingClientRect();
      if (
        text.left < box.left - 1.5 ||
        text.right > box.right + 1.5 ||
        text.top < 0 ||
        text.bottom > 120
      ) {
        wrong.push(
          `${element.textContent} at ${text.left}–${text.right} of ${box.left}–${box.right}, ${text.top}–${text.bottom}`,
        );
      }
    }
    return wrong;

    function extent(element: Element): DOMRect {
      const range = document.createRange();
      range.selectNodeContents(element);
      const text = range.getBoundingClientRect();
      return text.width ? text : element.getBoundingClientRect();
    }

    function hidden(element: Element): boolean {
      for (let at: Element | null = element; at; at = at.parentElement) {
        const { clipPath, display, fontSize } = getComputedStyle(at);
        if (clipPath !== "none" || display === "none" || fontSize === "0px") return true;
      }
      return false;
    }
  });
}
