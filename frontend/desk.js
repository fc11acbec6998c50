// Starts the live parts of the desk. The desk has a separate wasm module, which no widget loads.
import init, * as wasm from "./desk-wasm.js";

(async () => {
  await init({ module_or_path: new URL("./desk.wasm", import.meta.url) });
  wasm.start();
  for (const island of document.querySelectorAll("leptos-island")) {
    wasm[island.dataset.component](island);
  }
})();
