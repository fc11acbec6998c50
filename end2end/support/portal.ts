import type { Page } from "@playwright/test";
import { TestServer } from "./server.js";
import type { Service } from "./service.js";
import { expect } from "./test.js";

/** Flags of a service that sends webhooks to this machine. */
export const TO_THIS_MACHINE = ["--webhook-allow-http", "--webhook-allow-private", "127.0.0.0/8"];

type Tier = "partner" | "test";

/** Creates a key of a partner. */
export async function partnersKey(service: Service, name = "Aid", tier: Tier = "partner"): Promise<string> {
  return JSON.parse(await service.svc("keys", "create", "--partner", name, "--tier", tier, "--json")).key;
}

/** Signs in at the portal with a new key, on a page in any language. */
export async function signIn(page: Page, service: Service, name = "Aid", tier: Tier = "partner"): Promise<void> {
  const key = await partnersKey(service, name, tier);
  await page.goto(`${service.base}/partners`);
  await page.locator("input[name=key]").fill(key);
  await page.locator("form.sign-in button").click();
  await expect(page.locator("nav .person")).toHaveText(name);
}

/** Endpoint that responds with `status` and `response` to each webhook. */
export class Endpoint {
  status = 204;
  response = "";
  readonly bodies: string[] = [];
  private constructor(private server: TestServer | undefined) {}

  static async start(): Promise<Endpoint> {
    const endpoint = new Endpoint(undefined);
    endpoint.server = await TestServer.start((request, response) => {
      let body = "";
      request.on("data", (chunk) => (body += chunk));
      request.on("end", () => {
        endpoint.bodies.push(body);
        response.writeHead(endpoint.status).end(endpoint.response);
      });
    });
    return endpoint;
  }

  get url(): string {
    return `${this.server!.at("127.0.0.1")}/hooks`;
  }

  async close(): Promise<void> {
    await this.server!.close();
  }
}
