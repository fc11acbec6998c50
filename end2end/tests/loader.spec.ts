import type { Page } from "@playwright/test";
import { pixel } from "../support/pixel.js";
import { expect, test, Widget } from "../support/test.js";

const STAND_IN = `<!doctype html><title>w</title>
  <script>parent.postMessage({ type: "svc:ready" }, "*")</script>`;

/** Feed and globe are replaced by stand-ins: the loader does nothing inside the iframe. */
test.beforeEach(async ({ context }) => {
  for (const type of ["feed", "globe"]) {
    await context.route(`**/embed/${type}*`, (route) =>
      route.fulfill({ contentType: "text/html", body: STAND_IN }),
    );
  }
});

test("elements are replaced by iframes of the right size and address", { tag: "@release" }, async ({
  hostPage,
  page,
  service: { base },
}) => {
  await page.goto(
    await hostPage(`<!doctype html><body>
      <div data-svc="metrics"></div>
      <div data-svc="feed" id="mine" class="wide"></div>
      <div data-svc="globe" data-width="50%" title="Our globe"></div>
      <div data-svc="metrics" data-width="300" data-height="150"></div>
      <div data-svc="metrics" data-width="20em" data-height="nonsense"></div>
      <div data-svc="metrics" data-theme="dark" data-country="São Tomé & Príncipe" data-x="1"></div>
      <div data-svc="metrics" data-src="${base}/embed/metrics?theme=light" data-theme="dark"></div>
      <script src="${base}/embed.js" data-base="${base}/"></script>`),
  );
  // The name of the widget until it posts its title; the feed's stand-in posts none.
  const title = expect.stringMatching(/^(metrics|Reports so far)$/);
  expect(await iframes(page)).toEqual([
    { src: `${base}/embed/metrics`, width: "100%", height: "120", title },
    { src: `${base}/embed/feed`, width: "100%", height: "320", title: "feed" },
    { src: `${base}/embed/globe`, width: "50%", height: "400", title: "Our globe" },
    { src: `${base}/embed/metrics`, width: "300", height: "150", title },
    { src: `${base}/embed/metrics`, width: "20em", height: "120", title },
    {
      src: `${base}/embed/metrics?theme=dark&country=S%C3%A3o+Tom%C3%A9+%26+Pr%C3%ADncipe`,
      width: "100%",
      height: "120",
      title,
    },
    { src: `${base}/embed/metrics?theme=light`, width: "100%", height: "120", title },
  ]);
  await expect(page.locator("[data-svc]")).toHaveCount(0);
  await expect(page.locator("iframe#mine.wide")).toHaveCount(1);

  const [first, , , fixed, ems] = await page.locator("iframe").all();
  const body = (await page.locator("body").boundingBox())!;
  expect(await first!.boundingBox()).toMatchObject({ width: body.width, height: 120 });
  expect(await fixed!.boundingBox()).toMatchObject({ width: 300, height: 150 });
  expect(await ems!.boundingBox()).toMatchObject({ width: 320, height: 120 });
  await expect(first!).toHaveAttribute("loading", "lazy");
  await expect(first!).toHaveAttribute("frameborder", "0");
  await expect(first!).toHaveCSS("border-top-width", "0px");
  await new Widget(page.frames()[1]!).toBe("live");
  await expect(first!).toHaveAttribute("title", "Reports so far");
});

test("without data-base the service is where the script came from", async ({
  hostPage,
  page,
  service: { base },
}) => {
  await page.goto(
    await hostPage(`<!doctype html><head><script src="${base}/embed.js?v=1" async></script></head>
      <body><div data-svc="metrics"></div>`),
  );
  await expect(page.locator("iframe")).toHaveAttribute("src", `${base}/embed/metrics`);
});

test("elements that come later are mounted, and those that are not ours are left alone", async ({
  expectErrors,
  hostPage,
  page,
  service: { base },
}) => {
  const warnings: string[] = [];
  page.on("console", (message) => warnings.push(message.text()));
  expectErrors(/^svc: /);
  await page.goto(
    await hostPage(`<!doctype html><head><script src="${base}/embed.js"></script></head>
      <body><p data-svc="weather">Sunny</p><p data-svc="constructor"></p><p data-svc></p>
      <p data-svc="metrics" data-src="javascript:alert(1)">No</p>`),
  );
  await page.evaluate(() => {
    document.body.insertAdjacentHTML(
      "beforeend",
      "<section><div><div data-svc='metrics' data-height='130'></div></div></section>",
    );
    const later = document.body.appendChild(document.createElement("div"));
    later.setAttribute("data-svc", "feed");
  });
  await expect(page.locator("section iframe")).toHaveAttribute("height", "130");
  await expect(page.locator("iframe")).toHaveCount(2);
  await expect(page.locator("p[data-svc]")).toHaveCount(4);
  await expect(page.locator("p").first()).toHaveText("Sunny");
  // Misspelt types cause warnings.
  expect(warnings.map((warning) => warning.replace(/ JSHandle.*| <p.*| HTML.*/, ""))).toEqual([
    'svc: there is no widget "weather"',
    'svc: there is no widget "constructor"',
    'svc: there is no widget ""',
    'svc: "javascript:alert(1)" is not a widget URL',
  ]);
});

test("included twice it mounts once", async ({ hostPage, page, service: { base } }) => {
  const script = `<script src="${base}/embed.js" data-base="${base}"></script>`;
  await page.goto(
    await hostPage(
      `<!doctype html><head>${script}</head><body><div data-svc="metrics"></div>${script}`,
    ),
  );
  await page.evaluate(() => {
    document.body.append(Object.assign(document.createElement("div"), { id: "later" }));
    document.getElementById("later")!.dataset.svc = "metrics";
  });
  await expect(page.locator("iframe")).toHaveCount(2);
  await new Widget(page.frames()[2]!).toBe("live");
  await expect(page.locator("iframe")).toHaveCount(2);
});

test("it works under a strict content security policy of the page", { tag: "@release" }, async ({
  hostPage,
  page,
  service: { base },
}) => {
  await page.goto(
    await hostPage(
      `<!doctype html><body><div data-svc="metrics" data-theme="dark"></div>
        <script src="${base}/embed.js"></script>`,
      { "content-security-policy": `default-src 'none'; script-src ${base}; frame-src ${base}` },
    ),
  );
  await new Widget(page.frames()[1]!).toBe("live");
  await expect(page.locator("iframe")).toHaveCSS("color-scheme", "dark");
});

test("data-src is the address as it is, whatever else the element says", async ({
  hostPage,
  page,
  service: { base },
}) => {
  const src = `${base}/embed/metrics?theme=light`;
  await page.goto(
    await hostPage(`<!doctype html><body>
      <div data-svc="metrics" data-src="${src}" data-theme="dark" data-lang="de"></div>
      <script src="${base}/embed.js"></script>`),
  );
  const frame = page.frames()[1]!;
  await new Widget(frame).toBe("live");
  expect(frame.url()).toBe(src);
  await page.locator("iframe").evaluate((iframe) => (iframe.dataset.theme = "auto"));
  await new Widget(frame).toBe("live");
  expect(frame.url()).toBe(src);
  expect(await frame.evaluate(() => document.documentElement.dataset.theme)).toBe("light");
});

test("sizes and address may change later, and so does the title with the language", async ({
  hostPage,
  page,
  service: { base },
}) => {
  await page.goto(
    await hostPage(`<!doctype html><body><div data-svc="metrics" data-height="130"></div>
      <script src="${base}/embed.js"></script>`),
  );
  const iframe = page.locator("iframe");
  await iframe.evaluate((iframe) => Object.assign(iframe.dataset, { height: "200", width: "50%", lang: "de" }));
  await expect(iframe).toHaveAttribute("width", "50%");
  await expect(iframe).toHaveAttribute("title", "Bisherige Berichte");
  expect((await iframe.boundingBox())!.height).toBe(200);
  await iframe.evaluate((iframe) => (iframe.dataset.title = "Unsere"));
  await expect(iframe).toHaveAttribute("title", "Unsere");
  await iframe.evaluate((iframe) => delete iframe.dataset.title);
  await expect(iframe).toHaveAttribute("title", "Bisherige Berichte");
  await iframe.evaluate((iframe) => (iframe.dataset.src = "/elsewhere"));
  await expect(iframe).toHaveAttribute("src", "/elsewhere");
  await iframe.evaluate((iframe) => delete iframe.dataset.src);
  await expect(iframe).toHaveAttribute("src", `${base}/embed/metrics?lang=de`);
});

test("what the page says of the element, the iframe has: styles and names for screen readers", async ({
  hostPage,
  page,
  service: { base },
}) => {
  await page.goto(
    await hostPage(`<!doctype html><style>iframe { padding: 20px; box-sizing: border-box; height: auto }</style>
      <body><div data-svc="metrics" style="margin: 10px 4px; border-radius: 3px" aria-label="Counters"
        aria-hidden="false"></div>
      <script src="${base}/embed.js"></script>`),
  );
  const iframe = page.getByLabel("Counters");
  await expect(iframe).toHaveCSS("margin-top", "10px");
  await expect(iframe).toHaveCSS("border-top-left-radius", "3px");
  await expect(iframe).toHaveAttribute("aria-hidden", "false");
  // Styles of the page for iframes do not cut off the widget.
  await expect(iframe).toHaveCSS("padding-top", "0px");
  expect((await iframe.boundingBox())!.height).toBe(120);
});

test("a minimum height in the element's style ends when the script has run", async ({ hostPage, page, service: { base } }) => {
  await page.goto(
    await hostPage(`<!doctype html><body><div data-svc="metrics" style="min-height: 120px" data-height="100"></div>
      <script src="${base}/embed.js"></script>`),
  );
  expect((await page.locator("iframe").boundingBox())!.height).toBe(100);
});

test("a size in the element's style stays when options change", async ({ hostPage, page, service: { base } }) => {
  await page.goto(
    await hostPage(`<!doctype html><body><div data-svc="metrics" style="height: 222px"></div>
      <script src="${base}/embed.js"></script>`),
  );
  await new Widget(page.frames()[1]!).toBe("live");
  const iframe = page.locator("iframe");
  expect((await iframe.boundingBox())!.height).toBe(222);
  await iframe.evaluate((iframe) => (iframe.dataset.theme = "dark"));
  await expect(page.frameLocator("iframe").locator("html")).toHaveAttribute("data-theme", "dark");
  expect((await iframe.boundingBox())!.height).toBe(222);
});

test("two services on one page each have their own widgets", async ({ hostPage, page, service }) => {
  const other = service.base.replace("127.0.0.1", "localhost");
  const snippet = (base: string) => `<script src="${base}/embed.js" data-base="${base}" async></script>`;
  await page.goto(
    await hostPage(`<!doctype html><body><div data-svc="feed"></div>
      ${snippet(service.base)}<div data-svc="metrics"></div>
      ${snippet(other)}<div data-svc="metrics"></div>`),
  );
  await expect(page.locator("iframe")).toHaveCount(3);
  expect((await iframes(page)).map(({ src }) => src)).toEqual([
    `${service.base}/embed/feed`,
    `${service.base}/embed/metrics`,
    `${other}/embed/metrics`,
  ]);
});

test("a script of that name from elsewhere is not mistaken for ours", async ({
  hostPage,
  page,
  ownService: { base },
}) => {
  await page.route("**/comments/embed.js", (route) => route.fulfill({ contentType: "text/javascript", body: "" }));
  await page.goto(
    await hostPage(`<!doctype html><head><script src="https://example.org/comments/embed.js"></script>
      <script type="module" src="${base}/embed.js"></script></head><body><div data-svc="metrics"></div>`),
  );
  await expect(page.locator("iframe")).toHaveAttribute("src", `${base}/embed/metrics`);
});

test("without a ground it suits that of the page, whatever the visitor and the page's scheme", async ({
  hostPage,
  page,
  service: { base },
}) => {
  test.slow(); // The test has 24 widgets.
  for (const [ground, seen, theme] of [
    ["#ffffff", "255,255,255", "light"],
    ["#102030", "16,32,48", "dark"],
    ["rgb(255 240 200)", "255,240,200", "light"],
  ] as const) {
    for (const scheme of ["normal", "light dark"]) {
      const address = await hostPage(
        `<!doctype html><html style="color-scheme: ${scheme}"><body style="background: ${ground}">
          <div data-svc="metrics" data-bg="none"></div><div data-svc="metrics" data-bg="none" data-theme="dark"></div>
          <script src="${base}/embed.js"></script>`,
      );
      for (const visitor of ["light", "dark"] as const) {
        await test.step(`${ground}, for a visitor who prefers ${visitor}, and a page of scheme ${scheme}`, async () => {
          await page.emulateMedia({ colorScheme: visitor });
          await page.goto(address);
          for (const [index, frame] of page.frames().slice(1).entries()) {
            await new Widget(frame).toBe("live");
            const { x, y } = (await page.locator("iframe").nth(index).boundingBox())!;
            expect(await pixel(page, x + 4, y + 60)).toBe(seen);
          }
          await expect(page.frameLocator("iframe >> nth=0").locator("html")).toHaveAttribute("data-theme", theme);
        });
      }
    }
  }
});

test("in a plain iframe without a ground, it is made for a light page", async ({ hostPage, page, service: { base } }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto(
    await hostPage(`<!doctype html><body style="background: #ffffff">
      <iframe src="${base}/embed/metrics?bg=none" title="a"></iframe>
      <iframe src="${base}/embed/metrics?bg=none&theme=dark" title="b"></iframe>`),
  );
  for (const [index, frame] of page.frames().slice(1).entries()) {
    await new Widget(frame).toBe("live");
    const { x, y } = (await page.locator("iframe").nth(index).boundingBox())!;
    expect(await pixel(page, x + 4, y + 4)).toBe("255,255,255");
  }
  await expect(page.frameLocator("iframe >> nth=0").locator(".total .number")).toHaveCSS("color", "rgb(20, 33, 61)");
});

test("without a ground it suits colours of every notation, and text where nothing is painted", async ({
  hostPage,
  page,
  service: { base },
}) => {
  const GROUNDS = {
    "background: oklch(0.985 0.002 247)": "light",
    "background: oklch(0.13 0.028 261)": "dark",
    "background: color(srgb 1 1 1)": "light",
    "background: color(display-p3 0.1 0.1 0.15)": "dark",
    "background: lab(98 0 0)": "light",
    "background: color-mix(in oklab, white 92%, orange)": "light",
    "background: hsl(220 40% 12%)": "dark",
    // The inner colour is nearly transparent, so the white behind it counts.
    "background: white; --inner: oklch(0.1 0 0 / 0.1)": "light",
    "background: linear-gradient(#123, #234); color: oklch(0.97 0 0)": "dark",
  };
  const widget = `<svc-widget type="metrics" bg="none"></svc-widget>`;
  const address = await hostPage(
    `<!doctype html><body>${Object.keys(GROUNDS)
      .map((style) => `<div style="${style}"><p style="background: var(--inner)">${widget}</p></div>`)
      .join("")}<script src="${base}/embed.js"></script>`,
  );
  await page.goto(address);
  const themes = await page
    .locator("iframe")
    .evaluateAll((all) => all.map((one) => new URL((one as HTMLIFrameElement).src).searchParams.get("theme")));
  expect(themes).toEqual(Object.values(GROUNDS));
});

test("without a ground it follows the page's switch of themes", async ({ hostPage, page, service: { base } }) => {
  await page.goto(
    await hostPage(`<!doctype html><style>
        body { background: oklch(0.98 0.01 90) }
        .dark body, [data-theme=dark] body { background: oklch(0.2 0.02 260) }
        .slow body { transition: background-color 0.1s }
        @media (prefers-color-scheme: dark) { .auto body { background: black } }
      </style><body><div data-svc="metrics" data-bg="none"></div>
      <div data-svc="metrics" data-bg="none" data-theme="light"></div>
      <script src="${base}/embed.js"></script>`),
  );
  const [free, fixed] = [0, 1].map((index) => page.frameLocator(`iframe >> nth=${index}`).locator("html"));
  for (const frame of page.frames().slice(1)) await new Widget(frame).toBe("live");
  const theme = async (theme: string) => {
    await expect(free!).toHaveAttribute("data-theme", theme);
    await expect(fixed!).toHaveAttribute("data-theme", "light");
  };
  const root = page.locator("html");
  await theme("light");
  await root.evaluate((root) => (root.className = "dark"));
  await theme("dark");
  await root.evaluate((root) => (root.className = ""));
  await theme("light");
  await root.evaluate((root) => (root.dataset.theme = "dark"));
  await theme("dark");
  await root.evaluate((root) => {
    root.className = "slow";
    delete root.dataset.theme;
  });
  await theme("light");
  await root.evaluate((root) => root.classList.add("dark"));
  await theme("dark");
  await root.evaluate((root) => (root.className = "auto"));
  await theme("light");
  await page.emulateMedia({ colorScheme: "dark" });
  await theme("dark");
});

test("elements that are named like properties of the document change nothing", async ({
  expectErrors,
  hostPage,
  page,
  service: { base },
}) => {
  expectErrors(/Failed to load resource/);
  const names =
    "currentScript scripts baseURI createElement documentElement querySelectorAll body host style parentNode";
  const evil = "https://evil.example/embed.js";
  const images = names.split(" ").map((name) => `<img name="${name}" id="${name}" src="${evil}" alt="">`);
  const inputs = ["parentNode", "lang", "style", "dataset", "getAttribute"].map((name) => `<input name="${name}">`);
  await page.route("https://evil.example/**", (route) => route.abort());
  await page.goto(
    await hostPage(`<!doctype html><html lang="de"><body style="background: #123">
      <a id="__svcEmbed"></a><a id="svc"></a>${images.join("")}
      <form>${inputs.join("")}<div data-svc="metrics" data-bg="none" data-lang="page"></div></form>
      <form data-svc="metrics"><input name="dataset"><input name="replaceWith"></form>
      <script src="${base}/embed.js"></script>
      <svc-widget type="metrics"></svc-widget>`),
  );
  // The images would also confuse the test's own functions.
  await page.evaluate(() => Document.prototype.querySelectorAll.call(document, "img").forEach((image) => image.remove()));
  await expect(page.locator("iframe")).toHaveCount(2);
  expect((await iframes(page)).map(({ src }) => src)).toEqual([
    `${base}/embed/metrics?bg=none&lang=de&theme=dark`,
    `${base}/embed/metrics`,
  ]);
  for (const frame of page.frames().slice(1)) await new Widget(frame).toBe("live");
});

test("frames of others are sandboxed, and may do nothing that a widget may not", async ({
  hostPage,
  page,
  service: { base },
}) => {
  await page.route("https://evil.example/**", (route) => route.fulfill({ body: "" }));
  const other = await hostPage(`<!doctype html><title>other</title><script>
    parent.postMessage({ type: "svc:height", height: 77 }, "*");
  </script>`);
  await page.goto(
    await hostPage(`<!doctype html><body><script src="${base}/embed.js"></script>
      <div data-svc="metrics" data-src="${base}/embed/metrics"></div>
      <div data-svc="feed" data-src="${other}" data-height="auto"></div>
      <div data-svc="metrics" data-base="${base.replace("127.0.0.1", "localhost")}"></div>
      <div data-svc="feed" data-src="https://evil.example/${base}/embed/metrics"></div>`),
  );
  const attributes = await page
    .locator("iframe")
    .evaluateAll((all) => all.map((one) => [one.getAttribute("sandbox"), one.getAttribute("allow")]));
  const ours = [null, "fullscreen; clipboard-write"];
  const theirs = ["allow-popups allow-scripts", ""];
  expect(attributes).toEqual([ours, theirs, theirs, theirs]);
  // The loader accepts messages from these frames, and the other service's widget is live.
  await expect(page.locator("iframe").nth(1)).toHaveAttribute("height", "77");
  await new Widget(page.frames()[3]!).toBe("live");
});

for (const policy of ["require-corp", "credentialless"]) {
  test(`a page that isolates itself (${policy}) shows widgets`, async ({ hostPage, page, service: { base } }) => {
    await page.goto(
      await hostPage(
        `<!doctype html><body><script src="${base}/embed.js"></script><div data-svc="metrics"></div>
          <iframe src="${base}/embed/metrics?accent=c0f" title="plain"></iframe>`,
        { "cross-origin-embedder-policy": policy, "cross-origin-opener-policy": "same-origin" },
      ),
    );
    for (const frame of page.frames().slice(1)) await new Widget(frame).toBe("live");
    expect(page.frames()).toHaveLength(3);
  });
}

async function iframes(page: Page): Promise<{ src: string }[]> {
  return page.locator("iframe").evaluateAll((elements) =>
    (elements as HTMLIFrameElement[]).map(({ src, width, height, title }) => ({
      src,
      width,
      height,
      title,
    })),
  );
}
