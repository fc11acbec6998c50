import { defineConfig } from "@playwright/test";

/** Tests of the widgets in Firefox and WebKitGTK as distributions package them. `make test-long` runs them. */
export default defineConfig({
  testDir: "browsers",
  outputDir: "test-results/browsers",
  workers: 1,
  forbidOnly: Boolean(process.env.CI),
  timeout: 90_000,
  reporter: [["list"]],
});
