import { assertSpecCited } from "@deputy/testing";
import { test } from "vitest";

test("every rule of SPEC.md is cited by a test, and every citation names a rule", () => {
  const suite = new URL("../../testing/src/event-log/", import.meta.url);
  assertSpecCited(new URL("../SPEC.md", import.meta.url), new URL("./", import.meta.url), suite);
});
