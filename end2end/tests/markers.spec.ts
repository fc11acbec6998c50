import type { Page, Request, Route } from "@playwright/test";
import { settled } from "../support/globe.js";
import { holdTimers, look } from "../support/moments.js";
import type { Row } from "../support/service.js";
import { metrics } from "../support/stream.js";
import { expect, test, Widget } from "../support/test.js";
import { live, total } from "../support/widgets.js";

test.beforeEach(({ expectErrors }) => expectErrors(/GPU stall|GL Driver Message/));

const MARKERS = "/embed/globe/markers";

const report = (id: string, city: string, country: string): Row => ({ id, type: "water", city, country });

/** Records requests for markers from now on, and the sizes of their responses including headers. */
function watchMarkers(page: Page): { asked: Request[]; sizes: Promise<number>[] } {
  const [asked, sizes]: [Request[], Promise<number>[]] = [[], []];
  const ours = (request: Request) => request.url().includes(MARKERS);
  page.on("request", (request) => ours(request) && asked.push(request));
  page.on("requestfinished", (request) => {
    if (ours(request)) {
      sizes.push(request.sizes().then((size) => size.responseBodySize + size.responseHeadersSize));
    }
  });
  return { asked, sizes };
}

test("a new report costs its own marker, not those of the whole world again", async ({
  page,
  ownService,
}) => {
  await ownService.demo(12_000);
  await page.goto(`${ownService.base}/embed/globe`);
  const { sizes } = watchMarkers(page);
  await live(page);
  await settled(page);
  sizes.length = 0;

  for (const [index, city] of ["Quito", "Guayaquil"].entries()) {
    await ownService.import([report(`new-${index}`, city, "Ecuador")], "--approve");
    await expect.poll(() => sizes.length).toBeGreaterThan(index);
  }
  for (const size of await Promise.all(sizes)) expect(size).toBeLessThan(2_000);
});

test("a withdrawn report goes from its place, though only changes are fetched", async ({
  page,
  ownService,
}) => {
  await ownService.import([report("only", "Quito", "Ecuador")], "--approve");
  await page.goto(`${ownService.base}/embed/globe`);
  await live(page);
  await settled(page);
  await ownService.svc("reports", "withdraw", "only");
  await expect(total(page)).toHaveText("1,234 reports");
  await expect(page.locator("ol.places")).not.toContainText("Quito");

  await page.locator("canvas").focus();
  const seen = new Set<string | null>();
  for (let place = 0; place < 4; place++) {
    await page.keyboard.press("Enter");
    await expect(page.locator(".card > div")).toBeVisible();
    seen.add(await page.locator(".card > div > b").textContent());
  }
  expect(seen).toEqual(new Set(["Campinas", "Lyon", "Kraków"]));
});

test("out of sight it fetches no markers, and back in sight what it has missed", async ({
  hostPage,
  page,
  ownService,
}) => {
  const src = `${ownService.base}/embed/globe`;
  await page.goto(
    await hostPage(
      `<!doctype html><body style="height:5000px"><iframe src="${src}" width="600" height="400" title="w"></iframe>`,
    ),
  );
  const frame = page.frames()[1]!;
  await live(frame);
  await settled(frame);
  await page.evaluate(() => scrollTo(0, 3000));
  await page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))));
  const { asked } = watchMarkers(page);

  for (const [index, city] of ["Quito", "Guayaquil"].entries()) {
    await ownService.import([report(`away-${index}`, city, "Ecuador")], "--approve");
    await expect(total(frame)).toHaveText(`1,23${5 + index} reports`);
  }
  expect(asked).toHaveLength(0);

  await page.evaluate(() => scrollTo(0, 0));
  await expect.poll(() => asked.length).toBe(1);
  await frame.locator("canvas").focus();
  const card = frame.locator(".card > div > b");
  await expect
    .poll(async () => {
      await page.keyboard.press("Enter");
      return card.textContent();
    })
    .toMatch(/Quito|Guayaquil/);
  expect(asked).toHaveLength(1);
});

test("a tab that nobody looks at fetches no markers, whatever it overhears", async ({
  context,
  page,
  scripted,
}) => {
  const leader = await context.newPage();
  await leader.goto(`${scripted.base}/embed/metrics`);
  await expect.poll(() => scripted.open.size).toBe(1);
  scripted.send("metrics", metrics);
  await page.goto(`${scripted.base}/embed/globe`);
  await live(page);
  await settled(page);

  await page.evaluate(look, true);
  const { asked } = watchMarkers(page);
  for (const [water, sum] of [[231, "1,235"], [232, "1,236"]] as const) {
    scripted.send("metrics", { ...metrics, water, total: 1004 + water });
    await expect(new Widget(leader).number.total).toHaveText(sum);
  }
  expect(asked).toHaveLength(0);
  await page.evaluate(look, false);
  await expect(total(page)).toHaveText("1,236 reports");
  await expect.poll(() => asked.length).toBe(1);
});

test("while an answer is awaited, no other request for markers is sent", async ({
  page,
  scripted,
}) => {
  await page.addInitScript(holdTimers, [1_000, 14_999] as const);
  await page.goto(`${scripted.base}/embed/globe`);
  await expect.poll(() => scripted.open.size).toBe(1);
  scripted.send("metrics", metrics);
  await settled(page);
  await page.evaluate("fire()");

  const waiting: Route[] = [];
  await page.route(`**${MARKERS}*`, (route) => void waiting.push(route));
  for (const [water, sum] of [[231, "1,235"], [232, "1,236"], [233, "1,237"]] as const) {
    scripted.send("metrics", { ...metrics, water });
    await expect(total(page)).toHaveText(`${sum} reports`);
    // All pauses between requests are over, but the response is still missing.
    await page.evaluate("fire()");
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
  }
  expect(waiting).toHaveLength(1);

  // One request afterwards fetches all changes made in the meantime.
  await waiting[0]!.continue();
  await expect
    .poll(async () => {
      await page.evaluate("fire()");
      return waiting.length;
    })
    .toBe(2);
  await waiting[1]!.continue();
});
