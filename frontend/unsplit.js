// Stands in for wasm-split in builds without `--split`: all islands are in the main module, and what
// would be imported from modules of their own is exported by the same one.
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
