/**
 * Client of the API with types from the OpenAPI document. It is only compiled, not run: the test generates `schema.ts`
 * beside a copy of this file.
 */
import createClient from "openapi-fetch";
import type { components, paths, webhooks } from "./schema.js";

type StreamEvent = components["schemas"]["StreamEvent"];
type Problem = components["schemas"]["Problem"];
type Body<Name extends keyof webhooks> =
  NonNullable<webhooks[Name]["post"]["requestBody"]>["content"]["application/json"];

const { GET, POST, DELETE } = createClient<paths>({ baseUrl: "https://svc.example.org" });

function failed({ code, detail, requestId }: Problem): Error {
  return new Error(`${code}: ${detail} ${requestId ?? ""}`);
}

export async function total(country?: string): Promise<number> {
  const query = { country, from: "2024-01-01" };
  const { data, error } = await GET("/api/v1/metrics", { params: { query } });
  if (error) throw failed(error);
  return data.total + data.totalToday;
}

export async function busiest(country: string): Promise<string | undefined> {
  const query = { country, interval: "week" as const };
  const { data, error } = await GET("/api/v1/metrics/series", { params: { query } });
  if (error) throw failed(error);
  // @ts-expect-error There is no such interval.
  await GET("/api/v1/metrics/series", { params: { query: { interval: "hour" } } });
  return [...data.points].sort((a, b) => b.total - a.total)[0]?.from;
}

export async function newest(since: Date): Promise<string[]> {
  const query = { limit: 5, since: since.toISOString() };
  const { data, error } = await GET("/api/v1/reports", { params: { query } });
  if (error) throw failed(error);
  // New types may be added, so no switch over them is complete.
  const types: string[] = data.reports.map((report) => report.type);
  return types.concat(data.reports.map((report) => report.createdAt));
}

export async function places(): Promise<string[]> {
  // @ts-expect-error The period is required.
  await GET("/api/v1/geo-facets", {});
  const query = { from: "2024-01-01", to: "2026-12-31" };
  const { data, error } = await GET("/api/v1/geo-facets", { params: { query } });
  if (error) throw failed(error);
  return data.locations.map(({ country, region, city }) => `${city}, ${region}, ${country}`);
}

export async function stream(): Promise<string | undefined> {
  const query = { view: ["country=BR", "lang=de"] };
  const { data } = await GET("/api/v1/stream", { params: { query }, parseAs: "text" });
  return data;
}

export function describe(event: StreamEvent): string | undefined {
  if (event.event === "view" && "view" in event.data) {
    const view = event.data as components["schemas"]["View"];
    return `${view.view}: ${view.metrics.total}, ${view.reports.length}`;
  }
  return undefined;
}

export async function subscribe(url: string): Promise<string> {
  const headers = { authorization: "Bearer svc_…" };
  const { data, error } = await POST("/api/v1/webhooks", {
    headers,
    body: { url, events: ["report.created", "metrics.updated"] },
  });
  if (error) throw failed(error);
  // @ts-expect-error There is no such event.
  await POST("/api/v1/webhooks", { body: { url, events: ["report.lost"] } });
  return data.subscription.secret;
}

export async function unsubscribeDisabled(): Promise<void> {
  const { data, error } = await GET("/api/v1/webhooks");
  if (error) throw failed(error);
  for (const { id, status, disabledReason } of data.subscriptions) {
    if (status === "DISABLED" && disabledReason) {
      await DELETE("/api/v1/webhooks", { params: { query: { id } } });
    }
  }
}

export function received(body: Body<"report.created"> | Body<"metrics.updated"> | Body<"webhook.test">) {
  switch (body.event) {
    case "report.created":
      return `${body.data.city}: ${body.data.status}`;
    case "metrics.updated":
      return `${body.data.total}`;
    case "webhook.test":
      return `${body.data.subscription}: ${body.data.message}`;
  }
}
