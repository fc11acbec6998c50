// Processing of wasm modules after cargo-leptos has split and optimised them.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [CUSTOM, IMPORTS, EXPORTS] = [0, 2, 7];

// Name under which the parts import the main module.
const MAIN = "__wasm_split";

// Features of Rust's default target, which all browsers of recent years support. Most modules
// declare these features themselves, but not the one that is generated here.
const FEATURES = ["bulk-memory", "bulk-memory-opt", "multivalue", "mutable-globals", "nontrapping-float-to-int"]
  .concat("reference-types", "sign-ext")
  .map((feature) => `--enable-${feature}`);

// Combines `file`, and `others` that import from it, into one small module.
export function combine(file, others = []) {
  return inFolder((dir) => small(dir, others.length > 0 ? merged(dir, file, others) : file));
}

// Combines several modules that all import from the main module into one small module.
export function unite(parts) {
  if (parts.length === 1) return combine(...parts);
  return inFolder((dir) => {
    // Merged directly, they would import the same memory several times. They therefore import it
    // from a module that re-exports the imports.
    const passing = join(dir, "passing.wasm");
    execFileSync(tool("wasm-as"), ["-", "-o", passing], { input: passedOn(parts[0]) });
    return rename(small(dir, merged(dir, passing, parts)), { main: MAIN });
  });
}

// Text of a module that imports everything that `file` does from `main`, and exports it again.
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

// The linker puts the stack first, which grows down, and data after it: nothing is stored below address 1,024. Flat code with
// new loops, optimized twice, is 2 % smaller after compression than code that is optimized once.
const SMALLEST = ["--low-memory-unused", "--flatten", "--rereloop", "-Oz", "-Oz"];

function small(dir, file) {
  const small = join(dir, "small.wasm");
  execFileSync(tool("wasm-opt"), [...SMALLEST, ...FEATURES, "--strip-target-features", file, "-o", small]);
  return runnable(readFileSync(small));
}

// Removes custom sections from a module: browsers do not need them, and relocations are most of a
// module.
const runnable = (wasm) => mapSections(wasm, (id, content) => (id === CUSTOM ? undefined : content));

function inFolder(work) {
  const dir = mkdtempSync(join(tmpdir(), "svc-site-"));
  try {
    return work(dir);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

const tool = (name) => join(import.meta.dirname, "node_modules/.bin", name);

// Replaces the content of each section by the result of `map`, and removes sections without a
// result.
function mapSections(wasm, map) {
  const sections = [wasm.subarray(0, 8)];
  for (const at = { wasm, index: 8 }; at.index < wasm.length; ) {
    const id = byte(at);
    const length = number(at);
    const content = map(id, wasm.subarray(at.index, at.index + length));
    at.index += length;
    if (content) sections.push(Buffer.of(id), sized(content));
  }
  return Buffer.concat(sections);
}

// Renames imports and exports of a module by the map `names`; other names stay the same.
// wasm-bindgen names each import with a hash, which does not compress.
export function rename(wasm, names) {
  return mapSections(wasm, (id, content) => {
    if (id !== IMPORTS && id !== EXPORTS) return content;
    const at = { wasm: content, index: 0 };
    const copy = (read) => {
      const start = at.index;
      read();
      return content.subarray(start, at.index);
    };
    const name = () => {
      const length = number(at);
      const text = content.toString("utf8", at.index, (at.index += length));
      return sized(Buffer.from(names[text] ?? text));
    };
    const entry = {
      [IMPORTS]: () => [name(), name(), copy(() => skipImport(at))],
      [EXPORTS]: () => [name(), copy(() => (byte(at), number(at)))],
    };
    const count = number(at);
    const entries = Array.from({ length: count }, entry[id]).flat();
    if (at.index !== content.length) throw new Error(`section ${id} of a wasm module is not what is expected`);
    return Buffer.concat([encoded(count), ...entries]);
  });
}

function byte(at) {
  return at.wasm[at.index++];
}

function number(at) {
  for (let value = 0, shift = 0; ; shift += 7) {
    const next = byte(at);
    value |= (next & 127) << shift;
    if (next < 128) return value;
  }
}

// Skips the description of an import, after its names: function, table, memory, global or tag.
function skipImport(at) {
  const limits = () => {
    if (byte(at) & 1) number(at);
    number(at);
  };
  const kinds = [
    () => number(at),
    () => (number(at), limits()),
    limits,
    () => (number(at), byte(at)),
    () => (byte(at), number(at)),
  ];
  kinds[byte(at)]();
}

function sized(content) {
  return Buffer.concat([encoded(content.length), content]);
}

// Encodes a number as unsigned LEB128.
function encoded(number) {
  const bytes = [];
  for (; number > 127; number >>>= 7) bytes.push((number & 127) | 128);
  return Buffer.from([...bytes, number]);
}
