import type { CallOptions, Client, ReportPage } from "./client.js";
import { Problem } from "./problem.js";
import { sleep } from "./sleep.js";
import type { Report } from "./types.js";

/** Place of a mirror in the list, to be stored with its reports. */
export interface MirrorState {
  /** Number of the last complete walk through the list. */
  walk: number;
  /** Revision of the list in that walk. */
  revision: number;
  /** URL of later reports; none if the list was empty. */
  current: string | undefined;
}

/** Storage of a mirror. Each method stores everything before it returns. */
export interface MirrorStore {
  /** The state that was stored last; `undefined` before the first walk is complete. */
  load(): Promise<MirrorState | undefined> | MirrorState | undefined;
  /** Inserts or replaces reports, and stores the number of the walk with each. */
  put(reports: readonly Report[], walk: number): Promise<void> | void;
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

  save(state: MirrorState): void {
    this.#state = state;
  }

  finishWalk(state: MirrorState): void {
    for (const [id, walk] of this.#walks) {
      if (walk === state.walk) continue;
      this.reports.delete(id);
      this.#walks.delete(id);
    }
    this.#state = state;
  }
}

/** Seconds between attempts while the service cannot be reached. */
const PAUSE = 5;

/** Copy of all published reports, by the algorithm of `docs/mirroring.md`. It can be stopped at any time. */
export class Mirror {
  readonly #client: Client;
  readonly #store: MirrorStore;

  constructor(client: Client, store: MirrorStore) {
    this.#client = client;
    this.#store = store;
  }

  /**
   * Brings the copy up to date: reads what was published since the last call, or the whole list if other changes
   * require it. Waits while the service cannot be reached or refuses further requests.
   */
  async update(options: { signal?: AbortSignal } = {}): Promise<void> {
    const state = await this.#store.load();
    if (state) {
      const { current = state.current, revision } = await this.#storeAll(state.current, state.walk, options);
      await this.#store.save({ ...state, current });
      if (revision === state.revision) return;
    }
    const walk = Math.max(Date.now(), (state?.walk ?? 0) + 1);
    const { current, revision } = await this.#storeAll(undefined, walk, options);
    await this.#store.finishWalk({ walk, current, revision });
  }

  /** Updates the copy every `interval` seconds until the signal is aborted. */
  async run({ interval = 10, signal }: { interval?: number; signal: AbortSignal }): Promise<void> {
    while (!signal.aborted) {
      await this.update({ signal });
      await sleep(interval * 1000, signal).catch(() => {});
    }
  }

  /** Stores all pages from a link on, or from the start of the list. Returns the first page. */
  async #storeAll(link: string | undefined, walk: number, options: CallOptions): Promise<ReportPage> {
    const first = await this.#page(link, options);
    await this.#store.put(first.reports, walk);
    for (let { next } = first; next !== undefined; ) {
      const page = await this.#page(next, options);
      await this.#store.put(page.reports, walk);
      next = page.next;
    }
    return first;
  }

  /** Reads a page past HTTP caches: an old one would cost a walk. */
  async #page(link: string | undefined, options: CallOptions): Promise<ReportPage> {
    for (;;) {
      try {
        return await this.#client.reportPage(link ?? { limit: 100 }, { ...options, cache: "no-store" });
      } catch (error) {
        options.signal?.throwIfAborted();
        if (error instanceof Problem && !error.isTemporary) throw error;
        const { retryAfter = PAUSE } = error instanceof Problem ? error : {};
        await sleep(retryAfter * 1000, options.signal);
      }
    }
  }
}
