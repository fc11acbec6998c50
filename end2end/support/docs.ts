import { readFile } from "node:fs/promises";

/** The code in a file of the documentation, so that tests run what it says. */
export class Docs {
  private constructor(private readonly sections: Map<string, string>) {}

  /** Reads a file of `docs/`, with the address of a running service in place of the example. */
  static async read(file: string, base: string): Promise<Docs> {
    const url = new URL(`../../docs/${file}`, import.meta.url);
    const text = (await readFile(url, "utf8")).replaceAll("https://svc.example.org", base);
    const sections = text.split(/^## /m).slice(1);
    return new Docs(new Map(sections.map((section) => [section.split("\n")[0]!, section])));
  }

  /** The titles of the sections that have code. */
  get titles(): string[] {
    return [...this.sections].filter(([, section]) => section.includes("```")).map(([title]) => title);
  }

  /** A section's blocks of code in a language; there is one at least. */
  blocks(title: string, language: string): string[] {
    const section = this.sections.get(title) ?? "";
    const blocks = [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
    const found = blocks.filter(([, of]) => of === language).map(([, , code]) => code!);
    if (found.length === 0) throw new Error(`no ${language} under "${title}"`);
    return found;
  }

  /** The first of them. */
  code(title: string, language: string): string {
    return this.blocks(title, language)[0]!;
  }
}
