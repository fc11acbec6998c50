import type { Frame, Page } from "@playwright/test";
import { expect, test, Widget } from "../support/test.js";
import { live, TOTALS } from "../support/widgets.js";

const LIGHT = "rgb(255, 255, 255)";
const DARK = "rgb(11, 18, 32)";

/** Frame of the widget, which has a different origin than the page. */
function frame(page: Page): Frame {
  return page.frames()[1]!;
}

/** Sends a message from the page to the widget. */
async function say(page: Page, message: unknown): Promise<void> {
  await page.evaluate((message) => frames[0]!.postMessage(message, "*"), message);
}

async function options(page: Page, options: unknown): Promise<void> {
  await say(page, { type: "svc:options", options });
}

async function ground(frame: Frame | Page, colour: string): Promise<void> {
  await expect(frame.locator("body")).toHaveCSS("background-color", colour);
}

/** Records the URLs that the widget navigates to from now on. */
function travels(page: Page): string[] {
  const urls: string[] = [];
  page.on("framenavigated", (frame) => urls.push(frame.url()));
  return urls;
}

const iframe = (base: string, query = "") =>
  `<!doctype html><title>Host</title><iframe src="${base}/embed/metrics${query}" title="w"></iframe>`;

const loader = (base: string, attributes = "") =>
  `<!doctype html><title>Host</title><body><div data-svc="metrics" ${attributes}></div>
   <script src="${base}/embed.js" async></script>`;

test("theme and ground change while the widget lives on", { tag: "@release" }, async ({
  hostPage,
  page,
  service: { base },
}) => {
  await page.goto(await hostPage(iframe(base, "?theme=light")));
  await new Widget(frame(page)).toBe("live");
  await frame(page).evaluate("window.untouched = true");
  const went = travels(page);

  await options(page, { theme: "dark" });
  await ground(frame(page), DARK);
  await expect(frame(page).locator(":root")).toHaveCSS("color-scheme", "dark");
  await options(page, { bg: "none" });
  await ground(frame(page), "rgba(0, 0, 0, 0)");
  await options(page, { theme: "light", bg: "surface" });
  await ground(frame(page), LIGHT);
  await options(page, { theme: "dark", bg: "none" });
  await ground(frame(page), "rgba(0, 0, 0, 0)");
  await options(page, { theme: "", bg: "" });
  await ground(frame(page), LIGHT);
  await expect(frame(page).locator(":root")).toHaveAttribute("data-theme", "auto");

  expect(await frame(page).evaluate("window.untouched")).toBe(true);
  expect(went).toEqual([]);
});

test("other options are rendered by the service, and leave no trace in the history", { tag: "@release" }, async ({
  hostPage,
  page,
  service: { base },
}) => {
  await page.goto(await hostPage(iframe(base, "?country=FR&lang=de")));
  await new Widget(frame(page)).toBe("live");
  const before = await page.evaluate("history.length");

  await options(page, { theme: "dark", country: "BR", city: "São Paulo & more" });
  const address = `${base}/embed/metrics?country=BR&lang=de&city=S%C3%A3o+Paulo+%26+more&theme=dark&bg=surface`;
  await expect.poll(() => frame(page).url()).toBe(address);
  await ground(frame(page), DARK);
  await new Widget(frame(page)).toBe("live");

  // Repeated values change nothing, and neither do values that a URL cannot contain.
  await options(page, { country: "" });
  await expect.poll(() => frame(page).url()).not.toContain("country");
  await new Widget(frame(page)).toBe("live");
  const went = travels(page);
  await options(page, { city: "São Paulo & more", lang: "de", country: "", types: 7 });
  await options(page, { region: "\uD800" });
  await expect.poll(() => frame(page).url()).toContain("region=%EF%BF%BD");
  await new Widget(frame(page)).toBe("live");
  await options(page, { region: "\uD800", theme: "light" });
  await ground(frame(page), LIGHT);
  expect(went.length).toBe(1);
  expect(await page.evaluate("history.length")).toBe(before);
});

for (const widget of TOTALS) {
  test(`everything that the ${widget} widget shows changes while it lives on`, async ({
    expectErrors,
    hostPage,
    page,
    ownService,
  }) => {
    expectErrors(/GPU stall|GL Driver Message/);
    const html = iframe(ownService.base, "").replace("embed/metrics", `embed/${widget}`);
    await page.goto(await hostPage(html.replace("<iframe", "<iframe width=700 height=400")));
    const root = frame(page);
    await live(root);
    await root.evaluate("window.untouched = true");
    const total = root.locator(widget === "metrics" ? ".total .number" : ".pulse .total");

    await options(page, { lang: "de", types: "water,both" });
    await expect(root.locator("html")).toHaveAttribute("lang", "de");
    await expect(total).toHaveText(/(^| )234/);
    await live(root);
    await options(page, { lang: "ar", types: "", title: "A & <b>" });
    await expect(root.locator("html")).toHaveAttribute("dir", "rtl");
    await expect(total).toHaveText(/1,234/);
    expect(await root.title()).toBe("A & <b>");
    await live(root);
    await options(page, { lang: "en", country: "BR", from: "2026-01-01", title: "" });
    await expect(total).toHaveText(/(^|Brazil · since 2026-01-01 ?)0/);
    await live(root);

    // Only the newest view is live; earlier ones are gone.
    await options(page, { country: "", from: "" });
    await expect(total).toHaveText(/^ ?1,234/);
    await live(root);
    await ownService.svc("reports", "approve", "pending-1");
    await expect(total).toHaveText(/^ ?1,235/);
    expect(await root.evaluate("window.untouched")).toBe(true);
    expect(await root.locator("main > *").count()).toBe(widget === "globe" ? 2 : 1);
    expect(await ownService.openStreams()).toBe(1);
  });
}

test("of changes in quick succession the last one is shown", async ({
  hostPage,
  page,
  service: { base },
}) => {
  await page.goto(await hostPage(iframe(base)));
  await new Widget(frame(page)).toBe("live");
  await page.evaluate(() => {
    for (const lang of ["de", "ar", "fr", "pt", "es", "de", "pt"]) {
      frames[0]!.postMessage({ type: "svc:options", options: { lang } }, "*");
    }
  });
  await expect(frame(page).locator("html")).toHaveAttribute("lang", "pt");
  await expect(frame(page).locator(".water dt")).toHaveText("Água");
  await live(frame(page));
  await expect(frame(page).locator("main > *")).toHaveCount(1);
});

test("without an answer the widget stays as it is, and the next change is tried", async ({
  expectErrors,
  hostPage,
  page,
  service: { base },
}) => {
  expectErrors(/Failed to load resource/);
  await page.goto(await hostPage(iframe(base)));
  await new Widget(frame(page)).toBe("live");
  await page.route("**/embed/metrics?*", (route) => route.abort());
  await options(page, { lang: "de", theme: "dark" });
  await ground(frame(page), DARK);
  await expect(frame(page).locator(".water dt")).toHaveText("Water");
  await page.unroute("**/embed/metrics?*");
  await options(page, { country: "BR" });
  await expect(frame(page).locator(".water dt")).toHaveText("Wasser");
  await new Widget(frame(page)).toBe("live");
});

for (const [how, files, answer] of [
  ["is refused", "**/frontend.*.wasm", { status: 503 }],
  ["is garbage", "**/frontend.*.wasm", { contentType: "application/wasm", body: "no wasm at all" }],
  ["of its island is garbage", "**/metrics.*.wasm", { contentType: "application/wasm", body: "no wasm at all" }],
] as const) {
  test(`options change too where the wasm ${how}`, async ({ expectErrors, hostPage, page, service: { base } }) => {
    expectErrors(/Failed to load resource|WebAssembly/);
    await page.route(files, (route) => route.fulfill(answer));
    await page.goto(await hostPage(iframe(base)));
    await expect(frame(page).locator(":root")).toHaveAttribute("data-boot", "failed");
    for (const [lang, water] of [["de", "Wasser"], ["pt", "Água"]] as const) {
      await options(page, { lang });
      await expect(frame(page).locator(".water dt")).toHaveText(water);
    }
    await expect(frame(page).locator(".pulse .status")).toBeVisible();
  });
}

test("a mistake in changing the page is reported", async ({ context, expectErrors, hostPage, page, service: { base } }) => {
  expectErrors(/TypeError/);
  await page.goto(await hostPage(iframe(base)));
  await new Widget(frame(page)).toBe("live");
  const boot = await frame(page).locator("script[type=module]").getAttribute("src");
  const body = `<!doctype html><title>no widget</title><script type="module" src="${boot}"></script>`;
  await page.route("**/embed/metrics?*", (route) => route.fulfill({ contentType: "text/html", body }));
  const [error] = await Promise.all([context.waitForEvent("weberror"), options(page, { lang: "de" })]);
  expect(error.error().name).toBe("TypeError");
});

test("options that another version of the service renders reload the page", async ({
  hostPage,
  page,
  service: { base },
}) => {
  await page.goto(await hostPage(iframe(base)));
  await new Widget(frame(page)).toBe("live");
  await page.route("**/embed/metrics?*", async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace(/boot\.[\w-]+\.js/, "boot.another.js");
    await (route.request().resourceType() === "fetch" ? route.fulfill({ response: answer, body }) : route.continue());
  });
  await frame(page).evaluate("window.untouched = true");
  await options(page, { lang: "de" });
  await expect(frame(page).locator(".water dt")).toHaveText("Wasser");
  expect(await frame(page).evaluate("window.untouched")).toBeUndefined();
  await new Widget(frame(page)).toBe("live");
});

test("what is malformed or unknown is ignored in silence", async ({
  hostPage,
  page,
  service: { base },
}) => {
  await page.goto(await hostPage(iframe(base, "?theme=dark")));
  await new Widget(frame(page)).toBe("live");
  const went = travels(page);
  for (const message of [
    null,
    7,
    "svc:options",
    [],
    {},
    { type: "svc:options" },
    { type: "svc:options", options: null },
    { type: "svc:options", options: "light" },
    { type: "svc:options", options: ["light"] },
    { type: "svc:options", options: { theme: "Light", bg: "pink" } },
    { type: "svc:options", options: { theme: null, bg: ["none"], country: null, city: { a: 1 } } },
    { type: "svc:options", options: { theme: "toString", weather: "fine", data: "x" } },
    { type: "options", options: { theme: "light" } },
  ]) {
    await say(page, message);
  }
  await options(page, { bg: "none" });
  await ground(frame(page), "rgba(0, 0, 0, 0)");
  await expect(frame(page).locator(":root")).toHaveAttribute("data-theme", "dark");
  expect(await frame(page).locator(":root").getAttribute("data-weather")).toBeNull();
  expect(went).toEqual([]);
});

test("only the parent is listened to, not a frame beside the widget or in the same window", async ({
  hostPage,
  page,
  service: { base },
}) => {
  const sibling = `<iframe srcdoc="<title>sibling</title>" title="s"></iframe>`;
  await page.goto(await hostPage(iframe(base, "?theme=dark") + sibling));
  await new Widget(frame(page)).toBe("live");
  const message = { type: "svc:options", options: { theme: "light" } };
  for (const [speaker, path] of [[page.frames()[2]!, "parent.frames[0]"], [frame(page), "self"]] as const) {
    await speaker.evaluate(`${path}.postMessage(${JSON.stringify(message)}, "*")`);
  }
  await options(page, { bg: "none" });
  await ground(frame(page), "rgba(0, 0, 0, 0)");
  await expect(frame(page).locator(":root")).toHaveAttribute("data-theme", "dark");
});

test("a widget that is in no frame listens to nobody", async ({ page, service: { base } }) => {
  await page.goto(`${base}/embed/metrics?theme=dark`);
  await new Widget(page).toBe("live");
  await page.evaluate(async () => {
    const heard = new Promise((resume) => addEventListener("message", resume));
    postMessage({ type: "svc:options", options: { theme: "light" } }, "*");
    await heard;
  });
  await ground(page, DARK);
});

test("a sandboxed widget is told its options too", async ({ hostPage, page, ownService: { base } }) => {
  const sandboxed = iframe(base).replace("<iframe", '<iframe sandbox="allow-scripts"');
  await page.goto(await hostPage(sandboxed));
  await new Widget(frame(page)).toBe("live");
  await options(page, { theme: "dark" });
  await ground(frame(page), DARK);
});

test("attributes that change on the loader's iframe reach the widget", async ({
  hostPage,
  page,
  service: { base },
}) => {
  await page.goto(await hostPage(loader(base, 'data-theme="light" data-note="ours"')));
  const element = page.locator("iframe");
  await expect(element).toHaveAttribute("data-note", "ours");
  await new Widget(frame(page)).toBe("live");
  const went = travels(page);
  await frame(page).evaluate("window.untouched = true");

  await element.evaluate((iframe) => (iframe.dataset.theme = "dark"));
  await ground(frame(page), DARK);
  await expect(element).toHaveCSS("color-scheme", "dark");
  await element.evaluate((iframe) => delete iframe.dataset.theme);
  await ground(frame(page), LIGHT);
  await expect(element).toHaveCSS("color-scheme", "normal");
  expect(await frame(page).evaluate("window.untouched")).toBe(true);
  expect(went).toEqual([]);

  await element.evaluate((iframe) => (iframe.dataset.country = "BR"));
  await expect.poll(() => frame(page).url()).toContain("country=BR");
  await element.evaluate((iframe) => delete iframe.dataset.country);
  await expect.poll(() => frame(page).url()).not.toContain("country");
  await new Widget(frame(page)).toBe("live");
});

test("what changes before the widget listens is not lost", async ({
  hostPage,
  page,
  service: { base },
}) => {
  let go = () => {};
  const held = new Promise<void>((resume) => (go = resume));
  await page.route("**/boot.*.js", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(await hostPage(loader(base, 'data-theme="light" data-country="FR"')), {
    waitUntil: "commit",
  });
  await expect.poll(() => page.frames().length).toBe(2);
  await expect(frame(page).locator(".total .number")).toHaveText("411");
  await page.locator("iframe").evaluate(({ dataset }) => {
    dataset.theme = "dark";
    delete dataset.country;
  });
  await expect(frame(page).locator(":root")).toHaveAttribute("data-theme", "light");
  go();
  await ground(frame(page), DARK);
  await expect.poll(() => frame(page).url()).toBe(`${base}/embed/metrics?theme=dark&bg=surface`);
  await new Widget(frame(page)).toBe("live");
});

test(`with data-height="auto" it is as high as its content at any width`, async ({
  hostPage,
  page,
  service: { base },
}) => {
  const address = await hostPage(loader(base, 'data-height="auto"'));
  for (const [width, height] of [[160, 102], [320, 120], [500, 120], [1200, 120]] as const) {
    await test.step(`${width} px`, async () => {
      await page.setViewportSize({ width: width + 16, height: 600 });
      await page.goto(address);
      const element = page.locator("iframe");
      await expect.poll(async () => (await element.boundingBox())?.height).toBe(height);
      await new Widget(frame(page)).toBe("live");
      const content = await frame(page).evaluate(() => {
        const boxes = [...document.querySelectorAll("dt, dd, p, .bar")]
          .filter((element) => {
            for (let at: Element | null = element; at; at = at.parentElement) {
              if (getComputedStyle(at).clipPath !== "none") return false;
            }
            return element.clientHeight > 0;
          })
          .map((element) => element.getBoundingClientRect());
        return {
          top: Math.min(...boxes.map(({ top }) => top)),
          bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
        };
      });
      expect(content.top).toBeGreaterThanOrEqual(6);
      expect(content.bottom).toBeLessThanOrEqual(height - 6);
    });
  }
});

test("the height follows the width, up and down", async ({ hostPage, page, service: { base } }) => {
  await page.goto(await hostPage(loader(base, 'data-height="auto"')));
  const element = page.locator("iframe");
  for (const [width, height] of [[1200, "120"], [180, "102"], [1200, "120"]] as const) {
    await page.setViewportSize({ width, height: 600 });
    await expect(element).toHaveAttribute("height", height);
    await expect(element).toHaveCSS("height", `${height}px`);
  }
});

test("heights are taken from the widget alone, and only where they are asked for", async ({
  context,
  hostPage,
  page,
  service: { base },
}) => {
  // Stand-in for the widget, whose messages the test sends.
  await context.route("**/embed/feed", (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><title>w</title>" }),
  );
  const other = await hostPage("<!doctype html><title>other</title>");
  await page.goto(
    await hostPage(`<!doctype html><title>Host</title><body>
      <div data-svc="feed" data-height="auto"></div><div data-svc="feed"></div>
      <iframe srcdoc="<title>sibling</title>" title="s"></iframe>
      <script src="${base}/embed.js"></script>`),
  );
  const [auto, fixed] = [page.locator("iframe").nth(0), page.locator("iframe").nth(1)];
  await expect(fixed).toHaveAttribute("height", "320");
  await expect.poll(() => page.frames().filter((frame) => frame.url() === `${base}/embed/feed`).length).toBe(2);
  const frameOf = async (index: number) =>
    (await (await page.locator("iframe").nth(index).elementHandle())!.contentFrame())!;
  // This listener runs after the loader's.
  await page.evaluate(() => {
    const counter = Object.assign(window, { heard: 0 });
    addEventListener("message", () => (counter.heard += 1));
  });
  let said = 0;
  const height = async (from: Frame | Page, height: unknown) => {
    await from.evaluate((height) => parent.postMessage({ type: "svc:height", height }, "*"), height);
    await expect.poll(() => page.evaluate("heard")).toBe(++said);
  };

  await height(await frameOf(0), 200);
  await expect(auto).toHaveCSS("height", "200px");
  // Ignored: messages from other frames, malformed ones, and those for a fixed height.
  await height(await frameOf(2), 333);
  await height(page, 333);
  await height(await frameOf(1), 333);
  for (const malformed of ["333", null, NaN, [333], {}]) await height(await frameOf(0), malformed);
  for (const [given, taken] of [[201, 201], [1e9, 4000], [Infinity, 4000], [-5, 1], [0, 1]] as const) {
    await height(await frameOf(0), given);
    await expect(auto).toHaveCSS("height", `${taken}px`);
  }
  await expect(fixed).toHaveCSS("height", "320px");

  // The frame is the same, but now shows another site.
  await height(await frameOf(0), 250);
  await expect(auto).toHaveCSS("height", "250px");
  await auto.evaluate((iframe, other) => iframe.setAttribute("src", other), other);
  await expect.poll(async () => (await frameOf(0)).url()).toBe(`${other}/`);
  await height(await frameOf(0), 333);
  await expect(auto).toHaveCSS("height", "250px");
});
