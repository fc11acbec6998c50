import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import WebSocket from "ws";
import { type Browser, until } from "./browser.js";

interface Context {
  context: string;
  url: string;
  children: Context[] | null;
}

/** Starts Firefox and controls it with WebDriver BiDi, which needs no separate driver. */
export async function firefox(): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), "svc-firefox-"));
  const args = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"];
  const child = spawn("firefox-esr", args, { stdio: ["ignore", "ignore", "pipe"] });
  const socket = new WebSocket(`${await address(child.stderr)}/session`);
  await once(socket, "open");

  const errors: string[] = [];
  const waiting = new Map<number, (message: { error?: string; message?: string; result: never }) => void>();
  socket.on("message", (data) => {
    const message = JSON.parse(String(data));
    if (message.method === "log.entryAdded" && ["error", "warn"].includes(message.params.level)) {
      errors.push(message.params.text);
    }
    waiting.get(message.id)?.(message);
  });
  let count = 0;
  async function send<T>(method: string, params: object): Promise<T> {
    const id = ++count;
    const answer = new Promise<{ error?: string; message?: string; result: T }>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const { error, message, result } = await answer;
    waiting.delete(id);
    if (error) throw new Error(`${method}: ${error}: ${message}`);
    return result;
  }

  await send("session.new", { capabilities: {} });
  await send("session.subscribe", { events: ["log.entryAdded"] });
  const tree = () => send<{ contexts: [Context] }>("browsingContext.getTree", {}).then(({ contexts: [page] }) => page);
  const page = (await tree()).context;

  return {
    errors: async () => errors,
    async open(url) {
      await send("browsingContext.navigate", { context: page, url, wait: "complete" });
    },
    async value<T>(expression: string, frame?: string): Promise<T> {
      const top = await tree();
      const found = frame ? top.children?.find(({ url }) => url.startsWith(frame)) : top;
      if (!found) throw new Error(`no frame of ${frame}`);
      const { result } = await send<{ result: { value?: string } }>("script.evaluate", {
        expression: `JSON.stringify(${expression})`,
        target: { context: found.context },
        awaitPromise: true,
      });
      return JSON.parse(result.value ?? "null");
    },
    async close() {
      socket.close();
      const ended = once(child, "exit");
      child.kill();
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function address(stderr: NodeJS.ReadableStream): Promise<string> {
  let found = "";
  createInterface(stderr).on("line", (line) => {
    found ||= /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1] ?? "";
  });
  return until("Firefox", async () => found, Boolean);
}
