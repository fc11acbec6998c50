import type { Page } from "@playwright/test";
import { settled } from "../support/globe.js";
import { metrics } from "../support/stream.js";
import { expect, test } from "../support/test.js";
import { live, rows, WIDGETS } from "../support/widgets.js";

test.beforeEach(({ expectErrors }) => expectErrors(/GPU stall|GL Driver Message/));

test("on paper, a feed has all its rows under one another", async ({ page, service }) => {
  await page.setViewportSize({ width: 600, height: 320 });
  await page.goto(`${service.base}/embed/feed`);
  await live(page);
  await page.locator(".feed ol").evaluate((list) => list.scrollTo(0, 100));
  await page.emulateMedia({ media: "print" });

  const cut = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("html, body, main, main *:not(.unseen)")]
      .filter((element) => element.scrollHeight > element.clientHeight + 1)
      .filter((element) => !/visible/.test(getComputedStyle(element).overflowY))
      .filter((element) => element.clientHeight > 20)
      .map((element) => element.outerHTML.slice(0, 60)),
  );
  expect(cut).toEqual([]);
  await expect(page.locator(".feed ol")).toHaveCSS("mask-image", "none");
  const boxes = await Promise.all((await rows(page).all()).map((row) => row.boundingBox()));
  expect(boxes).toHaveLength(20);
  for (const [index, box] of boxes.entries()) {
    expect(box!.height).toBeGreaterThan(20);
    if (index > 0) expect(box!.y).toBeGreaterThanOrEqual(boxes[index - 1]!.y + boxes[index - 1]!.height - 1);
  }
  // The page includes its last row: anything beyond is printed on the next sheet.
  const { y, height } = boxes.at(-1)!;
  const pageHeight = await page.evaluate(() => document.documentElement.scrollHeight);
  expect(pageHeight).toBeGreaterThanOrEqual(Math.floor(y + height));
});

test("on paper, the date stands beside the number of reports", async ({ page, service }) => {
  await page.goto(`${service.base}/embed/feed`);
  await live(page);
  await page.emulateMedia({ media: "print" });
  await expect(page.locator(".total")).toBeVisible();
  const [total, date] = await Promise.all(
    [".total", ".printed"].map(async (selector) => (await page.locator(selector).boundingBox())!),
  );
  expect(Math.abs(total!.y + total!.height / 2 - date!.y - date!.height / 2)).toBeLessThan(8);
  expect(total!.x + total!.width).toBeLessThan(date!.x);
});

test("on paper, a feed that is longer than a sheet goes on on the next", async ({ page, service }) => {
  await page.goto(`${service.base}/embed/feed`);
  await live(page);
  const pdf = (await page.pdf({ width: "600px", height: "400px" })).toString("latin1");
  expect(pdf.match(/\/Type \/Page\b/g)!.length).toBeGreaterThan(2);
});

test("on paper, the globe is the drawing, and nothing that only a screen can do", async ({
  page,
  service,
}) => {
  await page.goto(`${service.base}/embed/globe`);
  await live(page);
  await settled(page);
  await expect(page.locator(".stage > svg")).toBeHidden();
  await page.emulateMedia({ media: "print" });
  await expect(page.locator(".stage > svg")).toBeVisible();
  await expect(page.locator(".stage > svg")).toHaveCSS("opacity", "1");
  await expect(page.locator("canvas")).toBeHidden();
  await expect(page.getByText("Drag to turn")).toBeHidden();
  await expect(page.getByRole("button")).toHaveCount(0);
  await page.emulateMedia({ media: "screen" });
  await expect(page.locator("canvas")).toBeVisible();
});

for (const widget of WIDGETS) {
  test(`on paper, the ${widget} widget has the date of its numbers instead of what passes`, async ({
    page,
    scripted,
  }) => {
    await page.goto(`${scripted.base}/embed/${widget}`);
    await expect.poll(() => scripted.open.size).toBe(1);
    const createdAt = new Date().toISOString();
    const report = { id: "1", type: "spirit", city: "Lyon", country: "France", peopleCount: 1, createdAt };
    scripted.send("metrics", metrics);
    scripted.send("reports", { reports: [report] });
    await live(page);
    await page.emulateMedia({ media: "print" });

    await expect(page.getByText(/\b2026-01-05\b/).first()).toBeVisible();
    await expect(page.getByText(/14:05 UTC/).first()).toBeVisible();
    if (widget === "feed") {
      await expect(page.getByText(createdAt.slice(0, 10)).first()).toBeVisible();
    }
    const text = await page.locator("body").innerText();
    expect(text).not.toMatch(/\blive\b|\bnow\b|Drag to turn/i);
  });
}

test("on paper, widgets are dark on white, whatever their theme", async ({ page, service }) => {
  const texts = {
    metrics: [".number", "dt", ".places"],
    feed: [".place b", ".people"],
    globe: [".total b"],
    trend: [".total b", ".ends"],
  };
  for (const widget of WIDGETS) {
    for (const theme of ["light", "dark"]) {
      await test.step(`${widget}, ${theme}`, async () => {
        await page.emulateMedia({ media: "screen" });
        await page.goto(`${service.base}/embed/${widget}?theme=${theme}`);
        await live(page);
        await page.emulateMedia({ media: "print" });
        for (const part of ["html", "body"]) {
          const ground = await brightness(page, part, "background-color");
          expect(ground, `ground of ${part}`).toBeGreaterThan(0.9);
        }
        for (const part of ["body", ...texts[widget], ".total"]) {
          expect(await brightness(page, part, "color"), part).toBeLessThan(0.5);
        }
      });
    }
  }
});

/** Brightness of an element's colour on paper: 0 is black, 1 is white or transparent. */
function brightness(page: Page, selector: string, property: string): Promise<number> {
  return page.locator(selector).first().evaluate((element, property) => {
    const canvas = document.createElement("canvas").getContext("2d")!;
    canvas.fillStyle = "#fff";
    canvas.fillRect(0, 0, 1, 1);
    canvas.fillStyle = getComputedStyle(element).getPropertyValue(property);
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data;
    return (0.2126 * red! + 0.7152 * green! + 0.0722 * blue!) / 255;
  }, property);
}
