import { test as base, expect, type BrowserContext, type Frame, type Page } from "@playwright/test";
import { countPictures } from "./globe.js";
import { history, pending } from "./reports.js";
import { TestServer } from "./server.js";
import { type ReadOnlyService, Service } from "./service.js";
import { ScriptedStream } from "./stream.js";
import { status } from "./widgets.js";

interface Fixtures {
  /**
   * Service with reports from past years (1,000 of type `spirit`, 230 `water`, 4 `both`) and a pending one. All tests
   * of a worker share it, so it is read-only.
   */
  service: ReadOnlyService;
  /** Service without reports, shared in the same way. */
  emptyService: ReadOnlyService;
  /** Service with the reports of `service` for this test only, which may change and stop it. */
  ownService: Service;
  /** Service without reports for this test only. */
  ownEmptyService: Service;
  /** Shared service whose stream is replaced by the test's own. */
  scripted: ScriptedStream;
  /** Service for this test only, whose stream is replaced by the test's own. */
  ownScripted: ScriptedStream;
  /** Serves a page of another origin, and returns its URL. */
  hostPage: (html: string, headers?: Record<string, string>) => Promise<string>;
  /** Permits console errors that match the pattern. All others fail the test. */
  expectErrors: (pattern: RegExp) => void;
}

interface WorkerFixtures {
  /** Databases to copy, without a running service. */
  databases: { empty: Service; filled: Service };
  sharedService: ReadOnlyService;
  sharedEmptyService: ReadOnlyService;
}

/** Fails each test on a console error or an uncaught exception in a page. */
export const test = base.extend<Fixtures & { guard: void; pictures: void }, WorkerFixtures>({
  databases: [
    async ({}, use) => {
      const empty = await Service.create();
      const filled = await empty.copy();
      await filled.import(history(1000, 230, 4), "--backfill");
      await filled.import([pending]);
      await use({ empty, filled });
      await empty.dispose();
      await filled.dispose();
    },
    { scope: "worker" },
  ],

  sharedService: [({ databases }, use) => share(databases.filled, use), { scope: "worker" }],

  sharedEmptyService: [({ databases }, use) => share(databases.empty, use), { scope: "worker" }],

  service: async ({ context, sharedService }, use) => {
    await context.setExtraHTTPHeaders(visitor());
    await use(sharedService);
  },

  emptyService: async ({ context, sharedEmptyService }, use) => {
    await context.setExtraHTTPHeaders(visitor());
    await use(sharedEmptyService);
  },

  ownService: ({ context, databases }, use) => own(databases.filled, context, use),

  ownEmptyService: ({ context, databases }, use) => own(databases.empty, context, use),

  scripted: ({ context, service }, use) => script(service, context, use),

  ownScripted: ({ context, ownService }, use) => script(ownService, context, use),

  hostPage: async ({}, use) => {
    const servers: TestServer[] = [];
    await use(async (html, headers = {}) => {
      const server = await TestServer.start((request, response) => {
        if (request.url !== "/") return void response.writeHead(204).end();
        response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...headers });
        response.end(html);
      });
      servers.push(server);
      return server.at("localhost");
    });
    for (const server of servers) await server.close();
  },

  expectErrors: async ({ context }, use) => {
    const expected: RegExp[] = [];
    const errors: string[] = [];
    context.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") errors.push(message.text());
    });
    context.on("weberror", (error) => errors.push(String(error.error())));
    await use((pattern) => expected.push(pattern));
    expect(errors.filter((error) => !expected.some((pattern) => pattern.test(error)))).toEqual([]);
  },

  guard: [async ({ expectErrors: _ }, use) => use(), { auto: true }],

  pictures: [
    async ({ context }, use) => {
      await context.addInitScript(countPictures);
      await use();
    },
    { auto: true },
  ],
});

export { expect };

/** Serves a copy of a database to all tests of a worker. */
export async function share(database: Service, use: (service: ReadOnlyService) => Promise<void>): Promise<void> {
  const service = await database.copy();
  try {
    await service.start("--trusted-proxies", "127.0.0.1");
    const { base, port, operatorsBase } = service;
    await use({ base, port, operatorsBase });
  } finally {
    await service.dispose();
  }
}

let visitors = 0;

/**
 * Gives each test a different client address. Otherwise all tests in a minute would share the limit of 60 requests.
 * Scripts of other origins may not send this header, so tests whose pages have such scripts need their own service.
 */
function visitor(): Record<string, string> {
  visitors += 1;
  return { "x-forwarded-for": `198.18.${visitors >> 8}.${visitors & 255}` };
}

async function own(database: Service, context: BrowserContext, use: (service: Service) => Promise<void>): Promise<void> {
  const service = await database.copy();
  try {
    await service.start();
    await use(service);
  } finally {
    await closePages(context);
    await service.dispose();
  }
}

async function script(
  service: ReadOnlyService,
  context: BrowserContext,
  use: (scripted: ScriptedStream) => Promise<void>,
): Promise<void> {
  const scripted = await ScriptedStream.start(service);
  await use(scripted);
  await closePages(context);
  await scripted.close();
}

/** Closes pages before their server stops, because they would report errors in the console. */
export async function closePages(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) await page.close();
}

/** Metrics widget in a page or frame. */
export class Widget {
  constructor(private readonly root: Page | Frame) {}

  get number() {
    return {
      total: this.root.locator(".total .number"),
      spirit: this.root.locator(".spirit .number"),
      water: this.root.locator(".water .number"),
      both: this.root.locator(".both .number"),
    };
  }

  get today() {
    return this.root.locator(".total .today");
  }

  get places() {
    return this.root.locator(".places");
  }

  get status() {
    return status(this.root);
  }

  /** Waits until the widget shows this state. While it reconnects, it must also show the age of its numbers. */
  async toBe(state: "live" | "reconnecting"): Promise<void> {
    await expect(this.status).toHaveText(state === "live" ? "live" : /^reconnecting · .+/);
  }
}
