// What happens to wasm modules after cargo-leptos has split and optimized them.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [IMPORTS, EXPORTS] = [2, 7];

// One module of `file` and of `others`, which import from it, made small.
export function combine(file, others = []) {
  const dir = mkdtempSync(join(tmpdir(), "svc-site-"));
  const combined = join(dir, "combined.wasm");
  const small = join(dir, "small.wasm");
  try {
    if (others.length > 0) {
      const parts = others.flatMap((file, index) => [file, `part${index}`]);
      execFileSync(tool("wasm-merge"), [file, "__wasm_split", ...parts, "-o", combined]);
    }
    const from = others.length > 0 ? combined : file;
    execFileSync(tool("wasm-opt"), ["-Oz", "--strip-target-features", from, "-o", small]);
    return readFileSync(small);
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
