import { request as forward, type ServerResponse } from "node:http";
import { expect, type Page } from "@playwright/test";
import type { ReadOnlyService } from "./service.js";
import { TestServer } from "./server.js";

/** A metrics object of the API. */
export const metrics = {
  spirit: 1000,
  water: 230,
  both: 4,
  total: 1234,
  spiritToday: 0,
  waterToday: 0,
  bothToday: 0,
  totalToday: 0,
  countries: 3,
  cities: 3,
  updatedAt: "2026-01-05T14:05:09.123Z",
};

/** What a stream says of one view. */
interface View {
  view: string;
  metrics: unknown;
  reports: unknown;
}

/** The service, but for its stream, which the test speaks for. */
export class ScriptedStream {
  /** The streams that are open now, each with the views that it carries. */
  readonly open = new Map<ServerResponse, View[]>();
  /** How many have been asked for, and answered. */
  requests = 0;
  /** What a request for the stream is answered. */
  status = 200;
  /** Whether widgets whose stream is refused may poll. */
  polls = false;
  private said: Partial<View> = {};

  private constructor(private readonly service: ReadOnlyService) {}

  private server!: TestServer;

  static async start(service: ReadOnlyService): Promise<ScriptedStream> {
    const stream = new ScriptedStream(service);
    stream.server = await TestServer.start((request, response) => {
      const { method, url: path = "/", headers } = request;
      if (path.startsWith("/api/v1/stream")) return stream.answer(path, response);
      if (path.startsWith("/embed/live") && stream.status !== 200 && !stream.polls) {
        response.writeHead(stream.status).end();
        return;
      }
      forward({ host: "127.0.0.1", port: service.port, method, path, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      }).end();
    });
    return stream;
  }

  get base(): string {
    return this.server.at("127.0.0.1");
  }

  /**
   * Says to all that the counters are `data` now, or the reports, in every view; what was not said
   * stays as the service had it when the stream was opened. Or that they cannot be read (`error`).
   */
  send(event: "metrics" | "reports" | "error", data: unknown): void {
    if (event === "metrics") this.said.metrics = data;
    if (event === "reports") this.said.reports = (data as { reports: unknown }).reports;
    for (const [response, views] of this.open) {
      if (event === "error") {
        response.write(`event: error\ndata: ${JSON.stringify(data)}\n\n`);
        continue;
      }
      for (const view of views) {
        response.write(`event: view\ndata: ${JSON.stringify({ ...view, ...this.said })}\n\n`);
      }
      response.write("event: tick\ndata: {}\n\n");
    }
  }

  /** Opens a page of the service, and returns when its stream is open. */
  async show(page: Page, path: string): Promise<void> {
    const before = this.requests;
    await page.goto(this.base + path);
    await expect.poll(() => this.requests).toBeGreaterThan(before);
    // The one of the page that was there before may take a moment to close.
    await expect.poll(() => this.open.size).toBe(1);
  }

  private async answer(path: string, response: ServerResponse): Promise<void> {
    if (this.status !== 200) {
      this.requests += 1;
      response.writeHead(this.status).end();
      return;
    }
    const now = await fetch(this.service.base + path.replace("/api/v1/stream", "/embed/live"));
    const views = (await now.text()).trimEnd().split("\n");
    // Whoever asked may have gone meanwhile.
    if (response.closed) return;
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    response.write("retry: 100\n\n");
    this.requests += 1;
    this.open.set(response, views.map((view) => JSON.parse(view)));
    response.on("close", () => this.open.delete(response));
  }

  /** From now on, connections are refused; those that are open end. */
  async close(): Promise<void> {
    await this.server.close();
  }

  async reopen(): Promise<void> {
    await this.server.reopen();
  }
}
