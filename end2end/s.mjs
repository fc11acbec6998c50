import { chromium } from "@playwright/test";
const b=await chromium.launch({executablePath:"/usr/bin/chromium",args:["--no-sandbox"]});
const p=await b.newPage({viewport:{width:1200,height:630}});
await p.goto("file:///tmp/docs-shots/social.html");await p.waitForTimeout(2500);await p.screenshot({path:"/tmp/svc-docs/public/social.png"});await b.close();
