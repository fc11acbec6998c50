import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { after, before, type TestContext } from "node:test";
import { Client } from "svc-client";
import { Service } from "../../end2end/support/service.js";

/** Running service with its own database, and clients of it. */
export interface Running {
  service: Service;
  /** Client without a key. */
  visitor: Client;
  /** Client with a key without limits. */
  partner: Client;
  key: string;
  /** Calls the operator API, with a JSON body if there is one, and returns the JSON of the response. */
  operate(method: string, path: string, body?: object): Promise<any>;
}

const FLAGS = ["--webhook-allow-http", "--webhook-allow-private", "--intake", "on"];

/** Starts a service with generated reports for the tests of a file. */
export function running(rows: number): Running {
  const running = {} as Running;
  before(async () => {
    const service = await Service.create();
    if (rows > 0) await service.demo(rows);
    const created = await service.svc("keys", "create", "--partner", "Tests", "--tier", "enterprise", "--json");
    const { key } = JSON.parse(created);
    const operatorsKey = await service.operatorsKey("Maria", "moderate");
    await service.start(...FLAGS);
    const { base: baseUrl } = service;
    const operate = async (method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${operatorsKey}`, "content-type": "application/json" };
      const url = `${service.operatorsBase}/operator/v1/${path}`;
      const response = await fetch(url, { method, headers, body: body && JSON.stringify(body) });
      if (!response.ok) throw new Error(await response.text());
      return response.json();
    };
    const visitor = new Client({ baseUrl });
    const partner = new Client({ baseUrl, key });
    Object.assign(running, { service, visitor, partner, key, operate });
  });
  after(() => running.service.dispose());
  return running;
}

export async function restart({ service }: Running): Promise<void> {
  await service.stop();
  await service.start(...FLAGS);
}

/** Report to be added by the operator API. */
export function report(id: string, city = "Campinas", country = "Brazil"): object {
  return { id, type: "water", city, country, peopleCount: 3, eventDate: "2026-03-01" };
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** Request that an endpoint received. */
export interface Received {
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** Endpoint that accepts all webhooks during a test. `next` waits for one that no earlier call has returned. */
export async function endpoint(test: TestContext): Promise<{ url: string; next(): Promise<Received> }> {
  const received: Received[] = [];
  const waiting: ((request: Received) => void)[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    response.writeHead(204).end();
    const one = { headers: request.headers, body };
    const resume = waiting.shift();
    if (resume) resume(one);
    else received.push(one);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  test.after(() => server.close().closeAllConnections());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/svc`,
    next: async () => received.shift() ?? new Promise((resume) => waiting.push(resume)),
  };
}
