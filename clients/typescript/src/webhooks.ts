import type { ApiRequest, CallOptions, ChangeOptions, PostOptions } from "./client.js";
import type * as api from "./types.js";

type Send = (path: string, request: ApiRequest) => Promise<Response>;

/** A subscription, and the `ifMatch` of a change of this state. */
export type Tagged<T> = T & { etag: string };

/** A partner's subscriptions to events. Needs a key of the tier `partner` or `enterprise`. */
export class Webhooks {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Subscribes an endpoint. Only this response contains the secret: store it. With the same `idempotencyKey`, a
   * repeated call creates no second subscription.
   */
  create(body: api.NewSubscription, options?: PostOptions): Promise<api.CreatedSubscription> {
    return this.#json("webhooks", { method: "POST", body, ...options });
  }

  /** All subscriptions, newest first. */
  async list(options?: CallOptions): Promise<api.SubscriptionWithHealth[]> {
    type List = { subscriptions: api.SubscriptionWithHealth[] };
    return (await this.#json<List>("webhooks", { ...options })).subscriptions;
  }

  read(id: string, options?: CallOptions): Promise<Tagged<{ subscription: api.SubscriptionWithHealth }>> {
    return this.#tagged("webhooks/subscription", { query: { id }, ...options });
  }

  change(id: string, body: api.SubscriptionChange, options?: ChangeOptions): Promise<Tagged<api.ChangedSubscription>> {
    return this.#tagged("webhooks", { method: "PATCH", query: { id }, body, ...options });
  }

  async delete(id: string, options?: ChangeOptions): Promise<void> {
    await this.#send("webhooks", { method: "DELETE", query: { id }, ...options });
  }

  /** Replaces the secret. For 24 hours, requests are signed with the old secret, too. */
  async rotate(id: string, options?: PostOptions & ChangeOptions): Promise<api.SubscriptionWithNewSecret> {
    type Rotated = { subscription: api.SubscriptionWithNewSecret };
    const request = { method: "POST", query: { id }, ...options };
    return (await this.#json<Rotated>("webhooks/rotate", request)).subscription;
  }

  /** Sends a made-up event, `webhook.test` by default, and returns the response of the endpoint. */
  test(id: string, body?: api.TestEvent, options?: PostOptions): Promise<api.TestResult> {
    return this.#json("webhooks/test", { method: "POST", query: { id }, ...(body && { body }), ...options });
  }

  /** Sends past events again, and returns their number. */
  async replay(id: string, body: api.ReplayRequest, options?: PostOptions): Promise<number> {
    const request = { method: "POST", query: { id }, body, ...options };
    return (await this.#json<{ events: number }>("webhooks/replay", request)).events;
  }

  /** A page of deliveries with their attempts, newest event first. Continue with `next` while `more` is true. */
  deliveries(id: string, query: api.DeliveriesQuery = {}, options?: CallOptions): Promise<api.DeliveryList> {
    return this.#json("webhooks/deliveries", { query: { id, ...query }, ...options });
  }

  async #json<T>(path: string, request: ApiRequest): Promise<T> {
    return (await (await this.#send(path, request)).json()) as T;
  }

  async #tagged<T>(path: string, request: ApiRequest): Promise<Tagged<T>> {
    const response = await this.#send(path, request);
    return { ...((await response.json()) as T), etag: response.headers.get("etag") ?? "" };
  }
}
