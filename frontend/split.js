// Loads what only one island needs, once it is asked for. It does the work of the script that
// cargo-leptos makes, which loads modules that the site has no longer: see scripts/site/site.mjs.
import { initSync } from "./frontend.js";

// Returns the function that the main module calls: it tells `callback` whether the module is there.
export function loader(url) {
  let loading;
  return async (callback, data) => {
    // The main module has been started long ago, and is returned again.
    const main = initSync();
    loading ??= WebAssembly.instantiateStreaming(fetch(url), { __wasm_split: main });
    const loaded = await loading.then(
      () => true,
      (error) => {
        // The next call tries again.
        loading = undefined;
        console.error(error);
        return false;
      },
    );
    main.__indirect_function_table.get(callback)(data, loaded);
  };
}
