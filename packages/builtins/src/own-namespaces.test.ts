import { createCatalogue, discoverySource } from "@deputy/tools";
import { expect, test } from "vitest";
import { openBuiltins } from "./builtins.fixture.ts";
import { OWN_NAMESPACES } from "./builtin-source.ts";

test("[TB21] every namespace of Deputy's own tools is kept for them", async () => {
  const { catalogue } = await openBuiltins({});
  const names = new Set(catalogue.list().map(({ path }) => path.split(".", 1)[0]));
  expect(OWN_NAMESPACES).toEqual(new Set([...names, "deputy", "skill"]));
});

test("[TB27] what Deputy's own tools are asked stays with Deputy, except for pages", async () => {
  const { catalogue } = await openBuiltins({});
  const own = createCatalogue([discoverySource(() => catalogue)]);
  const reads = [...catalogue.list(), ...own.list()].filter(({ effect }) => effect === "read");
  const sending = reads.filter(({ isLocal, path }) => isLocal !== true && !/^(?:web|browser)\./.test(path));
  expect(sending.map(({ path }) => path)).toEqual([]);
  expect(catalogue.get("todo.write")).toMatchObject({ isLocal: true, critical: [] });
});
