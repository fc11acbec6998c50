import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { history } from "../support/reports.js";
import { Service } from "../support/service.js";
import { closePages, test as base } from "../support/test.js";

/** With a service that has enough to show. */
export const test = base.extend({
  service: async ({ context }, use) => {
    const service = await Service.create();
    try {
      await service.demo(12_000);
      const today = history(9, 3, 1).map((row) => ({ ...row, createdAt: undefined }));
      await service.import(today, "--approve");
      await service.start();
      await use(service);
    } finally {
      await closePages(context);
      await service.dispose();
    }
  },
});

/** Where pictures go. */
export const folder =
  process.env.SCREENSHOTS ??
  fileURLToPath(new URL("../test-results/screenshots", import.meta.url));

test.beforeAll(() => mkdir(folder, { recursive: true }));
