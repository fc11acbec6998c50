import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { promisify } from "node:util";
import { accepts, freePorts } from "../../end2end/support/service.js";
import { running } from "./service.js";

const its = running(20);
const run = promisify(execFile);

/** Blocks of code in a file, for the running service. */
async function blocks(file: string, language: string): Promise<string[]> {
  const text = await readFile(file, "utf8");
  const found = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter(([, of]) => of === language);
  return found.map(([, , code = ""]) => code.replaceAll("https://svc.example.org", its.service.base));
}

/** Writes a program where it finds the packages. */
async function program(code: string): Promise<string> {
  const file = `clients/test/dist/readme-${process.hrtime.bigint()}.mjs`;
  await writeFile(file, code);
  return file;
}

test("the first examples of the documentation print the counters", async () => {
  const { total, cities } = await its.visitor.metrics({ country: "BR" });
  const expected = `${total} reports from ${cities} cities\n`;
  for (const [file, language] of [["clients/typescript/README.md", "ts"], ["docs/clients.md", "js"]] as const) {
    const [code = ""] = await blocks(file, language);
    assert.equal((await run("node", [await program(code)])).stdout, expected, file);
  }
  for (const file of ["clients/python/README.md", "docs/clients.md"]) {
    const [code = ""] = await blocks(file, "python");
    assert.equal((await run("target/clients/python/bin/python", ["-c", code])).stdout, expected, file);
  }
});

test("the receiver of the documentation prints the events that verify", async (context) => {
  const [, code = ""] = await blocks("docs/clients.md", "js");
  const [port] = await freePorts();
  const { subscription } = await its.partner.webhooks.create({
    url: `http://127.0.0.1:${port}/`,
    events: ["report.created"],
  });
  const env = { ...process.env, PORT: `${port}`, SVC_WEBHOOK_SECRET: subscription.secret };
  const receiver = spawn("node", [await program(code)], { env, stdio: ["ignore", "pipe", "inherit"] });
  context.after(() => receiver.kill());
  const lines = createInterface(receiver.stdout)[Symbol.asyncIterator]();
  while (!(await accepts(port)));
  assert.equal((await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: "{}" })).status, 401);
  assert.equal((await its.partner.webhooks.test(subscription.id)).status, 204);
  assert.match((await lines.next()).value, /^webhook\.test evt_/);
});
