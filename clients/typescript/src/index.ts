export {
  Client,
  type CallOptions,
  type ChangeOptions,
  type ClientOptions,
  type PostOptions,
  type ReportPage,
} from "./client.js";
export { MemoryStore, Mirror, type MirrorState, type MirrorStore } from "./mirror.js";
export { Problem } from "./problem.js";
export type { StreamEvent, StreamOptions } from "./stream.js";
export type * from "./events.js";
export type * from "./types.js";
export { VerificationError, verify, verifyBody, type WebhookHeaders } from "./verify.js";
export type { Tagged, Webhooks } from "./webhooks.js";
