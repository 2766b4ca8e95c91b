import { expect, test } from "vitest";
import { readNote } from "./note-items.ts";

test("[W9] a note is read thing by thing, with where each is from and whose words it is", () => {
  const note = [
    "# House",
    "- The plumber is Ivo. <!-- fact: f1; 2026-11-17T14:05:00.000Z; ses_01 --> <!-- told by: mail eve; web -->",
    "- ~~The key is blue.~~ (superseded) <!-- fact: f2; 2026-11-17T14:06:00.000Z; superseded_by f3 -->",
    "",
    "The boiler is old,",
    "and loud.",
    "<!-- a comment",
    "that is long -->",
    "1. Call him",
    "<!-- open",
  ].join("\n");
  const none = { toldBy: [], isSuperseded: false };
  expect(readNote(note)).toEqual([
    { kind: "heading", text: "House", ...none },
    {
      kind: "item",
      text: "The plumber is Ivo.",
      at: "2026-11-17T14:05:00.000Z",
      session: "ses_01",
      toldBy: ["mail eve", "web"],
      isSuperseded: false,
    },
    {
      kind: "item",
      text: "The key is blue.",
      at: "2026-11-17T14:06:00.000Z",
      toldBy: [],
      isSuperseded: true,
    },
    { kind: "item", text: "The boiler is old,\nand loud.", ...none },
    { kind: "item", text: "Call him\n<!-- open", ...none },
  ]);
});
