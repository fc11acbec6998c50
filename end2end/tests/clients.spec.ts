import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import type { Plugin } from "esbuild";
import { bundled } from "../support/bundle.js";
import { expect, test } from "../support/test.js";
import { live } from "../support/widgets.js";

test.beforeEach(({ expectErrors }) => expectErrors(/GPU stall|GL Driver Message|React DevTools/));

/** Packages in `clients/`, with frameworks of their own. `scripts/test-clients` builds them. */
const CLIENTS = new URL("../../clients/", import.meta.url);

/** Compiles components with Svelte's own compiler. */
const svelte: Plugin = {
  name: "svelte",
  setup(build) {
    build.onLoad({ filter: /\.svelte$/ }, async ({ path }) => {
      const { compile } = createRequire(CLIENTS)("svelte/compiler");
      const { js } = compile(await readFile(path, "utf8"), { filename: path, generate: "client" });
      return { contents: js.code };
    });
  },
};

/** Page with a program. */
async function page(program: string): Promise<string> {
  const options = { conditions: ["svelte", "browser"], plugins: [svelte] };
  const script = await bundled(program, CLIENTS.pathname, options);
  return `<!doctype html><html lang="en"><body><main></main><script>${script}</script>`;
}

/** Waits until the widgets of the page are live. The first one is a feed, which the page makes dark. */
async function expectWidgets(page: Page, base: string): Promise<void> {
  await expect(page.locator("svc-widget iframe")).toHaveCount(2);
  for (const iframe of await page.locator("iframe").all()) {
    await live((await (await iframe.elementHandle())!.contentFrame())!);
  }
  await expect(page.locator(`script[src^="${base}/embed"]`)).toHaveCount(1);
  const theme = page.frameLocator("iframe >> nth=0").locator("html");
  await expect(theme).toHaveAttribute("data-theme", "light");
  await page.evaluate(`set("dark")`);
  await expect(theme).toHaveAttribute("data-theme", "dark");
}

test("the client reads counters and follows the stream in a page", async ({
  expectErrors,
  hostPage,
  page: tab,
  ownService: { base },
}) => {
  const program = `import { Client, Problem } from "svc-client";
    const client = new Client({ baseUrl: ${JSON.stringify(base)} });
    window.read = () => client.metrics();
    window.refused = () => client.metrics({ from: "x" }).catch((error) => error instanceof Problem && error.code);
    window.follow = async (views) => {
      for await (const { event, data } of client.stream({ views })) if (event === "view") return data;
    };`;
  await tab.goto(await hostPage(await page(program)));
  expect(await tab.evaluate("read()")).toMatchObject({ total: 1234, spirit: 1000 });
  expect(await tab.evaluate("follow(['types=both&limit=1'])")).toMatchObject({
    view: "types=both&limit=1",
    metrics: { total: 1234 },
    reports: [{ type: "both" }],
  });
  expectErrors(/status of 400/);
  expect(await tab.evaluate("refused()")).toBe("INVALID_PERIOD");
});

test("React renders the component, and changes it", async ({ hostPage, page: tab, service: { base } }) => {
  const program = `import { useState } from "react";
    import { createRoot } from "react-dom/client";
    import { SvcWidget } from "svc-embed/react";
    const baseUrl = ${JSON.stringify(base)};
    function App() {
      const [theme, set] = useState("light");
      window.set = set;
      const feed = <SvcWidget baseUrl={baseUrl} type="feed" theme={theme} limit={3} />;
      return <>{feed}<SvcWidget baseUrl={baseUrl} type="metrics" /></>;
    }
    createRoot(document.querySelector("main")).render(<App />);`;
  await tab.goto(await hostPage(await page(program)));
  await expectWidgets(tab, base);
  expect(tab.frames()[1]!.url()).toBe(`${base}/embed/feed?theme=light&limit=3`);
});

test("Vue renders the component, and changes it", async ({ hostPage, page: tab, service: { base } }) => {
  const program = `import { createApp, h, ref } from "vue";
    import { SvcWidget } from "svc-embed/vue";
    const baseUrl = ${JSON.stringify(base)};
    const theme = ref("light");
    window.set = (value) => (theme.value = value);
    const feed = () => h(SvcWidget, { baseUrl, type: "feed", theme: theme.value });
    createApp(() => [feed(), h(SvcWidget, { baseUrl, type: "metrics" })]).mount("main");`;
  await tab.goto(await hostPage(await page(program)));
  await expectWidgets(tab, base);
});

test("Svelte renders the component, and changes it", async ({ hostPage, page: tab, service: { base } }) => {
  const program = `import { mount } from "svelte";
    import { writable, fromStore } from "svelte/store";
    import SvcWidget from "svc-embed/svelte";
    const target = document.querySelector("main");
    const baseUrl = ${JSON.stringify(base)};
    const theme = writable("light");
    const current = fromStore(theme);
    window.set = (value) => theme.set(value);
    mount(SvcWidget, { target, props: { baseUrl, type: "feed", get theme() { return current.current; } } });
    mount(SvcWidget, { target, props: { baseUrl, type: "metrics" } });`;
  await tab.goto(await hostPage(await page(program)));
  await expectWidgets(tab, base);
});

test("a pinned release is loaded with its hash, and its space is reserved from the start", async ({
  expectErrors,
  hostPage,
  page: tab,
  // Requests with CORS cannot have the header that distinguishes visitors of a shared service.
  ownService: { base },
}) => {
  expectErrors(/status of 404|Refused to execute script/);
  const [{ path, integrity }] = await (await fetch(`${base}/embed.json`)).json();
  const release = /embed\.(\w+)\.js/.exec(path)![1];
  const program = `import { load } from "svc-embed";
    const widget = Object.assign(document.createElement("svc-widget"), { style: "display: block; min-height: 120px" });
    widget.setAttribute("type", "metrics");
    document.querySelector("main").append(widget);
    const service = ${JSON.stringify({ baseUrl: base, release, integrity })};
    window.loaded = Promise.all([load(service), load(service)]).then(() => Boolean(window.svc));
    window.refused = load({ ...service, release: "000000000000" }).catch((error) => error.message);`;
  await tab.goto(await hostPage(await page(program)));
  expect(await tab.evaluate("loaded")).toBe(true);
  await live((await (await tab.locator("iframe").elementHandle())!.contentFrame())!);
  await expect(tab.locator(`script[src="${base}${path}"][integrity="${integrity}"]`)).toHaveCount(1);
  expect(await tab.evaluate("refused")).toBe(`${base}/embed.000000000000.js could not be loaded`);
});
