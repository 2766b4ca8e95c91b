import { createIdSource, createSystemClock } from "@deputy/kit";
import { expect, test } from "vitest";
import { showApproval } from "./show-approval.ts";
import { chooseStyles } from "./styles.ts";

const id = createIdSource({ clock: createSystemClock() }).next("call");
const ESCAPE = "\u001b[2K\u202e";
const request = {
  type: "approval_request" as const,
  id,
  toolPath: `mail.send${ESCAPE}`,
  input: { to: `bob${ESCAPE}` },
  preview: {
    title: `Send${ESCAPE}`,
    details: `To Bob${ESCAPE}`,
    reasons: [`because${ESCAPE}`],
    changes: [{ path: "a", diff: `@@ -1 +1 @@\n-old${ESCAPE}\n+new\n` }],
  },
};

test("nothing in a question is invisible or moves the cursor, with styles or without", () => {
  expect(showApproval(request)).not.toMatch(/[\u001b\u202e]/);
  const styled = showApproval(request, chooseStyles({}));
  // Only our own styles: they begin and end, and nothing else is an escape sequence.
  expect(styled.replaceAll(/\u001b\[\d+m/g, "")).toBe(showApproval(request));
  expect(styled).not.toContain(ESCAPE);
});

test("a diff is set off line by line", () => {
  const { added, removed } = chooseStyles({});
  const styled = showApproval(request, chooseStyles({}));
  expect(styled).toContain(added("    │ +new"));
  expect(styled).toContain(removed("    │ -old\\u{1b}[2K\\u{202e}"));
});

test("a tool without words of its own has its input shown once; its own words are shown besides", () => {
  const input = { to: `bob${ESCAPE}`, text: "hello" };
  const asked = {
    ...request,
    input,
    preview: { title: "mail.send", details: JSON.stringify(input, null, 2) },
  };
  const shown = showApproval(asked);
  expect(shown.match(/hello/g)).toHaveLength(1);
  expect(shown).toContain("to: bob\\u{1b}[2K\\u{202e}");
  const worded = showApproval({ ...asked, preview: { title: "mail.send", details: "Say hello to Bob" } });
  expect(worded.match(/hello/g)).toHaveLength(2);
});
