import { Problem } from "./problem.js";
import { sleep } from "./sleep.js";
import type { Metrics, Place, ReportList, View } from "./types.js";

/** Queries on one connection, such as `country=FR&limit=5`, or one place. */
export type StreamOptions =
  | { signal?: AbortSignal; views: readonly string[] }
  | (Place & { signal?: AbortSignal; views?: undefined });

/** Events of the stream. New ones may be added: ignore those with other names. */
export type StreamEvent =
  | { event: "metrics"; data: Metrics }
  | { event: "reports"; data: ReportList }
  | { event: "view"; data: View }
  | { event: "tick"; data: Record<string, never> }
  | { event: "error"; data: { message: string } };

/** A tick comes every 5 seconds. After this time without one, the connection is dead. */
const SILENCE = 30_000;
const MAX_WAIT = 60_000;

/**
 * Events of a stream that is opened again whenever it ends, until the signal is aborted. It is read by `fetch`, because
 * `EventSource` sends no key and gives up after a refusal. The service gives events no ids: after a lost connection, it
 * sends everything again.
 */
export async function* streamed(
  open: (signal: AbortSignal) => Promise<Response>,
  signal?: AbortSignal,
): AsyncGenerator<StreamEvent> {
  let [failures, retry] = [0, 2_000];
  while (!signal?.aborted) {
    const connection = new AbortController();
    const abort = () => connection.abort(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    let silence = setTimeout(abort, SILENCE);
    let wait = 0;
    try {
      const { body } = await open(connection.signal);
      if (!body) throw new TypeError("the response has no body");
      for await (const { event, data, retry: pause } of parsed(body)) {
        clearTimeout(silence);
        silence = setTimeout(abort, SILENCE);
        retry = pause ?? retry;
        if (!event) continue;
        failures = 0;
        yield { event, data: JSON.parse(data) } as StreamEvent;
      }
    } catch (error) {
      if (error instanceof Problem) {
        if (!error.isTemporary) throw error;
        wait = (error.retryAfter ?? 0) * 1000;
      }
    } finally {
      clearTimeout(silence);
      signal?.removeEventListener("abort", abort);
      connection.abort();
    }
    // A stream that ends is opened again after the time that it gave. Each failure doubles the wait, more or less.
    const spread = failures > 0 ? 0.75 + Math.random() / 2 : 1;
    const backoff = Math.min(retry * 2 ** failures, MAX_WAIT) * spread;
    failures += 1;
    await sleep(Math.max(wait, backoff), signal).catch(() => {});
  }
}

interface Block {
  event: string;
  data: string;
  retry: number | undefined;
}

/** Blocks of a body in the format of server-sent events. A block without an event has only comments or `retry`. */
async function* parsed(body: ReadableStream<Uint8Array>): AsyncGenerator<Block> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      // The last line of a stream can be `retry` without an empty line after it.
      yield { ...parsedBlock(rest), event: "" };
      return;
    }
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) yield parsedBlock(block);
  }
}

function parsedBlock(text: string): Block {
  const block: Block = { event: "", data: "", retry: undefined };
  for (const line of text.split("\n")) {
    const [, name, value = ""] = /^(\w*): ?(.*)$/.exec(line) ?? [];
    if (name === "event") block.event = value;
    if (name === "data") block.data += value;
    if (name === "retry") block.retry = Number(value);
  }
  return block;
}
