import { copyFile, writeFile } from "node:fs/promises";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import openapiTypeScript, { astToString } from "openapi-typescript";
import ts from "typescript";
import { expect, test } from "../support/test.js";

const document = async (base: string, name = "openapi.json") => (await fetch(`${base}/api/v1/${name}`)).text();

/** Findings of a linter. The rules besides the preset are those that other linters recommend. */
async function problems(source: string): Promise<string[]> {
  const config = await createConfig({
    extends: ["recommended-strict"],
    rules: {
      "array-parameter-serialization": "error",
      "info-contact": "error",
      "operation-description": "error",
      "operation-operationId-unique": "error",
      "operation-singular-tag": "error",
      "operation-tag-defined": "error",
      "tag-description": "error",
    },
  });
  const found = await lintFromString({ source, absoluteRef: "openapi.json", config });
  return found.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`);
}

test("a linter finds nothing wrong with the OpenAPI document", { tag: "@release" }, async ({ service }) => {
  const source = await document(service.base);
  expect(await problems(source)).toEqual([]);

  // Schemas of what 3.0 cannot describe are in no operation.
  const older = await problems(await document(service.base, "openapi-3.0.json"));
  expect(older.filter((problem) => !problem.startsWith("no-unused-components"))).toEqual([]);

  // The linter detects faults.
  const broken = JSON.parse(source);
  delete broken.info.contact;
  broken.paths["/api/v1/stream"].get.responses[200].content["text/event-stream"].example = [];
  expect(await problems(JSON.stringify(broken))).toHaveLength(2);
});

test("nor does it in the operators' document, from which TypeScript can be generated", async ({ service }) => {
  const source = await (await fetch(`${service.operatorsBase}/operator/v1/openapi.json`)).text();
  expect(await problems(source)).toEqual([]);
  const schema = astToString(await openapiTypeScript(source));
  for (const path of Object.keys(JSON.parse(source).paths)) expect(schema).toContain(`"${path}"`);
});

test("a generated TypeScript client compiles", async ({ service }, info) => {
  test.slow(); // The compiler reads the types of the browser.
  const schema = await openapiTypeScript(await document(service.base));
  const client = info.outputPath("client.ts");
  await writeFile(info.outputPath("schema.ts"), astToString(schema));
  await copyFile(new URL("../support/client.ts", import.meta.url), client);
  const program = ts.createProgram([client], {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    types: [],
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    noEmit: true,
  });
  const messages = ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
    return `${file?.fileName}:${line} ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
  });
  expect(messages).toEqual([]);
});
