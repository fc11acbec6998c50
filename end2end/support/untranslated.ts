import type { Page } from "@playwright/test";

/** Names that all languages write in Latin letters. */
const NAMES = [
  "svc",
  "API",
  "CSV",
  "Excel",
  "JSON",
  "NDJSON",
  "OpenStreetMap",
  "URL",
  "UTC",
  "UTF-16",
  "UTF-8",
  "Windows-1252",
  "XLSX",
];

/**
 * Texts and labels of an Arabic page with Latin letters, that is without a translation. Data has elements of its own
 * (`bdi`, `code`, `kbd`), isolates of Unicode, or a language.
 */
export function untranslated(page: Page): Promise<string[]> {
  return page.evaluate((names) => {
    const data = "bdi, code, kbd, script, style, datalist, [lang]:not(html)";
    const options = ["reason", "sheet"].map((name) => `select[name="${name}"] option[value]:not([value=""])`);
    const skipped = `${data}, ${options.join()}, select[name^="column."] option:not([value="-"])`;
    const isolates = /[\u2066-\u2068][^\u2069]*\u2069/g;
    const allowed = new RegExp(`(?<!\\p{L})(${names.join("|")})(?!\\p{L})`, "gu");
    const isLatin = (text: string) => /\p{Script=Latin}/u.test(text.replace(isolates, "").replace(allowed, ""));
    const found = new Set<string>();
    const check = (text: string | null, element: Element | null) => {
      if (text && !element?.closest(skipped) && isLatin(text)) found.add(text.trim());
    };
    check(document.title, null);
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) check(texts.currentNode.textContent, texts.currentNode.parentElement);
    for (const element of document.querySelectorAll("body *")) {
      for (const name of ["aria-label", "aria-description", "alt", "placeholder", "title"]) {
        check(element.getAttribute(name), element);
      }
    }
    return [...found];
  }, NAMES);
}
