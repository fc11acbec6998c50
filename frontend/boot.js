// Starts what is live on a page: loads the wasm and hands each island's element to it.
//
// It does the work of Leptos's own inline scripts. As a file it needs no hash or nonce in the
// content security policy, and starts at once where theirs waits for the browser to be idle.
import "./host.js";
import init, * as wasm from "./frontend.js";

// Leptos reads these globals, which its inline scripts would fill with resources that the server
// awaited. Our islands carry all they need in their props, so they stay empty.
globalThis.__RESOLVED_RESOURCES = [];
globalThis.__SERIALIZED_ERRORS = [];
globalThis.__INCOMPLETE_CHUNKS = [];

// From the outside in, one after the other: what an island passes to its children must be there
// before an island among these children asks for it.
async function hydrate(node, enterChildren) {
  if (node.localName === "leptos-island") {
    enterChildren?.();
    await wasm[node.dataset.component](node);
  } else if (node.localName === "leptos-children") {
    enterChildren = node.$$on_hydrate;
  }
  for (const child of node.children) await hydrate(child, enterChildren);
}

try {
  await init({ module_or_path: new URL("./frontend.wasm", import.meta.url) });
  wasm.hydrate();
  await hydrate(document.body);
} catch (error) {
  // What the styles hide until an island writes it is shown as the server wrote it.
  document.documentElement.dataset.boot = "failed";
  throw error;
}
