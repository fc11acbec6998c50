import { expect, test, Widget } from "../support/test.js";

test("the line for a pinned version works on another page, and the browser checks the bytes", { tag: "@release" }, async ({
  context,
  expectErrors,
  hostPage,
  page,
  ownService: { base },
}) => {
  expectErrors(/integrity|GPU stall|GL Driver Message/);
  await page.goto(`${base}/?theme=dark`);
  await page.getByText("As a script that never changes").click();
  await page.getByRole("radio", { name: "Light" }).click();
  await expect(page.locator("#pinned")).toContainText('data-theme="light"');
  const snippet = (await page.locator("#pinned").textContent())!;

  await page.goto(await hostPage(`<!doctype html><body>${snippet}`));
  await new Widget(page.frames()[1]!).toBe("live");

  await context.route(/\/embed\.\w+\.js$/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: `${await answer.text()}//` });
  });
  const told = page.waitForEvent("console", (message) => message.text().includes("integrity"));
  await page.goto(await hostPage(`<!doctype html><body>${snippet}`));
  await told;
  await expect(page.locator("[data-svc]")).toHaveCount(1);
});

test("it finds out by itself where the service is, and shares a page with the evergreen one", { tag: "@release" }, async ({
  hostPage,
  page,
  ownService: { base },
}) => {
  const [{ path }] = await (await fetch(`${base}/embed.json`)).json();
  await page.goto(
    await hostPage(`<!doctype html><head><script type="module" src="${base}${path}"></script>
      <script src="${base}/embed.js" async></script></head><body><div data-svc="metrics"></div>
      <svc-widget type="metrics"></svc-widget>`),
  );
  await expect(page.locator("iframe")).toHaveCount(2);
  for (const frame of page.frames().slice(1)) await new Widget(frame).toBe("live");
});
