/**
 * Objects of the API. Version 1 only gains optional parts, so types with names, such as `ReportType`, also accept
 * strings that later versions add.
 */

/** Names that are known today, or any other string. */
export type Open<Known extends string> = Known | (string & {});

export type ReportType = Open<"spirit" | "water" | "both">;
export type Language = "en" | "pt" | "es" | "fr" | "de" | "ar";
/** Date in UTC, `YYYY-MM-DD`. */
export type Day = string;
/** ISO 8601 in UTC with milliseconds and `Z`. */
export type Instant = string;

/** Reports of a place. Case and accents do not matter; `country` can also be an ISO 3166 code. */
export interface Place {
  country?: string;
  region?: string;
  city?: string;
}

/** Additional members of reports. One that is not known is left out. */
export type ReportMember = "countryCode" | "region" | "eventDate" | "position" | "typeLabel";

/** Selection of reports. `from` and `to` are event dates, both inclusive. */
export interface Filter extends Place {
  from?: Day;
  to?: Day;
  types?: readonly ReportType[];
}

export interface Metrics {
  spirit: number;
  water: number;
  both: number;
  total: number;
  spiritToday: number;
  waterToday: number;
  bothToday: number;
  totalToday: number;
  countries: number;
  cities: number;
  updatedAt: Instant;
}

export type Interval = Open<"day" | "week" | "month" | "year">;

export interface Counts {
  spirit: number;
  water: number;
  both: number;
  total: number;
}

export interface SeriesPoint extends Counts {
  from: Day;
  to: Day;
}

export interface Series {
  interval: Interval;
  from: Day;
  to: Day;
  points: SeriesPoint[];
  updatedAt: Instant;
}

export type Grouping = "country" | "region" | "city" | "type" | "day";

export interface GroupsQuery extends Filter {
  sort?: "total" | "spirit" | "water" | "both" | "name" | "key";
  lang?: Language;
  /** Groups on a page: 1 to 1,000, 100 by default. */
  limit?: number;
  /** `next` of the previous page. */
  page?: string;
}

export interface Position {
  lat: number;
  lng: number;
  precision: Open<"city" | "region" | "country">;
}

export interface ReportGroup extends Counts {
  key: string;
  name: string;
  country?: string;
  region?: string;
  countryCode?: string;
  position?: Position;
}

export interface GroupList {
  groups: ReportGroup[];
  next?: string;
}

export interface FacetsQuery {
  from: Day;
  to: Day;
  types?: readonly ReportType[];
  lang?: Language;
}

export interface Location {
  country: string;
  region: string;
  city: string;
  countryCode?: string;
  id: string;
}

export interface Period {
  from: Day;
  to: Day;
}

export interface GeoFacets {
  period: Period;
  locations: Location[];
}

/** Names of places in a language, and additional members of reports. */
export interface Content {
  lang?: Language;
  include?: readonly ReportMember[];
}

/** Reports of a download. */
export interface DownloadQuery extends Filter, Content {
  /** Only reports published at or after this time. */
  since?: Instant;
  /** Only reports published at or before this time. */
  until?: Instant;
}

export interface ReportsQuery extends DownloadQuery {
  /** Reports on a page: 1 to 100, 20 by default. */
  limit?: number;
}

export interface Report {
  id: string;
  city: string;
  country: string;
  peopleCount: number;
  type: ReportType;
  createdAt: Instant;
  /** Day of the event. This member and those below are there on request. */
  eventDate?: Day;
  countryCode?: string;
  region?: string;
  /** Position of the place, never of the report. */
  position?: Position;
  /** Label of the type in `lang`, or else in English. */
  typeLabel?: string;
}

export interface ReportList {
  reports: Report[];
}

/** Report to submit. Note and contact are for the operator only. */
export interface ReportSubmission {
  type: "spirit" | "water" | "both";
  city: string;
  region?: string | null;
  country: string;
  /** 1 by default. */
  peopleCount?: number | null;
  /** Not in the future; today by default. */
  eventDate?: Day | null;
  note?: string | null;
  contact?: string | null;
  /** Must be empty: a field that people do not see in a form. */
  website?: string | null;
  /** Solution of a challenge, needed without a key. `submit` adds it. */
  proof?: ProofOfWork | null;
}

export interface Challenge {
  challenge: string;
  /** Number of zero bits with which SHA-256 of the challenge, a colon and the nonce must begin. */
  difficulty: number;
  expiresAt: Instant;
}

export interface ProofOfWork {
  challenge: string;
  nonce: string;
}

export interface SubmittedReport {
  id: string;
  status: "PENDING";
}

/** Data of one of several queries on a stream. */
export interface View {
  view: string;
  metrics: Metrics;
  /** Reports, with the day of the event if the view has `dates=event`. */
  reports: Report[];
}

export interface MyKey {
  prefix: string;
  holder: string;
  scope?: Open<"read" | "moderate" | "admin">;
  expiresAt?: Instant;
  /** Origins of the pages that may use the key, if it is for pages. */
  origins?: string[];
}

/** Limits of the caller. One that is left out does not exist for it. */
export interface MyLimits {
  requestsPerMinute?: number;
  requestsLeft?: number;
  resetSeconds?: number;
  streams?: number;
  subscriptions: number;
}

export interface Me {
  tier: Open<"public" | "partner" | "enterprise" | "test" | "operator">;
  key?: MyKey;
  /** Address for mails about endpoints that were paused or disabled. */
  email?: string;
  limits: MyLimits;
}

/** A change of the partner; `null` removes the address. */
export interface MyChange {
  email?: string | null;
}

/** Events that a subscription can select. */
export type EventName =
  | ("report.created" | "report.updated" | "report.withdrawn" | "metrics.updated" | "reports.imported")
  | ("subscription.paused" | "subscription.disabled");

export interface EventFilter extends Place {
  types?: ReportType[];
}

export interface FilterInput extends Place {
  types?: ("spirit" | "water" | "both")[];
}

export interface NewSubscription {
  url: string;
  events: EventName[];
  filter?: FilterInput | null;
}

export interface SubscriptionChange {
  url?: string;
  events?: EventName[];
  /** Replaces the whole filter; `null` removes it. */
  filter?: FilterInput | null;
  status?: "ACTIVE" | "DISABLED";
}

export interface Subscription {
  id: string;
  url: string;
  events: Open<EventName>[];
  filter?: EventFilter;
  createdAt: Instant;
  status: Open<"ACTIVE" | "DISABLED">;
  disabledReason?: string;
}

/** New subscription with the secret of its signatures, which only this response contains. */
export type SubscriptionWithSecret = Omit<Subscription, "status" | "disabledReason"> & { secret: string };
export type SubscriptionWithNewSecret = Subscription & { secret: string };

export interface CreatedSubscription {
  subscription: SubscriptionWithSecret;
  warnings?: Warning[];
}

export interface ChangedSubscription {
  subscription: Subscription;
  warnings?: Warning[];
}

export interface EndpointHealth {
  state: Open<"HEALTHY" | "FAILING" | "PAUSED" | "DISABLED">;
  since?: Instant;
  reason?: string;
  nextAttemptAt?: Instant;
  backlog: number;
}

export type SubscriptionWithHealth = Subscription & { health: EndpointHealth };

/** Possible mistake in a request that was accepted. */
export interface Warning {
  detail: string;
  pointer?: string;
}

/** Event of a test, `webhook.test` by default. */
export interface TestEvent {
  event?: "webhook.test" | EventName;
  /** For events about reports. The members of a sample report stand in for those that are left out. */
  report?: TestReport;
}

export interface TestReport {
  id?: string | null;
  type?: "spirit" | "water" | "both" | null;
  city?: string | null;
  region?: string | null;
  country?: string | null;
  peopleCount?: number | null;
  createdAt?: Instant | null;
}

/** Result of a test: the `status` of the endpoint's response, or an `error` if there was none. */
export interface TestResult {
  status?: number;
  error?: string;
  durationMs: number;
}

/** Events to send again: since a time, after a cursor of the log, or those that failed for good. */
export interface ReplayRequest {
  from?: Instant;
  after?: string;
  status?: "FAILED";
}

export type DeliveryStatus = Open<"PENDING" | "DELIVERED" | "FAILED">;

export interface Attempt {
  startedAt: Instant;
  durationMs: number;
  status?: number;
  error?: string;
  /** Beginning of a response that did not accept the event. */
  response?: string;
}

export interface Delivery {
  id: string;
  event: string;
  eventId: string;
  status: DeliveryStatus;
  createdAt: Instant;
  attempts: Attempt[];
}

export interface DeliveriesQuery {
  status?: "PENDING" | "DELIVERED" | "FAILED";
  /** 1 to 100, 20 by default. */
  limit?: number;
  /** `next` of the previous page, for older deliveries. */
  after?: string;
}

export interface DeliveryList {
  deliveries: Delivery[];
  next: string;
  more: boolean;
}

export interface EventsQuery extends Place, Content {
  /** Only events about reports of these types. */
  types?: readonly ReportType[];
  /** `next` of an earlier page, or `latest` for future events only. */
  after?: string;
  events?: readonly EventName[];
  /** 1 to 100, 100 by default. */
  limit?: number;
}

/** Fault in the body of a request. */
export interface Fault {
  detail: string;
  pointer?: string;
  line?: number;
}
