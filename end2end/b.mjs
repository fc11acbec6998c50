import { chromium } from "@playwright/test";
const b=await chromium.launch({executablePath:"/usr/bin/chromium",args:["--no-sandbox"]});
const p=await b.newPage({viewport:{width:700,height:320},deviceScaleFactor:2});
await p.goto("file:///tmp/docs-shots/badge.html");await p.waitForTimeout(500);await p.screenshot({path:"/tmp/docs-shots/badge.png"});await b.close();
