import { request as send, type IncomingMessage, type ServerResponse } from "node:http";
import { TestServer } from "./server.js";
import type { ReadOnlyService } from "./service.js";

type Version = "old" | "new";

/** Path of an asset with the hash of its content. */
const ASSET = /\b(\w+)\.([\w-]{8})\.(js|wasm|css)\b/g;

/**
 * Load balancer in front of an old and a new node. Both are the same service: the old version differs only in the names
 * of its assets.
 */
export class Upgrade {
  /** Chooses the node for a request. */
  route: (path: string) => Version = () => "new";
  /** Paths of requests, each with the node that sent the response. */
  readonly answered: string[] = [];
  private server!: TestServer;

  private constructor(private readonly service: ReadOnlyService) {}

  static async start(service: ReadOnlyService): Promise<Upgrade> {
    const upgrade = new Upgrade(service);
    upgrade.server = await TestServer.start((request, response) => upgrade.answer(request, response));
    return upgrade;
  }

  get base(): string {
    return this.server.at("127.0.0.1");
  }

  async close(): Promise<void> {
    await this.server.close();
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url!;
    const version = this.route(path);
    this.answered.push(`${version} ${path}`);
    const { "accept-encoding": _, ...headers } = request.headers;
    const options = { port: this.service.port, path: version === "old" ? swapped(path) : path, headers };
    const forwarded = send({ ...options, host: "127.0.0.1", method: request.method }, (answer) => {
      const isText = /html|javascript/.test(answer.headers["content-type"] ?? "");
      if (version === "new" || !isText) {
        response.writeHead(answer.statusCode!, answer.headers);
        return void answer.pipe(response);
      }
      let text = "";
      answer.setEncoding("utf8").on("data", (data) => (text += data));
      answer.on("end", () => {
        // The versions' pages differ, so their entity tags must not be the same.
        const { "content-length": _, etag: __, ...headers } = answer.headers;
        response.writeHead(answer.statusCode!, headers).end(swapped(text));
      });
    });
    // A stream ends when its page closes.
    forwarded.on("error", () => response.destroy());
    response.on("close", () => forwarded.destroy());
    request.pipe(forwarded);
  }
}

/** Replaces the new version's asset names by the old ones and vice versa, by reversing their hashes. */
function swapped(text: string): string {
  return text.replace(ASSET, (_, name, hash, extension) => `${name}.${[...hash].reverse().join("")}.${extension}`);
}
