import { defineConfig } from "@playwright/test";

/** The widgets in Firefox and WebKitGTK, as distributions have them: `make test-long` runs it. */
export default defineConfig({
  testDir: "browsers",
  outputDir: "test-results/browsers",
  workers: 1,
  forbidOnly: Boolean(process.env.CI),
  timeout: 90_000,
  reporter: [["list"]],
});
