/** Browser as packaged by distributions, which Playwright does not support. */
export interface Browser {
  /** Loads a page. */
  open(url: string): Promise<void>;
  /** Evaluates an expression in the page, or in its first frame with this URL. */
  value<T>(expression: string, frame?: string): Promise<T>;
  /** Errors and warnings in the console. */
  errors(): Promise<string[]>;
  close(): Promise<void>;
}

/** Calls `ask` until its result fits, for at most 20 seconds. */
export async function until<T>(what: string, ask: () => Promise<T>, fits: (answer: T) => boolean): Promise<T> {
  const end = Date.now() + 20_000;
  for (;;) {
    const answer = await ask().catch((error: unknown) => error as T);
    if (!(answer instanceof Error) && fits(answer)) return answer;
    if (Date.now() > end) throw new Error(`${what}: still ${String(answer)}`);
    await new Promise((resume) => setTimeout(resume, 100));
  }
}
