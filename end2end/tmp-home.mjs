import { chromium } from "playwright";
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
const shots = JSON.parse(process.argv[2]);
for (const { url, width, height = 900, scheme = "light", name, full = true, wait = 4000, click } of shots) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: scheme });
  await page.goto(url, { waitUntil: "domcontentloaded" });
  await page.waitForTimeout(wait);
  if (click) { await page.click(click); await page.waitForTimeout(500); }
  await page.screenshot({ path: `/tmp/home/${name}.png`, fullPage: full });
  await page.close();
}
await browser.close();
