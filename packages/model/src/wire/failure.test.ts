import { expect, test } from "vitest";
import { modelErrorCodes } from "../model-error.ts";
import { toModelError, WireFailure } from "./failure.ts";

const provider = {
  name: "Anthropic",
  model: "claude-x",
  baseUrl: "https://user:secret@api.example/path?key=1",
  urlVariable: "ANTHROPIC_BASE_URL",
  keyVariable: "ANTHROPIC_API_KEY",
  place: "elsewhere",
} as const;

test.each(modelErrorCodes)("[W6] %s says what happened, what is safe and what to do", (code) => {
  const { message } = toModelError(new WireFailure(code, "its words"), provider, "none");
  expect(message).toMatch(
    /^[A-Z].*\. Nothing (?:of an answer had arrived|was sent), and nothing ran\. [A-Z].*\.$/,
  );
  expect(message).not.toContain("secret");
});

test("[W6] shortens a provider's words, and shows invisible characters in them", () => {
  const failure = new WireFailure("bad_request", `a\u202eb\n\n${"x".repeat(1_000)}`, { status: 400 });
  const { message } = toModelError(failure, provider, "some");
  expect(message).toContain("Anthropic rejected the request (400): a\\u{202e}b xxx");
  expect(message.length).toBeLessThan(700);
});
