import type { Page } from "@playwright/test";
import { holdTimers, look, SILENCE } from "../support/moments.js";
import { metrics } from "../support/stream.js";
import { expect, test, Widget } from "../support/test.js";

const more = { ...metrics, total: 1334, water: 330 };

test("after a restart of the server the widget is live again by itself", { tag: "@release" }, async ({
  expectErrors,
  page,
  ownService,
}) => {
  expectErrors(/Failed to load resource/);
  const widget = new Widget(page);
  await page.goto(`${ownService.base}/embed/metrics`);
  await widget.toBe("live");

  await ownService.stop();
  await widget.toBe("reconnecting");
  await expect(widget.number.total).toHaveText("1,234");
  await ownService.svc("reports", "approve", "pending-1");
  await ownService.start();

  await widget.toBe("live");
  await expect(widget.number.total).toHaveText("1,235");
});

for (const status of [429, 503]) {
  test(`a stream that was refused with ${status} is asked for again`, async ({
    expectErrors,
    page,
    scripted,
  }) => {
    expectErrors(/Failed to load resource/);
    scripted.status = status;
    const widget = new Widget(page);
    await page.goto(`${scripted.base}/embed/metrics`);
    await widget.toBe("reconnecting");
    await expect.poll(() => scripted.requests).toBeGreaterThan(1);

    scripted.status = 200;
    await expect.poll(() => scripted.open.size).toBe(1);
    scripted.send("metrics", more);
    await widget.toBe("live");
    await expect(widget.number.total).toHaveText("1,334");
  });
}

test("a tick that failed on the server is told, and the numbers stay", async ({
  page,
  scripted,
}) => {
  const widget = new Widget(page);
  await page.goto(`${scripted.base}/embed/metrics`);
  await expect.poll(() => scripted.open.size).toBe(1);
  scripted.send("metrics", more);
  await widget.toBe("live");

  scripted.send("error", { message: "the counters cannot be read" });
  await widget.toBe("reconnecting");
  await expect(widget.number.total).toHaveText("1,334");
  expect(scripted.open.size).toBe(1);

  scripted.send("metrics", more);
  await widget.toBe("live");
  expect(scripted.requests).toBe(1);
});

test("a stream that falls silent is given up for a new one", async ({ page, scripted }) => {
  await page.addInitScript(holdTimers, SILENCE);
  const widget = new Widget(page);
  await page.goto(`${scripted.base}/embed/metrics`);
  await expect.poll(() => scripted.open.size).toBe(1);
  scripted.send("metrics", metrics);
  await widget.toBe("live");

  expect(await page.evaluate("fire()"), "each event sets the one timer anew").toBe(1);
  await widget.toBe("reconnecting");
  await expect.poll(() => scripted.requests).toBe(2);
  await expect.poll(() => scripted.open.size).toBe(1);
  scripted.send("metrics", metrics);
  await widget.toBe("live");
});

test("nothing is open while nobody looks, and looking again opens at once", async ({
  page,
  scripted,
}) => {
  const widget = new Widget(page);
  await page.goto(`${scripted.base}/embed/metrics`);
  await expect.poll(() => scripted.open.size).toBe(1);
  scripted.send("metrics", metrics);
  await widget.toBe("live");

  await page.evaluate(look, true);
  await expect.poll(() => scripted.open.size).toBe(0);
  await page.evaluate(look, false);
  await expect.poll(() => scripted.open.size).toBe(1);
  scripted.send("metrics", more);
  await expect(widget.number.total).toHaveText("1,334");
});

test("only the digits that change roll, and a chip shows how many reports came", async ({ page, scripted }) => {
  await page.goto(`${scripted.base}/embed/metrics`);
  await expect.poll(() => scripted.open.size).toBe(1);
  const { total, spirit } = new Widget(page).number;
  // Nothing rolls at first.
  await expect(page.locator(".number i")).toHaveCount(0);
  scripted.send("metrics", more);
  await expect(total).toHaveText("1,334");
  await expect(total.locator("i")).toHaveText(["3"]);
  await expect(total.locator("i")).toHaveAttribute("data-old", "2");
  await expect(total.locator("em")).toHaveAttribute("data-more", "+100");
  await expect(total.locator("i")).toHaveCSS("animation-name", /roll/);
  await expect(spirit.locator("i, em")).toHaveCount(0);
});

test("a number changes at once for a visitor who prefers less motion", async ({ page, scripted }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(`${scripted.base}/embed/metrics`);
  await expect.poll(() => scripted.open.size).toBe(1);
  scripted.send("metrics", more);
  await expect(new Widget(page).number.total).toHaveText("1,334");
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  await expect(page.locator(".total em")).toHaveCSS("opacity", "0");
});
