import type { Fault } from "./types.js";

/** Refused request (RFC 9457). Decide by `code`: codes do not change, texts can. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly status: number;
  /** Name of the kind of error, such as `RATE_LIMITED`; empty if the response is not from the service. */
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  /** Faults of the request's body. */
  readonly errors: readonly Fault[];
  /** Id of the request in the service's log. */
  readonly requestId: string | undefined;
  /** Seconds until the request can be repeated. */
  readonly retryAfter: number | undefined;

  constructor(response: Response, body: string) {
    const { code = "", title = "", detail = "", errors = [], requestId } = members(body);
    super(`${response.status} ${code}: ${detail || title || response.statusText}`);
    this.status = response.status;
    this.code = code;
    this.title = title;
    this.detail = detail;
    this.errors = errors;
    this.requestId = requestId;
    const seconds = response.headers.get("retry-after") ?? "";
    this.retryAfter = /^\d+$/.test(seconds) ? Number(seconds) : undefined;
  }

  /** Whether the same request can succeed later. */
  get isTemporary(): boolean {
    return [408, 429, 500, 502, 503, 504].includes(this.status);
  }
}

type Members = Partial<Pick<Problem, "code" | "title" | "detail" | "errors" | "requestId">>;

function members(body: string): Members {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
