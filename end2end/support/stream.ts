import { request as forward, type ServerResponse } from "node:http";
import { expect, type Page } from "@playwright/test";
import type { ReadOnlyService } from "./service.js";
import { TestServer } from "./server.js";

/** Metrics object of the API. */
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

/** Event with one view of a stream. */
interface View {
  view: string;
  metrics: unknown;
  reports: unknown;
}

/** Service whose stream is replaced by the test's own. */
export class ScriptedStream {
  /** Open streams, each with its views. */
  readonly open = new Map<ServerResponse, View[]>();
  /** Number of requests for a stream that got a response. */
  requests = 0;
  /** Status of responses to requests for a stream. */
  status = 200;
  /** Whether widgets may poll when their stream is refused. */
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
   * Sends new counters or reports (`data`) to all streams, in every view. The other part stays as the service had it
   * when the stream was opened. `error` reports that the data cannot be read.
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
    // The stream of the previous page may take a moment to close.
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
    // The client may have disconnected by now.
    if (response.closed) return;
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    response.write("retry: 100\n\n");
    this.requests += 1;
    this.open.set(response, views.map((view) => JSON.parse(view)));
    response.on("close", () => this.open.delete(response));
  }

  /** Refuses further connections, and closes the open ones. */
  async close(): Promise<void> {
    await this.server.close();
  }

  async reopen(): Promise<void> {
    await this.server.reopen();
  }
}
