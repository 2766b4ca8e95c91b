import { assertSpecCited } from "@deputy/testing";
import { test } from "vitest";

test("every rule of SPEC.md is cited by a test", () => {
  const suite = new URL("../../testing/src/chat-apps/", import.meta.url);
  assertSpecCited(new URL("../SPEC.md", import.meta.url), new URL("./", import.meta.url), suite);
});
