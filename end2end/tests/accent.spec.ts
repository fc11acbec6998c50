import type { Frame, Page } from "@playwright/test";
import { frames, settled } from "../support/globe.js";
import { expect, test, Widget } from "../support/test.js";

test.beforeEach(({ expectErrors }) => expectErrors(/GPU stall|GL Driver Message/));

const TEXT = "rgb(20, 33, 61)";
const BROWN = "rgb(180, 83, 9)";
const BLUE = "rgb(3, 105, 161)";

const frame = (page: Page): Frame => page.frames()[1]!;

const iframe = (src: string) =>
  `<!doctype html><title>Host</title><iframe src="${src}" width="600" height="400" title="w"></iframe>`;

async function options(page: Page, options: unknown): Promise<void> {
  await page.evaluate(
    (options) => window.frames[0]!.postMessage({ type: "svc:options", options }, "*"),
    options,
  );
}

async function accent(page: Page, colour: string): Promise<void> {
  await expect(frame(page).locator(".total .number")).toHaveCSS("color", colour);
}

test("an accent comes, changes and goes while the widget lives on", { tag: "@release" }, async ({
  hostPage,
  page,
  service: { base },
}) => {
  await page.goto(await hostPage(iframe(`${base}/embed/metrics?theme=light`)));
  await new Widget(frame(page)).toBe("live");
  await frame(page).evaluate("window.untouched = true");
  await accent(page, TEXT);
  for (const [given, colour] of [
    ["#b45309", BROWN],
    ["0369A1", BLUE],
    ["", TEXT],
    ["#b45309", BROWN],
  ] as const) {
    await options(page, { accent: given });
    await accent(page, colour);
    const sheets = colour === TEXT ? 0 : 1;
    await expect(frame(page).locator("link.accent")).toHaveCount(sheets);
  }

  for (const bad of ["red", "#12", "12345g", "##b45309", "#b4530", " #0369a1", 123456, null, ["036"], {}]) {
    await options(page, { accent: bad });
  }
  // In rapid succession the last value wins, and the same colour is not requested again.
  for (const given of ["#f00", "#0f0", "#0369a1", "0369A1"]) await options(page, { accent: given });
  await accent(page, BLUE);
  await expect(frame(page).locator("link.accent")).toHaveCount(1);
  await expect(frame(page).locator(":root")).toHaveAttribute("data-accent", "0369a1");
  expect(await frame(page).evaluate("window.untouched")).toBe(true);
});

test("a style sheet that was replaced changes nothing when it is loaded late", async ({
  hostPage,
  page,
  service: { base },
}) => {
  await page.goto(await hostPage(iframe(`${base}/embed/metrics?theme=light`)));
  await new Widget(frame(page)).toBe("live");
  await options(page, { accent: "#b45309" });
  await accent(page, BROWN);
  const replaced = await frame(page).locator("link.accent").elementHandle();
  await options(page, { accent: "#0369a1" });
  await accent(page, BLUE);
  await expect(frame(page).locator("link.accent")).toHaveCount(1);
  await replaced!.dispatchEvent("load");
  await accent(page, BLUE);
  await expect(frame(page).locator("link.accent")).toHaveCount(1);
  await expect(frame(page).locator(":root")).toHaveAttribute("data-accent", "0369a1");
});

test("three digits are six, and a bad value leaves the address's accent alone", async ({
  hostPage,
  page,
  service: { base },
}) => {
  await page.goto(await hostPage(iframe(`${base}/embed/metrics?theme=light&accent=b45309`)));
  await new Widget(frame(page)).toBe("live");
  await accent(page, BROWN);
  await options(page, { accent: "purple", bg: "none" });
  await expect(frame(page).locator(":root")).toHaveAttribute("data-bg", "none");
  await accent(page, BROWN);
  await options(page, { accent: "#909" });
  await accent(page, "rgb(153, 0, 153)");
  await expect(frame(page).locator("link.accent")).toHaveJSProperty("href", `${base}/embed/accent/990099.css`);
});

test("an accent is not lost when another option loads the widget again", async ({
  hostPage,
  page,
  service: { base },
}) => {
  await page.goto(await hostPage(iframe(`${base}/embed/metrics?theme=light`)));
  await new Widget(frame(page)).toBe("live");
  await options(page, { accent: "#b45309" });
  await accent(page, BROWN);
  await options(page, { country: "BR" });
  await expect.poll(() => frame(page).url()).toContain("accent=b45309");
  await accent(page, BROWN);
  await new Widget(frame(page)).toBe("live");
  await options(page, { accent: "", country: "" });
  await expect.poll(() => frame(page).url()).not.toContain("accent");
  await accent(page, TEXT);
  await new Widget(frame(page)).toBe("live");
});

test("the globe is painted anew in its accent", async ({ hostPage, page, service: { base } }) => {
  await page.goto(await hostPage(iframe(`${base}/embed/globe?theme=light`)));
  await settled(frame(page));
  const before = await frames(frame(page));
  await options(page, { accent: "#b45309" });
  await expect(frame(page).locator(".total b")).toHaveCSS("color", BROWN);
  await expect.poll(() => frames(frame(page))).toBeGreaterThan(before);
});
