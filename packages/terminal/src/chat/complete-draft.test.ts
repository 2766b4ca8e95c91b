import { expect, test } from "vitest";
import { completeDraft } from "./complete-draft.ts";

const PATHS = ["src/main.ts", "src/main.test.ts", "docs/my notes.md"];
const sources = {
  commands: async () => ["ship", "shout"],
  files: async (query: string) => PATHS.filter((path) => path.includes(query)),
  models: async () => ["anthropic/claude", "openai/gpt"],
};
const { signal } = new AbortController();
const complete = (draft: string) => completeDraft(draft, sources, signal);

test.each([
  ["/he", "/help "],
  ["/SW", "/switch "],
  ["/shi", "/ship "],
  ["/mo", "/model "],
  ["/model o", "/model openai/gpt"],
  ["/model d", "/model default"],
  ["read @docs", "read @docs/my notes.md "],
  ["two\nlines @docs", "two\nlines @docs/my notes.md "],
])("Tab makes %j %j", async (draft, completed) => {
  expect(await complete(draft)).toEqual({ draft: completed, choices: [] });
});

test.each([
  ["/sh", "/sh", ["ship", "shout"]],
  ["/s", "/s", ["sessions", "switch", "ship", "shout"]],
  ["@sr", "@src/main.t", ["src/main.ts", "src/main.test.ts"]],
  // What was typed is in the middle of the paths, and stays.
  ["@main", "@main", ["src/main.ts", "src/main.test.ts"]],
  ["/model ", "/model ", ["anthropic/claude", "openai/gpt", "default"]],
])("Tab after %j goes as far as it is clear, and shows what there is", async (draft, further, choices) => {
  expect(await complete(draft)).toEqual({ draft: further, choices });
});

test.each(["", "hello", "a /he", "/nothing", "mail me@", "@none", "/effort h", "/etc/hosts"])(
  "Tab after %j does nothing",
  async (draft) => {
    expect(await complete(draft)).toBeUndefined();
  },
);
