import type { Page } from "@playwright/test";
import { violations } from "../support/axe.js";
import { animationFrames, drag, drawn, frames, outOfSight, settled } from "../support/globe.js";
import { holdTimers } from "../support/moments.js";
import { pending } from "../support/reports.js";
import { metrics } from "../support/stream.js";
import { expect, test } from "../support/test.js";
import { live } from "../support/widgets.js";

// Browsers without a GPU print messages about drawing in software.
test.beforeEach(({ expectErrors }) => expectErrors(/GPU stall|GL Driver Message/));

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the globe is drawn and its places are listed", async ({ page, service }) => {
    await page.goto(`${service.base}/embed/globe`);
    await expect(page.locator(".stage > svg")).toBeVisible();
    expect(await page.locator(".lights path.spirit").count()).toBeGreaterThan(0);
    await expect(page.locator("canvas")).toBeHidden();
    await expect(page.locator(".total")).toHaveText("1,234 reports");
    await expect(page.locator(".status")).toHaveText(/^as of \d\d:\d\d UTC\s*$/);
    await expect(page.locator(".places li")).toHaveText([
      "Campinas, Brazil: 412 reports",
      "Lyon, France: 411 reports",
      "Kraków, Poland: 411 reports",
    ]);
    await expect(page.locator(".credit")).toHaveText("Places © GeoNames, CC BY 4.0, modified");
  });
});

test("it becomes live, and WebGL takes over from the drawing", { tag: "@release" }, async ({ page, ownService }) => {
  await page.goto(`${ownService.base}/embed/globe`);
  await drawn(page);
  await expect(page.locator(".stage > svg")).toBeHidden();
  await expect(page.locator(".status")).toHaveText("live");
  await ownService.svc("reports", "approve", "pending-1");
  await expect(page.locator(".total")).toHaveText("1,235 reports");
  await expect(page.locator(".legend .water b")).toHaveText("231");
});

test("a globe that stands still draws nothing", async ({ page, scripted }) => {
  await page.addInitScript(holdTimers, [500, 14_999] as const);
  await page.goto(`${scripted.base}/embed/globe`);
  await settled(page);
  const before = await frames(page);
  for (let tick = 0; tick < 3; tick++) {
    // Once the state has changed, the tick has been handled.
    scripted.send("error", { message: "no" });
    await expect(page.locator(".pulse")).toHaveAttribute("data-state", "reconnecting");
    scripted.send("metrics", metrics);
    await live(page);
    await page.evaluate("fire()");
  }
  await animationFrames(page, 30);
  expect(await frames(page)).toBe(before);
});

test("it is turned by hand, and comes to rest", async ({ page, service }) => {
  await page.goto(`${service.base}/embed/globe`);
  await settled(page);
  const before = { frames: await frames(page), picture: await picture(page) };
  await drag(page, 120, 0);
  expect(await frames(page)).toBeGreaterThan(before.frames);
  await settled(page);
  expect((await picture(page)).equals(before.picture)).toBe(false);
});

test("the wheel over it scrolls the page, until it is chosen", async ({
  hostPage,
  page,
  service,
}) => {
  const src = `${service.base}/embed/globe`;
  await page.goto(
    await hostPage(
      `<!doctype html><body style="height:3000px"><iframe src="${src}" width="600" height="400" title="w"></iframe>`,
    ),
  );
  const frame = page.frames()[1]!;
  await expect(frame.locator("canvas")).toBeVisible();
  await page.mouse.move(300, 200);
  await page.mouse.wheel(0, 100);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(100);

  await frame.locator("canvas").evaluate((canvas) => canvas.focus({ preventScroll: true }));
  const at = await page.evaluate(() => scrollY);
  await page.mouse.wheel(0, -50);
  await expect(frame.locator("canvas")).toHaveClass(/zoomed/);
  expect(await page.evaluate(() => scrollY)).toBe(at);
});

test("the keyboard turns it and walks from place to place", async ({ page, service }) => {
  await page.goto(`${service.base}/embed/globe`);
  await settled(page);
  await page.keyboard.press("Tab");
  await expect(page.locator("canvas")).toBeFocused();
  const before = await frames(page);
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => frames(page)).toBeGreaterThan(before);

  const card = page.locator(".card > div");
  const seen = new Set<string>();
  for (let place = 0; place < 3; place++) {
    await page.keyboard.press("Enter");
    await settled(page);
    await expect(card).toBeVisible();
    seen.add((await card.locator("> b").textContent())!);
  }
  expect(seen).toEqual(new Set(["Campinas", "Lyon", "Kraków"]));
  await expect(card.locator("> p")).toHaveText(/^(Brazil|France|Poland) · 41[12] reports$/);
  await page.keyboard.press("Escape");
  await expect(card).toBeHidden();
});

test("a click on a marker tells about its place", async ({ page, service }) => {
  await page.goto(`${service.base}/embed/globe?city=Lyon`);
  await settled(page);
  // The globe faces the newest report, so its place is in the middle.
  const { x, y, width, height } = (await page.locator("canvas").boundingBox())!;
  await page.mouse.click(x + width / 2, y + height / 2);
  await expect(page.locator(".card > div")).toBeVisible();
  await expect(page.locator(".card > div > b")).toHaveText("Lyon");
});

test("a click beside the middle of the smallest marker is one on it, up to 11 px", async ({ page, ownService }) => {
  await ownService.import([{ ...pending, id: "far", city: "Apia", country: "Samoa" }], "--approve");
  await page.goto(`${ownService.base}/embed/globe`);
  await settled(page);
  // The globe faces the newest report, so its place is in the middle.
  const { x, y, width, height } = (await page.locator("canvas").boundingBox())!;
  for (const [dx, dy] of [[0, 0], [11, 0], [0, -11], [-8, 8]] as const) {
    await test.step(`${dx}, ${dy} px`, async () => {
      await page.mouse.click(x + width / 2 + dx, y + height / 2 + dy);
      await expect(page.locator(".card > div")).toBeVisible();
      await expect(page.locator(".card > div > b")).toHaveText("Apia");
      await page.keyboard.press("Escape");
      await expect(page.locator(".card > div")).toBeHidden();
      await settled(page);
    });
  }
});

test("a click on a cluster comes nearer, until its places are apart", async ({ page, ownService }) => {
  await ownService.import([{ ...pending, id: "near", city: "Grenoble", country: "France" }], "--approve");
  await page.goto(`${ownService.base}/embed/globe?country=France`);
  await settled(page);
  const { x, y, width, height } = (await page.locator("canvas").boundingBox())!;
  const click = () => page.mouse.click(x + width / 2, y + height / 2);
  await click();
  await expect(page.locator("canvas")).toHaveClass(/zoomed/);
  await settled(page);
  await expect(page.locator(".card > div")).toBeHidden();
  // The camera moved to the cluster's place with the most reports, which now has a separate marker.
  await click();
  await expect(page.locator(".card > div > b")).toHaveText("Lyon");
});

test("coasts and borders are fetched once, when a visitor comes near", { tag: "@release" }, async ({ page, service }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  const lines = () => asked.filter((path) => path === "/globe-lines.bin").length;
  await page.goto(`${service.base}/embed/globe`);
  await settled(page);
  expect(lines()).toBe(0);
  await page.locator("canvas").focus();
  const answer = page.waitForResponse(/globe-lines/);
  await page.keyboard.press("+");
  expect((await answer).headers()["content-encoding"]).toBe("br");
  await page.keyboard.press("+");
  await page.keyboard.press("+");
  await settled(page);
  expect(lines()).toBe(1);
});

test("a broken file of lines leaves the globe as it is", async ({ page, service }) => {
  await page.route(/globe-lines/, (route) => route.fulfill({ body: "<!doctype html>" }));
  await page.goto(`${service.base}/embed/globe`);
  await settled(page);
  await page.locator("canvas").focus();
  const before = await frames(page);
  await page.keyboard.press("+");
  await expect.poll(() => frames(page)).toBeGreaterThan(before);
  await settled(page);
});

test("a new report turns the globe to its place and names it", async ({ page, ownService }) => {
  await page.goto(`${ownService.base}/embed/globe`);
  await expect(page.locator(".status")).toHaveText("live");
  await settled(page);
  await ownService.svc("reports", "approve", "pending-1");
  const name = page.locator(".arrival");
  await expect(name).toHaveText("Lyon, France");
  await expect(name).toBeVisible();
  await expect(name).toBeHidden();
  await settled(page);
});

test.describe("for a visitor who prefers less motion", () => {
  test.use({ contextOptions: { reducedMotion: "reduce" } });

  test("nothing turns by itself, and a new report is named all the same", async ({
    page,
    ownService,
  }) => {
    await page.goto(`${ownService.base}/embed/globe`);
    await expect(page.locator(".status")).toHaveText("live");
    await settled(page);
    const before = await frames(page);
    await ownService.svc("reports", "approve", "pending-1");
    await expect(page.locator(".arrival")).toHaveText("Lyon, France");
    await settled(page);
    // New markers, the name and its removal are drawn; nothing moves.
    expect((await frames(page)) - before).toBeLessThan(6);
    await drag(page, 120, 0);
    const rested = await frames(page);
    await animationFrames(page, 30);
    expect((await frames(page)) - rested).toBeLessThan(3);
  });
});

test.describe("for a visitor who prefers less motion, frame by frame", () => {
  test.use({ contextOptions: { reducedMotion: "reduce" } });

  test("the picture changes once when a report arrives, and else stays the same", async ({ page, ownService }) => {
    await page.goto(`${ownService.base}/embed/globe?theme=dark`);
    await live(page);
    await settled(page);
    // The name beside the place is over the canvas.
    await page.evaluate(() => document.querySelector<HTMLElement>(".arrival")!.style.setProperty("display", "none", "important"));
    const before = await picture(page);
    for (let frame = 0; frame < 6; frame++) {
      await animationFrames(page, 20);
      expect((await picture(page)).equals(before)).toBe(true);
    }
    await ownService.import([{ ...pending, id: "p", city: "Paris", country: "France" }], "--approve");
    await expect(page.locator(".arrival")).toHaveText("Paris, France");
    await settled(page);
    const after = await picture(page);
    expect(after.equals(before)).toBe(false);
    // The name goes, too, after four seconds.
    await expect(page.locator(".arrival")).toHaveText("");
    await settled(page);
    expect((await picture(page)).equals(after)).toBe(true);
  });
});

test("until the places are known, the server's drawing stays", async ({ page, service }) => {
  let answer = () => {};
  const asked = new Promise<void>((resume) => (answer = resume));
  await page.route("**/embed/globe/markers*", async (route) => {
    await asked;
    await route.continue();
  });
  await page.goto(`${service.base}/embed/globe`);
  await live(page);
  await animationFrames(page, 30);
  await expect(page.locator("canvas")).toBeHidden();
  await expect(page.locator(".stage > svg")).toBeVisible();
  answer();
  await drawn(page);
});

test("a place under the pointer gets a ring", async ({ page, service }) => {
  await page.goto(`${service.base}/embed/globe?city=Lyon`);
  await settled(page);
  const { x, y, width, height } = (await page.locator("canvas").boundingBox())!;
  const before = await frames(page);
  await page.mouse.move(x + width / 2, y + height / 2);
  await expect(page.locator("canvas")).toHaveClass(/over/);
  await expect.poll(() => frames(page)).toBe(before + 1);
  await page.mouse.move(x + width / 2, y - 5);
  await expect(page.locator("canvas")).not.toHaveClass(/over/);
  await expect.poll(() => frames(page)).toBe(before + 2);
});

test("in a wide page the numbers stand 32 px from the sphere, and both are in the middle", async ({ page, service }) => {
  for (const lang of ["en", "ar"]) {
    for (const [width, height] of [[900, 500], [1200, 400], [1600, 800]] as const) {
      await test.step(`${lang}, ${width} × ${height} px`, async () => {
        await page.setViewportSize({ width, height });
        await page.goto(`${service.base}/embed/globe?lang=${lang}`);
        await settled(page);
        const numbers = (await page.locator(".pulse").boundingBox())!;
        const stage = (await page.locator(".stage").boundingBox())!;
        const center = stage.x + stage.width / 2;
        const radius = Math.min(stage.width, stage.height) / 2 / 1.16;
        const [gap, margins] =
          lang === "ar"
            ? [numbers.x - center - radius, center - radius - (width - numbers.x - numbers.width)]
            : [center - radius - numbers.x - numbers.width, numbers.x - (width - center - radius)];
        expect(Math.abs(gap - 32)).toBeLessThan(2);
        // The numbers may be narrower than the space for them.
        expect(Math.abs(margins)).toBeLessThan(80);
      });
    }
  }
});

test("the hint stands 12 px below the sphere, and fades after three seconds", async ({ page, service }) => {
  await page.setViewportSize({ width: 400, height: 520 });
  await page.goto(`${service.base}/embed/globe`);
  await settled(page);
  const hint = page.locator(".hint");
  const [text, stage] = [(await hint.boundingBox())!, (await page.locator(".stage").boundingBox())!];
  const rim = stage.y + stage.height / 2 + Math.min(stage.width, stage.height) / 2 / 1.16;
  expect(Math.abs(text.y - rim - 12)).toBeLessThan(2);
  await expect(hint).toBeHidden();
});

test("without WebGL the drawing stays, and stays live", async ({ page, ownService }) => {
  await page.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = () => null;
  });
  await page.goto(`${ownService.base}/embed/globe`);
  await expect(page.locator(".status")).toHaveText("live");
  await expect(page.locator(".stage > svg")).toBeVisible();
  await expect(page.locator("canvas")).toBeHidden();
  await expect(page.locator(".lights .water")).toHaveCount(0);
  await ownService.import([{ ...pending, id: "quito", city: "Quito", country: "Ecuador" }], "--approve");
  await expect(page.locator(".total")).toHaveText("1,235 reports");
  await expect(page.locator(".lights .water:not(.halo)")).toHaveCount(1);
  await expect(page.locator(".places")).toContainText("Quito, Ecuador: 1 report");
});

test("a lost context comes back", async ({ expectErrors, page, service }) => {
  expectErrors(/CONTEXT_LOST|context lost/i);
  await page.goto(`${service.base}/embed/globe`);
  await settled(page);
  await page.evaluate(() => {
    const context = document.querySelector("canvas")!.getContext("webgl2")!;
    const lose = context.getExtension("WEBGL_lose_context")!;
    Object.assign(window, { lose });
    lose.loseContext();
  });
  await expect(page.locator("canvas")).toBeHidden();
  await expect(page.locator(".stage > svg")).toBeVisible();
  await page.evaluate("lose.restoreContext()");
  await drawn(page);
  await drag(page, 60, 0);
});

test("a change of theme is painted", async ({ page, service }) => {
  await page.goto(`${service.base}/embed/globe?theme=light`);
  await settled(page);
  const before = await frames(page);
  await page.evaluate(() => (document.documentElement.dataset.theme = "dark"));
  await expect.poll(() => frames(page)).toBeGreaterThan(before);
});

test("out of sight it draws nothing", async ({ hostPage, page, service }) => {
  const src = `${service.base}/embed/globe`;
  await page.goto(
    await hostPage(
      `<!doctype html><body style="height:5000px"><iframe src="${src}" width="600" height="400" title="w"></iframe>`,
    ),
  );
  const frame = page.frames()[1]!;
  await expect(frame.locator("canvas")).toBeVisible();
  await settled(frame);
  await page.evaluate(() => scrollTo(0, 3000));
  await outOfSight(frame);
  const before = await frames(frame);
  await frame.evaluate(() => (document.documentElement.dataset.theme = "dark"));
  await animationFrames(page, 20);
  expect(await frames(frame)).toBe(before);
  await page.evaluate(() => scrollTo(0, 0));
  await expect.poll(() => frames(frame)).toBeGreaterThan(before);
});

for (const theme of ["light", "dark"]) {
  test(`axe finds nothing in the ${theme} globe at any width`, async ({ page, service }) => {
    await page.goto(`${service.base}/embed/globe?theme=${theme}`);
    await settled(page);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    for (const [width, height] of [[320, 320], [600, 400], [1200, 500]] as const) {
      await test.step(`${width} px`, async () => {
        await page.setViewportSize({ width, height });
        await animationFrames(page, 2);
        await expect(page.locator(".card > div")).toBeVisible();
        expect(await violations(page)).toEqual([]);
      });
    }
  });
}

test("the globe speaks other languages", async ({ page, service }) => {
  for (const [lang, text] of Object.entries({ de: "1.234 Berichte", ar: "1,234 بلاغًا" })) {
    await test.step(lang, async () => {
      await page.goto(`${service.base}/embed/globe?lang=${lang}`);
      await expect(page.locator(".pulse")).toHaveAttribute("data-state", "live");
      await expect(page.locator(".total")).toHaveText(text);
    });
  }
});

async function picture(page: Page): Promise<Buffer> {
  return page.locator("canvas").screenshot();
}

test("asked to rotate, it turns until somebody stops it, and goes on afterwards", async ({
  page,
  service,
}) => {
  await page.goto(`${service.base}/embed/globe?rotate=on&start=20,10`);
  await drawn(page);
  await expect.poll(() => frames(page)).toBeGreaterThan(20);
  await page.getByRole("button", { name: "Pause" }).click();
  await settled(page);
  const stopped = await frames(page);
  await page.getByRole("button", { name: "Resume" }).click();
  await expect.poll(() => frames(page)).toBeGreaterThan(stopped + 20);
});

test("asked to rotate, it stands still for a visitor who prefers less motion", async ({
  page,
  service,
}) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(`${service.base}/embed/globe?rotate=on`);
  await settled(page);
});

test("asked for labels, it names the places that are seen, each beside its light", async ({
  page,
  service,
}) => {
  await page.setViewportSize({ width: 1200, height: 900 });
  await page.goto(`${service.base}/embed/globe?labels=on&start=48,10&lang=pt`);
  await settled(page);
  // Campinas is on the far side.
  const names = page.locator(".names b:visible");
  await expect(names).toHaveText(["Lyon", "Cracóvia"]);
  const [lyon, krakow] = [await names.nth(0).boundingBox(), await names.nth(1).boundingBox()];
  expect(lyon!.x).toBeLessThan(krakow!.x);
  expect(lyon!.y).toBeGreaterThan(krakow!.y);
  await page.goto(`${service.base}/embed/globe`);
  await settled(page);
  await expect(names).toHaveCount(0);
});

test("without clustering, a click on one of two near places tells about that one", async ({
  page,
  ownService,
}) => {
  await page.setViewportSize({ width: 1200, height: 900 });
  await ownService.import([{ ...pending, id: "m", city: "Munich", country: "Germany" }], "--approve");
  await page.goto(`${ownService.base}/embed/globe?cluster=off&start=48.14,11.58`);
  await settled(page);
  const { x, y, width, height } = (await page.locator("canvas").boundingBox())!;
  await page.mouse.click(x + width / 2, y + height / 2);
  await expect(page.locator(".card > div > b")).toHaveText("Munich");
  await expect(page.locator("canvas")).not.toHaveClass(/zoomed/);
});
