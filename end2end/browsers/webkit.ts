import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { createServer } from "node:net";
import { type Browser, until } from "./browser.js";

const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

/** Starts WebKitGTK's MiniBrowser on a virtual screen, and controls it with WebDriver. */
export async function webkit(): Promise<Browser> {
  const port = await freePort();
  const args = ["--auto-servernum", "--server-args=-screen 0 1280x900x24", "WebKitWebDriver", `--port=${port}`];
  const child = spawn("xvfb-run", args, { stdio: "ignore", detached: true });
  let session = "";
  async function send<T>(method: string, path: string, body?: object): Promise<T> {
    const url = `http://127.0.0.1:${port}${session}${path}`;
    const answer = await fetch(url, { method, body: body && JSON.stringify(body) });
    const { value } = (await answer.json()) as { value: T & { error?: string; message?: string } };
    if (!answer.ok) throw new Error(`${path}: ${value.error}: ${value.message}`);
    return value;
  }

  await until("WebKit", () => send<{ ready: boolean }>("GET", "/status"), ({ ready }) => ready);
  const browserOptions = { binary: await miniBrowser(), args: ["--automation"] };
  const capabilities = { alwaysMatch: { "webkitgtk:browserOptions": browserOptions } };
  const { sessionId } = await send<{ sessionId: string }>("POST", "/session", { capabilities });
  session = `/session/${sessionId}`;

  const run = <T>(script: string) => send<T>("POST", "/execute/sync", { script, args: [] });
  return {
    // Debian's WebKit gives drivers no access to the console. `open` installs a recorder after the page has loaded,
    // which is before its wasm starts.
    errors: () => run("return window.errors"),
    async open(url) {
      await send("POST", "/url", { url });
      await run(`
        window.errors = [];
        for (const kind of ["error", "warn"]) console[kind] = (...what) => errors.push(what.join(" "));
        addEventListener("error", ({ message }) => errors.push(message));
        addEventListener("unhandledrejection", ({ reason }) => errors.push(String(reason)));
      `);
    },
    async value<T>(expression: string, frame?: string): Promise<T> {
      if (frame) {
        const value = `iframe[src^="${frame}"]`;
        const element = await send<Record<string, string>>("POST", "/element", { using: "css selector", value });
        await send("POST", "/frame", { id: { [ELEMENT]: element[ELEMENT] } });
      }
      try {
        return await run<T>(`return ${expression}`);
      } finally {
        await send("POST", "/frame", { id: null });
      }
    },
    async close() {
      await send("DELETE", "").catch(() => undefined);
      const ended = once(child, "exit");
      // The signal ends the driver and its virtual screen.
      process.kill(-child.pid!);
      await ended;
    },
  };
}

async function miniBrowser(): Promise<string> {
  const folder = `/usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu`;
  const versions = (await readdir(folder)).filter((name) => name.startsWith("webkit2gtk-4"));
  return `${folder}/${versions.sort().pop()}/MiniBrowser`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
