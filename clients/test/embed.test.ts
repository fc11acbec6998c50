import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { running } from "./service.js";

const its = running(0);

test("the types of widgets have the options and widgets of the service", async () => {
  const loader = await (await fetch(`${its.service.base}/embed.js`)).text();
  const types = await readFile("clients/embed/src/types.ts", "utf8");
  const [, options = ""] = /interface WidgetOptions \{(.*?)^\}/ms.exec(types) ?? [];
  const names = [...options.matchAll(/^ {2}(\w+)\?:/gm)].map(([, name]) => name);
  const served = /"([a-z ]*\btheme\b[a-z ]*)"\.split\(" "\)/.exec(loader)?.[1];
  assert.deepEqual(names.sort(), served?.split(" ").sort());

  const [, widgets = ""] = /type WidgetType = (.*?);/.exec(types) ?? [];
  for (const [, widget] of widgets.matchAll(/"(\w+)"/g)) {
    assert.equal((await fetch(`${its.service.base}/embed/${widget}`)).status, 200, widget);
  }
});
