// Loads what only one island needs, once it is asked for. It does the work of the script that
// cargo-leptos makes, which loads modules that the site has no longer: see scripts/site/site.mjs.
import { initSync } from "./frontend.js";
import { compiled } from "./modules.js";

// Returns the function that the main module calls: it tells `callback` whether the module is there.
export function loader({ href }) {
  let instance;
  return async (callback, data) => {
    // The main module has been started long ago, and is returned again.
    const main = initSync();
    instance ??= compiled(href).then((module) => WebAssembly.instantiate(module, { __wasm_split: main }));
    const loaded = await instance.then(
      () => true,
      (error) => {
        console.error(error);
        return false;
      },
    );
    main.__indirect_function_table.get(callback)(data, loaded);
  };
}
