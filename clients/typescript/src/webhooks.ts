import type { ApiRequest, CallOptions } from "./client.js";
import type * as api from "./types.js";

type Call = <T>(path: string, request?: ApiRequest) => Promise<T>;

/** A partner's subscriptions to events. Needs a key of the tier `partner` or `enterprise`. */
export class Webhooks {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * Subscribes an endpoint. Only this response contains the secret: store it. With the same `idempotencyKey`, a
   * repeated call creates no second subscription.
   */
  create(
    body: api.NewSubscription,
    { idempotencyKey = crypto.randomUUID(), ...options }: CallOptions & { idempotencyKey?: string } = {},
  ): Promise<api.CreatedSubscription> {
    const headers = { "idempotency-key": idempotencyKey };
    return this.#call("webhooks", { method: "POST", body, headers, ...options });
  }

  /** All subscriptions, newest first. */
  async list(options?: CallOptions): Promise<api.SubscriptionWithHealth[]> {
    type List = { subscriptions: api.SubscriptionWithHealth[] };
    return (await this.#call<List>("webhooks", options)).subscriptions;
  }

  change(id: string, body: api.SubscriptionChange, options?: CallOptions): Promise<api.ChangedSubscription> {
    return this.#call("webhooks", { method: "PATCH", query: { id }, body, ...options });
  }

  delete(id: string, options?: CallOptions): Promise<void> {
    return this.#call("webhooks", { method: "DELETE", query: { id }, ...options });
  }

  /** Replaces the secret. For 24 hours, requests are signed with the old secret, too. */
  async rotate(id: string, options?: CallOptions): Promise<api.SubscriptionWithNewSecret> {
    type Rotated = { subscription: api.SubscriptionWithNewSecret };
    const request = { method: "POST", query: { id }, ...options };
    return (await this.#call<Rotated>("webhooks/rotate", request)).subscription;
  }

  /** Sends a `webhook.test` event, and returns the response of the endpoint. */
  test(id: string, options?: CallOptions): Promise<api.TestResult> {
    return this.#call("webhooks/test", { method: "POST", query: { id }, ...options });
  }

  /** Sends past events again, and returns their number. */
  async replay(id: string, body: api.ReplayRequest, options?: CallOptions): Promise<number> {
    const request = { method: "POST", query: { id }, body, ...options };
    return (await this.#call<{ events: number }>("webhooks/replay", request)).events;
  }

  /** A page of deliveries with their attempts, newest event first. Continue with `next` while `more` is true. */
  deliveries(id: string, query: api.DeliveriesQuery = {}, options?: CallOptions): Promise<api.DeliveryList> {
    return this.#call("webhooks/deliveries", { query: { id, ...query }, ...options });
  }
}
