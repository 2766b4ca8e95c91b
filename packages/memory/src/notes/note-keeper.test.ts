import { createHash } from "node:crypto";
import { createIdSource } from "@deputy/kit";
import { createFakeClock, createMemoryEventLog } from "@deputy/testing";
import { expect, test } from "vitest";
import { MemoryError } from "../memory-error.ts";
import { formatFact, parseFact } from "./fact-line.ts";
import { editBetween, redoEdit, undoEdit } from "./line-edit.ts";
import { createNoteKeeper, type NoteFiles } from "./note-keeper.ts";
import { hasOnlyWordsOf, isQuoteOf } from "./own-words.ts";

const live = new AbortController().signal;
const by = { agentId: "main", by: "agent main", toldBy: [] };
const DAY = "main/memory/2026-11-17.md";

class Killed extends Error {}

/** Files and a log that outlive the keeper. `steps`: after so many of them, it is killed. */
function setup() {
  const clock = createFakeClock();
  const log = createMemoryEventLog({ clock, ids: createIdSource({ clock }) });
  const disk = new Map<string, string>();
  const open = (steps = Infinity) => {
    let left = steps;
    const step = (): void => {
      if (left-- <= 0) throw new Killed("kill -9");
    };
    const files: NoteFiles = {
      read: async (path) => disk.get(path) ?? null,
      async write(path, text) {
        step();
        if (text === null) disk.delete(path);
        else disk.set(path, text);
      },
      list: async () => [...disk.keys()].sort(),
    };
    const append: typeof log.append = (...args) => {
      step();
      return log.append(...args);
    };
    const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
    const today = (): string => "2026-11-17";
    return createNoteKeeper({
      log: { ...log, append },
      files,
      hash,
      clock,
      today,
      onChange: () => undefined,
    });
  };
  return { open, disk };
}

const textsOf = (text = ""): string[] => text.split("\n").flatMap((line) => parseFact(line)?.text ?? []);

test("[M50] a fact is a line of the day's notes, with its source, its time, and who told it", async () => {
  const { open, disk } = setup();
  const notes = open();
  await notes.remember(
    { text: "Ivo is the\nplumber <!-- told by: the user -->" },
    { ...by, changeId: "f1" },
    live,
  );
  const told = {
    ...by,
    changeId: "f2",
    session: "ses_01ARZ3NDEKTSV4RRFFQ69G5FAV",
    toldBy: ["mail eve", "web x"],
  };
  await notes.remember({ text: "Pay eve" }, told, live);
  const [first = "", second = ""] = disk.get(DAY)?.split("\n") ?? [];
  expect(parseFact(first)).toMatchObject({
    id: "f1",
    text: "Ivo is the plumber told by: the user",
    toldBy: [],
  });
  expect(second).toMatch(/<!-- told by: mail eve; web x -->$/);
  expect(parseFact(second)).toMatchObject({
    text: "Pay eve",
    source: "ses_01ARZ3NDEKTSV4RRFFQ69G5FAV",
    toldBy: ["mail eve", "web x"],
  });
});

test("[M50] a fact that is superseded stays, says by which, and cannot be superseded again", async () => {
  const { open, disk } = setup();
  disk.set("main/memory/house.md", "- Ivo is the plumber\n");
  const notes = open();
  await notes.remember({ text: "Ivo is the plumber" }, { ...by, changeId: "f1" }, live);
  const next = { text: "Ada is the plumber", supersedes: "ivo  is the plumber" };
  expect(await notes.remember(next, { ...by, changeId: "f2" }, live)).toEqual({
    path: DAY,
    superseded: true,
  });
  expect(disk.get(DAY)).toMatch(/^- ~~Ivo is the plumber~~ \(superseded\) .*superseded_by f2 -->\n- Ada/);
  expect(disk.get("main/memory/house.md"), "a note of the user's own").toBe("- Ivo is the plumber\n");
  expect((await notes.remember(next, { ...by, changeId: "f3" }, live)).superseded).toBe(false);
});

test("[M51] every change can be taken back, once, and what others changed since stays", async () => {
  const { open, disk } = setup();
  const notes = open();
  for (const n of [1, 2, 3]) await notes.remember({ text: `Fact ${n}` }, { ...by, changeId: `f${n}` }, live);
  disk.set(DAY, `# My own\n${disk.get(DAY) ?? ""}`);
  const undo = (id: string, as: string) => notes.undo(id, { changeId: as, by: "owner" }, live);
  expect(await undo("f2", "u1")).toBe("undone");
  expect(textsOf(disk.get(DAY))).toEqual(["Fact 1", "Fact 3"]);
  expect(disk.get(DAY)).toMatch(/^# My own\n/);
  expect(await undo("f2", "u2")).toBe("already");
  expect(await undo("u1", "u3")).toBe("undone");
  expect(textsOf(disk.get(DAY)).sort()).toEqual(["Fact 1", "Fact 2", "Fact 3"]);
  disk.set(DAY, (disk.get(DAY) ?? "").replace("Fact 3", "Fact three"));
  expect(await undo("f3", "u4")).toBe("changed_since");
  expect(await undo("f9", "u5")).toBe("unknown");
  expect((await notes.changes(10)).map(({ changeId }) => changeId)).toEqual(["u3", "u1", "f3", "f2", "f1"]);
});

test("[M51] a draft is written only over the file that it was made for", async () => {
  const { open, disk } = setup();
  const notes = open();
  disk.set("main/USER.md", "Curated\n");
  const draft = { path: "main/USER.md", before: "Other\n", after: "Other\nMore\n" };
  await expect(notes.write(draft, { ...by, changeId: "w1" }, live)).rejects.toThrow(MemoryError);
  await notes.write(
    { ...draft, before: "Curated\n", after: "Curated\nMore\n" },
    { ...by, changeId: "w2" },
    live,
  );
  expect(disk.get("main/USER.md")).toBe("Curated\nMore\n");
});

test("[M52] killed at any step, the next start ends it: the fact is there once, and repeating the call adds nothing", async () => {
  for (let steps = 0; steps < 8; steps++) {
    const { open, disk } = setup();
    disk.set(DAY, `${formatFact({ id: "f0", text: "Old", at: "x", source: undefined, toldBy: [] })}\n`);
    const fact = { text: "New", supersedes: "Old" };
    const change = { ...by, changeId: "f1" };
    const first = await open(steps)
      .remember(fact, change, live)
      .catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
      });
    const notes = open();
    await notes.recover(live);
    if (first === undefined) await notes.remember(fact, change, live);
    expect([steps, textsOf(disk.get(DAY))]).toEqual([steps, ["Old", "New"]]);
    expect(disk.get(DAY)).toContain("superseded_by f1");
    expect(await notes.recover(live)).toBe(0);
    expect((await notes.changes(9)).every(({ outcome }) => outcome === "written")).toBe(true);
  }
});

test("[M52] what somebody else changed meanwhile is not overwritten", async () => {
  const { open, disk } = setup();
  disk.set("main/USER.md", "One\nTwo\n");
  const draft = { path: "main/USER.md", before: "One\nTwo\n", after: "One\n2\n" };
  await open(1)
    .write(draft, { ...by, changeId: "w1" }, live)
    .catch(() => undefined);
  disk.set("main/USER.md", "One\nII\n");
  expect(await open().recover(live)).toBe(1);
  expect(disk.get("main/USER.md")).toBe("One\nII\n");
  expect(await open().changes(1)).toMatchObject([{ outcome: "given_up" }]);
});

test("[M53] only a text all of whose words the user said is the user's own", () => {
  const said = ["I live in Graz, and I like green tea.", "Call me Bo"];
  expect(hasOnlyWordsOf("- I like green TEA", said)).toBe(true);
  expect(hasOnlyWordsOf("I like green tea and coffee", said)).toBe(false);
  expect(hasOnlyWordsOf("***", said)).toBe(false);
  expect(isQuoteOf("I like green tea", said)).toBe(true);
  expect(isQuoteOf("I like Graz", said)).toBe(false);
  expect(hasOnlyWordsOf("我喜欢茶", ["我喜欢茶"])).toBe(true);
});

test("[M51] an edit is made and taken back exactly, whatever the texts", () => {
  const texts = [null, "a\n", "a\nb\n", "b\n", "a\nb\nc\n", "a\n\nb\n", "x\ny\nz\n"];
  for (const before of texts)
    for (const after of texts) {
      const edit = editBetween(before, after);
      expect(redoEdit(before, edit)).toBe(after);
      expect(undoEdit(after, edit)).toBe(before);
    }
});
