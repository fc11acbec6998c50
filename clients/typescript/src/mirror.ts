import type { CallOptions, Client, ReportPage } from "./client.js";
import type { EventLog, LoggedEvent } from "./events.js";
import { Problem } from "./problem.js";
import { sleep } from "./sleep.js";
import type { Report, ReportsQuery } from "./types.js";

/** Place of a mirror in the log or the list, to be stored with its reports. */
export interface MirrorState {
  /** Number of the last complete walk through the list. */
  walk: number;
  /** Revision of the list in that walk. */
  revision: number;
  /** URL of later reports; none if the list was empty. */
  current: string | undefined;
  /** Place in the log; none if the client may not read it. */
  cursor: string | undefined;
}

/** Storage of a mirror. Each method stores everything before it returns. */
export interface MirrorStore {
  /** The state that was stored last; `undefined` before the first walk is complete. */
  load(): Promise<MirrorState | undefined> | MirrorState | undefined;
  /** Inserts or replaces reports, and stores the number of the walk with each. */
  put(reports: readonly Report[], walk: number): Promise<void> | void;
  /** Deletes the reports with these ids, as far as there are any. */
  delete(ids: readonly string[]): Promise<void> | void;
  save(state: MirrorState): Promise<void> | void;
  /** Deletes all reports of other walks and stores the state, both or neither. */
  finishWalk(state: MirrorState): Promise<void> | void;
}

/** Reports in memory, by their ids. */
export class MemoryStore implements MirrorStore {
  readonly reports = new Map<string, Report>();
  readonly #walks = new Map<string, number>();
  #state: MirrorState | undefined;

  load(): MirrorState | undefined {
    return this.#state;
  }

  put(reports: readonly Report[], walk: number): void {
    for (const report of reports) {
      this.reports.set(report.id, report);
      this.#walks.set(report.id, walk);
    }
  }

  delete(ids: readonly string[]): void {
    for (const id of ids) {
      this.reports.delete(id);
      this.#walks.delete(id);
    }
  }

  save(state: MirrorState): void {
    this.#state = state;
  }

  finishWalk(state: MirrorState): void {
    this.delete([...this.#walks].filter(([, walk]) => walk !== state.walk).map(([id]) => id));
    this.#state = state;
  }
}

/** Seconds between attempts while the service cannot be reached. */
const PAUSE = 5;

const EVENTS = ["report.created", "report.updated", "report.withdrawn", "reports.imported"] as const;

/**
 * Copy of all published reports, by the algorithms of `docs/mirroring.md`: by the log if the client's key may read it,
 * otherwise by the list. It can be stopped at any time.
 */
export class Mirror {
  readonly #client: Client;
  readonly #store: MirrorStore;

  constructor(client: Client, store: MirrorStore) {
    this.#client = client;
    this.#store = store;
  }

  /**
   * Brings the copy up to date: reads what changed since the last call, or the whole list if that is not known. Waits
   * while the service cannot be reached or refuses further requests.
   */
  async update(options: { signal?: AbortSignal } = {}): Promise<void> {
    const state = await this.#store.load();
    if (state && (await this.#follow(state, options))) return;
    const cursor = (await this.#log("latest", options))?.next;
    const walk = Math.max(Date.now(), (state?.walk ?? 0) + 1);
    const { current, revision } = await this.#storeAll(walk, options);
    const walked = { walk, revision, current, cursor };
    await this.#store.finishWalk(walked);
    if (cursor !== undefined) await this.#follow(walked, options);
  }

  /** Updates the copy every `interval` seconds until the signal is aborted. */
  async run({ interval = 10, signal }: { interval?: number; signal: AbortSignal }): Promise<void> {
    while (!signal.aborted) {
      await this.update({ signal });
      await sleep(interval * 1000, signal).catch(() => {});
    }
  }

  /** Stores what changed since a state. Returns whether that is everything. */
  async #follow(state: MirrorState, options: CallOptions): Promise<boolean> {
    if (state.cursor !== undefined) return this.#followLog(state, state.cursor, options);
    const { current = state.current, revision } = await this.#storeAll(state.walk, options, state.current);
    await this.#store.save({ ...state, current });
    return revision === state.revision;
  }

  async #followLog(state: MirrorState, cursor: string, options: CallOptions): Promise<boolean> {
    for (let [after, more] = [cursor, true]; more; ) {
      const page = await this.#log(after, options);
      if (!page) return false;
      await this.#apply(page.events, state.walk, options);
      ({ next: after, more } = page);
      await this.#store.save({ ...state, cursor: after });
    }
    return true;
  }

  /** Stores the effect of events. Of several about a report, only the last counts. */
  async #apply(events: readonly LoggedEvent[], walk: number, options: CallOptions): Promise<void> {
    const changed = new Map<string, Report>();
    const withdrawn = new Set<string>();
    const flush = async () => {
      await this.#store.put([...changed.values()], walk);
      await this.#store.delete([...withdrawn]);
      changed.clear();
      withdrawn.clear();
    };
    for (const { event, data } of events) {
      if (event === "reports.imported") {
        await flush();
        await this.#storeAll(walk, options, { limit: 100, since: data.since, until: data.until });
      } else if (event === "report.withdrawn") {
        changed.delete(data.id);
        withdrawn.add(data.id);
      } else if (event === "report.created" || event === "report.updated") {
        const { status: _, ...report } = data;
        changed.set(report.id, report);
        withdrawn.delete(report.id);
      }
    }
    await flush();
  }

  /** A page of the log; none if the client may not read it, or not from there on. */
  async #log(after: string, options: CallOptions): Promise<EventLog | undefined> {
    if (!this.#client.hasKey) return undefined;
    try {
      return await patient(() => this.#client.events({ after, events: EVENTS }, options), options);
    } catch (error) {
      if (error instanceof Problem && ["CURSOR_EXPIRED", "FORBIDDEN"].includes(error.code)) return undefined;
      throw error;
    }
  }

  /** Stores all pages from a link on, or of a query. Returns the first page. */
  async #storeAll(
    walk: number,
    options: CallOptions,
    from: ReportsQuery | string = { limit: 100 },
  ): Promise<ReportPage> {
    // A page from an HTTP cache would cost a walk.
    const read = (link: ReportsQuery | string) =>
      patient(() => this.#client.reportPage(link, { ...options, cache: "no-store" }), options);
    const first = await read(from);
    await this.#store.put(first.reports, walk);
    for (let { next } = first; next !== undefined; ) {
      const page = await read(next);
      await this.#store.put(page.reports, walk);
      next = page.next;
    }
    return first;
  }
}

/** Repeats a request until the service can be reached and accepts it. */
async function patient<T>(request: () => Promise<T>, { signal }: CallOptions): Promise<T> {
  for (;;) {
    try {
      return await request();
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof Problem && !error.isTemporary) throw error;
      const { retryAfter = PAUSE } = error instanceof Problem ? error : {};
      await sleep(retryAfter * 1000, signal);
    }
  }
}
