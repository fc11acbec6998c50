import { defineConfig } from "@playwright/test";

/**
 * Features that Playwright disables by default, except the partitioning of third-party storage. Visitors' Chromium
 * partitions it; without that, a private window denies an iframe of another site all storage.
 */
const DISABLED = [
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  // Each of these starts another renderer per test, for pages that no test opens.
  "SpareRendererForSitePerProcess",
  "WebUIOmniboxAimPopup",
  "WebUIOmniboxPopup",
];

/** The system's Chromium, which must connect to nothing but the pages under test. */
export const browser = {
  browserName: "chromium" as const,
  launchOptions: {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      `--disable-features=${DISABLED.join()}`,
    ],
  },
};

export default defineConfig({
  testDir: "tests",
  outputDir: "test-results/tests",
  fullyParallel: true,
  workers: 4,
  forbidOnly: Boolean(process.env.CI),
  // On two busy cores a page may take several times as long as usual.
  timeout: 60_000,
  expect: { timeout: 20_000 },
  reporter: "dot",
  use: { ...browser, trace: "off" },
});
