import { assertSpecCited } from "@deputy/testing";
import { test } from "vitest";

test("every rule of SPEC.md is cited by a test, and every citation names a rule", () => {
  const suites = ["event-log", "blobs"].map((name) => new URL(`../../testing/src/${name}/`, import.meta.url));
  assertSpecCited(new URL("../SPEC.md", import.meta.url), new URL("./", import.meta.url), ...suites);
});
