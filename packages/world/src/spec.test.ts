import { assertSpecCited } from "@deputy/testing";
import { test } from "vitest";

test("every rule of SPEC.md is cited by a test, and every citation names a rule", () => {
  assertSpecCited(
    new URL("../SPEC.md", import.meta.url),
    new URL("./", import.meta.url),
    new URL("../../../e2e/world/", import.meta.url),
  );
});
