import type { ReceivedEvent } from "./events.js";

/** Headers of a request: of `fetch`, Node.js or a framework, with names in lower case or any other. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

/** Request that is not from the service, or too old. Respond with 401. */
export class VerificationError extends Error {
  override readonly name = "VerificationError";
}

export interface VerifyOptions {
  /** Maximum difference between the clocks in seconds, 300 by default. */
  tolerance?: number;
}

/**
 * Verifies a webhook by its `webhook-signature`, and returns its event. Pass the bytes of the body as they arrived. For
 * 24 hours after a rotation, requests are signed with both secrets, so either one verifies them.
 */
export async function verify(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { tolerance = 300 }: VerifyOptions = {},
): Promise<ReceivedEvent> {
  const bytes = bytesOf(body);
  const id = header(headers, "webhook-id");
  const timestamp = header(headers, "webhook-timestamp");
  if (!id || !/^\d{1,15}$/.test(timestamp)) throw new VerificationError("a header of the webhook is missing");
  const key = await hmacKey(secretBytes(secret));
  const signed = joined(bytesOf(`${id}.${timestamp}.`), bytes);
  const signatures = header(headers, "webhook-signature").split(" ");
  const results = await Promise.all(signatures.map((signature) => isSigned(key, signature, signed)));
  if (!results.includes(true)) throw new VerificationError("no signature matches");
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > tolerance) {
    throw new VerificationError("the timestamp is too far away: the request is a replay, or a clock is wrong");
  }
  const sequence = header(headers, "x-svc-sequence");
  const event = JSON.parse(new TextDecoder().decode(bytes));
  return { ...event, id, sequence: /^\d+$/.test(sequence) ? Number(sequence) : undefined };
}

/**
 * Whether `X-SVC-Signature` is the signature of the body. It covers neither the time nor the `webhook-id`, so prefer
 * `verify`, which detects replays.
 */
export async function verifyBody(body: string | Uint8Array, headers: WebhookHeaders, secret: string): Promise<boolean> {
  secretBytes(secret);
  const [, hex] = /^sha256=([0-9a-f]{64})$/.exec(header(headers, "x-svc-signature")) ?? [];
  if (!hex) return false;
  const signature = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return crypto.subtle.verify("HMAC", await hmacKey(bytesOf(secret)), signature, bytesOf(body));
}

/** `subtle.verify` compares in constant time. */
async function isSigned(key: CryptoKey, signature: string, signed: Bytes): Promise<boolean> {
  const [version, base64 = ""] = signature.split(",");
  const bytes = version === "v1" ? decoded(base64) : undefined;
  return bytes !== undefined && crypto.subtle.verify("HMAC", key, bytes, signed);
}

type Bytes = Uint8Array<ArrayBuffer>;

function hmacKey(bytes: Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

/** Key within the secret. With an empty key, anyone could sign. */
function secretBytes(secret: string): Bytes {
  const bytes = secret.startsWith("whsec_") ? decoded(secret.slice("whsec_".length)) : undefined;
  if (!bytes?.length) throw new TypeError("a webhook secret is whsec_ followed by base64");
  return bytes;
}

function decoded(base64: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function bytesOf(body: string | Uint8Array): Bytes {
  return typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body);
}

function joined(one: Bytes, other: Bytes): Bytes {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

function header(headers: WebhookHeaders, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? "";
  const key = Object.keys(headers).find((key) => key.toLowerCase() === name);
  const value = key === undefined ? undefined : headers[key];
  return (Array.isArray(value) ? value[0] : value) ?? "";
}
