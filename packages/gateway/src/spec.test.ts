import { assertSpecCited } from "@deputy/testing";
import { test } from "vitest";

test("every rule of the specification is cited by a test, and no other", () => {
  assertSpecCited(new URL("../SPEC.md", import.meta.url), new URL("./", import.meta.url));
});
