// Events that a test cannot wait for. These functions run inside a page.

/** Simulates switching to or from a background tab, which headless Chromium does not support. */
export function look(hidden: boolean): void {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}

/** Timeout of a silent stream, in milliseconds. */
export const SILENCE = [15_000, 15_000] as const;

/** Timeouts of tabs that follow another tab's stream, in milliseconds. */
export const PATIENCE = [20_000, 25_000] as const;

/** Waits before the first four attempts, in milliseconds: up to a second at first, then doubled each time. */
export const BACKOFF = [400, 14_999] as const;

/**
 * Holds timers with these milliseconds until `fire()`, which returns their number; `delays()` returns their durations.
 * Playwright's own clock is not used, because it gives timers ids that exceed 32 bits, which no browser does.
 */
export function holdTimers([least, most]: readonly [number, number]): void {
  const { setTimeout, clearTimeout } = window;
  const held = new Map<number, { callback: () => void; delay: number }>();
  let last = 1_000_000;
  Object.assign(window, {
    setTimeout(callback: () => void, delay?: number, ...rest: unknown[]) {
      if (!delay || delay < least || delay > most) return setTimeout(callback, delay, ...rest);
      held.set(++last, { callback, delay });
      return last;
    },
    clearTimeout(timer: number) {
      if (!held.delete(timer)) clearTimeout(timer);
    },
    fire() {
      const due = [...held.values()];
      held.clear();
      for (const { callback } of due) callback();
      return due.length;
    },
    delays() {
      return [...held.values()].map(({ delay }) => delay);
    },
  });
}
