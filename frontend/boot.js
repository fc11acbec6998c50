// Starts what is live on a page: loads the wasm and hands each island's element to it.
//
// It does the work of Leptos's own inline scripts. As a file it needs no hash or nonce in the
// content security policy, and starts at once where theirs waits for the browser to be idle.
import { host } from "./host.js";
import { compiled } from "./modules.js";
import "./rows.js";
import init, * as wasm from "./frontend.js";

const { dataset } = document.documentElement;

// Hydrates the islands of the page. Never rejects: a page whose islands fail stays as the server rendered it, and its
// options can still change.
async function hydrate() {
  try {
    wasm.hydrate();
    // Our islands have no children. Those of islands that have would need what Leptos's own script does
    // for them, and a `SharedContext` (see frontend/src/lib.rs).
    for (const island of document.querySelectorAll("leptos-island")) {
      await wasm[island.dataset.component](island);
    }
  } catch (error) {
    fail(error);
  }
}

function fail(error) {
  // What the styles hide until an island writes it is shown as the server wrote it.
  dataset.boot = "failed";
  host.islands = null;
  console.error(error);
}

async function start() {
  try {
    // The wasm aborts if an island's own module cannot be loaded, so all modules are loaded before.
    const preloaded = document.querySelectorAll('link[type="application/wasm"]');
    await Promise.all(Array.from(preloaded, ({ href }) => compiled(href)));
    await init({ module_or_path: compiled(new URL("./frontend.wasm", import.meta.url).href) });
  } catch (error) {
    return fail(error);
  }
  dataset.boot = "started";
  host.islands = { hydrate, leave: wasm.leave };
  host.ready = hydrate();
}

// Stops retry.js from loading this script again.
dataset.boot = "started";
start();
