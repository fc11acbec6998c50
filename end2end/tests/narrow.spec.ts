import { animationFrames, settled } from "../support/globe.js";
import { metrics } from "../support/stream.js";
import { expect, test } from "../support/test.js";
import { overlaps, seen } from "../support/texts.js";
import { live, status, WIDGETS } from "../support/widgets.js";

test.beforeEach(({ expectErrors }) => expectErrors(/GPU stall|GL Driver Message/));

const HEIGHT = { metrics: 120, feed: 320, globe: 320, trend: 240 };

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

for (const widget of WIDGETS) {
  test(`in a narrow column nothing lies over anything else in the ${widget} widget`, async ({ page, scripted }) => {
    const none = async (what: string) => {
      for (const width of [160, 180, 200]) {
        await page.setViewportSize({ width, height: HEIGHT[widget] });
        await animationFrames(page, 2);
        expect(await overlaps(page), `${what}, ${width} px`).toEqual([]);
      }
    };
    for (const lang of ["en", "fr", "de", "ar"]) {
      await page.setViewportSize({ width: 160, height: HEIGHT[widget] });
      await scripted.show(page, `/embed/${widget}?lang=${lang}`);
      scripted.send("metrics", millions);
      await live(page);
      if (widget === "globe") await settled(page);
      await none(`${lang}, live`);
      scripted.send("error", { message: "no" });
      await expect(page.locator(".pulse")).toHaveAttribute("data-state", "reconnecting");
      await none(`${lang}, reconnecting`);
    }
  });
}

test("the globe's number of reports fits the narrowest column", async ({ page, scripted }) => {
  for (const lang of ["en", "de", "fr", "ar"]) {
    await page.setViewportSize({ width: 160, height: 200 });
    await scripted.show(page, `/embed/globe?lang=${lang}`);
    scripted.send("metrics", millions);
    await live(page);
    await settled(page);
    const number = await page.locator(".total b").textContent();
    const shown = (await seen(page)).filter(({ text }) => text === number!.replace(/\s+/g, " "));
    expect(shown.map(({ whole }) => whole), lang).toEqual([true]);
  }
});

test("in a narrow column neither the globe nor a place's card lies over the texts around them", async ({
  page,
  service,
}) => {
  for (const width of [160, 200]) {
    for (const height of [200, 320]) {
      await test.step(`${width} × ${height} px`, async () => {
        await page.setViewportSize({ width, height });
        await page.goto(`${service.base}/embed/globe`);
        await live(page);
        await settled(page);
        const around = (await seen(page)).flatMap(({ boxes }) => boxes);
        const globe = (await page.locator("canvas").boundingBox())!;
        await page.locator("canvas").focus();
        await page.keyboard.press("Enter");
        await expect(page.locator(".card > div")).toBeVisible();
        await settled(page);
        const card = (await page.locator(".card > div").boundingBox())!;
        expect(card.x).toBeGreaterThanOrEqual(0);
        expect(card.x + card.width).toBeLessThanOrEqual(width);
        for (const box of [globe, card]) {
          const over = around.filter(
            ({ left, right, top, bottom }) =>
              left < box.x + box.width - 1 &&
              right > box.x + 1 &&
              top < box.y + box.height - 1 &&
              bottom > box.y + 1,
          );
          expect(over).toEqual([]);
        }
      });
    }
  }
});

test("where there is room, the globe's legend has the names of the types", async ({ page, service }) => {
  await page.goto(`${service.base}/embed/globe`);
  await live(page);
  await settled(page);
  for (const [width, height] of [[400, 400], [480, 400], [600, 400], [600, 600], [800, 400], [1200, 500]] as const) {
    await test.step(`${width} × ${height} px`, async () => {
      await page.setViewportSize({ width, height });
      await animationFrames(page, 2);
      const all = await seen(page);
      for (const name of ["Spirit", "Water", "Both"]) {
        expect(all.filter(({ text, whole }) => text === name && whole), name).toHaveLength(1);
      }
      expect(await overlaps(page)).toEqual([]);
    });
  }
});

test("the only type that is counted is not counted again as a total", async ({ page, service }) => {
  await page.goto(`${service.base}/embed/metrics?types=spirit`);
  await live(page);
  for (const width of [160, 200, 320, 600, 1200]) {
    await test.step(`${width} px`, async () => {
      await page.setViewportSize({ width, height: 120 });
      await expect(status(page)).toBeVisible();
      const texts = (await seen(page)).map(({ text }) => text);
      expect(texts.filter((text) => text === "1,000")).toEqual(["1,000"]);
      expect(texts).not.toContain("Total");
      expect(texts).toContain("Spirit");
    });
  }
});

test("widgets begin at the same edge of a wide column", async ({
  page,
  service,
}) => {
  const edges: number[] = [];
  // The globe is in the middle of a wide column, together with its numbers.
  for (const widget of WIDGETS.filter((widget) => widget !== "globe")) {
    await page.setViewportSize({ width: 1600, height: widget === "metrics" ? 120 : 500 });
    await page.goto(`${service.base}/embed/${widget}`);
    await live(page);
    const boxes = (await seen(page)).flatMap(({ boxes }) => boxes);
    edges.push(Math.min(...boxes.map(({ left }) => Math.round(left))));
  }
  // A digit is drawn slightly left of its box, where it looks aligned.
  for (const edge of edges) expect(Math.abs(edge - edges[0]!), `${edges}`).toBeLessThanOrEqual(1);
});
