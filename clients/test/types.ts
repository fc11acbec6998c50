/**
 * Types of the client, compared with those of the served OpenAPI document by the compiler. `scripts/test-clients`
 * generates `schema.ts`.
 */
import type * as client from "svc-client";
import type { components, paths, webhooks } from "./dist/schema.js";

type Schemas = components["schemas"];

/** `true` if both have the same members, and each is assignable to the other. */
type Same<Mine, Theirs> = [keyof Theirs] extends [keyof Mine]
  ? [keyof Mine] extends [keyof Theirs]
    ? [Mine] extends [Theirs]
      ? [Theirs] extends [Mine]
        ? true
        : { cannotBeAssignedTo: Mine; theirs: Theirs }
      : { cannotBeAssignedTo: Theirs; mine: Mine }
    : { unknownMember: Exclude<keyof Mine, keyof Theirs> }
  : { missingMember: Exclude<keyof Theirs, keyof Mine> };

/** Types by the names of the schemas. */
interface Mine {
  Attempt: client.Attempt;
  Challenge: client.Challenge;
  ChangedSubscription: client.ChangedSubscription;
  CreatedSubscription: client.CreatedSubscription;
  Delivery: client.Delivery;
  DeliveryList: client.DeliveryList;
  EndpointHealth: client.EndpointHealth;
  EventFilter: client.EventFilter;
  FilterInput: client.FilterInput;
  GeoFacets: client.GeoFacets;
  GroupList: client.GroupList;
  ImportedReports: client.ImportedReports;
  Location: client.Location;
  Me: client.Me;
  Metrics: client.Metrics;
  MyChange: client.MyChange;
  MyKey: client.MyKey;
  MyLimits: client.MyLimits;
  Period: client.Period;
  Position: client.Position;
  ProofOfWork: client.ProofOfWork;
  PublishedReport: client.PublishedReport;
  ReplayRequest: client.ReplayRequest;
  Report: client.Report;
  ReportGroup: client.ReportGroup;
  ReportList: client.ReportList;
  ReportSubmission: client.ReportSubmission;
  Series: client.Series;
  SeriesPoint: client.SeriesPoint;
  StoppedSubscription: client.StoppedSubscription;
  SubmittedReport: client.SubmittedReport;
  Subscription: client.Subscription;
  SubscriptionChange: client.SubscriptionChange;
  SubscriptionInput: client.NewSubscription;
  SubscriptionWithHealth: client.SubscriptionWithHealth;
  SubscriptionWithNewSecret: client.SubscriptionWithNewSecret;
  SubscriptionWithSecret: client.SubscriptionWithSecret;
  TestEvent: client.TestEvent;
  TestReport: client.TestReport;
  TestResult: client.TestResult;
  UpdatedMetrics: client.UpdatedMetrics;
  View: client.View;
  ViewReport: client.Report;
  Warning: client.Warning;
  WithdrawnReport: client.WithdrawnReport;
}

/** Schemas without types: downloads are bytes, and methods return the only member of others, or unions. */
type Unwrapped =
  | ("FeatureProperties" | "OneReport" | "OneSubscription")
  | ("EventLog" | "LoggedEvent" | "OtherEvent" | "Problem" | "Replay" | "RotatedSubscription" | "StreamEvent")
  | ("SubscriptionList" | "Tick" | "TickError" | "WebhookTest");

export const schemas: { [Name in keyof Mine]: true } = {} as {
  [Name in keyof Mine]: Same<Mine[Name], Schemas[Name]>;
};
export const untyped: never = "" as never as Exclude<keyof Schemas, keyof Mine | Unwrapped>;

type Query<Path extends keyof paths> = paths[Path] extends { get: { parameters: { query?: infer Query } } }
  ? keyof Query
  : never;

/** Names of parameters that a method lacks or that the API does not have. */
type Differing<Mine, Path extends keyof paths> =
  | Exclude<keyof Mine, Query<Path>>
  | Exclude<Query<Path>, keyof Mine>;

export const differing: never = "" as never as
  // Counters have no names of places.
  | Exclude<Differing<client.Filter, "/api/v1/metrics">, "lang">
  | Exclude<Differing<client.Filter & { interval: 0 }, "/api/v1/metrics/series">, "lang">
  | Differing<client.GroupsQuery & { group: 0 }, "/api/v1/metrics/by">
  | Differing<client.FacetsQuery, "/api/v1/geo-facets">
  // Links contain the page.
  | Exclude<Differing<client.ReportsQuery, "/api/v1/reports">, "page">
  | Differing<client.DownloadQuery, "/api/v1/reports.csv" | "/api/v1/reports.geojson" | "/api/v1/reports.ndjson">
  | Differing<client.Content, "/api/v1/reports/{id}">
  | Differing<client.Place & { view: 0 }, "/api/v1/stream">
  | Differing<client.EventsQuery, "/api/v1/events">
  | Differing<client.DeliveriesQuery & { id: 0 }, "/api/v1/webhooks/deliveries">;

type Body<Name extends keyof webhooks> =
  NonNullable<webhooks[Name]["post"]["requestBody"]>["content"]["application/json"];

export const bodies: { [Name in keyof webhooks]: true } = {} as {
  [Name in keyof webhooks]: Body<Name> extends client.WebhookEvent ? true : { theirs: Body<Name> };
};
export const unknownEvents: never = "" as never as Exclude<client.WebhookEvent["event"], keyof webhooks>;
