import { expect, test } from "vitest";
import { openBuiltins } from "./builtins.fixture.ts";
import { OWN_NAMESPACES } from "./own-namespaces.ts";

test("[TB21] every namespace of Deputy's own tools is kept for them", async () => {
  const { catalogue } = await openBuiltins({});
  const names = new Set(catalogue.list().map(({ path }) => path.split(".", 1)[0]));
  expect(OWN_NAMESPACES).toEqual(new Set([...names, "deputy", "skill"]));
});
