import type { Instant, Metrics, Open, Report } from "./types.js";

export type PublishedReport = Report & { status: Open<"APPROVED"> };
export type WithdrawnReport = Report & { status: Open<"WITHDRAWN"> };

interface Named<Name extends string, Data> {
  event: Name;
  timestamp: Instant;
  data: Data;
}

/** Events of the log. New ones may be added: ignore those with other names. */
export type LogEvent =
  | Named<"report.created" | "report.updated", PublishedReport>
  | Named<"report.withdrawn", WithdrawnReport>
  | Named<"metrics.updated", Metrics>;

/** Bodies of webhooks. */
export type WebhookEvent = LogEvent | Named<"webhook.test", { message: string; subscription: string }>;

/** `id` is the `webhook-id`. Of two events, the one with the larger `sequence` is newer. */
export type LoggedEvent = LogEvent & { id: string; sequence: number };

export interface EventLog {
  events: LoggedEvent[];
  /** The `after` of the next request. */
  next: string;
  more: boolean;
}

/** Verified webhook. Only `id` and the members of the body are signed; TLS protects `sequence`. */
export type ReceivedEvent = WebhookEvent & { id: string; sequence: number | undefined };
