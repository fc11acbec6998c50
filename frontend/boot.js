// Starts what is live on a page: loads the wasm and hands each island's element to it.
//
// It does the work of Leptos's own inline scripts. As a file it needs no hash or nonce in the
// content security policy, and starts at once where theirs waits for the browser to be idle.
import "./host.js";
import init, * as wasm from "./frontend.js";

try {
  await init({ module_or_path: new URL("./frontend.wasm", import.meta.url) });
  wasm.hydrate();
  // Our islands have no children. Those of islands that have would need what Leptos's own script does
  // for them, and a `SharedContext` (see frontend/src/lib.rs).
  for (const island of document.querySelectorAll("leptos-island")) {
    await wasm[island.dataset.component](island);
  }
} catch (error) {
  // What the styles hide until an island writes it is shown as the server wrote it.
  document.documentElement.dataset.boot = "failed";
  throw error;
}
