#!/usr/bin/env node
// Saves the loader served by target/release/svc as a version whose bytes never change:
// public/embed.<hash>.js, with an entry at the start of public/embed.json. Run it for each release
// of the service. Other sites refer to released loaders by their hash, so none of these files may
// ever be deleted.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

process.chdir(join(import.meta.dirname, ".."));
const LIST = "public/embed.json";

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

async function served() {
  const folder = mkdtempSync(join(tmpdir(), "svc-loader-"));
  const [addr, operators] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
  const service = spawn("target/release/svc", ["serve", "--addr", addr, "--ops-addr", operators], {
    env: { ...process.env, DATABASE_URL: `sqlite://${join(folder, "svc.db")}` },
    stdio: ["ignore", "ignore", "inherit"],
  });
  try {
    for (;;) {
      if (service.exitCode !== null) throw new Error("target/release/svc does not serve");
      const answer = await fetch(`http://${addr}/embed.js`).catch(() => undefined);
      if (answer?.ok) return Buffer.from(await answer.arrayBuffer());
      await new Promise((resume) => setTimeout(resume, 50));
    }
  } finally {
    service.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

const loader = await served();
const path = `/embed.${createHash("sha256").update(loader).digest("hex").slice(0, 12)}.js`;
const integrity = `sha384-${createHash("sha384").update(loader).digest("base64")}`;
const list = JSON.parse(readFileSync(LIST, "utf8"));
if (list[0]?.path === path) {
  console.log(`${path} is released already`);
} else {
  writeFileSync(`public${path}`, loader);
  writeFileSync(LIST, `${JSON.stringify([{ path, integrity }, ...list], null, 2)}\n`);
  console.log(`public${path}: ${loader.length} bytes`);
}
