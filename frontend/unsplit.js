// Replaces wasm-split in builds without `--split`. The main module then contains all islands, so functions that would
// be imported from separate modules are exports of the main module.
import { initSync, loaded } from "./frontend.js";

export const unsplit = new Proxy(
  {},
  {
    get(_, name) {
      if (name.startsWith("__wasm_split_load_")) return loaded;
      return (...values) => initSync()[name.replace("_import_", "_export_")](...values);
    },
  },
);
