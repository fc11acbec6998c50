import type { Frame, Page } from "@playwright/test";
import { bundled } from "../support/bundle.js";
import { expect, test, Widget } from "../support/test.js";

test.beforeEach(({ expectErrors }) => expectErrors(/^svc: |React DevTools|development build/));

/** Page with the loader and another script. */
const host = (base: string, body: string, script = "") =>
  `<!doctype html><head><script src="${base}/embed.js"></script></head><body>${body}<script>${script}</script>`;

/** Current frame of the only widget, which may have been replaced. */
async function inner(page: Page): Promise<Frame> {
  await expect(page.locator("iframe")).toHaveCount(1);
  return (await (await page.locator("iframe").elementHandle())!.contentFrame())!;
}

const frameUrl = (page: Page) => page.frames()[1]?.url();

test("the element has its widget inside itself, and follows its attributes", { tag: "@release" }, async ({
  hostPage,
  page,
  service: { base },
}) => {
  await page.goto(await hostPage(host(base, `<svc-widget type="metrics" lang="de"></svc-widget>`)));
  const iframe = page.locator("svc-widget > iframe");
  await expect(iframe).toHaveAttribute("title", "Bisherige Berichte");
  await new Widget(await inner(page)).toBe("live");
  expect(frameUrl(page)).toBe(`${base}/embed/metrics?lang=de`);

  // These changes happen in place, without loading a new document.
  await page.frames()[1]!.evaluate(() => (document.title = "still here"));
  const element = page.locator("svc-widget");
  await element.evaluate((element) => {
    element.setAttribute("theme", "dark");
    element.setAttribute("height", "200");
    element.setAttribute("width", "300");
  });
  await expect(page.frameLocator("iframe").locator("html")).toHaveAttribute("data-theme", "dark");
  expect(await iframe.boundingBox()).toMatchObject({ width: 300, height: 200 });
  expect(await page.frames()[1]!.title()).toBe("still here");

  await element.evaluate((element) => element.setAttribute("type", "feed"));
  await expect.poll(() => frameUrl(page)).toBe(`${base}/embed/feed?theme=dark&lang=de`);
  await element.evaluate((element) => element.setAttribute("src", "/mine"));
  await expect(iframe).toHaveAttribute("src", "/mine");
  await expect(iframe).toHaveCount(1);
});

test("it works in a shadow root, goes when it is removed, and comes back", async ({
  hostPage,
  page,
  service: { base },
}) => {
  const script = `document.querySelector("main").attachShadow({ mode: "open" }).innerHTML =
    '<svc-widget type="feed" country="AQ" height="auto"></svc-widget>';`;
  await page.goto(await hostPage(host(base, "<main></main>", script)));
  await new Widget(await inner(page)).toBe("live");
  // Messages of the widget reach the loader in a shadow root too.
  const iframe = page.locator("svc-widget iframe");
  // Room for 20 reports is reserved, but there are none.
  await expect.poll(async () => (await iframe.boundingBox())!.height).toBeLessThan(200);

  await page.evaluate(() => {
    const root = document.querySelector("main")!.shadowRoot!;
    const element = root.querySelector("svc-widget")!;
    element.remove();
    Object.assign(window, { inside: element.childElementCount });
    root.append(element);
  });
  expect(await page.evaluate("inside")).toBe(0);
  await expect(iframe).toHaveCount(1);
  await new Widget(await inner(page)).toBe("live");
});

test("svc.mount renders into an element, updates, and takes everything away again", async ({
  hostPage,
  page,
  service: { base },
}) => {
  await page.goto(await hostPage(host(base, "<main><b>mine</b></main>")));
  await page.evaluate(`widget = svc.mount(document.querySelector("main"), { type: "metrics", theme: "light" })`);
  await new Widget(await inner(page)).toBe("live");
  await page.evaluate(`widget.update({ theme: "dark", height: 150 })`);
  await expect(page.frameLocator("iframe").locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(page.locator("iframe")).toHaveAttribute("height", "150");
  await page.evaluate("widget.destroy()");
  expect(await page.locator("main").innerHTML()).toBe("<b>mine</b>");
});

test("an unknown type is said in the console, and shows nothing", async ({ hostPage, page, service: { base } }) => {
  const warnings: string[] = [];
  page.on("console", (message) => warnings.push(message.text()));
  await page.goto(await hostPage(host(base, `<svc-widget type="meters"></svc-widget>`)));
  expect(await page.locator("svc-widget").innerHTML()).toBe("");
  expect(warnings.join()).toContain('svc: there is no widget "meters"');
});

test("a type that becomes unknown leaves the widget as it was, whatever it says later", async ({
  hostPage,
  page,
  service: { base },
}) => {
  await page.goto(await hostPage(host(base, `<svc-widget type="metrics" height="auto"></svc-widget>`)));
  const frame = await inner(page);
  await new Widget(frame).toBe("live");
  await page.locator("svc-widget").evaluate((element) => element.setAttribute("type", "meters"));
  await frame.evaluate(() => parent.postMessage({ type: "svc:height", height: 155 }, "*"));
  await expect(page.locator("iframe")).toHaveAttribute("height", "155");
});

const FRAMEWORKS = {
  React: `
    import { createElement, useState } from "react";
    import { createRoot } from "react-dom/client";
    function App() {
      const [state, set] = useState({ shown: true, theme: "light", before: 0 });
      window.set = (changes) => set({ ...state, ...changes });
      return createElement("div", null,
        Array.from({ length: state.before }, (_, key) => createElement("p", { key }, key)),
        state.shown && createElement("svc-widget", { type: "metrics", theme: state.theme }),
        createElement("footer", null, state.theme));
    }
    createRoot(document.querySelector("main")).render(createElement(App));`,
  Vue: `
    import { createApp, reactive } from "vue";
    const state = reactive({ shown: true, theme: "light", before: 0 });
    window.set = (changes) => Object.assign(state, changes);
    const app = createApp({
      setup: () => ({ state }),
      template: '<div><p v-for="n in state.before" :key="n">{{ n }}</p>' +
        '<svc-widget v-if="state.shown" type="metrics" :theme="state.theme"></svc-widget>' +
        '<footer>{{ state.theme }}</footer></div>',
    });
    app.config.compilerOptions.isCustomElement = (tag) => tag === "svc-widget";
    app.mount("main");`,
} as const;

for (const [name, program] of Object.entries(FRAMEWORKS)) {
  test(`${name} renders it, changes it, puts others before it and takes it away`, async ({
    hostPage,
    page,
    service: { base },
  }) => {
    await page.goto(await hostPage(host(base, "<main></main>", await bundled(program))));
    await new Widget(await inner(page)).toBe("live");
    await page.evaluate(`set({ theme: "dark", before: 2 })`);
    await expect(page.frameLocator("iframe").locator("html")).toHaveAttribute("data-theme", "dark");
    await expect(page.locator("main p")).toHaveCount(2);
    await page.evaluate("set({ shown: false })");
    await expect(page.locator("iframe")).toHaveCount(0);
    await page.evaluate("set({ shown: true, before: 1 })");
    await new Widget(await inner(page)).toBe("live");
    await expect(page.locator("main p")).toHaveCount(1);
    await expect(page.locator("footer")).toHaveText("dark");
  });
}
