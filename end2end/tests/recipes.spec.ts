import type { Page } from "@playwright/test";
import { bundled } from "../support/bundle.js";
import { Docs } from "../support/docs.js";
import { expect, test, Widget } from "../support/test.js";
import { live } from "../support/widgets.js";

test.beforeEach(({ expectErrors }) => expectErrors(/GPU stall|GL Driver Message|React DevTools/));

const recipes = (base: string) => Docs.read("recipes.md", base);
const host = (body: string, head = "") => `<!doctype html><html lang="en"><head>${head}</head><body>${body}`;

/** What themes do to iframes. */
const THEME = `<style>
  *, *::before, *::after { box-sizing: border-box }
  img, iframe, video { max-width: 100%; height: auto; border: 2px solid; padding: 12px }
  article { width: 500px; padding: 10px } article > * { margin: 1em 0; padding: 8px }
</style>`;

/** Every widget on the page is live. */
async function alive(page: Page, count: number): Promise<void> {
  await expect(page.locator("iframe")).toHaveCount(count);
  for (const iframe of await page.locator("iframe").all()) {
    await iframe.scrollIntoViewIfNeeded();
    await live((await (await iframe.elementHandle())!.contentFrame())!);
  }
}

test("every recipe is tried here", async ({ service: { base } }) => {
  expect((await recipes(base)).titles).toEqual([
    "WordPress",
    "Static sites",
    "React",
    "Vue",
    "Content security policy",
    "Dark pages",
    "Sandboxed frames",
    "Without JavaScript",
    "Finding the iframe from script",
  ]);
});

test("the plain iframe keeps its size under a theme's rules", async ({ hostPage, page, service: { base } }) => {
  const snippet = (await Docs.read("embed.md", base)).code("As an iframe", "html");
  await page.goto(await hostPage(host(`<article>${snippet}</article>`, THEME)));
  await alive(page, 1);
  expect(await page.locator("iframe").boundingBox()).toMatchObject({ width: 480, height: 120 });
  await expect(page.locator("iframe")).toHaveCSS("border-top-width", "0px");
  await expect(page.locator("iframe")).toHaveCSS("border-top-left-radius", "12px");

  // Without its style it does not.
  await page.locator("iframe").evaluate((iframe) => iframe.removeAttribute("style"));
  expect((await page.locator("iframe").boundingBox())!.height).not.toBe(120);

  // It is what the start page writes.
  await page.goto(base);
  expect((await page.locator("#iframe").textContent())!.replace(/\s+/g, " ").trim()).toBe(
    snippet.replace(/\s+/g, " ").trim(),
  );
});

test("WordPress: a custom HTML block among a theme's rules", async ({ hostPage, page, service: { base } }) => {
  const snippet = (await recipes(base)).code("WordPress", "html");
  const block = `<article class="entry-content">${snippet}</article>`;
  await page.goto(await hostPage(host(block, THEME)));
  await alive(page, 1);
  const width = () => page.locator("iframe").evaluate((iframe) => iframe.getBoundingClientRect().width);
  await expect.poll(width).toBe(480);
  // As high as its list, which is not what the theme says.
  const list = page.frames()[1]!;
  const [shown, needed] = await list.evaluate(() => {
    const list = document.querySelector("ol")!;
    return [list.clientHeight, list.scrollHeight];
  });
  expect(shown).toBe(needed);
});

test("static sites: one script, and elements wherever they are", async ({ hostPage, page, service: { base } }) => {
  const snippet = (await recipes(base)).code("Static sites", "html");
  const [script, elements] = snippet.split("\n\n") as [string, string];
  await page.goto(await hostPage(host(`<main>${elements}</main>`, script)));
  await alive(page, 2);
  expect(page.frames()[2]!.url()).toBe(`${base}/embed/globe?theme=dark`);
});

test("React renders the component, and changes it", async ({ hostPage, page, service: { base } }) => {
  const program = `${(await recipes(base)).code("React", "jsx")}
    import { useState } from "react";
    import { createRoot } from "react-dom/client";
    function App() {
      const [theme, set] = useState("light");
      window.set = set;
      return <><Widget type="feed" theme={theme} height="auto" /><Widget type="metrics" /></>;
    }
    createRoot(document.querySelector("main")).render(<App />);`;
  await page.goto(await hostPage(host(`<main></main><script>${await bundled(program)}</script>`)));
  await alive(page, 2);
  await expect(page.locator(`script[src="${base}/embed.js"]`)).toHaveCount(1);
  await page.evaluate(`set("dark")`);
  await expect(page.frameLocator("iframe >> nth=0").locator("html")).toHaveAttribute("data-theme", "dark");
});

test("Vue renders the component, and changes it", async ({ hostPage, page, service: { base } }) => {
  const program = `${(await recipes(base)).code("Vue", "js")}
    import { createApp, ref } from "vue";
    const theme = ref("light");
    window.set = (value) => (theme.value = value);
    createApp({
      components: { Widget },
      setup: () => ({ theme }),
      template: '<div><Widget type="feed" :theme="theme" height="auto" /><Widget type="metrics" /></div>',
    }).mount("main");`;
  await page.goto(await hostPage(host(`<main></main><script>${await bundled(program)}</script>`)));
  await alive(page, 2);
  await page.evaluate(`set("dark")`);
  await expect(page.frameLocator("iframe >> nth=0").locator("html")).toHaveAttribute("data-theme", "dark");
});

test("the policy allows widgets, script, picture and API", async ({ hostPage, page, ownService: { base } }) => {
  const header = (await recipes(base)).code("Content security policy", "http");
  const policy = header.trim().replace("Content-Security-Policy: ", "");
  await page.goto(
    await hostPage(
      host(`<div data-svc="metrics"></div><svc-widget type="feed"></svc-widget>
        <img src="${base}/embed/metrics.svg" alt="Reports so far"><script src="${base}/embed.js"></script>`),
      { "content-security-policy": `default-src 'none'; ${policy}` },
    ),
  );
  await alive(page, 2);
  expect(await page.locator("img").evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  expect(await page.evaluate((url) => fetch(url).then(({ status }) => status), `${base}/api/v1/metrics`)).toBe(200);
});

test("a page's switch makes its widgets dark", async ({ hostPage, page, service: { base } }) => {
  const snippet = (await recipes(base)).code("Dark pages", "html");
  await page.goto(await hostPage(host(snippet, `<script src="${base}/embed.js"></script>`)));
  await alive(page, 1);
  const theme = page.frameLocator("iframe").locator("html");
  await expect(theme).toHaveAttribute("data-theme", "light");
  await page.getByLabel("Dark").check();
  await expect(theme).toHaveAttribute("data-theme", "dark");
  await page.getByLabel("Dark").uncheck();
  await expect(theme).toHaveAttribute("data-theme", "light");
});

test("a sandboxed widget is live, and its links open", async ({ context, hostPage, page, ownService: { base } }) => {
  await context.route("https://www.geonames.org/", (route) =>
    route.fulfill({ contentType: "text/html", body: "<title>GeoNames</title><script>document.title += '!'</script>" }),
  );
  const snippet = (await recipes(base)).code("Sandboxed frames", "html");
  await page.goto(await hostPage(host(snippet)));
  await alive(page, 1);
  const opened = context.waitForEvent("page");
  await page.frames()[1]!.getByRole("link", { name: "GeoNames" }).click();
  await expect(await opened).toHaveTitle("GeoNames!");
});

test("with JavaScript there is one widget, and the iframe for those without is not loaded", async ({
  hostPage,
  page,
  service: { base },
}) => {
  const snippet = (await recipes(base)).code("Without JavaScript", "html");
  await page.goto(await hostPage(host(snippet)));
  await alive(page, 1);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the widget arrives with its numbers", async ({ hostPage, page, service: { base } }) => {
    const snippet = (await recipes(base)).code("Without JavaScript", "html");
    await page.goto(await hostPage(host(snippet)));
    await expect(page.locator("iframe")).toHaveCount(1);
    await expect(new Widget(page.frames()[1]!).number.total).toHaveText("1,234");
  });
});

test("scripts find the iframes", async ({ hostPage, page, ownService: { base } }) => {
  const said: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  const snippet = (await recipes(base)).code("Finding the iframe from script", "html");
  await page.goto(await hostPage(host(snippet)));
  await alive(page, 2);
  await expect(page.frameLocator("#counters").locator("html")).toHaveAttribute("data-theme", "dark");
  await expect.poll(() => said).toContain("loaded: Latest reports");
});

test.describe("embed.md", () => {
  const embedding = (base: string) => Docs.read("embed.md", base);

  test("its first snippets show a widget as they stand", async ({ hostPage, page, service: { base } }) => {
    const docs = await embedding(base);
    for (const title of ["As an iframe", "As a script"]) {
      await page.goto(await hostPage(host(docs.code(title, "html"))));
      await alive(page, 1);
      await expect(page.locator("iframe")).toHaveAttribute("title", "Reports so far");
    }
    const script = `<script src="${base}/embed.js"></script>`;
    await page.goto(await hostPage(host(docs.code("As an element", "html"), script)));
    await alive(page, 1);
    expect(page.frames()[1]!.url()).toBe(`${base}/embed/feed?lang=de`);
  });

  test("svc.mount works as it says", async ({ hostPage, page, service: { base } }) => {
    const [mount, ...calls] = (await embedding(base)).code("As an element", "js").trim().split("\n") as [string];
    await page.goto(await hostPage(host(`<div id="reports"></div>`, `<script src="${base}/embed.js"></script>`)));
    await page.evaluate(mount.replace("const ", "var "));
    await alive(page, 1);
    const [change, end] = calls as unknown as [string, string];
    await page.evaluate(change);
    await expect(page.frameLocator("iframe").locator("html")).toHaveAttribute("data-theme", "light");
    await page.evaluate(end);
    await expect(page.locator("iframe")).toHaveCount(0);
  });

  test("options change later as it says, with the script and without", async ({
    hostPage,
    page,
    service: { base },
  }) => {
    const docs = await embedding(base);
    const program = docs.code("Changing options later", "js").replace("function change", "window.change = change;\nfunction change");
    await page.goto(await hostPage(host(`${docs.code("As an iframe", "html")}<script type="module">${program}</script>`)));
    await alive(page, 1);
    const html = page.frameLocator("iframe").locator("html");
    await expect(html).toHaveAttribute("data-theme", "dark");
    await expect(html).toHaveAttribute("data-accent", "c2410c");
    await page.evaluate(`change({ theme: "light" })`);
    await expect(html).toHaveAttribute("data-theme", "light");
    await expect(html).toHaveAttribute("data-accent", "c2410c");

    await page.goto(await hostPage(host(docs.code("As a script", "html"))));
    await alive(page, 1);
    await page.evaluate(`var iframe = document.querySelector("iframe"); iframe.dataset.theme = "dark"`);
    await expect(html).toHaveAttribute("data-theme", "dark");
  });
});
