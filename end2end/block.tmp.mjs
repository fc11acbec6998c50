import { chromium } from "playwright-core";
const [,, base, widgets, runs="4", profile] = process.argv;
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
for (const widget of widgets.split(",")) {
  const all = [];
  for (let i = 0; i < +runs; i++) {
    const context = await browser.newContext({ viewport: { width: 400, height: 320 } });
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    await cdp.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    await page.addInitScript(() => { window.tasks = []; new PerformanceObserver(l => { for (const e of l.getEntries()) tasks.push([Math.round(e.startTime), Math.round(e.duration)]); }).observe({ type: "longtask", buffered: true }); });
    if (profile) { await cdp.send("Profiler.enable"); await cdp.send("Profiler.setSamplingInterval", { interval: 500 }); await cdp.send("Profiler.start"); }
    await page.goto(`${base}/embed/${widget}`, { waitUntil: "domcontentloaded" });
    await page.waitForTimeout(6000);
    const tasks = await page.evaluate("tasks");
    all.push(tasks.reduce((s, [, d]) => s + d - 50, 0));
    if (i === 0) console.log(widget, JSON.stringify(tasks), await page.evaluate("document.querySelector('.pulse').dataset.state"));
    if (profile) { const { profile: p } = await cdp.send("Profiler.stop");
      const self = new Map(); const by = new Map(p.nodes.map(n => [n.id, n]));
      p.samples.forEach((id, k) => { const n = by.get(id); const key = n.callFrame.functionName + " " + n.callFrame.url.split("/").pop() + ":" + n.callFrame.lineNumber; self.set(key, (self.get(key) || 0) + p.timeDeltas[k]); });
      console.log([...self].sort((a, b) => b[1] - a[1]).slice(0, 40).map(([k, v]) => (v / 1000).toFixed(0) + " " + k).join("\n")); }
    await context.close();
  }
  console.log(widget, "blocking ms:", all.join(" "));
}
await browser.close();
