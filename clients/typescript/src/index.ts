export { Client, type CallOptions, type ClientOptions, type ReportPage } from "./client.js";
export { MemoryStore, Mirror, type MirrorState, type MirrorStore } from "./mirror.js";
export { Problem } from "./problem.js";
export type { StreamEvent, StreamOptions } from "./stream.js";
export type * from "./events.js";
export type * from "./types.js";
export { VerificationError, verify, verifyBody, type WebhookHeaders } from "./verify.js";
export type { Webhooks } from "./webhooks.js";
