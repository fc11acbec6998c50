import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { history } from "../support/reports.js";
import { Service } from "../support/service.js";
import { share, test as base } from "../support/test.js";

/** Tests with a service that has enough reports to show. */
export const test = base.extend({
  sharedService: [
    async ({}, use) => {
      const database = await Service.create();
      try {
        await database.demo(12_000);
        const today = history(9, 3, 1).map((row) => ({ ...row, createdAt: undefined }));
        await database.import(today, "--approve");
        await share(database, use);
      } finally {
        await database.dispose();
      }
    },
    { scope: "worker" },
  ],
});

/** Folder of the screenshots. */
export const folder =
  process.env.SCREENSHOTS ??
  fileURLToPath(new URL("../test-results/screenshots", import.meta.url));

test.beforeAll(() => mkdir(folder, { recursive: true }));
