import { test as base, expect, type BrowserContext, type Frame, type Page } from "@playwright/test";
import { countPictures } from "./globe.js";
import { history, pending } from "./reports.js";
import { TestServer } from "./server.js";
import { Service } from "./service.js";
import { ScriptedStream } from "./stream.js";
import { status } from "./widgets.js";

interface Fixtures {
  /** Serving 1,000 spirit, 230 water and 4 both reports of years ago; one report is pending. */
  service: Service;
  /** The same service, with a stream that the test speaks for. */
  scripted: ScriptedStream;
  /** Puts up somebody else's page, on another origin than the service; returns its address. */
  hostPage: (html: string, headers?: Record<string, string>) => Promise<string>;
  /** Lets a test expect errors in the console. All others fail it. */
  expectErrors: (pattern: RegExp) => void;
}

/** Every test fails on an error in the console or an exception on a page. */
export const test = base.extend<Fixtures & { guard: void; pictures: void }>({
  service: async ({ context }, use) => {
    const service = await Service.create();
    try {
      await service.import(history(1000, 230, 4), "--backfill");
      await service.import([pending]);
      await service.start();
      await use(service);
    } finally {
      await closePages(context);
      await service.dispose();
    }
  },

  scripted: async ({ context, service }, use) => {
    const scripted = await ScriptedStream.start(service);
    await use(scripted);
    await closePages(context);
    await scripted.close();
  },

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

/** Pages that outlive their server complain in the console. */
export async function closePages(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) await page.close();
}

/** The metrics widget, wherever it is. */
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

  /** It says so, and while it reconnects also how old its numbers are. */
  async toBe(state: "live" | "reconnecting"): Promise<void> {
    await expect(this.status).toHaveText(state === "live" ? "live" : /^reconnecting · .+/);
  }
}
