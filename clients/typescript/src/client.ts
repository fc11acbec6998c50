import type { EventLog } from "./events.js";
import { links } from "./links.js";
import { solved } from "./proof.js";
import { Problem } from "./problem.js";
import { sleep } from "./sleep.js";
import { type StreamEvent, type StreamOptions, streamed } from "./stream.js";
import type * as api from "./types.js";
import { Webhooks } from "./webhooks.js";

export interface ClientOptions {
  /** URL of the service, such as `https://svc.example.org`. */
  baseUrl: string | URL;
  /** Key, `svc_…`. Pages that others can read must not contain one. */
  key?: string;
  fetch?: typeof globalThis.fetch;
  /** Whether a request that is refused with `Retry-After` waits for that time and is sent once more. */
  wait?: boolean;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Reads past the cache of the browser. */
  cache?: "no-store";
}

export interface PostOptions extends CallOptions {
  /** With the same key, a repeated request has no further effect, and the response of the first. */
  idempotencyKey?: string | undefined;
}

export interface ChangeOptions extends CallOptions {
  /** `etag` of the state to change. If someone else has changed it since, the problem is `PRECONDITION_FAILED`. */
  ifMatch?: string | undefined;
}

export interface ReportPage extends api.ReportList {
  /** URL of the next page; none on the last one. */
  next: string | undefined;
  /** URL of the reports that are published after those of this first page. */
  current: string | undefined;
  /** Number that changes if a copy of the list must be read again. */
  revision: number;
}

type Query = object;

/** Request to the API, with `path` below `/api/v1/` or a whole URL. */
export interface ApiRequest extends PostOptions, ChangeOptions {
  method?: string;
  query?: Query;
  body?: object;
  headers?: Record<string, string>;
}

/** Client of a service. Refused requests throw a `Problem`. */
export class Client {
  /** The partner's subscriptions. */
  readonly webhooks: Webhooks;
  readonly #base: string;
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#base = `${new URL(options.baseUrl).href.replace(/\/+$/, "")}/api/v1/`;
    if (!/^https?:/.test(this.#base)) throw new TypeError(`${options.baseUrl} is not the URL of a service`);
    this.webhooks = new Webhooks(async (path, request) => (await this.#send(path, request)).response);
  }

  /** Whether requests contain a key. */
  get hasKey(): boolean {
    return this.#options.key !== undefined;
  }

  metrics(query: api.Filter = {}, options?: CallOptions): Promise<api.Metrics> {
    return this.#json("metrics", { query, ...options });
  }

  /** Counters over time, by month unless `interval` is given. */
  series(query: api.Filter & { interval?: api.Interval } = {}, options?: CallOptions): Promise<api.Series> {
    return this.#json("metrics/series", { query, ...options });
  }

  /** A page of the counters by country, region, city, type or day. */
  groups(group: api.Grouping, query: api.GroupsQuery = {}, options?: CallOptions): Promise<api.GroupList> {
    return this.#json("metrics/by", { query: { group, ...query }, ...options });
  }

  /** All groups, page by page. */
  async *by(group: api.Grouping, query: api.GroupsQuery = {}, options?: CallOptions): AsyncGenerator<api.ReportGroup> {
    let page = query.page;
    do {
      const list = await this.groups(group, page === undefined ? query : { ...query, page }, options);
      yield* list.groups;
      page = list.next;
    } while (page !== undefined);
  }

  /** Places with reports in a period. */
  facets(query: api.FacetsQuery, options?: CallOptions): Promise<api.GeoFacets> {
    return this.#json("geo-facets", { query, ...options });
  }

  /** A page of reports, newest publication first. Its links are queries of further pages. */
  async reportPage(query: api.ReportsQuery | string = {}, options?: CallOptions): Promise<ReportPage> {
    const [path, request] = typeof query === "string" ? [query, {}] : ["reports", { query }];
    const { response, url } = await this.#send(path, { ...request, ...options });
    const { next, current } = links(response.headers.get("link"), url);
    const { reports } = (await response.json()) as api.ReportList;
    return { reports, next, current, revision: Number(response.headers.get("reports-revision")) };
  }

  /** All reports of a query, page by page, each once. */
  async *reports(query: api.ReportsQuery = {}, options?: CallOptions): AsyncGenerator<api.Report> {
    let link: string | undefined;
    do {
      const page = await this.reportPage(link ?? { limit: 100, ...query }, options);
      yield* page.reports;
      link = page.next;
    } while (link !== undefined);
  }

  /** A published report. */
  async report(id: string, query: api.Content = {}, options?: CallOptions): Promise<api.Report> {
    const path = `reports/${encodeURIComponent(id)}`;
    return (await this.#json<{ report: api.Report }>(path, { query, ...options })).report;
  }

  /** Response with a file of all reports of a query. Its `body` is a stream. */
  async download(
    format: "csv" | "geojson" | "ndjson",
    query: api.DownloadQuery = {},
    options?: CallOptions,
  ): Promise<Response> {
    return (await this.#send(`reports.${format}`, { query, ...options })).response;
  }

  /**
   * Submits a report, if the service takes them. It becomes public if the operator approves it. Without a key, this
   * takes a fraction of a second of computation.
   */
  async submit(report: api.ReportSubmission, options?: PostOptions): Promise<api.SubmittedReport> {
    let body = report;
    if (!this.hasKey) {
      const challenge = await this.#json<api.Challenge>("challenge", { cache: "no-store", ...options });
      body = { ...report, proof: await solved(challenge, options?.signal) };
    }
    return this.#json("reports", { method: "POST", body, ...options });
  }

  /** Key and limits of this client. */
  me(options?: CallOptions): Promise<api.Me> {
    return this.#json("me", options);
  }

  /** Changes the address for mails about endpoints. Needs a partner's key. */
  changeMe(change: api.MyChange, options?: CallOptions): Promise<api.Me> {
    return this.#json("me", { method: "PATCH", body: change, ...options });
  }

  /** A page of the log of events, oldest first. Needs a key. Store `next`, and send it as `after`. */
  events(query: api.EventsQuery = {}, options?: CallOptions): Promise<EventLog> {
    return this.#json("events", { query, ...options });
  }

  /** Pages of the log up to its present end. The `next` of the last one is the `after` of a later call. */
  async *eventPages(query: api.EventsQuery = {}, options?: CallOptions): AsyncGenerator<EventLog> {
    let page = await this.events(query, options);
    yield page;
    while (page.more) {
      page = await this.events({ ...query, after: page.next }, options);
      yield page;
    }
  }

  /**
   * Counters and newest reports, now and then every five seconds, until `signal` is aborted. Reconnects after lost
   * connections and temporary refusals.
   */
  stream(options: StreamOptions = {}): AsyncGenerator<StreamEvent> {
    const { signal, views, ...place } = options;
    const query = views ? { view: views } : place;
    const headers = { accept: "text/event-stream" };
    const open = async (signal: AbortSignal) =>
      (await this.#send("stream", { query, headers, signal, cache: "no-store" })).response;
    return streamed(open, signal);
  }

  async #json<T>(path: string, request: ApiRequest = {}): Promise<T> {
    return (await (await this.#send(path, request)).response.json()) as T;
  }

  async #send(path: string, request: ApiRequest): Promise<{ response: Response; url: URL }> {
    const { method = "GET", query = {}, body, headers = {}, idempotencyKey, ifMatch, signal, cache } = request;
    const url = new URL(path, this.#base);
    // The key must not reach other services.
    if (!url.href.startsWith(this.#base)) throw new TypeError(`${url.href} is not below ${this.#base}`);
    for (const [name, value] of Object.entries(query)) add(url, name, value);
    const { key, fetch = globalThis.fetch, wait } = this.#options;
    const init: RequestInit = {
      method,
      signal: signal ?? null,
      headers: {
        ...headers,
        ...(key && { authorization: `Bearer ${key}` }),
        ...(idempotencyKey && { "idempotency-key": idempotencyKey }),
        ...(ifMatch && { "if-match": ifMatch }),
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
      ...(cache && { cache }),
    };
    for (let attempt = 1; ; attempt += 1) {
      const response = await fetch(url, init);
      if (response.ok) return { response, url };
      const problem = new Problem(response, await response.text());
      if (!wait || attempt > 1 || problem.retryAfter === undefined) throw problem;
      await sleep(problem.retryAfter * 1000, signal);
    }
  }
}

/** Adds a parameter: lists are separated by commas, except `view`, which is repeated. */
function add(url: URL, name: string, value: unknown): void {
  if (value === undefined) return;
  const values = name === "view" ? (value as unknown[]) : [value];
  for (const value of values) url.searchParams.append(name, String(value));
}
