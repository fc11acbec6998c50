// Starts what is live on a page: loads the wasm and hands each island's element to it.
//
// It does the work of Leptos's own inline scripts. As a file it needs no hash or nonce in the
// content security policy, and starts at once where theirs waits for the browser to be idle.
import { host } from "./host.js";
import init, * as wasm from "./frontend.js";

async function hydrate() {
  wasm.hydrate();
  // Our islands have no children. Those of islands that have would need what Leptos's own script does
  // for them, and a `SharedContext` (see frontend/src/lib.rs).
  for (const island of document.querySelectorAll("leptos-island")) {
    await wasm[island.dataset.component](island);
  }
}

// Whoever changes the page waits for what is begun here.
host.islands = { hydrate, leave: wasm.leave };
host.ready = (async () => {
  try {
    await init({ module_or_path: new URL("./frontend.wasm", import.meta.url) });
    await hydrate();
  } catch (error) {
    // What the styles hide until an island writes it is shown as the server wrote it.
    document.documentElement.dataset.boot = "failed";
    host.islands = null;
    throw error;
  }
})();
