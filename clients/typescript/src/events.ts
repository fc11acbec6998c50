import type { Instant, Metrics, Open, Report } from "./types.js";

/** Mark of a made-up event, which a test sends. Real events do not have it. */
interface Mark {
  test?: boolean;
}

export type PublishedReport = Report & Mark & { status: Open<"APPROVED"> };
export type WithdrawnReport = Report & Mark & { status: Open<"WITHDRAWN"> };
export type UpdatedMetrics = Metrics & Mark;

/** History that was imported without an event for each report. */
export interface ImportedReports extends Mark {
  reports: number;
  /** First and last time of publication: the `since` and `until` of a query that contains the reports. */
  since: Instant;
  until: Instant;
}

/** Another subscription of the partner that receives nothing at present. */
export interface StoppedSubscription extends Mark {
  subscription: string;
  url: string;
  reason?: string;
  /** Start of the first of the current failures. */
  since?: Instant;
}

interface Named<Name extends string, Data> {
  event: Name;
  timestamp: Instant;
  data: Data;
}

/** Events of the log. New ones may be added: ignore those with other names. */
export type LogEvent =
  | Named<"report.created" | "report.updated", PublishedReport>
  | Named<"report.withdrawn", WithdrawnReport>
  | Named<"metrics.updated", UpdatedMetrics>
  | Named<"reports.imported", ImportedReports>;

/** Bodies of webhooks. */
export type WebhookEvent =
  | LogEvent
  | Named<"subscription.paused" | "subscription.disabled", StoppedSubscription>
  | Named<"webhook.test", { message: string; subscription: string }>;

/** `id` is the `webhook-id`. Of two events, the one with the larger `sequence` is newer. */
export type LoggedEvent = LogEvent & { id: string; sequence: number };

export interface EventLog {
  events: LoggedEvent[];
  /** The `after` of the next request. */
  next: string;
  more: boolean;
}

/** Verified webhook. Only `id` and the members of the body are signed; TLS protects `sequence`. */
export type ReceivedEvent = WebhookEvent & {
  id: string;
  sequence: number | undefined;
  /** With `test: true`, the event is made up: ignore it. */
  data: Mark;
};
