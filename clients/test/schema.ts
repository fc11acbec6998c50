/** Writes the OpenAPI document of the binary, and types that are generated from it, into a folder. */
import { writeFile } from "node:fs/promises";
import openapiTypeScript, { astToString } from "openapi-typescript";
import { Service } from "../../end2end/support/service.js";

const [, , folder] = process.argv;
const service = await Service.create();
await service.start();
const document = await (await fetch(`${service.base}/api/v1/openapi.json`)).text();
await service.dispose();
await writeFile(`${folder}/openapi.json`, document);
await writeFile(`${folder}/schema.ts`, astToString(await openapiTypeScript(document)));
