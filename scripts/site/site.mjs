// target/leptos, which cargo-leptos made → target/site, which the server embeds:
//
//   manifest.json   the URLs that pages reference, see `Assets` in app/src/shell.rs
//   assets/…        scripts, wasm and styles, each named after its content
//   root/…          files with a fixed URL: embed.js, favicon.svg, …
//
// Beside each file that gets smaller are its .br and .gz. This is what cargo-leptos does not do: one
// script instead of four, several stylesheets, the list of the modules that each island needs.
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

// What the site consists of: path → content.
const site = new Map();

// Adds a file that is named after its content; returns its name.
function addAsset(stem, extension, content) {
  const hash = createHash("sha256").update(content).digest("base64url").slice(0, 8);
  const name = `${stem}.${hash}${extension}`;
  site.set(`assets/${name}`, Buffer.from(content));
  return name;
}

// The files directly in `folder` with one of the extensions.
function files(folder, ...extensions) {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return names.map((entry) => entry.name).filter((name) => extensions.includes(extname(name))).sort();
}

// The file that cargo-leptos made of `name` by putting a hash before the extension.
function hashed(name, folder = LEPTOS) {
  const [stem, extension] = [basename(name, extname(name)), extname(name)];
  const found = files(folder, extension).find((file) => file.startsWith(`${stem}.`));
  if (!found) throw new Error(`there is no ${name} in ${folder}`);
  return found;
}

// The modules that each island needs, by the name of its loader, `<island>_loader_<hash of its place in
// the sources>`. None in a build without `--split`.
const [split] = files(LEPTOS, ".json");
const needs = split ? Object.entries(JSON.parse(readFileSync(join(LEPTOS, split)))).sort() : [];

// cargo-leptos makes a module for each set of islands that have code in common. Each is a request, and
// half a dozen small modules are larger than two once they are compressed: here what all islands need goes
// into the main module, and what some of them need into the module of each. A page has one island, so
// nothing is loaded twice, and no widget grows with the others.
const users = (module) => needs.filter(([, modules]) => modules.includes(module)).length;
const all = [...new Set(needs.flatMap(([, modules]) => modules))];
const path = (module) => join(LEPTOS, hashed(`${module}.wasm`));
const isShared = (module) => users(module) === needs.length;
const shared = all.filter(isShared).map(path);
const own = needs.map(([loader, modules]) => [loader, modules.filter((module) => !isShared(module)).map(path)]);

// boot.js, the scripts beside it and those that cargo-leptos made, in one file: each more would be one
// more round trip before a widget is live.
const loaders = own.map(
  ([loader]) => `export const __wasm_split_load_${loader} = loader(new URL("${loader}.wasm", import.meta.url));`,
);
const generated = {
  name: "generated",
  setup({ onResolve, onLoad }) {
    const script = resolve(LEPTOS, hashed("frontend.js"));
    onResolve({ filter: /^\.\/frontend\.js$/ }, () => ({ path: script }));
    onResolve({ filter: /^\.\/(un)?split\.js$/ }, ({ path }) => ({ path: resolve("frontend", path) }));
    // Without `--split`, there is nothing that the islands' functions could be imported from.
    onLoad({ filter: /frontend\.[^/]*\.js$/ }, () => ({
      contents: readFileSync(script, "utf8").replace(
        /import\s*\*\s*as\s+([\w$]+)\s+from\s*"__wasm_split_placeholder__"/g,
        'import { unsplit as $1 } from "./unsplit.js"',
      ),
    }));
    onLoad({ filter: /__wasm_split\.[^/]*\.js$/ }, () => ({
      contents: ['import { loader } from "./split.js";', ...loaders].join("\n"),
      resolveDir: resolve("frontend"),
    }));
  },
};
const bundle = await build({
  ...options,
  entryPoints: ["frontend/boot.js"],
  bundle: true,
  format: "esm",
  target: "es2022",
  plugins: [generated],
  // What script and main module call each other's functions.
  mangleProps: /^(__wb|_R)/,
  mangleCache: {},
  // wasm-bindgen mentions the module of the loaders once for each.
  logOverride: { "duplicate-object-key": "silent" },
});

// The script of the loaders is in the bundle: its name only has to be the same everywhere. With its hash
// in it, the main module would change with every island.
const names = { ...bundle.mangleCache };
let boot = bundle.outputFiles[0].text;
if (split) {
  const loaderScript = `./${hashed("__wasm_split.js")}`;
  names[loaderScript] = "./split.js";
  boot = boot.replaceAll(loaderScript, "./split.js");
}

const main = addAsset("frontend", ".wasm", rename(combine(path("frontend"), shared), names));
boot = boot.replaceAll("frontend.wasm", main);
const preload = {};
for (const [loader, modules] of own) {
  const island = loader.replace(/_loader_\d+$/, "");
  const name = addAsset(island, ".wasm", unite(modules));
  boot = boot.replaceAll(`${loader}.wasm`, name);
  preload[island] = [`/assets/${name}`];
}

// The script of the desk and its one module.
async function buildDesk() {
  const generated = {
    name: "generated",
    setup({ onResolve }) {
      const script = resolve(DESK, hashed("frontend.js", DESK));
      onResolve({ filter: /^\.\/desk-wasm\.js$/ }, () => ({ path: script }));
    },
  };
  const bundle = await build({
    ...options,
    entryPoints: ["frontend/desk.js"],
    bundle: true,
    format: "esm",
    target: "es2022",
    plugins: [generated],
  });
  const module = addAsset("desk", ".wasm", combine(join(DESK, hashed("frontend.wasm", DESK))));
  return `/assets/${addAsset("desk", ".js", bundle.outputFiles[0].text.replaceAll("desk.wasm", module))}`;
}

// Each stylesheet directly in `style`, with what it imports from the folders below.
const styles = {};
for (const file of files("style", ".css")) {
  const [sheet] = (await build({ ...options, entryPoints: [join("style", file)], bundle: true })).outputFiles;
  const name = basename(file, ".css");
  styles[name] = `/assets/${addAsset(name, ".css", sheet.contents)}`;
}

// Everything in `public`, under its own name. The loader runs on other people's pages, so scripts are
// kept to JavaScript that old browsers know. Released loaders stay as they are for ever.
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
  boot: `/assets/${addAsset("boot", ".js", boot)}`,
  wasm: `/assets/${main}`,
  // Without it, the desk works by plain forms.
  ...(existsSync(DESK) && { desk: await buildDesk() }),
  styles,
  preload,
};

function compress(content, extension) {
  if (extension === ".gz") return gzipSync(content, { level: constants.Z_BEST_COMPRESSION });
  // Which distances have short codes: no choice is best for all files, and it is 0.1 % of each.
  const packed = [[0, 0], [2, 0], [2, 4], [2, 60]].map(([postfix, direct]) => {
    const params = {
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      [constants.BROTLI_PARAM_NPOSTFIX]: postfix,
      [constants.BROTLI_PARAM_NDIRECT]: direct,
    };
    return brotliCompressSync(content, { params });
  });
  return packed.reduce((smallest, next) => (next.length < smallest.length ? next : smallest));
}

// Files that are as they were keep their times, so that cargo doesn't compile the server again.
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
// The manifest comes last: an interrupted run must not leave one of files that are not there.
site.set("manifest.json", Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
const changed = [...site].filter(([path, content]) => write(path, content)).length;
for (const entry of readdirSync(SITE, { recursive: true, withFileTypes: true })) {
  const file = join(entry.parentPath, entry.name);
  if (entry.isFile() && !site.has(relative(SITE, file))) rmSync(file);
}
if (changed > 0) console.log(["  file".padEnd(42) + "   bytes  brotli", ...report.sort()].join("\n"));
