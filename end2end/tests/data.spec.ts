import { readFile } from "node:fs/promises";
import { overflow, violations } from "../support/axe.js";
import { expect, test } from "../support/test.js";

const LANGUAGES = ["en", "pt", "es", "fr", "de", "ar"];

test("axe finds nothing in light and in dark, narrow and wide, and nothing is cut off", async ({ page, service }) => {
  await page.goto(`${service.base}/data`);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [320, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await violations(page), `${colorScheme} at ${width} px`).toEqual([]);
      expect(await overflow(page), `${colorScheme} at ${width} px`).toBe(0);
    }
  }
});

test("the page is complete in every language", async ({ page, service }) => {
  for (const language of LANGUAGES) {
    await page.goto(`${service.base}/data?language=${language}`);
    await expect(page.locator("html")).toHaveAttribute("lang", language);
    await expect(page.locator("h2")).toHaveCount(5);
    await page.setViewportSize({ width: 320, height: 800 });
    expect(await overflow(page), language).toBe(0);
  }
  await page.getByRole("link", { name: "Deutsch" }).click();
  await expect(page).toHaveURL(`${service.base}/data?language=de`);
});

test("search engines read a description of the data that leads to the files", async ({ page, request, service }) => {
  await page.goto(`${service.base}/data?language=en`);
  const dataset = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent())!);
  expect(dataset).toMatchObject({ "@context": "https://schema.org", "@type": "Dataset", url: `${service.base}/data` });
  for (const { contentUrl, encodingFormat } of dataset.distribution) {
    const file = await request.head(contentUrl);
    expect(file.status()).toBe(200);
    expect(file.headers()["content-type"]).toContain(encodingFormat);
  }
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the start page leads to the data, and its files are saved with all reports", async ({ page, service }) => {
    await page.goto(`${service.base}/?language=en`);
    await page.getByRole("link", { name: "Open data" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Open data");
    await expect(page.getByText("1,234 reports")).toBeVisible();
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "/api/v1/reports.csv" }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^reports-\d{4}-\d\d-\d\d\.csv$/);
    const text = await readFile(await file.path(), "utf8");
    expect(text.startsWith("\uFEFFid,type,city,region,country,peopleCount,eventDate,createdAt\r\n")).toBe(true);
    expect(text.trimEnd().split("\r\n")).toHaveLength(1_235);
  });
});
