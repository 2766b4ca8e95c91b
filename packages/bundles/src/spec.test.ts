import { assertSpecCited } from "@deputy/testing";
import { test } from "vitest";

test("every rule of SPEC.md is cited by a test", () => {
  assertSpecCited(new URL("../SPEC.md", import.meta.url), new URL("./", import.meta.url));
});
