import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** HTTP server that runs during a test. */
export class TestServer {
  private constructor(
    private server: Server,
    private readonly handler: Handler,
    readonly port: number,
  ) {}

  static async start(handler: Handler): Promise<TestServer> {
    const server = createServer(handler).listen(0);
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    return new TestServer(server, handler, address.port);
  }

  /** URL of the server under one of this machine's names. Each name is a separate origin. */
  at(host: "127.0.0.1" | "localhost"): string {
    return `http://${host}:${this.port}`;
  }

  async close(): Promise<void> {
    if (!this.server.listening) return;
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, "close");
  }

  /** Starts the server again on the same port. */
  async reopen(): Promise<void> {
    this.server = createServer(this.handler).listen(this.port);
    await once(this.server, "listening");
  }
}
