import * as fc from "fast-check";
import { expect, test } from "vitest";
import { formatModelRef, parseModelRef } from "./model-ref.ts";
import { ModelError } from "./index.ts";

test("[M1] splits at the first slash", () => {
  expect(parseModelRef("local/qwen/qwen3:8b")).toEqual({ provider: "local", model: "qwen/qwen3:8b" });
});

test.each(["", "gpt", "/gpt", "openai/", "Open AI/gpt", "openai/a b"])("[M1] refuses %j", (text) => {
  expect(() => parseModelRef(text)).toThrow(ModelError);
});

test("[M1] parsing reverses formatting", () => {
  const ref = fc.record({
    provider: fc.stringMatching(/^[a-z][a-z0-9-]{0,10}$/),
    model: fc.stringMatching(/^[\w.:/-]{1,30}$/),
  });
  fc.assert(
    fc.property(ref, (value) => {
      expect(parseModelRef(formatModelRef(value))).toEqual(value);
    }),
  );
});
