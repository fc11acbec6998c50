import type { Page } from "@playwright/test";
import { holdTimers, look, SILENCE } from "../support/moments.js";
import { metrics, type ScriptedStream } from "../support/stream.js";
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

test("a number counts up to its new value", async ({ page, scripted }) => {
  await page.goto(`${scripted.base}/embed/metrics`);
  const seen = await recordTotal(page, scripted);
  expect(seen.at(-1)).toBe("1,334");
  expect(seen.length).toBeGreaterThan(2);
});

test("a number changes at once for a visitor who prefers less motion", async ({
  page,
  scripted,
}) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(`${scripted.base}/embed/metrics`);
  expect(await recordTotal(page, scripted)).toEqual(["1,334"]);
});

/** Records every text of the total until the new one. */
async function recordTotal(page: Page, scripted: ScriptedStream): Promise<string[]> {
  await expect.poll(() => scripted.open.size).toBe(1);
  const seen = await page.evaluateHandle(() => {
    const number = document.querySelector(".total .number")!;
    const seen: string[] = [];
    new MutationObserver(() => seen.push(number.textContent!)).observe(number, {
      characterData: true,
      childList: true,
      subtree: true,
    });
    return seen;
  });
  scripted.send("metrics", more);
  await expect(new Widget(page).number.total).toHaveText("1,334");
  return seen.jsonValue();
}
