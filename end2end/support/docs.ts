import { readFile } from "node:fs/promises";

/** Code in a file of the documentation, which tests run. */
export class Docs {
  private constructor(private readonly sections: Map<string, string>) {}

  /** Reads a file of `docs/`, and replaces the example URL by that of a running service. */
  static async read(file: string, base: string): Promise<Docs> {
    const url = new URL(`../../docs/${file}`, import.meta.url);
    const text = (await readFile(url, "utf8")).replaceAll("https://svc.example.org", base);
    const sections = text.split(/^## /m).slice(1);
    return new Docs(new Map(sections.map((section) => [section.split("\n")[0]!, section])));
  }

  /** Titles of the sections that contain code. */
  get titles(): string[] {
    return [...this.sections].filter(([, section]) => section.includes("```")).map(([title]) => title);
  }

  /** Code blocks of a section in a language; there must be at least one. */
  blocks(title: string, language: string): string[] {
    const section = this.sections.get(title) ?? "";
    const blocks = [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
    const found = blocks.filter(([, of]) => of === language).map(([, , code]) => code!);
    if (found.length === 0) throw new Error(`no ${language} under "${title}"`);
    return found;
  }

  /** First code block of a section in a language. */
  code(title: string, language: string): string {
    return this.blocks(title, language)[0]!;
  }
}
