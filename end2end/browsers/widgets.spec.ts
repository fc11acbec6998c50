import { expect, test } from "@playwright/test";
import { history, pending } from "../support/reports.js";
import { TestServer } from "../support/server.js";
import { Service } from "../support/service.js";
import { WIDGETS } from "../support/widgets.js";
import { type Browser, until } from "./browser.js";
import { firefox } from "./firefox.js";
import { webkit } from "./webkit.js";

/** Total of a widget. */
const TOTAL = `document.querySelector(".total .number, .pulse .total b").textContent.replace(/\\D/g, "")`;
const STATE = `document.querySelector(".pulse").dataset.state`;
/** Messages about drawing in software, on a machine without a GPU. */
const EXPECTED = /GPU|WebGL|GL Driver/;

for (const [name, start] of Object.entries({ firefox, webkit })) {
  test.describe(name, () => {
    let service: Service;
    let browser: Browser;

    test.beforeEach(async () => {
      service = await Service.create();
      await service.import(history(1000, 230, 4), "--backfill");
      await service.import([pending]);
      await service.start();
      browser = await start();
    });

    test.afterEach(async () => {
      await browser.close();
      await service.dispose();
    });

    for (const widget of WIDGETS) {
      test(`the ${widget} widget is drawn, and counts a new report`, async () => {
        await browser.open(`${service.base}/embed/${widget}`);
        expect(await browser.value(TOTAL)).toBe("1234");
        await until("the state", () => browser.value(STATE), (state) => state === "live");
        expect(await browser.value("document.documentElement.dataset.boot ?? null")).not.toBe("failed");
        await service.svc("reports", "approve", "pending-1");
        // The trend shows the newest days; the history is from long before the new report.
        const after = widget === "trend" ? "1" : "1235";
        await until("the total", () => browser.value(TOTAL), (total) => total === after);
        expect((await browser.errors()).filter((error) => !EXPECTED.test(error))).toEqual([]);
      });
    }

    test("the loader puts them on another page, and changes them there", async () => {
      const elements = WIDGETS.map((widget) => `<div data-svc="${widget}"></div>`).join("");
      const html = `<!doctype html><title>Host</title><body>${elements}<script src="${service.base}/embed.js"></script>`;
      const host = await TestServer.start((request, response) => {
        response.writeHead(request.url === "/" ? 200 : 204, { "content-type": "text/html" });
        response.end(request.url === "/" ? html : "");
      });
      await browser.open(host.at("localhost"));
      for (const widget of WIDGETS) {
        const frame = `${service.base}/embed/${widget}`;
        await browser.value(`document.querySelector('iframe[src^="${frame}"]').scrollIntoView()`);
        await until(widget, () => browser.value(STATE, frame), (state) => state === "live");
      }
      const metrics = `${service.base}/embed/metrics`;
      await browser.value(`document.querySelector("iframe").dataset.theme = "dark"`);
      const theme = () => browser.value("document.documentElement.dataset.theme", metrics);
      await until("the theme", theme, (theme) => theme === "dark");
      expect((await browser.errors()).filter((error) => !EXPECTED.test(error))).toEqual([]);
      await host.close();
    });
  });
}
