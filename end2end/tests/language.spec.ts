import { expect, test, Widget } from "../support/test.js";

test.describe("lang=page", () => {
  test("is the language of the page around each widget, and follows it", async ({
    hostPage,
    page,
    service: { base },
  }) => {
    await page.goto(
      await hostPage(`<!doctype html><html lang="de"><head><script src="${base}/embed.js"></script></head><body>
        <div data-svc="metrics" data-lang="page"></div>
        <section lang="pt-BR"><svc-widget type="metrics" lang="page"></svc-widget></section>
        <div lang="fr" data-svc="metrics" data-lang="page"></div>
        <main lang="ar"></main><div data-svc="metrics" data-lang="en"></div>`),
    );
    await page.evaluate(`svc.mount(document.querySelector("main"), { type: "metrics", lang: "page" })`);
    await expect(page.locator("iframe")).toHaveCount(5);
    const languages = () =>
      page.locator("iframe").evaluateAll((all) => all.map((one) => new URL((one as HTMLIFrameElement).src).search));
    expect(await languages()).toEqual(["?lang=de", "?lang=pt-BR", "?lang=fr", "?lang=ar", "?lang=en"]);
    const first = page.locator("iframe").first();
    await expect(first).toHaveAttribute("title", "Bisherige Berichte");
    for (const frame of page.frames().slice(1)) await new Widget(frame).number.total.waitFor();
    await expect(page.frameLocator("iframe >> nth=1").locator("html")).toHaveAttribute("lang", "pt");

    await page.evaluate(() => (document.documentElement.lang = "es"));
    await expect(page.frameLocator("iframe >> nth=0").locator("html")).toHaveAttribute("lang", "es");
    await expect(first).toHaveAttribute("title", "Informes hasta ahora");
    await expect(page.frameLocator("iframe >> nth=1").locator("html")).toHaveAttribute("lang", "pt");
  });

  test("is the visitor's language where the page has none, in shadow roots that of their host", async ({
    hostPage,
    page,
    service: { base },
  }) => {
    await page.goto(
      await hostPage(`<!doctype html><script src="${base}/embed.js"></script>
        <body><div data-svc="metrics" data-lang="page"></div><main lang="de"></main>
        <script>document.querySelector("main").attachShadow({ mode: "open" }).innerHTML =
          '<svc-widget type="metrics" lang="page"></svc-widget>'</script>`),
    );
    await expect(page.frameLocator("iframe >> nth=0").locator("html")).toHaveAttribute("lang", "en");
    await expect(page.frameLocator("iframe >> nth=1").locator("html")).toHaveAttribute("lang", "de");
    await expect(page.locator("iframe").first()).toHaveAttribute("src", `${base}/embed/metrics`);
  });
});

test.describe("without the loader", () => {
  test.use({ locale: "fr-FR" });

  test("lang=page is the visitor's language", async ({ page, service }) => {
    await page.goto(`${service.base}/embed/metrics?lang=page`);
    await expect(page.locator("html")).toHaveAttribute("lang", "fr");
  });
});
