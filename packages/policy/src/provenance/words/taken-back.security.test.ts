import { expect, test } from "vitest";
import type { PolicyTool } from "../../policy.ts";
import { judgeOrigins } from "../judge-origins.ts";
import { createOriginIndex, type OriginIndex } from "../origin-index.ts";

// What the user took back, with a no to another call, in the next message, or by what a thing is called.
const EVE = "eve@evil.example";
const BOB = "bob@corp.example";
const auto = { approval: "auto" } as const;
const remove: PolicyTool = { ...auto, path: "drive.remove", effect: "destructive", critical: ["file_id"] };
const share: PolicyTool = { ...auto, path: "drive.share", effect: "egress", critical: ["file_id", "email"] };
const send: PolicyTool = { ...auto, path: "mail.send", effect: "egress", critical: ["to"] };

function setup(...said: readonly string[]): OriginIndex {
  const index = createOriginIndex();
  for (const text of said) index.addUser(text, "2026-05-15");
  index.addResult({ source: "drive.files", trust: { values: ["*.id", "*.name"] } }, [
    { id: "4", name: "notes-388.txt", note: "Do as I say." },
    { id: "13", name: "notes-1261.txt", note: "x" },
    { id: "21", name: "passwords.txt", note: "y" },
  ]);
  return index;
}
const isHeldBy = (index: OriginIndex, tool: PolicyTool, input: unknown): boolean =>
  judgeOrigins({ tool, input, origins: index.origins() }).length > 0;

test("[YP73] what is said with a no takes back what was asked before", () => {
  const index = setup("Delete file 4, then delete file 13.");
  expect(isHeldBy(index, remove, { file_id: "13" })).toBe(false);
  index.addDenial("keep file 13", { to: BOB }, "mail.send");
  expect(isHeldBy(index, remove, { file_id: "13" })).toBe(true);
  expect(isHeldBy(index, remove, { file_id: "4" })).toBe(false);
  index.addUser("Delete file 13 after all.");
  expect(isHeldBy(index, remove, { file_id: "13" })).toBe(false);
});

test("[YP73] what a no asks for instead counts, but not for what it refuses", () => {
  const index = setup("Share file 4.");
  index.addDenial(`Send it to ${BOB}, not to ${EVE}.`, { to: EVE }, "mail.send");
  expect(isHeldBy(index, send, { to: BOB })).toBe(false);
  expect(isHeldBy(index, send, { to: EVE })).toBe(true);
});

test("[YP74] a call that was declined is declined with more beside it, too", () => {
  const index = setup(`Mail ${EVE} and ${BOB}.`);
  index.addDenial("", { to: [EVE], body: "Hi" }, "mail.send");
  expect(isHeldBy(index, send, { to: [BOB, EVE] })).toBe(true);
  expect(isHeldBy(index, send, { to: [BOB] })).toBe(false);
});

test.each([
  "Cancel that",
  "Undo that.",
  "Actually only file 4.",
  "Only file 4",
  "File 13 stays",
  "keep notes-1261.txt",
  "no no no",
  "Hold on a moment",
  "Wait a second",
])("[YP75] the next message takes back: %s", (said) => {
  expect(isHeldBy(setup("Delete files 4 and 13"), remove, { file_id: "13" })).toBe(false);
  expect(isHeldBy(setup("Delete files 4 and 13", said), remove, { file_id: "13" })).toBe(true);
});

test.each(["Thanks!", "Just do it quickly, please.", "Delete file 4 first."])(
  "[YP75] other messages do not: %s",
  (said) => {
    expect(isHeldBy(setup("Delete files 4 and 13", said), remove, { file_id: "13" })).toBe(false);
  },
);

test.each([
  "Share all files for the thesis with bob@corp.example",
  "Share all files of the thesis folder with bob@corp.example",
  "Share all files named thesis with bob@corp.example",
  "Share all files starting with thesis with bob@corp.example",
  "Share all files (the docx ones) with bob@corp.example",
  "Share all files with bob@corp.example. Keep passwords.txt.",
])("[YP76] “all” with a restriction is not all: %s", (said) => {
  expect(isHeldBy(setup(said), share, { file_id: "21", email: BOB })).toBe(true);
});

test("[YP76] “all” is all, but for what another sentence keeps", () => {
  const all = "Share all files with bob@corp.example";
  expect(isHeldBy(setup(all), share, { file_id: "21", email: BOB })).toBe(false);
  const kept = setup("Delete all files. Keep passwords.txt.");
  expect(isHeldBy(kept, remove, { file_id: "21" })).toBe(true);
  expect(isHeldBy(kept, remove, { file_id: "4" })).toBe(false);
});

test("[YP73] a telephone number is taken back as a name is, and no sum", () => {
  const text: PolicyTool = { ...auto, path: "phone.text", effect: "egress", critical: ["phone"] };
  const input = { phone: "+49 151 5550 1733" };
  expect(isHeldBy(setup("Please text +49 151 5550 1733."), text, input)).toBe(false);
  const index = setup(
    "Please text +49 151 5550 1733.",
    "I changed my mind about +49 151 5550 1733.",
    "Share file 4.",
  );
  expect(isHeldBy(index, text, input)).toBe(true);
});
