// Starts the live parts of a page: loads the wasm, and hydrates the element of each island.
//
// Replaces Leptos's own inline scripts. As a file, this script needs no hash or nonce in the content security policy,
// and it starts at once, while theirs waits until the browser is idle.
import { host } from "./host.js";
import { compiled } from "./modules.js";
import "./rows.js";
import init, * as wasm from "./frontend.js";

const { dataset } = document.documentElement;

// Hydrates the islands of the page. The promise is never rejected: a page whose islands fail stays as the server
// rendered it, and its options can still change.
async function hydrate() {
  try {
    wasm.start();
    // Islands of this site have no children. Children would need the additional steps of Leptos's own script, and a
    // `SharedContext` (see frontend/src/lib.rs).
    for (const island of document.querySelectorAll("leptos-island")) {
      await wasm[island.dataset.component](island);
    }
  } catch (error) {
    fail(error);
  }
}

function fail(error) {
  // Makes the stylesheets show content that they hide until an island rewrites it.
  dataset.boot = "failed";
  host.islands = null;
  console.error(error);
}

async function start() {
  try {
    // The wasm aborts if an island's own module cannot be loaded, so all modules are loaded first.
    const preloaded = document.querySelectorAll('link[type="application/wasm"]');
    await Promise.all(Array.from(preloaded, ({ href }) => compiled(href)));
    await init({ module_or_path: compiled(new URL("./frontend.wasm", import.meta.url).href) });
  } catch (error) {
    return fail(error);
  }
  // Lets the browser draw and handle input between two long tasks.
  await new Promise((resume) => setTimeout(resume));
  dataset.boot = "started";
  host.islands = { hydrate, leave: wasm.leave };
  host.ready = hydrate();
}

// Stops retry.js from loading this script again.
dataset.boot = "started";
start();
