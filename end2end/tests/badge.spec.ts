import { expect, test } from "../support/test.js";

const FONTS = ["system-ui", "DejaVu Sans", "Verdana", "monospace"];

for (const font of FONTS) {
  test(`no text of the badge leaves its place in ${font}`, async ({ page, service }) => {
    const svg = await (await fetch(`${service.base}/embed/metrics.svg`)).text();
    await page.setContent(`<!doctype html><link rel="icon" href="data:,">
      <style>text { font-family: ${font} !important }</style>${svg}`);
    const [right, edges] = await page.evaluate(() => {
      const numbers = [...document.querySelectorAll("text.number")] as SVGTextElement[];
      const lines = [...document.querySelectorAll("path.line")] as SVGPathElement[];
      const width = document.querySelector("svg[role=img]")!.getBoundingClientRect().width;
      const left = document.querySelector("svg[role=img]")!.getBoundingClientRect().left;
      const end = (element: SVGElement) => element.getBoundingClientRect().right - left;
      return [numbers.map(end), [...lines.map(end), width]];
    });
    expect(right.length).toBe(4);
    right.forEach((end, index) => expect(end).toBeLessThan(edges[index]! - 4));
  });
}

for (const [scheme, ground] of [
  ["light", "rgb(255, 255, 255)"],
  ["dark", "rgb(11, 18, 32)"],
] as const) {
  test(`the badge is ${scheme} for who prefers that`, async ({ page, service }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto(`${service.base}/embed/metrics.svg`);
    await expect(page.locator(".ground")).toHaveCSS("fill", ground);
    await expect(page.locator(".number").first()).toHaveText("1,234");
  });
}
