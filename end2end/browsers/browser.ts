/** A browser that Playwright does not know in the form that people have it. */
export interface Browser {
  /** Loads a page. */
  open(url: string): Promise<void>;
  /** The value of an expression on the page, or in its first frame of this address. */
  value<T>(expression: string, frame?: string): Promise<T>;
  /** What the console said that is an error or a warning. */
  errors(): Promise<string[]>;
  close(): Promise<void>;
}

/** Asks until the answer is the one that is expected, or time is up. */
export async function until<T>(what: string, ask: () => Promise<T>, fits: (answer: T) => boolean): Promise<T> {
  const end = Date.now() + 20_000;
  for (;;) {
    const answer = await ask().catch((error: unknown) => error as T);
    if (!(answer instanceof Error) && fits(answer)) return answer;
    if (Date.now() > end) throw new Error(`${what}: still ${String(answer)}`);
    await new Promise((resume) => setTimeout(resume, 100));
  }
}
