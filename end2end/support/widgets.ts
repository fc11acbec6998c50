import { readFileSync } from "node:fs";

import { expect, type Frame, type Locator, type Page } from "@playwright/test";

const REGISTRY = new URL("../../app/src/widgets/registry.rs", import.meta.url);

/** Names of all widgets. */
export const WIDGETS = [...readFileSync(REGISTRY, "utf8").matchAll(/(\w+)::WIDGET/g)].map(([, name]) => name!.replace("_", "-"));
// Without names, tests of all widgets would test none.
if (WIDGETS.length < 4) throw new Error(`the registry has only the widgets ${WIDGETS}`);

/** Widgets whose total includes all time. */
export const TOTALS = ["metrics", "feed", "globe"] as const;

/** Element of a widget that shows whether its numbers are live or how old they are. */
export function status(root: Page | Frame): Locator {
  return root.locator(".pulse .status, .pulse [role=status]");
}

export async function live(root: Page | Frame): Promise<void> {
  await expect(root.locator(".pulse")).toHaveAttribute("data-state", "live");
}

/** Rows of the feed. */
export function rows(root: Page | Frame): Locator {
  return root.locator(".feed li");
}

/** Ids of the reports in the feed, from top to bottom. */
export function shown(root: Page | Frame): Promise<(string | null)[]> {
  return rows(root).evaluateAll((rows) => rows.map((row) => row.getAttribute("data-id")));
}

/** Total of the feed, the globe or the trend. */
export function total(root: Page | Frame): Locator {
  return root.locator(".pulse .total");
}
