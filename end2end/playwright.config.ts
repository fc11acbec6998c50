import { defineConfig } from "@playwright/test";

/**
 * What Playwright turns off, but for the partitions of what third parties share and keep. Without
 * these, which visitors' Chromium has, a private window denies an iframe of another site all of it.
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
  // Each costs a test a renderer of its own, for pages that no test opens.
  "SpareRendererForSitePerProcess",
  "WebUIOmniboxAimPopup",
  "WebUIOmniboxPopup",
];

/** The system's Chromium, quiet: it must not try to reach anything but the pages under test. */
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
  // Two busy cores may take several times as long as one page needs.
  timeout: 60_000,
  expect: { timeout: 20_000 },
  reporter: "dot",
  use: { ...browser, trace: "off" },
});
