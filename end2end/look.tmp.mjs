import { chromium } from "playwright-core";
const [,, base, out, spec] = process.argv; // spec: widget:query;...
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
const sizes = { metrics: [[1200,120],[600,120],[320,120],[440,120],[160,120]], feed: [[560,320],[320,320],[160,200]], trend: [[1200,240],[600,240],[320,240],[600,120],[160,240],[160,120]] };
for (const item of spec.split(";")) {
  const [widget, query=""] = item.split(":");
  const dark = query.includes("theme=dark");
  const page = await browser.newPage({ viewport: { width: 1240, height: 400 } });
  page.on("console", m => { if (["error","warning"].includes(m.type())) console.log(item, m.text().slice(0,200)); });
  await page.goto(base + "/api/v1/metrics", { waitUntil: "domcontentloaded" });
  await page.setContent(`<body style="margin:8px;background:${dark ? "#334" : "#ccd"};display:flex;flex-wrap:wrap;gap:10px">` + sizes[widget].map(([w,h]) => `<iframe width=${w} height=${h} style="border:0" src="${base}/embed/${widget}?${query}"></iframe>`).join(""), { waitUntil: "domcontentloaded" });
  await page.waitForTimeout(3500);
  if (process.env.FOCUS) { const f = page.frames()[1]; await f.locator(".chart").focus(); await page.keyboard.press("ArrowLeft"); await page.keyboard.press("ArrowLeft"); await page.waitForTimeout(200);}
  const name = `${out}/${widget}-${query.replace(/[^a-z0-9]+/gi, "_")}.png`;
  await page.screenshot({ path: name, fullPage: true });
  console.log(name);
  await page.close();
}
await browser.close();
