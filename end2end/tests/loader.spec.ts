import type { Page } from "@playwright/test";
import { expect, test, Widget } from "../support/test.js";

/** Feed and globe are stand-ins here: the loader's part in them ends at the iframe. */
test.beforeEach(async ({ context }) => {
  for (const type of ["feed", "globe"]) {
    await context.route(`**/embed/${type}*`, (route) =>
      route.fulfill({ contentType: "text/html", body: "<!doctype html><title>w</title>" }),
    );
  }
});

test("elements are replaced by iframes of the right size and address", async ({
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
  expect(await iframes(page)).toEqual([
    { src: `${base}/embed/metrics`, width: "100%", height: "120", title: "Reports so far" },
    { src: `${base}/embed/feed`, width: "100%", height: "320", title: "Latest reports" },
    { src: `${base}/embed/globe`, width: "50%", height: "400", title: "Our globe" },
    { src: `${base}/embed/metrics`, width: "300", height: "150", title: "Reports so far" },
    { src: `${base}/embed/metrics`, width: "20em", height: "120", title: "Reports so far" },
    {
      src: `${base}/embed/metrics?theme=dark&country=S%C3%A3o+Tom%C3%A9+%26+Pr%C3%ADncipe`,
      width: "100%",
      height: "120",
      title: "Reports so far",
    },
    { src: `${base}/embed/metrics?theme=light`, width: "100%", height: "120", title: "Reports so far" },
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
  hostPage,
  page,
  service: { base },
}) => {
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

test("it works under a strict content security policy of the page", async ({
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

async function iframes(page: Page): Promise<unknown[]> {
  return page.locator("iframe").evaluateAll((elements) =>
    (elements as HTMLIFrameElement[]).map(({ src, width, height, title }) => ({
      src,
      width,
      height,
      title,
    })),
  );
}
