import type { Page } from "@playwright/test";
import { BACKOFF, holdTimers } from "../support/moments.js";
import { metrics } from "../support/stream.js";
import { expect, test } from "../support/test.js";
import { live, status, WIDGETS } from "../support/widgets.js";

test.beforeEach(({ expectErrors }) =>
  expectErrors(/Failed to load resource|GPU stall|GL Driver Message/),
);

/** Counts the page's requests for the stream, with or without a response. */
function countTries(page: Page): () => number {
  let tries = 0;
  page.on("request", (request) => {
    if (request.url().includes("/api/v1/stream")) tries += 1;
  });
  return () => tries;
}

/** Wait before the next attempt in milliseconds, after the last one has failed. */
async function nextWait(page: Page): Promise<number> {
  await expect.poll(() => page.evaluate("delays().length")).toBe(1);
  const [delay] = await page.evaluate<number[]>("delays()");
  return delay!;
}

/** Ends the wait before the next attempt. */
async function tryAgain(page: Page): Promise<void> {
  await page.evaluate("fire()");
}

for (const how of ["refuses connections", "answers 503"]) {
  test(`while the service ${how}, tries are ever further apart, and not at fixed times`, async ({
    page,
    scripted,
  }) => {
    await page.addInitScript(holdTimers, BACKOFF);
    await page.goto(`${scripted.base}/embed/metrics`);
    await expect.poll(() => scripted.open.size).toBe(1);
    scripted.send("metrics", metrics);
    await live(page);

    if (how === "answers 503") scripted.status = 503;
    const tries = countTries(page);
    if (how === "answers 503") for (const response of scripted.open.keys()) response.end();
    else await scripted.close();
    const waits: number[] = [];
    for (let failure = 0; failure < 3; failure++) {
      waits.push(await nextWait(page));
      const before = tries();
      await tryAgain(page);
      await expect.poll(tries).toBeGreaterThan(before);
      // One request per wait, plus one by the browser itself when the connection is lost.
      expect(tries()).toBeLessThan(failure + 3);
    }
    for (const [index, longest] of [1_000, 2_000, 4_000].entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(longest / 2);
      expect(waits[index]).toBeLessThanOrEqual(longest);
    }
    expect(waits.some((wait) => wait % 500 !== 0)).toBe(true);

    await nextWait(page);
    scripted.status = 200;
    if (how === "refuses connections") await scripted.reopen();
    await tryAgain(page);
    await expect.poll(() => scripted.open.size).toBe(1);
    scripted.send("metrics", metrics);
    await live(page);
  });
}

test("a connection that holds again is tried for as soon as ever when it is lost", async ({
  page,
  scripted,
}) => {
  await page.addInitScript(holdTimers, BACKOFF);
  await page.goto(`${scripted.base}/embed/metrics`);
  for (let loss = 0; loss < 2; loss++) {
    await expect.poll(() => scripted.open.size).toBe(1);
    scripted.send("metrics", metrics);
    await live(page);
    await scripted.close();
    for (const longest of [1_000, 2_000]) {
      expect(await nextWait(page)).toBeLessThanOrEqual(longest);
      await tryAgain(page);
    }
    expect(await nextWait(page)).toBeLessThanOrEqual(4_000);
    await scripted.reopen();
    await tryAgain(page);
  }
});

for (const widget of WIDGETS) {
  test(`while it reconnects, the ${widget} widget says how old its numbers are`, async ({
    page,
    scripted,
  }) => {
    await page.goto(`${scripted.base}/embed/${widget}`);
    await expect.poll(() => scripted.open.size).toBe(1);
    scripted.send("metrics", metrics);
    await expect(status(page)).toHaveText("live");
    await scripted.close();
    await expect(status(page)).toHaveText(/^reconnecting · .+/);
    await expect(status(page)).toBeVisible();
    await scripted.reopen();
    await expect.poll(() => scripted.open.size).toBe(1);
    scripted.send("metrics", metrics);
    await expect(status(page)).toHaveText("live");
  });
}
