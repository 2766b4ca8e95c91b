import { assertSpecCited } from "@deputy/testing";
import { test } from "vitest";

test("every rule of SPEC.md has a test", () => {
  assertSpecCited(
    new URL("../SPEC.md", import.meta.url),
    new URL(".", import.meta.url),
    new URL("../../testing/src/tasks/", import.meta.url),
    // Over real workflows, which are assembled there.
    new URL("../../../apps/deputy/src/repeating/", import.meta.url),
  );
});
