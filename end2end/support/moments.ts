// Moments that a test cannot wait for: to be evaluated in a page.

/** What a tab in the background sees; Chromium has none when it is headless. */
export function look(hidden: boolean): void {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}

/** The timer that ends the patience with a silent stream. */
export const SILENCE = [15_000, 15_000] as const;

/** The timers of those who are led, which end their patience with whoever leads. */
export const PATIENCE = [20_000, 25_000] as const;

/** The timers that end the waits between the first four tries: up to a second, and then twice as long. */
export const BACKOFF = [400, 14_999] as const;

/**
 * Keeps timers of these milliseconds until `fire()`, which returns how many there were; `delays()` returns
 * for how long they would have been kept. (Playwright's own
 * clock gives them numbers that no browser would, too large for 32 bits.)
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
