import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Binary of the quick build. With SVC_BINARY=target/release/svc, tests use the release build. */
const BINARY = process.env.SVC_BINARY
  ? resolve(fileURLToPath(new URL("../..", import.meta.url)), process.env.SVC_BINARY)
  : fileURLToPath(new URL("../../target/quick/svc", import.meta.url));

/** Row of an import file. */
export interface Row {
  id: string;
  type: "spirit" | "water" | "both";
  city: string;
  country: string;
  region?: string;
  peopleCount?: number;
  createdAt?: string;
  eventDate?: string;
  lat?: number;
  lng?: number;
}

/** Running service for reading only: its URLs, without methods that change or stop it. */
export interface ReadOnlyService {
  readonly base: string;
  readonly port: number;
  /** URL of the operator's pages. */
  readonly operatorsBase: string;
}

/** Running binary with a separate database and separate ports. */
export class Service implements ReadOnlyService {
  readonly base: string;
  private process?: ChildProcess;
  private log = "";

  private constructor(
    private readonly dir: string,
    readonly port: number,
    private readonly operatorsPort: number,
  ) {
    this.base = `http://127.0.0.1:${port}`;
  }

  /** Creates a service with an empty database. */
  static async create(): Promise<Service> {
    const service = await Service.prepare();
    await service.svc("db", "migrate");
    return service;
  }

  /** Creates a service with a copy of this one's database, which is cheaper than repeating the import. */
  async copy(): Promise<Service> {
    const files = await readdir(this.dir);
    // While a process has the database open, a part of it is in the journal.
    if (this.process || files.some((file) => file.endsWith("-wal"))) throw new Error("the database is in use");
    const service = await Service.prepare();
    await cp(this.dir, service.dir, { recursive: true });
    return service;
  }

  private static async prepare(): Promise<Service> {
    const dir = await mkdtemp(join(tmpdir(), "svc-end2end-"));
    return new Service(dir, ...(await freePorts()));
  }

  /** Runs a command of the binary on this service's database, and returns its output. */
  async svc(...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(BINARY, args, {
      cwd: this.dir,
      env: this.env(),
      maxBuffer: 64 << 20,
    });
    return stdout;
  }

  /** Imports reports as pending, published with events (`--approve`), or published without (`--backfill`). */
  async import(rows: Row[], ...how: ("--approve" | "--backfill")[]): Promise<void> {
    const file = join(this.dir, `${Date.now()}-${rows[0]?.id}.ndjson`);
    await writeFile(file, rows.map((row) => JSON.stringify(row)).join("\n"));
    await this.svc("reports", "import", file, "--format", "ndjson", ...how);
    await rm(file);
  }

  /** Imports generated reports, the same in each run. */
  async demo(rows: number): Promise<void> {
    const file = join(this.dir, "demo.csv");
    await writeFile(file, await this.svc("demo", "csv", "--rows", `${rows}`, "--seed", "7"));
    await this.svc("reports", "import", file, "--backfill");
    await rm(file);
  }

  /** Starts the service with additional flags, and returns when it responds. */
  async start(...flags: string[]): Promise<void> {
    const [addr, opsAddr] = [this.port, this.operatorsPort].map((port) => `127.0.0.1:${port}`);
    const args = ["serve", "--addr", addr!, "--ops-addr", opsAddr!, ...flags];
    const child = spawn(BINARY, args, { env: this.env(), cwd: this.dir });
    this.process = child;
    child.stderr?.on("data", (data) => (this.log += data));
    for (;;) {
      if (child.exitCode !== null) throw new Error(`svc serve ended:\n${this.log}`);
      if (await accepts(this.port)) return;
    }
  }

  get operatorsBase(): string {
    return `http://127.0.0.1:${this.operatorsPort}`;
  }

  /** Creates a key for an operator of this name. */
  async operatorsKey(name: string, scope: "read" | "moderate" | "admin"): Promise<string> {
    const args = ["--partner", name, "--tier", "operator", "--scope", scope, "--json"];
    return JSON.parse(await this.svc("keys", "create", ...args)).key;
  }

  /** Number of open event streams in the operator's metrics. */
  async openStreams(): Promise<number> {
    const answer = await fetch(`http://127.0.0.1:${this.operatorsPort}/metrics`);
    return Number(/^svc_open_streams (\d+)$/m.exec(await answer.text())?.[1]);
  }

  async stop(): Promise<void> {
    const child = this.process;
    this.process = undefined;
    if (!child || child.exitCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  }

  async dispose(): Promise<void> {
    await this.stop();
    await rm(this.dir, { recursive: true, force: true });
  }

  private env(): NodeJS.ProcessEnv {
    return {
      PATH: process.env.PATH,
      DATABASE_URL: `sqlite://${join(this.dir, "svc.db")}`,
      // Open pages have open streams, for which a stop would otherwise wait.
      SVC_DRAIN_SPREAD: "0",
    };
  }
}

/**
 * The last port that this worker has tried. Below the ports that the system gives to connections, in a range of its own,
 * and above 10,080, the highest port that `fetch` refuses.
 */
let lastPort = 11_000 + 5_000 * Number(process.env.TEST_PARALLEL_INDEX ?? 0);

/** Two free ports, which nothing else allocates before they are used. */
export async function freePorts(): Promise<[number, number]> {
  return [await freePort(), await freePort()];
}

async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer().listen(++lastPort, "127.0.0.1");
    const isFree = await once(server, "listening").then(() => true, () => false);
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return lastPort;
  }
}

/** Whether a process listens on the port. Takes a moment if none does. */
export async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    await new Promise((resume) => setTimeout(resume, 20));
    return false;
  } finally {
    socket.destroy();
  }
}
