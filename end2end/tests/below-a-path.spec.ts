import type { Page } from "@playwright/test";
import { enter, handlesKeys } from "../support/desk.js";
import { settled } from "../support/globe.js";
import { Nginx } from "../support/nginx.js";
import { history, pending } from "../support/reports.js";
import { freePorts, Service } from "../support/service.js";
import { closePages, expect, test as base, Widget } from "../support/test.js";
import { live, WIDGETS } from "../support/widgets.js";

interface Below {
  /** URL of the service below a path, behind nginx. */
  address: string;
  /** Paths that pages have requested from that host. */
  asked: string[];
  /** Key for the desk, which has a report that waits. */
  deskKey: string;
  below: { address: string; deskKey: string };
}

/** Fails a test if a resource is missing or is requested outside the path. */
const test = base.extend<Below & { keepsPath: boolean }>({
  keepsPath: [false, { option: true }],

  asked: async ({}, use) => use([]),

  address: ({ below }, use) => use(below.address),

  deskKey: ({ below }, use) => use(below.deskKey),

  below: async ({ asked, context, keepsPath }, use) => {
    const [port] = await freePorts();
    const origin = `http://127.0.0.1:${port}`;
    const address = `${origin}/counters`;
    const failed: string[] = [];
    context.on("request", (request) => {
      const url = new URL(request.url());
      if (url.origin === origin) asked.push(url.pathname);
    });
    context.on("response", (response) => {
      if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
    });
    const service = await Service.create();
    const nginx = await Nginx.start(port, { counters: service.port }, keepsPath);
    try {
      await service.import(history(100, 20, 3), "--backfill");
      await service.import([pending]);
      const deskKey = await service.operatorsKey("Maria", "moderate");
      await service.start("--public-url", address, "--trusted-proxies", "127.0.0.1", "--operator-on", "public");
      await use({ address, deskKey });
      await closePages(context);
    } finally {
      await nginx.stop();
      await service.dispose();
    }
    expect(failed).toEqual([]);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((path) => !path.startsWith("/counters/"))).toEqual([]);
  },
});

test.beforeEach(({ expectErrors }) => expectErrors(/GPU stall|GL Driver Message/));

for (const keepsPath of [false, true]) {
  test.describe(keepsPath ? "the proxy leaves the path on" : "the proxy takes the path off", () => {
    test.use({ keepsPath });

    test("the start page shows its widgets alive, and the builder follows each choice", { tag: "@release" }, async ({ address, asked, page }) => {
      await page.goto(`${address}/`);
      await allLive(page);
      expect(await page.locator("pre").first().textContent()).toContain(`<iframe src="${address}/embed/metrics"`);
      await page.getByRole("radio", { name: "Feed" }).check({ force: true });
      await expect(page.locator("#iframe")).toContainText(`${address}/embed/feed"`);
      await page.locator("#preview").scrollIntoViewIfNeeded();
      await expect(page.locator("#preview").contentFrame().locator('[data-state="live"]')).toBeAttached();
      await page.getByLabel("Country").focus();
      await expect(page.locator("#country-names option")).not.toHaveCount(0);
      expect(asked).toContain("/counters/api/v1/geo-facets");
      await expect(page).toHaveURL(`${address}/?widget=feed`);
    });

    test("every page of the documentation is there, and requests can be tried out", async ({ address, page }) => {
      await page.goto(`${address}/docs`);
      const links = page.locator("nav ul a:not([href^='#'])");
      const hrefs = await links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
      expect(hrefs.length).toBeGreaterThan(6);
      for (const href of hrefs) {
        expect((await page.goto(href))?.status()).toBe(200);
        await expect(page.locator("h1")).toBeVisible();
      }
      for (const [part, id] of [["metrics", "getMetrics"], ["stream", "getStream"]]) {
        await page.goto(`${address}/docs/api/${part}`);
        const operation = page.locator(`#${id}`);
        await operation.getByRole("button", { name: "Send" }).click();
        await expect(operation.getByRole("status")).toHaveText("200 OK");
        await expect(operation.locator(".answer pre")).toContainText("total");
      }
      await page.locator("nav .home").click();
      await expect(page).toHaveURL(`${address}/`);
    });

    test("widgets are live, and their menus lead to the builder", async ({ address, asked, context, page }) => {
      for (const widget of WIDGETS) {
        await test.step(widget, async () => {
          asked.length = 0;
          await page.goto(`${address}/embed/${widget}?accent=c0ffee`);
          await live(page);
          expect(asked).toContain("/counters/api/v1/stream");
          expect(asked).toContain("/counters/embed/accent/c0ffee.css");
          if (widget === "globe") {
            await settled(page);
            expect(asked).toContain("/counters/embed/globe/markers");
            const lines = page.waitForResponse(/\/counters\/globe-lines\.bin$/);
            await page.locator("canvas").focus();
            await page.keyboard.press("+");
            expect((await lines).status()).toBe(200);
          }
          await page.locator(".menu > button").click();
          const opening = context.waitForEvent("page");
          await page.locator("#menu a").last().click();
          const opened = await opening;
          await expect(opened).toHaveURL(`${address}/`);
          await opened.close();
        });
      }
    });

    test("a page with the loader gets its frames from there, and changes them", async ({ address, asked, hostPage, page }) => {
      await page.goto(
        await hostPage(`<!doctype html><body>
          ${WIDGETS.map((widget) => `<div data-svc="${widget}"></div>`).join("")}
          <svc-widget type="metrics"></svc-widget>
          <script src="${address}/embed.js"></script>`),
      );
      await allLive(page);
      const sources = await page.locator("iframe").evaluateAll((all) => all.map((frame) => (frame as HTMLIFrameElement).src));
      expect(sources.sort()).toEqual(
        ["feed", "globe", "metrics", "metrics", "trend"].map((widget) => `${address}/embed/${widget}`),
      );
      const first = page.locator("iframe").first();
      await first.evaluate((iframe) => Object.assign(iframe.dataset, { accent: "c0ffee", country: "Brazil" }));
      await expect(first.contentFrame().locator("html")).toHaveAttribute("data-accent", "c0ffee");
      await expect.poll(() => asked).toContain("/counters/embed/accent/c0ffee.css");
      await expect(first.contentFrame().locator('[data-state="live"]')).toBeAttached();
    });

    test("a decision at the desk is sent to it", async ({ address, deskKey, page }) => {
      await page.goto(`${address}/desk`);
      await enter(page, deskKey);
      await handlesKeys(page);
      await page.keyboard.press("a");
      await expect(page.getByRole("status")).toHaveText(`Approved ${pending.id}.`);
      await expect(page.getByText("Nothing waits for a decision.")).toBeVisible();
    });
  });
}

test("a widget whose stream is refused polls below the path", async ({ address, asked, expectErrors, page }) => {
  expectErrors(/ERR_FAILED/);
  await page.route("**/api/v1/stream*", (route) => route.abort());
  await page.goto(`${address}/embed/metrics`);
  await live(page);
  expect(asked).toContain("/counters/embed/live");
});

base("two services on one host each have a stream of their own", async ({ context, ownService }) => {
  const other = await Service.create();
  const [port] = await freePorts();
  const nginx = await Nginx.start(port, { counters: ownService.port, others: other.port }, true);
  try {
    await other.import(history(7, 0, 0), "--backfill");
    await other.start("--public-url", `http://127.0.0.1:${port}/others`);
    await ownService.stop();
    await ownService.start("--public-url", `http://127.0.0.1:${port}/counters`);
    for (const [name, total] of [["counters", "1,234"], ["others", "7"]]) {
      const page = await context.newPage();
      await page.goto(`http://127.0.0.1:${port}/${name}/embed/metrics`);
      await live(page);
      await expect(new Widget(page).number.total).toHaveText(total!);
    }
    expect([await ownService.openStreams(), await other.openStreams()]).toEqual([1, 1]);
  } finally {
    await closePages(context);
    await nginx.stop();
    await other.dispose();
  }
});

/** Waits until all widgets of a page are live, scrolling to each. */
async function allLive(page: Page): Promise<void> {
  for (const frame of await page.locator("iframe").all()) {
    await frame.scrollIntoViewIfNeeded();
    await expect(frame.contentFrame().locator('[data-state="live"]')).toBeAttached();
  }
}
