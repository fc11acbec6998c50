import type { Frame, Page } from "@playwright/test";

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Visible text or icon with its position, without clipped parts. */
export interface Seen {
  /** Text; empty for an icon. */
  text: string;
  /** Boxes of the text, one per line. */
  boxes: Box[];
  /** Whether all of it is visible. */
  whole: boolean;
  /** Whether it is in a list. */
  listed: boolean;
}

/** Visible texts and icons of a whole page. */
export function seen(root: Page | Frame): Promise<Seen[]> {
  return root.evaluate(() => {
    const found: Seen[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(walker.currentNode);
      const text = walker.currentNode.textContent!.trim().replace(/\s+/g, " ");
      if (text) add(text, walker.currentNode.parentElement!, [...range.getClientRects()]);
    }
    for (const icon of document.querySelectorAll("main svg")) {
      const box = icon.getBoundingClientRect();
      if (box.width < 40) add("", icon, [box]);
    }
    return found;

    function add(text: string, element: Element, lines: DOMRect[]): void {
      const full = lines.filter(({ width, height }) => width > 2 && height > 2);
      if (hidden(element)) return;
      const cut = full.map((line) => clipped(element, line));
      const boxes = cut.filter(({ left, right, top, bottom }) => right - left > 2 && bottom - top > 2);
      if (!boxes.length) return;
      const whole = cut.every(
        ({ left, right, top, bottom }, line) =>
          left <= full[line]!.left + 1 &&
          right >= full[line]!.right - 1 &&
          top <= full[line]!.top + 2 &&
          bottom >= full[line]!.bottom - 2,
      );
      found.push({ text, boxes, whole, listed: element.closest("li") !== null });
    }

    function hidden(element: Element): boolean {
      const { color, visibility } = getComputedStyle(element);
      if (visibility !== "visible" || color === "rgba(0, 0, 0, 0)") return true;
      for (let at: Element | null = element; at; at = at.parentElement) {
        const { clipPath, fontSize, opacity } = getComputedStyle(at);
        if (clipPath !== "none" || opacity === "0" || fontSize === "0px") return true;
      }
      return false;
    }

    function clipped(element: Element, { left, right, top, bottom }: DOMRect): Box {
      const edges = [new DOMRect(0, 0, innerWidth, innerHeight)];
      for (let at: Element | null = element; at; at = at.parentElement) {
        if (getComputedStyle(at).overflow !== "visible") edges.push(at.getBoundingClientRect());
      }
      return {
        left: Math.max(left, ...edges.map((edge) => edge.left)),
        right: Math.min(right, ...edges.map((edge) => edge.right)),
        top: Math.max(top, ...edges.map((edge) => edge.top)),
        bottom: Math.min(bottom, ...edges.map((edge) => edge.bottom)),
      };
    }
  });
}

/** Pairs of texts and icons that overlap. */
export async function overlaps(root: Page | Frame): Promise<string[]> {
  const all = await seen(root);
  return all.flatMap((one, index) =>
    all
      .slice(index + 1)
      .filter((other) => one.boxes.some((box) => other.boxes.some((at) => meet(box, at))))
      .map((other) => `"${one.text}" and "${other.text}"`),
  );
}

function meet(one: Box, other: Box): boolean {
  const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return wide > 1 && high > 2;
}
