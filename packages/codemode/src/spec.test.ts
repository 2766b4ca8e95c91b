import { test } from "vitest";
import { assertSpecCited } from "@deputy/testing";

test("every rule of SPEC.md is cited by a test", () => {
  assertSpecCited(
    new URL("../SPEC.md", import.meta.url),
    new URL("./", import.meta.url),
    new URL("../../testing/src/codemode/", import.meta.url),
  );
});
