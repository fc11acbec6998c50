import { request as send, type IncomingMessage, type ServerResponse } from "node:http";
import { TestServer } from "./server.js";
import type { ReadOnlyService } from "./service.js";

type Version = "old" | "new";

/** An asset, which is named after its content. */
const ASSET = /\b(\w+)\.([\w-]{8})\.(js|wasm|css)\b/g;

/**
 * A load balancer in front of two nodes, one of which is of the version before. Behind both is the same service: the
 * old version differs from the new one in the names of its assets.
 */
export class Upgrade {
  /** Which node answers a request. */
  route: (path: string) => Version = () => "new";
  /** Paths that were asked for, each with the node that has answered. */
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
        // Versions differ in their pages, and so in the tags of these.
        const { "content-length": _, etag: __, ...headers } = answer.headers;
        response.writeHead(answer.statusCode!, headers).end(swapped(text));
      });
    });
    // Streams end when their page does.
    forwarded.on("error", () => response.destroy());
    response.on("close", () => forwarded.destroy());
    request.pipe(forwarded);
  }
}

/** The names of the old version for those of the new one, and the other way round: hashes from back to front. */
function swapped(text: string): string {
  return text.replace(ASSET, (_, name, hash, extension) => `${name}.${[...hash].reverse().join("")}.${extension}`);
}
