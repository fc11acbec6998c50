// Starts the live parts of a page: loads the wasm, and hydrates the element of each island. Widgets and desk have wasm
// of their own, and the same script.
//
// Replaces Leptos's own inline scripts. As a file, this script needs no hash or nonce in the content security policy,
// and it starts at once, while theirs waits until the browser is idle.
import { islands } from "./islands.js";
import { compiled } from "./modules.js";
// The desk's bundle has the desk's module under the same name: see scripts/site/site.mjs.
import init, * as wasm from "./frontend.js";

const { dataset } = document.documentElement;

// Hydrates the islands of the page. The promise is never rejected: a page whose islands fail stays as the server
// rendered it, and its options can still change.
async function hydrate() {
  try {
    wasm.start();
    // Islands of this site have no children. Children would need the additional steps of Leptos's own script, and a
    // `SharedContext` (see app/kit/src/page.rs).
    for (const island of document.querySelectorAll("leptos-island")) {
      wasm[island.dataset.component](island);
    }
  } catch (error) {
    fail(error);
  }
}

function fail(error) {
  // Makes the stylesheets show content that they hide until an island rewrites it.
  dataset.boot = "failed";
  islands.hydrate = islands.leave = undefined;
  console.error(error);
}

async function start() {
  try {
    // The main module, and that of the page's island.
    const preloaded = document.querySelectorAll('link[type="application/wasm"]');
    const [, ...own] = await Promise.all(Array.from(preloaded, ({ href }) => compiled(href)));
    const main = await init({ module_or_path: compiled(new URL("./frontend.wasm", import.meta.url).href) });
    for (const module of own) await WebAssembly.instantiate(module, { __wasm_split: main });
  } catch (error) {
    return fail(error);
  }
  // Lets the browser draw and handle input between two long tasks.
  await new Promise((resume) => setTimeout(resume));
  dataset.boot = "started";
  Object.assign(islands, { hydrate, leave: wasm.leave });
  islands.ready = hydrate();
}

// Stops retry.js from loading this script again.
dataset.boot = "started";
start();
