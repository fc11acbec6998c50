import { request as forward, type ServerResponse } from "node:http";
import type { Service } from "./service.js";
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

/** The service, but for its stream, which the test speaks for. */
export class ScriptedStream {
  /** The streams that are open now. */
  readonly open = new Set<ServerResponse>();
  /** How many have been asked for. */
  requests = 0;
  /** What a request for the stream is answered. */
  status = 200;
  private server!: TestServer;

  static async start(service: Service): Promise<ScriptedStream> {
    const stream = new ScriptedStream();
    stream.server = await TestServer.start((request, response) => {
      if (request.url?.startsWith("/api/v1/stream")) return stream.answer(response);
      const { method, url: path, headers } = request;
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

  send(event: string, data: unknown): void {
    for (const response of this.open) {
      response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    }
  }

  private answer(response: ServerResponse): void {
    this.requests += 1;
    if (this.status !== 200) {
      response.writeHead(this.status).end();
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    response.write("retry: 100\n\n");
    this.open.add(response);
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
