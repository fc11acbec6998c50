import type { Page } from "@playwright/test";
import { violations } from "../support/axe.js";
import { history } from "../support/reports.js";
import type { Row } from "../support/service.js";
import { expect, test } from "../support/test.js";
import { overlaps, seen } from "../support/texts.js";
import { live, status, total } from "../support/widgets.js";

/** Heights of the parts of bars of a type, each a percentage of its bar. */
const bars = (page: Page, type: string) =>
  page.locator(`.bars rect.${type}`).evaluateAll((parts) => parts.map((part) => part.getAttribute("height")));

const period = (page: Page) => page.locator(".period");
const counts = (page: Page) => page.locator(".legend li b");

/** Texts of the points for screen readers. */
const said = (page: Page) => page.locator("ol.unseen li").allTextContents();

/** The year 2020, which contains all reports of the service. */
const YEAR = "from=2020-01-01&to=2020-12-31";

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "alive" : "without JavaScript", () => {
    test.use({ javaScriptEnabled, locale: "en-US" });

    test("the trend shows how many reports there were, and when", async ({ page, service }) => {
      await page.goto(`${service.base}/embed/trend?${YEAR}`);
      if (javaScriptEnabled) await live(page);
      await expect(total(page)).toContainText("1,234 reports");
      await expect(page.locator(".legend li b")).toHaveText(["1,000", "230", "4"]);
      const weeks = await said(page);
      expect(weeks).toHaveLength(53);
      expect(weeks.filter((week) => !week.endsWith(": 0 reports"))).toEqual([
        javaScriptEnabled ? "Jun 1, 2020 – Jun 7, 2020: 1,234 reports" : "2020-06-01 – 2020-06-07: 1,234 reports",
      ]);
      const [first, last] = javaScriptEnabled ? ["Jan 1, 2020", "Dec 31, 2020"] : ["2020-01-01", "2020-12-31"];
      await expect(page.locator(".ends > :first-child")).toHaveText(first!);
      await expect(page.locator(".ends > :last-child")).toHaveText(last!);
      await expect(period(page)).toHaveText(`${first} – ${last}`);
      const chart = page.getByRole("slider", { name: "Reports by date" });
      await expect(chart).toHaveAttribute("aria-valuetext", /^Reports by date, .+: 1,234 reports$/);
      expect(await bars(page, "spirit")).toHaveLength(1);
    });
  });
}

test("a report that is published is in the chart, without a reload", { tag: "@release" }, async ({ page, ownService }) => {
  await page.goto(`${ownService.base}/embed/trend`);
  await live(page);
  // Without reports in the last days, the trend shows years.
  await expect(total(page)).toContainText("1,234 reports");
  await expect(page.locator(".chart.year")).toBeVisible();
  await ownService.svc("reports", "approve", "pending-1");
  await expect(total(page)).toContainText("1 report");
  await expect(period(page)).toHaveText("Last 30 days");
  expect(await bars(page, "water")).toEqual(["100.0%"]);
  await expect(page.locator(".chart.day.open i").last().locator("svg")).toHaveAttribute("height", "50.0%");
  const days = await said(page);
  expect(days).toHaveLength(30);
  expect(days.at(-1)).toMatch(/: 1 report$/);
  await ownService.svc("reports", "withdraw", "pending-1");
  await expect(total(page)).toContainText("1,234 reports");
});

test("if the last days have no reports, the period widens until it has some", async ({ page, service }) => {
  await page.goto(`${service.base}/embed/trend`);
  await live(page);
  await expect(total(page)).toContainText("1,234 reports");
  await expect(period(page)).toHaveText(/^2020 – 20\d\d$/);
  await expect(page.locator(".bars i").first().locator("svg")).toHaveAttribute("height", /%$/);
});

test("however many reports come at once, the series is fetched at most every four seconds", async ({
  page,
  ownService,
}) => {
  await page.goto(`${ownService.base}/embed/trend`);
  await live(page);
  const fetched: number[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/embed/trend/series")) fetched.push(Date.now());
  });
  const rows = (round: number): Row[] =>
    history(1, 1, 0).map((row, index) => ({ ...row, id: `r-${round}-${index}`, createdAt: undefined }));
  for (let round = 0; round < 8; round += 1) await ownService.import(rows(round), "--approve");
  await expect(total(page)).toContainText("16 reports");
  for (const [index, time] of fetched.entries()) {
    if (index > 0) expect(time - fetched[index - 1]!).toBeGreaterThan(3_900);
  }
});

test("while it reconnects, the last numbers stay", async ({ page, scripted }) => {
  await page.goto(`${scripted.base}/embed/trend?${YEAR}`);
  await expect.poll(() => scripted.open.size).toBe(1);
  scripted.send("error", { message: "no" });
  await expect(status(page)).toHaveText(/^reconnecting/);
  await expect(total(page)).toContainText("1,234 reports");
  expect(await bars(page, "spirit")).not.toEqual([]);
});

test("the numbers are those of the bar under the pointer", async ({ page, service }) => {
  await page.goto(`${service.base}/embed/trend?from=2020-05-31&to=2020-06-03`);
  await live(page);
  const { width } = (await page.locator(".chart").boundingBox())!;
  for (const [part, day, number, types] of [
    [0, "May 31, 2020", "0", ["0", "0", "0"]],
    [1, "Jun 1, 2020", "1,234", ["1,000", "230", "4"]],
    [3, "Jun 3, 2020", "0", ["0", "0", "0"]],
  ] as const) {
    await page.locator(".chart").hover({ position: { x: ((part + 0.5) * width) / 4, y: 10 } });
    await expect(period(page)).toHaveText(day);
    await expect(page.locator(".total b")).toHaveText(number);
    await expect(counts(page)).toHaveText([...types]);
  }
  await page.locator(".label").hover();
  await expect(period(page)).toHaveText("May 31, 2020 – Jun 3, 2020");
  await expect(counts(page)).toHaveText(["1,000", "230", "4"]);
});

test("arrow keys move between the bars, in Arabic as they are drawn", async ({ page, service }) => {
  for (const [lang, back] of [["en", "ArrowLeft"], ["ar", "ArrowRight"]] as const) {
    await page.goto(`${service.base}/embed/trend?from=2020-05-31&to=2020-06-03&lang=${lang}`);
    await live(page);
    const chart = page.getByRole("slider");
    await chart.focus();
    await expect(chart).toHaveAttribute("aria-valuenow", "4");
    await expect(counts(page)).toHaveText(["0", "0", "0"]);
    await page.keyboard.press(back);
    await page.keyboard.press(back);
    await expect(chart).toHaveAttribute("aria-valuenow", "2");
    await expect(chart).toHaveAttribute("aria-valuetext", /1,234/);
    await expect(counts(page)).toHaveText(["1,000", "230", "4"]);
    await page.keyboard.press("Home");
    await expect(chart).toHaveAttribute("aria-valuenow", "1");
    await chart.blur();
    await expect(page.locator(".total b")).toHaveText("1,234");
  }
});

test("at 320 px the legend has all three types with their whole names", async ({ page, service }) => {
  await page.setViewportSize({ width: 320, height: 240 });
  for (const lang of ["en", "fr", "de", "ar"]) {
    await page.goto(`${service.base}/embed/trend?lang=${lang}&${YEAR}`);
    await live(page);
    const names = await page.locator(".legend li").evaluateAll((items) =>
      items.map((item) => {
        const { right, left } = item.getBoundingClientRect();
        const texts = [...item.querySelectorAll("span, b")];
        return left >= 0 && right <= innerWidth && texts.every((text) => text.scrollWidth <= text.clientWidth);
      }),
    );
    expect(names, lang).toEqual([true, true, true]);
  }
});

test("in Arabic time runs from right to left, under the pointer, too", async ({ page, service }) => {
  await page.goto(`${service.base}/embed/trend?from=2020-05-31&to=2020-06-03&lang=ar`);
  await live(page);
  const [first, last] = await Promise.all(
    [":first-child", ":last-child"].map(async (which) => (await page.locator(`.ends > ${which}`).boundingBox())!),
  );
  expect(first!.x).toBeGreaterThanOrEqual(last!.x + last!.width);
  const { width } = (await page.locator(".chart").boundingBox())!;
  await page.locator(".chart").hover({ position: { x: (2.5 * width) / 4, y: 10 } });
  await expect(page.locator(".total b")).toHaveText("1,234");
});

test("only the types that are chosen are drawn and counted", async ({ page, service }) => {
  await page.goto(`${service.base}/embed/trend?${YEAR}&types=water,both`);
  await live(page);
  await expect(total(page)).toContainText("234 reports");
  await expect(page.locator(".bars rect")).toHaveCount(2);
  await expect(counts(page)).toHaveText(["230", "4"]);
});

test("it changes with the options that the page around it tells", async ({ hostPage, page, service }) => {
  const src = `${service.base}/embed/trend`;
  await page.goto(await hostPage(`<!doctype html><iframe src="${src}" title="w" width=600 height=240></iframe>`));
  const frame = page.frames()[1]!;
  await live(frame);
  await expect(total(frame)).toContainText("1,234 reports");
  await page.evaluate(() => {
    const options = { from: "2020-06-01", to: "2020-06-30", country: "BR", theme: "dark" };
    document.querySelector("iframe")!.contentWindow!.postMessage({ type: "svc:options", options }, "*");
  });
  await expect(total(frame)).toContainText("412 reports");
  await live(frame);
});

test("the loader gives it its height", async ({ hostPage, page, service }) => {
  for (const [attributes, height] of [["", "240px"], ['data-height="auto"', "240px"], ['data-height="120"', "120px"]]) {
    await page.goto(
      await hostPage(`<!doctype html><body><div data-svc="trend" ${attributes}></div>
        <script src="${service.base}/embed.js"></script>`),
    );
    await live(page.frames()[1]!);
    await expect(page.locator("iframe")).toHaveCSS("height", height!);
    await expect(page.locator("iframe")).toHaveAttribute("title", "Reports by date");
  }
});

test("axe finds nothing in the trend, in either theme", async ({ page, service }) => {
  for (const theme of ["light", "dark"]) {
    await page.goto(`${service.base}/embed/trend?theme=${theme}&${YEAR}`);
    await live(page);
    await expect(status(page)).toBeVisible();
    expect(await violations(page), theme).toEqual([]);
  }
});

test("at any size all of it is inside, and nothing over anything else", async ({ page, service }) => {
  const sizes = [[160, 120], [200, 240], [320, 120], [320, 240], [600, 120], [1200, 240]] as const;
  for (const lang of ["en", "fr", "de", "ar"]) {
    for (const query of [YEAR, `${YEAR}&title=${encodeURIComponent("A title that is rather long for this")}`]) {
      await page.goto(`${service.base}/embed/trend?lang=${lang}&${query}`);
      await live(page);
      for (const [width, height] of sizes) {
        const name = `${lang} ${query}, ${width} × ${height} px`;
        await page.setViewportSize({ width, height });
        expect(await overlaps(page), name).toEqual([]);
        const all = await seen(page);
        const outside = all.filter(({ boxes }) =>
          boxes.some(({ left, right, bottom }) => left < 0 || right > width || bottom > height),
        );
        expect(outside, name).toEqual([]);
        const [bold] = all.filter(({ text }) => /^1[,.\s\u202f]?234$/.test(text));
        expect(bold?.whole, name).toBe(true);
      }
    }
  }
});

test("nothing moves while it loads and lives", async ({ page, ownService }) => {
  await page.addInitScript(() => {
    const shifts: unknown[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => shifts.push(...list.getEntries().map((entry) => entry.toJSON()))).observe({
      type: "layout-shift",
      buffered: true,
    });
  });
  await page.setViewportSize({ width: 600, height: 240 });
  await page.goto(`${ownService.base}/embed/trend`);
  await live(page);
  await ownService.svc("reports", "approve", "pending-1");
  await expect(total(page)).toContainText("1 report");
  const { width } = (await page.locator(".chart").boundingBox())!;
  for (const x of [10, width / 2, width - 10]) {
    await page.locator(".chart").hover({ position: { x, y: 10 } });
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  expect(await page.evaluate("shifts")).toEqual([]);
});
