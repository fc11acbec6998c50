// Makes target/site, which the server embeds, from target/leptos, the output of cargo-leptos:
//
// manifest.json   the URLs that pages reference, see `Assets` in app/src/shell.rs
// assets/…        scripts, wasm and styles, each named after its content
// root/…          files with a fixed URL: embed.js, favicon.svg, …
//
// Compressed copies of files (.br and .gz) are stored next to them if they are smaller. In addition
// to cargo-leptos, this script bundles scripts into one, and builds several stylesheets.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "esbuild";
import { combine, rename, unite } from "./wasm.mjs";

const LEPTOS = "target/leptos/assets";
const DESK = "target/leptos-desk/assets";
const SITE = "target/site";
const CODINGS = [".br", ".gz"];

const options = { minify: true, charset: "utf8", legalComments: "none", logLevel: "warning", write: false };

// Contents of the site: path → content.
const site = new Map();

// Adds a file that is named after its content. Returns its name.
function addAsset(stem, extension, content) {
  const hash = createHash("sha256").update(content).digest("base64url").slice(0, 8);
  const name = `${stem}.${hash}${extension}`;
  site.set(`assets/${name}`, Buffer.from(content));
  return name;
}

// Names of the files directly in `folder` with one of the extensions.
function files(folder, ...extensions) {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return names.map((entry) => entry.name).filter((name) => extensions.includes(extname(name))).sort();
}

// Name of the file that cargo-leptos made from `name` by adding a hash before the extension.
function hashed(name, folder = LEPTOS) {
  const [stem, extension] = [basename(name, extname(name)), extname(name)];
  const found = files(folder, extension).find((file) => file.startsWith(`${stem}.`));
  if (!found) throw new Error(`there is no ${name} in ${folder}`);
  return found;
}

// Modules needed by each island.
const [split] = files(LEPTOS, ".json");
const needs = Object.entries(JSON.parse(readFileSync(join(LEPTOS, split)))).sort();

// cargo-leptos makes one module for each set of islands with shared code. Each module is a request,
// and half a dozen small modules are larger than two when compressed. Code for all islands is
// therefore moved into the main module, and code for some of them into the module of each. A page
// has only one island, so nothing is loaded twice, and no widget grows because of the others.
const users = (module) => needs.filter(([, modules]) => modules.includes(module)).length;
const all = [...new Set(needs.flatMap(([, modules]) => modules))];
const path = (module) => join(LEPTOS, hashed(`${module}.wasm`));
const isShared = (module) => users(module) === needs.length;
const shared = all.filter(isShared).map(path);
const own = needs.map(([island, modules]) => [island, modules.filter((module) => !isShared(module)).map(path)]);

// Bundles a script, those that it imports, and those that cargo-leptos made in `folder` into one file. Each additional
// file would take one more round trip before a page is live. Also returns the new names of the functions that the script
// and the main module use to call each other.
async function bundled(entry, folder) {
  const script = resolve(folder, hashed("frontend.js", folder));
  const generated = {
    name: "generated",
    setup({ onResolve }) {
      onResolve({ filter: /^\.\/frontend\.js$/ }, () => ({ path: script }));
    },
  };
  const { mangleCache, outputFiles } = await build({
    ...options,
    entryPoints: [entry],
    bundle: true,
    format: "esm",
    target: "es2022",
    plugins: [generated],
    // Removes the ways of wasm-bindgen to load a module, because boot.js passes a compiled one.
    define: { Request: "undefined", Response: "undefined" },
    mangleProps: /^(__wb|_R)/,
    mangleCache: {},
  });
  const [{ text }] = outputFiles;
  if (/(new|instanceof) void 0/.test(text)) throw new Error(`${entry} uses Request or Response, which it has not`);
  return { text, names: { ...mangleCache } };
}

const { text: boot, names } = await bundled("frontend/widget.js", LEPTOS);
const main = addAsset("frontend", ".wasm", rename(combine(path("frontend"), shared), names));
const islands = {};
for (const [island, modules] of own) islands[island] = `/assets/${addAsset(island, ".wasm", unite(modules))}`;

// The script of the desk and its module.
async function buildDesk() {
  const { text, names } = await bundled("frontend/boot.js", DESK);
  const module = addAsset("desk", ".wasm", rename(combine(join(DESK, hashed("frontend.wasm", DESK))), names));
  return `/assets/${addAsset("desk", ".js", text.replaceAll("frontend.wasm", module))}`;
}

// All stylesheets directly in `style`, including their imports from the folders below.
const styles = {};
for (const file of files("style", ".css")) {
  const [sheet] = (await build({ ...options, entryPoints: [join("style", file)], bundle: true })).outputFiles;
  const name = basename(file, ".css");
  styles[name] = `/assets/${addAsset(name, ".css", sheet.contents)}`;
}

// Everything in `public`, with unchanged names. The loader runs on other sites, so scripts are
// compiled for old browsers. Released loaders stay unchanged forever.
for (const entry of readdirSync("public", { withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const file = join("public", entry.name);
  const isReleased = /^embed\.\w+\.js$/.test(entry.name);
  if ([".css", ".js"].includes(extname(file)) && !isReleased) {
    const [small] = (await build({ ...options, entryPoints: [file], target: "es2019" })).outputFiles;
    site.set(`root/${entry.name}`, Buffer.from(small.contents));
  } else {
    site.set(`root/${entry.name}`, readFileSync(file));
  }
}

const manifest = {
  boot: `/assets/${addAsset("boot", ".js", boot.replaceAll("frontend.wasm", main))}`,
  wasm: `/assets/${main}`,
  // Script of the widget with a form, without wasm.
  report: `/assets/${addAsset("report", ".js", (await bundled("frontend/report.js", LEPTOS)).text)}`,
  // Without the script, the desk works with plain forms.
  ...(existsSync(DESK) && { desk: await buildDesk() }),
  styles,
  islands,
};

function compress(content, extension) {
  if (extension === ".gz") return gzipSync(content, { level: constants.Z_BEST_COMPRESSION });
  return brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } });
}

// Unchanged files keep their modification times, so that cargo doesn't compile the server again.
function write(path, content) {
  const file = join(SITE, path);
  if (existsSync(file) && readFileSync(file).equals(content)) return false;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return true;
}

const report = [];
for (const [path, content] of [...site]) {
  for (const extension of CODINGS) {
    const packed = compress(content, extension);
    if (packed.length < content.length) site.set(path + extension, packed);
  }
  const brotli = site.get(`${path}.br`)?.length ?? "-";
  report.push(`  ${path.padEnd(40)} ${String(content.length).padStart(7)} ${String(brotli).padStart(7)}`);
}
// The manifest is written last, so that it never lists missing files after an interrupted run.
site.set("manifest.json", Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
const changed = [...site].filter(([path, content]) => write(path, content)).length;
for (const entry of readdirSync(SITE, { recursive: true, withFileTypes: true })) {
  const file = join(entry.parentPath, entry.name);
  if (entry.isFile() && !site.has(relative(SITE, file))) rmSync(file);
}
if (changed > 0) console.log(["  file".padEnd(42) + "   bytes  brotli", ...report.sort()].join("\n"));
