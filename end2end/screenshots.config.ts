import { defineConfig } from "@playwright/test";
import { browser } from "./playwright.config.js";

/**
 * Screenshots for visual inspection: `npm run screenshots` writes them to the folder SCREENSHOTS or
 * test-results/screenshots.
 */
export default defineConfig({
  testDir: "screenshots",
  outputDir: "test-results/screenshots-tests",
  fullyParallel: true,
  workers: 2,
  expect: { timeout: 10_000 },
  reporter: [["list"]],
  use: { ...browser, deviceScaleFactor: 2 },
});
