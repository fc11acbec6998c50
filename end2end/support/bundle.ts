import { build, type BuildOptions } from "esbuild";

/** Bundles a program with its framework, from the packages of a folder. */
export async function bundled(
  contents: string,
  resolveDir = import.meta.dirname,
  options: BuildOptions = {},
): Promise<string> {
  const result = await build({
    stdin: { contents, loader: "jsx", resolveDir },
    bundle: true,
    jsx: "automatic",
    minify: true,
    write: false,
    define: { "process.env.NODE_ENV": '"production"', __VUE_OPTIONS_API__: "false" },
    alias: { vue: "vue/dist/vue.esm-bundler.js" },
    logLevel: "error",
    ...options,
  });
  return result.outputFiles![0]!.text.replaceAll("</script", "<\\/script");
}
