import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accepts } from "./service.js";

const PAGE = new URL("../../docs/proxies.md", import.meta.url);
/** Debian installs nginx in a folder that is only on root's `PATH`. */
const DEBIAN = "/usr/sbin/nginx";

/** nginx as in `docs/proxies.md` for services below a path, without TLS. */
export class Nginx {
  private constructor(
    private readonly process: ChildProcess,
    private readonly dir: string,
  ) {}

  /** Starts nginx. `services` maps paths to ports. With `keepsPath`, forwarded requests keep the path. */
  static async start(port: number, services: Record<string, number>, keepsPath: boolean): Promise<Nginx> {
    const blocks = [...(await readFile(PAGE, "utf8")).matchAll(/```nginx\n([^]*?)```/g)].map(([, block]) => block!);
    const upstream = /^upstream svc \{[^]*?^\}$/m.exec(blocks[0]!)![0];
    const below = blocks.find((block) => block.startsWith("location /counters/"))!;
    const location = keepsPath ? below.replace("http://svc/;", "http://svc;") : below;
    const [upstreams, locations] = [upstream, location].map((block) =>
      Object.entries(services).map(([name, port]) =>
        block
          .replace("127.0.0.1:3000", `127.0.0.1:${port}`)
          .replace(/(upstream |http:\/\/)svc/, `$1${name}`)
          .replace("location /counters/", `location /${name}/`),
      ),
    );

    const dir = await mkdtemp(join(tmpdir(), "svc-nginx-"));
    // If nginx is started by root, its workers run as another user.
    await chmod(dir, 0o755);
    const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${name};`);
    await writeFile(
      join(dir, "nginx.conf"),
      `daemon off; worker_processes 1; pid nginx.pid; error_log error.log;
      events { worker_connections 256; }
      http {
        gzip on; access_log off; ${folders.join(" ")}
        ${upstreams!.join("\n")}
        server { listen 127.0.0.1:${port}; ${locations!.join("\n")} }
      }`,
    );
    const program = existsSync(DEBIAN) ? DEBIAN : "nginx";
    const child = spawn(program, ["-p", dir, "-c", "nginx.conf", "-e", "error.log"], { stdio: "inherit" });
    child.on("error", () => console.error("nginx is missing: scripts/setup test installs it"));
    await once(child, "spawn");
    while (!(await accepts(port))) {
      if (child.exitCode !== null) throw new Error(await readFile(join(dir, "error.log"), "utf8"));
    }
    return new Nginx(child, dir);
  }

  async stop(): Promise<void> {
    const ended = once(this.process, "exit");
    this.process.kill("SIGTERM");
    await ended;
    await rm(this.dir, { recursive: true, force: true });
  }
}
