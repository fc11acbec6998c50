// What happens to wasm modules after cargo-leptos has split and optimized them.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [IMPORTS, EXPORTS] = [2, 7];

// What the parts import from the main module.
const MAIN = "__wasm_split";

// What Rust compiles for, so what all browsers of the last years know. Most modules name these features
// themselves, but not the one that is made here.
const FEATURES = ["bulk-memory", "bulk-memory-opt", "multivalue", "mutable-globals", "nontrapping-float-to-int"]
  .concat("reference-types", "sign-ext")
  .map((feature) => `--enable-${feature}`);

// One module of `file` and of `others`, which import from it, made small.
export function combine(file, others = []) {
  return inFolder((dir) => small(dir, others.length > 0 ? merged(dir, file, others) : file));
}

// One module of several that all import from the main module, made small.
export function unite(parts) {
  if (parts.length === 1) return combine(...parts);
  return inFolder((dir) => {
    // Merged as they are, they would import the same memory several times. So they import it from a
    // module that does nothing but pass it on.
    const passing = join(dir, "passing.wasm");
    execFileSync(tool("wasm-as"), ["-", "-o", passing], { input: passedOn(parts[0]) });
    return rename(small(dir, merged(dir, passing, parts)), { main: MAIN });
  });
}

// The text of a module that imports what `file` does, from `main`, and exports it.
function passedOn(file) {
  const text = execFileSync(tool("wasm-dis"), [file], { encoding: "utf8", maxBuffer: 1 << 28 });
  const imports = text.matchAll(/^ \(import "__wasm_split" ("[^"]+") (\((\w+) (\$\S+) .*\))\)$/gm);
  const passed = ([, name, described, kind, id]) => `(import "main" ${name} ${described}) (export ${name} (${kind} ${id}))`;
  return `(module ${Array.from(imports, passed).join("\n")})`;
}

function merged(dir, main, others) {
  const combined = join(dir, "combined.wasm");
  const parts = others.flatMap((file, index) => [file, `part${index}`]);
  execFileSync(tool("wasm-merge"), [main, MAIN, ...parts, ...FEATURES, "-o", combined]);
  return combined;
}

function small(dir, file) {
  const small = join(dir, "small.wasm");
  execFileSync(tool("wasm-opt"), ["-Oz", ...FEATURES, "--strip-target-features", file, "-o", small]);
  return readFileSync(small);
}

function inFolder(work) {
  const dir = mkdtempSync(join(tmpdir(), "svc-site-"));
  try {
    return work(dir);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

const tool = (name) => join(import.meta.dirname, "node_modules/.bin", name);

// Renames what a module imports and exports: `names` maps old to new, all other names stay.
// wasm-bindgen gives each import a hash for its name, which no compression makes smaller.
export function rename(wasm, names) {
  let at = 8;
  const byte = () => wasm[at++];
  const number = () => {
    for (let value = 0, shift = 0; ; shift += 7) {
      const next = byte();
      value |= (next & 127) << shift;
      if (next < 128) return value;
    }
  };
  const copy = (read) => {
    const start = at;
    read();
    return wasm.subarray(start, at);
  };
  const name = () => {
    const length = number();
    const text = wasm.toString("utf8", at, (at += length));
    return sized(Buffer.from(names[text] ?? text));
  };
  const limits = () => {
    if (byte() & 1) number();
    number();
  };
  // What follows the kind: function, table, memory, global, tag.
  const described = [number, () => (number(), limits()), limits, () => (number(), byte()), () => (byte(), number())];
  const entry = {
    [IMPORTS]: () => [name(), name(), copy(() => described[byte()]())],
    [EXPORTS]: () => [name(), copy(() => (byte(), number()))],
  };

  const sections = [wasm.subarray(0, at)];
  while (at < wasm.length) {
    const id = byte();
    const end = number() + at;
    let content = wasm.subarray(at, end);
    if (entry[id]) {
      const count = number();
      content = Buffer.concat([encoded(count), ...Array.from({ length: count }, entry[id]).flat()]);
      if (at !== end) throw new Error(`section ${id} of a wasm module is not what is expected`);
    }
    sections.push(Buffer.of(id), sized(content));
    at = end;
  }
  return Buffer.concat(sections);
}

function sized(content) {
  return Buffer.concat([encoded(content.length), content]);
}

// The number as unsigned LEB128.
function encoded(number) {
  const bytes = [];
  for (; number > 127; number >>>= 7) bytes.push((number & 127) | 128);
  return Buffer.from([...bytes, number]);
}
