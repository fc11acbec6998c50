import type { BrowserContext, Page } from "@playwright/test";
import { BACKOFF, holdTimers, look, PATIENCE } from "../support/moments.js";
import { metrics, type ScriptedStream } from "../support/stream.js";
import { expect, test, Widget } from "../support/test.js";
import { live } from "../support/widgets.js";

const more = { ...metrics, total: 1334, water: 330 };
const most = { ...metrics, total: 1434, water: 430 };

/** Page with `count` widgets. */
function iframes(count: number, base: string, attributes = ""): string {
  const iframe = `<iframe src="${base}/embed/metrics" title="w" ${attributes}></iframe>`;
  return `<!doctype html><title>Host</title>${iframe.repeat(count)}`;
}

function widgets(page: Page): Widget[] {
  return page.frames().slice(1).map((frame) => new Widget(frame));
}

test("eight widgets of a page are alive on one connection", { tag: "@release" }, async ({ hostPage, page, ownService }) => {
  await page.goto(await hostPage(iframes(8, ownService.base)));
  for (const widget of widgets(page)) await widget.toBe("live");
  expect(await ownService.openStreams()).toBe(1);

  await ownService.svc("reports", "approve", "pending-1");
  for (const widget of widgets(page)) await expect(widget.number.total).toHaveText("1,235");
  expect(await ownService.openStreams()).toBe(1);
});

test("eight widgets of eight places are alive on one connection", async ({
  hostPage,
  page,
  ownService,
}) => {
  const queries = [
    "country=BR", "country=FR", "city=Campinas", "types=water", "lang=de", "lang=ar&country=BR",
    "from=2026-01-01", "limit=5",
  ];
  const iframe = (query: string) => `<iframe src="${ownService.base}/embed/feed?${query}" title="w">`;
  await page.goto(await hostPage(queries.map((query) => `${iframe(query)}</iframe>`).join("")));
  for (const frame of page.frames().slice(1)) await live(frame);
  expect(await ownService.openStreams()).toBe(1);

  await ownService.svc("reports", "approve", "pending-1");
  for (const [index, frame] of page.frames().slice(1).entries()) {
    const isElsewhere = /BR|Campinas/.test(queries[index]!);
    await expect(frame.locator("[data-id=pending-1]")).toHaveCount(isElsewhere ? 0 : 1);
  }
  expect(await ownService.openStreams()).toBe(1);
});

test("a stream carries what is shown, and not what was shown before", async ({
  context,
  page,
  scripted,
}) => {
  const carried = () => [...scripted.open.values()].flat().map(({ view }) => view).sort();
  await page.goto(`${scripted.base}/embed/metrics?lang=en`);
  await expect.poll(carried).toEqual(["lang=en"]);
  const other = await context.newPage();
  await other.goto(`${scripted.base}/embed/metrics?country=FR&lang=en`);
  await expect.poll(carried).toEqual(["country=FR&lang=en", "lang=en"]);
  await other.goto(`${scripted.base}/embed/metrics?country=BR&lang=en`);
  await expect.poll(carried).toEqual(["country=BR&lang=en", "lang=en"]);
  scripted.send("metrics", more);
  for (const tab of [page, other]) {
    await expect(new Widget(tab).number.total).toHaveText("1,334");
  }
});

test("a view too many for one stream gets a stream of its own at once", async ({ hostPage, page, scripted }) => {
  // Without these timers, pages do not notice a silence.
  await page.addInitScript(holdTimers, PATIENCE);
  const places = Array.from({ length: 17 }, (_, place) => `country=c${place}`);
  const iframe = (query: string) => `<iframe src="${scripted.base}/embed/metrics?${query}" title="w"></iframe>`;
  await page.goto(await hostPage(places.map(iframe).join("")));
  const streams = () => [...scripted.open.values()].map((views) => views.map(({ view }) => view));
  await expect.poll(() => new Set(streams().flat()).size).toBe(17);
  // All pages run at once on one thread. A page may be refused for lack of room, and be counted in nevertheless.
  await expect.poll(() => streams().length).toBeLessThanOrEqual(3);
  expect(Math.max(...streams().map((views) => views.length))).toBe(16);
  for (const widget of widgets(page)) {
    // A stream that is opened later would send the counters at once; this one needs them once more.
    await expect(async () => {
      scripted.send("metrics", more);
      await expect(widget.number.total).toHaveText("1,334", { timeout: 500 });
    }).toPass();
    await widget.toBe("live");
  }
});

test("two tabs share a stream, and when the one that has it is closed, the other goes on", async ({
  context,
  page,
  ownService,
}) => {
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await tab.goto(`${ownService.base}/embed/metrics`);
    await new Widget(tab).toBe("live");
  }
  await other.evaluate("window.untouched = true");
  expect(await ownService.openStreams()).toBe(1);

  await page.close();
  await ownService.svc("reports", "approve", "pending-1");
  await expect(new Widget(other).number.total).toHaveText("1,235");
  await expect.poll(() => ownService.openStreams()).toBe(1);
  expect(await other.evaluate("window.untouched")).toBe(true);
});

for (const [how, leave] of [
  ["is closed", (page: Page) => page.close()],
  ["goes elsewhere", (page: Page) => page.goto("about:blank")],
  ["crashes", crash],
  ["is hidden", (page: Page) => page.evaluate(look, true)],
] as const) {
  test(`a tab that has the stream and ${how} is followed by the next at once`, async ({
    context,
    page,
    scripted,
  }) => {
    // Without these timers, pages do not notice a silence.
    await context.addInitScript(holdTimers, PATIENCE);
    const [second, third] = await open(context, page, scripted, 3);
    await leave(page);
    await expect.poll(() => scripted.requests).toBeGreaterThan(1);
    await expect.poll(() => scripted.open.size).toBe(1);
    scripted.send("metrics", more);
    for (const tab of [second!, third!]) {
      await expect(new Widget(tab).number.total).toHaveText("1,334");
    }
  });
}

test("an iframe that has the stream and is removed is followed by the next at once", async ({
  hostPage,
  page,
  scripted,
}) => {
  await page.addInitScript(holdTimers, PATIENCE);
  await page.goto(await hostPage(iframes(1, scripted.base)));
  await expect.poll(() => scripted.open.size).toBe(1);
  await page.evaluate(() => document.body.append(document.querySelector("iframe")!.cloneNode()));
  scripted.send("metrics", metrics);
  await widgets(page)[1]!.toBe("live");

  await page.evaluate(() => document.querySelector("iframe")!.remove());
  await expect.poll(() => scripted.requests).toBeGreaterThan(1);
  scripted.send("metrics", more);
  await expect(widgets(page)[0]!.number.total).toHaveText("1,334");
});

test("who comes late is shown at once what was heard last", async ({ context, page, scripted }) => {
  await open(context, page, scripted, 1);
  scripted.send("metrics", more);
  await expect(new Widget(page).number.total).toHaveText("1,334");

  const late = await context.newPage();
  await late.goto(`${scripted.base}/embed/metrics`);
  await new Widget(late).toBe("live");
  await expect(new Widget(late).number.total).toHaveText("1,334");

  scripted.send("error", { message: "the counters cannot be read" });
  await new Widget(late).toBe("reconnecting");
  const later = await context.newPage();
  await later.goto(`${scripted.base}/embed/metrics`);
  await new Widget(later).toBe("reconnecting");
  expect(scripted.requests).toBe(1);
});

test("nothing is open while nobody looks at any tab, and one that is looked at opens", async ({
  context,
  page,
  scripted,
}) => {
  const [other] = await open(context, page, scripted, 2);
  for (const tab of [other!, page]) await tab.evaluate(look, true);
  await expect.poll(() => scripted.open.size).toBe(0);
  expect(scripted.requests).toBe(1);

  await other!.evaluate(look, false);
  await expect.poll(() => scripted.open.size).toBe(1);
  scripted.send("metrics", more);
  await expect(new Widget(other!).number.total).toHaveText("1,334");

  await page.evaluate(look, false);
  await expect(new Widget(page).number.total).toHaveText("1,334");
  expect(scripted.requests).toBe(2);
});

test("after a restart of the service all who shared a stream share one again", async ({
  expectErrors,
  hostPage,
  page,
  ownService,
}) => {
  expectErrors(/Failed to load resource/);
  await page.goto(await hostPage(iframes(3, ownService.base)));
  for (const widget of widgets(page)) await widget.toBe("live");

  await ownService.stop();
  for (const widget of widgets(page)) await widget.toBe("reconnecting");
  await ownService.svc("reports", "approve", "pending-1");
  await ownService.start();
  for (const widget of widgets(page)) {
    await widget.toBe("live");
    await expect(widget.number.total).toHaveText("1,235");
  }
  expect(await ownService.openStreams()).toBe(1);
});

test("a tab that has the stream and is frozen loses it to one that hears nothing", async ({
  context,
  page,
  scripted,
}) => {
  await context.addInitScript(holdTimers, PATIENCE);
  const [other] = await open(context, page, scripted, 2);
  const thaw = await freeze(context, page);

  expect(await other!.evaluate("fire()")).toBe(1);
  await expect.poll(() => scripted.open.size).toBe(2);
  scripted.send("metrics", more);
  await expect(new Widget(other!).number.total).toHaveText("1,334");

  await thaw();
  await expect.poll(() => scripted.open.size).toBe(1);
  scripted.send("metrics", most);
  for (const tab of [page, other!]) {
    await expect(new Widget(tab).number.total).toHaveText("1,434");
  }
});

test("a tab that yields to another one passes on the lock", async ({ context, page, scripted }) => {
  await context.addInitScript(holdTimers, PATIENCE);
  // The first tab has the largest id, and yields to any other one.
  await page.addInitScript(() => (Math.random = () => 0.99));
  const [other] = await open(context, page, scripted, 2);
  const thaw = await freeze(context, page);
  expect(await other!.evaluate("fire()")).toBe(1);
  await expect.poll(() => scripted.open.size).toBe(2);
  await thaw();
  await expect.poll(() => scripted.open.size).toBe(1);

  const { requests } = scripted;
  await crash(other!);
  await expect.poll(() => scripted.requests).toBeGreaterThan(requests);
  await expect.poll(() => scripted.open.size).toBe(1);
  scripted.send("metrics", more);
  await expect(new Widget(page).number.total).toHaveText("1,334");
});

test("a message that is no text does not disturb the stream", async ({ context, page, scripted }) => {
  const [other] = await open(context, page, scripted, 2);
  const states = await page.evaluateHandle(() => {
    const states: (string | undefined)[] = [];
    const pulse = document.querySelector<HTMLElement>(".pulse")!;
    new MutationObserver(() => states.push(pulse.dataset.state)).observe(pulse, { attributes: true });
    return states;
  });
  const name = await other!.evaluate(async () => (await navigator.locks.query()).held![0]!.name!);
  for (let sent = 0; sent < 2; sent++) {
    await other!.evaluate((name) => new BroadcastChannel(name).postMessage({ some: "object" }), name);
  }
  scripted.send("metrics", more);
  await expect(new Widget(page).number.total).toHaveText("1,334");
  expect(scripted.requests).toBe(1);
  expect(await states.jsonValue()).not.toContain("reconnecting");
});

test("a tab with another view does not end the wait before the next attempt", async ({
  context,
  expectErrors,
  page,
  ownScripted: scripted,
}) => {
  expectErrors(/Failed to load resource/);
  scripted.status = 429;
  scripted.polls = true;
  await page.addInitScript(holdTimers, BACKOFF);
  await page.goto(`${scripted.base}/embed/metrics`);
  await new Widget(page).toBe("live");
  expect(scripted.requests).toBe(1);
  const other = await context.newPage();
  await other.goto(`${scripted.base}/embed/metrics?country=BR`);
  await new Widget(other).toBe("live");
  expect(scripted.requests).toBe(1);
});

test("a tab that has the stream and waits to try again tells the others, and keeps it", async ({
  context,
  expectErrors,
  page,
  scripted,
}) => {
  expectErrors(/Failed to load resource/);
  await page.addInitScript(holdTimers, BACKOFF);
  const [other] = await open(context, page, scripted, 2);
  scripted.status = 503;
  for (const response of scripted.open.keys()) response.end();
  await expect.poll(() => scripted.requests).toBe(2);
  await new Widget(other!).toBe("reconnecting");
  for (let tries = 3; tries < 6; tries++) {
    await expect.poll(() => page.evaluate("delays().length")).toBe(1);
    await page.evaluate("fire()");
    await expect.poll(() => scripted.requests).toBe(tries);
  }

  await expect.poll(() => page.evaluate("delays().length")).toBe(1);
  scripted.status = 200;
  await page.evaluate("fire()");
  await expect.poll(() => scripted.open.size).toBe(1);
  scripted.send("metrics", more);
  for (const tab of [page, other!]) {
    await expect(new Widget(tab).number.total).toHaveText("1,334");
  }
});

test("while its stream is refused, a widget polls and stays live until one is free", async ({
  context,
  expectErrors,
  page,
  ownScripted: scripted,
  ownService,
}) => {
  expectErrors(/Failed to load resource/);
  scripted.status = 429;
  scripted.polls = true;
  await page.addInitScript(holdTimers, BACKOFF);
  await page.goto(`${scripted.base}/embed/metrics`);
  const other = await context.newPage();
  await other.goto(`${scripted.base}/embed/metrics?country=BR`);
  for (const tab of [page, other]) await new Widget(tab).toBe("live");

  await ownService.svc("reports", "approve", "pending-1");
  // The service polls the database for changes of other processes several times a second.
  const polled = async () => {
    await page.evaluate("fire()");
    return new Widget(page).number.total.textContent();
  };
  await expect.poll(polled).toBe("1,235");
  for (const tab of [page, other]) await new Widget(tab).toBe("live");
  expect(scripted.open.size).toBe(0);

  // The waits between attempts are longer than those between polls.
  scripted.status = 200;
  const opened = async () => {
    await page.evaluate("fire()");
    return scripted.open.size;
  };
  await expect.poll(opened).toBe(1);
  scripted.send("metrics", more);
  for (const tab of [page, other]) {
    await expect(new Widget(tab).number.total).toHaveText("1,334");
  }
});

test("visitors of an address that has all its streams open see live numbers all the same", async ({
  expectErrors,
  page,
  ownService,
}) => {
  expectErrors(/Failed to load resource/);
  const end = new AbortController();
  // The array keeps the responses, because Node.js closes the connections of unreferenced ones.
  const streams: Response[] = [];
  while (streams.length < 20) {
    const stream = await fetch(`${ownService.base}/api/v1/stream`, { signal: end.signal });
    expect(stream.status).toBe(200);
    streams.push(stream);
  }
  await page.goto(`${ownService.base}/embed/metrics`);
  await new Widget(page).toBe("live");
  await ownService.svc("reports", "approve", "pending-1");
  await expect(new Widget(page).number.total).toHaveText("1,235", { timeout: 15_000 });
  await new Widget(page).toBe("live");
  expect(await ownService.openStreams()).toBe(streams.length);
  end.abort();
});

test("a sandboxed iframe, which can share nothing, has a stream of its own", async ({
  hostPage,
  page,
  ownService,
}) => {
  await page.goto(await hostPage(iframes(2, ownService.base, 'sandbox="allow-scripts"')));
  for (const widget of widgets(page)) await widget.toBe("live");
  expect(await ownService.openStreams()).toBe(2);
  await ownService.svc("reports", "approve", "pending-1");
  for (const widget of widgets(page)) await expect(widget.number.total).toHaveText("1,235");
});

for (const [missing, streams] of [
  // Pages without TLS have no `navigator.locks`.
  ["navigator.locks", 1],
  ["BroadcastChannel", 3],
] as const) {
  test(`without ${missing}, three tabs have ${streams} streams`, async ({
    context,
    page,
    ownService,
  }) => {
    await context.addInitScript((missing) => {
      if (missing === "BroadcastChannel") Reflect.deleteProperty(window, missing);
      else Object.defineProperty(Navigator.prototype, "locks", { value: undefined });
    }, missing);
    const tabs = [page, await context.newPage(), await context.newPage()];
    await Promise.all(tabs.map((tab) => tab.goto(`${ownService.base}/embed/metrics`)));
    for (const tab of tabs) await new Widget(tab).toBe("live");
    await expect.poll(() => ownService.openStreams()).toBe(streams);
  });
}

test("without locks, too, a tab that has the stream and is closed is followed by one", async ({
  context,
  page,
  scripted,
}) => {
  await context.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, "locks", { value: undefined }),
  );
  await context.addInitScript(holdTimers, PATIENCE);
  const others = await open(context, page, scripted, 3);
  await page.close();
  await expect.poll(() => scripted.requests).toBeGreaterThan(1);
  await expect.poll(() => scripted.open.size).toBe(1);
  scripted.send("metrics", more);
  for (const tab of others) await expect(new Widget(tab).number.total).toHaveText("1,334");
});

test("tabs that cannot hear each other have streams of their own", async ({
  context,
  page,
  ownService,
}) => {
  await context.addInitScript(() => (BroadcastChannel.prototype.postMessage = () => {}));
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await tab.goto(`${ownService.base}/embed/metrics`);
    await new Widget(tab).toBe("live");
  }
  expect(await ownService.openStreams()).toBe(2);
});

/** Opens the widget in this number of tabs, of which the first has the stream. Returns the other tabs. */
async function open(
  context: BrowserContext,
  page: Page,
  scripted: ScriptedStream,
  count: number,
): Promise<Page[]> {
  await page.goto(`${scripted.base}/embed/metrics`);
  await expect.poll(() => scripted.open.size).toBe(1);
  scripted.send("metrics", metrics);
  await new Widget(page).toBe("live");
  const others: Page[] = [];
  while (others.length < count - 1) {
    const other = await context.newPage();
    await other.goto(`${scripted.base}/embed/metrics`);
    await new Widget(other).toBe("live");
    others.push(other);
  }
  expect(scripted.requests).toBe(1);
  return others;
}

async function crash(page: Page): Promise<void> {
  const crashed = page.waitForEvent("crash");
  void page.goto("chrome://crash").catch(() => {});
  await crashed;
}

/** Freezes a page, and returns the function that resumes it. */
async function freeze(context: BrowserContext, page: Page): Promise<() => Promise<unknown>> {
  const devtools = await context.newCDPSession(page);
  await devtools.send("Debugger.enable");
  await devtools.send("Debugger.pause");
  const paused = new Promise((resolve) => devtools.once("Debugger.paused", resolve));
  page.evaluate("0").catch(() => {});
  await paused;
  return () => devtools.send("Debugger.disable");
}
