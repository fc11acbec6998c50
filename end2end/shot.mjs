import { chromium } from "@playwright/test";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
const root="/tmp/svc-docs";
for (const f of ["docs","page"]) execFileSync(`${root}/scripts/site/node_modules/.bin/esbuild`,[`${root}/style/${f}.css`,"--bundle",`--outfile=/tmp/docs-shots/${f}.css`]);
const b=await chromium.launch({executablePath:"/usr/bin/chromium",args:["--no-sandbox"]});
const [paths,widths,themes]=[process.argv[2].split(","),process.argv[3].split(",").map(Number),(process.argv[4]??"light,dark").split(",")];
for(const theme of themes) for(const w of widths) for(const p of paths){
 const page=await b.newPage({viewport:{width:w,height:900},colorScheme:theme,deviceScaleFactor:1});
 for(const f of ["docs","page"]) await page.route(`**/${f}.css`,r=>r.fulfill({contentType:"text/css",body:readFileSync(`/tmp/docs-shots/${f}.css`)}));
 await page.goto("http://127.0.0.1:4173"+p); await page.waitForTimeout(700);
 const o=await page.evaluate(()=>[document.documentElement.scrollWidth,document.documentElement.clientWidth,document.documentElement.scrollHeight]);
 const name=(p.replace(/[^a-z]/g,"-")||"home")+`-${w}-${theme}`;
 await page.screenshot({path:`/tmp/docs-shots/${name}.png`,fullPage:process.argv[5]!=="view",clip:process.argv[5]==="view"?undefined:{x:0,y:0,width:w,height:Math.min(o[2],Number(process.argv[5]??2600))}});
 console.log(name,o.join(" "));
 await page.close();
}
await b.close();
