import { createHash } from "node:crypto";
import { createIdSource } from "@deputy/kit";
import type { ForgetWish, NewEvent } from "@deputy/protocol";
import { createFakeClock, createMemoryEventLog } from "@deputy/testing";
import { expect, test } from "vitest";
import { createMemory } from "../create-memory.ts";
import type { DocumentSource, SourceProblem } from "../document.ts";
import { MemoryError } from "../memory-error.ts";
import { formatFact } from "../notes/fact-line.ts";
import type { NoteFiles } from "../notes/note-keeper.ts";
import { DEFAULT_FUSION } from "../search/fuse.ts";
import { createInMemoryStore } from "../store/in-memory-store.ts";
import { createForgetting } from "./create-forgetting.ts";
import { createLeftOut, withoutForgotten } from "./left-out.ts";
import { readWish } from "./wish.ts";

const live = new AbortController().signal;
const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
class Killed extends Error {}

/** Notes, a conversation and a file of the user's, and an index over them that outlives a process. */
async function setup() {
  const clock = createFakeClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  const session = ids.next("session");
  const said = (text: string, sender = "owner"): NewEvent => ({
    type: "user.message",
    data: {
      text,
      attachments: [],
      channel: "mail",
      sender,
      trust: sender === "owner" ? "user" : "untrusted",
    },
  });
  const started = { key: "work", agentId: "main", channel: "cli" };
  await log.append(session, [{ type: "session.started", data: started }]);
  await log.append(session, [said("The code is 4711-Quill"), said("Good day"), said("Pay me", "eve")]);
  const fact = formatFact({
    id: "f1",
    text: "Eve called",
    at: "2026-11-17T10:00:00.000Z",
    source: session,
    toldBy: [],
  });
  const disk = new Map([
    ["main/memory/2026-11-17.md", `${fact}\nA walk\n`],
    ["main/memory/codes.md", "# Codes\nDoor: 4711-\n quill and so on\nSafe: 12\n"],
    ["other/MEMORY.md", "The code is 4711-quill\n"],
  ]);
  const extra = new Map([["/x/mine.md", "The code is 4711-quill\nElse\n"]]);
  const source = (texts: ReadonlyMap<string, string>, kind: "notes" | "extra"): DocumentSource => ({
    list: async () => ({
      documents: [...texts].map(([path, text]) => {
        const read = async () => ({ path, text });
        const document = { key: path, scope: "main", kind, path, revision: hash(text), read };
        return kind === "extra" ? Object.assign(document, { outside: path }) : document;
      }),
      problems: [],
    }),
  });
  const conversations: DocumentSource = {
    async list() {
      const read = async () => {
        const lines: string[] = [];
        for await (const { type, data } of log.read(session))
          if (type === "user.message" && data !== null) lines.push((data as { text: string }).text);
        return { path: "conversation", text: lines.join("\n") };
      };
      // As with a real one, what was erased does not show in the revision.
      const document = {
        key: session,
        scope: "main",
        kind: "session",
        path: session,
        revision: "1",
        read,
      } as const;
      return { documents: [document], problems: [] };
    },
  };
  const store = createInMemoryStore();
  const files: NoteFiles = {
    read: async (path) => disk.get(path) ?? null,
    async write(path, text) {
      if (readOnly.has(path)) throw new MemoryError("note_refused", `${path} cannot be written (EROFS)`);
      if (text === null) disk.delete(path);
      else disk.set(path, text);
    },
    list: async (agent) =>
      [...disk.keys()].filter((path) => agent === undefined || path.startsWith(`${agent}/`)),
  };
  const readOnly = new Set<string>();
  const problems: SourceProblem[] = [];
  const busy = new Set<string>();
  const attached = new Map<string, string>();
  const open = (steps = Infinity) => {
    let left = steps;
    const step = (): void => {
      if (left-- <= 0) throw new Killed("kill -9");
    };
    const memory = createMemory({
      openStore: async () => store,
      sources: [
        withoutForgotten(source(disk, "notes"), createLeftOut(log, hash)),
        withoutForgotten(source(extra, "extra"), createLeftOut(log, hash)),
        conversations,
      ],
      embedder: undefined,
      hash,
      size: { tokens: 400, overlap: 80 },
      fusion: DEFAULT_FUSION,
      clock,
      onBug: () => undefined,
    });
    const forgetting = createForgetting({
      log: {
        ...log,
        append: (...args) => (step(), log.append(...args)),
        erase: (...args) => (step(), log.erase(...args)),
      },
      files: { ...files, write: (...args) => (step(), files.write(...args)) },
      memory: async () => ({ ...memory, drop: (...args) => (step(), memory.drop(...args)) }),
      documents: {
        async list(signal) {
          const [own, others] = [source(disk, "notes"), source(extra, "extra")];
          const documents = [...(await own.list(signal)).documents, ...(await others.list(signal)).documents];
          return { documents, problems };
        },
      },
      hash,
      isBusy: async (stream) => busy.has(stream),
      isInUse: async ({ data }) => JSON.stringify(data).includes("in use"),
      attached: {
        holding: async (texts) =>
          new Set([...attached].filter(([, text]) => texts.includes(text)).map(([name]) => name)),
        remove: async (names) => (step(), names.forEach((name) => attached.delete(name))),
      },
      agentOf: async () => "main",
      removeSession: async () => true,
      findTraces: async () => [],
    });
    return { memory, forgetting };
  };
  const everything = async (): Promise<string> =>
    JSON.stringify([await Array.fromAsync(log.readAll()), [...disk], await found("4711 quill")]);
  const found = async (question: string): Promise<readonly string[]> =>
    (await open().memory.search(question, { scope: "main", limit: 20 }, live)).hits.map(
      ({ chunk }) => chunk.text,
    );
  const forget = (wish: ForgetWish, steps = Infinity, agentId?: string) =>
    open(steps).forgetting.forget({ wish, by: "owner", forgetId: "g1", agentId }, live);
  return { log, disk, extra, session, busy, readOnly, problems, attached, open, forget, found, everything };
}

test("[M60] a text is gone from notes, the log and the index; the chain holds, and a file of the user's stays as it is", async () => {
  const { log, disk, extra, forget, found, everything } = await setup();
  expect(await found("4711 quill")).toHaveLength(4);
  const { removed, kept } = await forget({ text: "4711-QUILL" });
  expect(removed).toMatchObject({ lines: 1, files: 1, events: 1, conversations: 1 });
  expect(kept).toEqual([{ what: "/x/mine.md", why: expect.stringContaining("a file of yours"), count: 1 }]);
  expect(await everything()).not.toMatch(/4711-quill/i);
  expect(disk.get("main/memory/codes.md")).toContain("Door: 4711-\n");
  expect(extra.get("/x/mine.md")).toContain("4711-quill");
  expect(await found("Else walk good day")).toHaveLength(3);
  expect(await log.verify()).toMatchObject({ damage: [] });
});

test("[M60] words across lines are found, and both lines go", () => {
  const lines = ["Door: 4711", "  quill and so on", "Safe: 12"];
  const about = () => ({ sources: [], names: [] });
  expect([...readWish({ text: "4711 QUILL and" }).lines(lines, about)]).toEqual([0, 1]);
  expect([...readWish({ person: "Quill" }).lines(lines, about)]).toEqual([1]);
});

test.each<[string, ForgetWish, object, string]>([
  ["a person", { person: "eve" }, { lines: 1, events: 1 }, "Pay me"],
  ["a source", { source: "mail eve" }, { lines: 0, events: 1 }, "Pay me"],
  ["a note", { source: "main/memory/codes.md" }, { lines: 4, files: 1 }, "Safe"],
  [
    "a time",
    { since: "2026-11-17T00:00:00Z", until: "2026-11-18T00:00:00Z" },
    { lines: 2, files: 1 },
    "A walk",
  ],
  ["all of several", { text: "code", source: "main/memory/codes.md" }, { lines: 1, events: 0 }, "# Codes"],
])("[M60] forgets by %s", async (_by, wish, removed, gone) => {
  const { forget, everything } = await setup();
  expect((await forget(wish)).removed).toMatchObject(removed);
  expect(await everything()).not.toContain(gone);
});

test("[M60] a wish for nothing is refused, and one about an agent leaves the others alone", async () => {
  const { disk, forget } = await setup();
  await expect(forget({})).rejects.toMatchObject({ code: "note_refused" });
  await forget({ text: "4711-quill" }, Infinity, "main");
  expect(disk.get("other/MEMORY.md")).toContain("4711-quill");
});

test("[M95] what could not be changed is named and not found again, and what could not be looked through is named", async () => {
  const { disk, readOnly, problems, forget, found } = await setup();
  disk.set("main/memory/fixed.md", "The code is 4711-quill\nRest of it\n");
  readOnly.add("main/memory/fixed.md");
  problems.push({ path: "/x/shut", message: "It may not be read" });
  const { kept } = await forget({ text: "4711-quill" });
  expect(new Map(kept.map(({ what, why }) => [what, why]))).toEqual(
    new Map([
      ["main/memory/fixed.md", expect.stringMatching(/EROFS.*not found any more.*editor/)],
      ["/x/mine.md", expect.stringMatching(/a file of yours.*not found any more.*editor/)],
      ["/x/shut", "It could not be looked through (It may not be read): forget again once it can be"],
    ]),
  );
  expect(disk.get("main/memory/fixed.md")).toContain("4711-quill");
  expect((await found("4711 quill")).join("\n")).not.toContain("4711-quill");
  expect(await found("rest")).toHaveLength(1);
});

test("[M96] a note that is called so goes as a whole; a file of the user's is not found, and no record repeats its name", async () => {
  const { disk, extra, forget, found, everything } = await setup();
  disk.set("main/memory/people/anna-schmidt.md", "Likes tea\n").set("main/memory/schmidt.md", "A smith\n");
  extra.set("/x/Anna_Schmidt.md", "Born in May\n");
  const { removed, files, kept } = await forget({ text: "Anna Schmidt" });
  expect([removed.files, files]).toEqual([1, ["main/memory/people/anna-schmidt.md"]]);
  expect(kept).toMatchObject([
    { what: "/x/Anna_Schmidt.md", why: expect.stringContaining("rename or delete") },
  ]);
  expect(await found("tea smith May")).toEqual(["A smith"]);
  expect(await everything()).not.toMatch(/anna.schmidt/i);
});

test("[M97] a skill whose head has it stays whole, and the answer says how it goes; from its text, lines go", async () => {
  const { disk, forget } = await setup();
  const skill = "---\nname: door\ndescription: Opens with 4711-quill\n---\nTurn.\n";
  disk.set("main/skills/door/SKILL.md", skill);
  disk.set("main/skills/safe/SKILL.md", "---\nname: safe\n---\nTurn.\n4711-quill\n");
  const { kept } = await forget({ text: "4711-quill" });
  expect(kept[0]).toMatchObject({
    what: "main/skills/door/SKILL.md",
    why: expect.stringContaining("`deputy memory forget --source main/skills/door/SKILL.md`"),
  });
  expect(disk.get("main/skills/door/SKILL.md")).toBe(skill);
  expect(disk.get("main/skills/safe/SKILL.md")).toBe("---\nname: safe\n---\nTurn.\n");
});

const task = (prompt: string): NewEvent =>
  ({
    type: "task.created",
    data: { taskId: "tsk_01ARZ3NDEKTSV4RRFFQ69G5FAV", kind: "one-shot", prompt, agentId: "main" },
  }) as unknown as NewEvent;

test("[M60] what a turn was told about the user goes too", async () => {
  const { log, session, forget, everything } = await setup();
  const facts = { at: "2026-01-02T04:04+01:00", zone: "Europe/Vienna", user: { name: "4711-quill" } };
  await log.append(session, [{ type: "turn.facts", data: facts }]);
  expect((await forget({ text: "4711-quill" })).removed.events).toBe(2);
  expect(await everything()).not.toContain("4711-quill");
});

test("[M61] says what it must keep: a conversation at work, a task that is in use, a record", async () => {
  const { log, session, busy, open } = await setup();
  busy.add(session);
  const failed = { type: "turn.failed", data: { code: "x", message: "4711-quill" } } as NewEvent;
  await log.append("system", [task("in use: 4711-quill"), failed]);
  const { forgetting } = open();
  const request = { wish: { text: "4711-quill" }, by: "owner" };
  const preview = await forgetting.preview(request, live);
  expect(preview.kept.map(({ what }) => what).sort()).toEqual(
    ["/x/mine.md", session, "task.created", "turn.failed"].sort(),
  );
  expect(preview.removed).toMatchObject({ events: 0, lines: 1 });
  expect(preview.shown).toEqual([{ path: expect.any(String), text: expect.stringContaining("4711-quill") }]);
  // What is gone is shown nowhere.
  expect(await forgetting.forget({ ...request, forgetId: "one" }, live)).not.toHaveProperty("shown");
});

test("[M64] the prompt of a task that has ended goes, and a title; whoever knows them is told others", async () => {
  const { log, session, forget, everything } = await setup();
  const titled: NewEvent = { type: "session.updated", data: { by: "owner", title: "4711-quill" } };
  const deleted: NewEvent = { type: "session.updated", data: { by: "4711-quill", deleted: true } };
  await log.append(session, [titled, deleted, task("4711-quill")]);
  expect((await forget({ text: "4711-quill" })).removed.events).toBe(3);
  const left = (await Array.fromAsync(log.read(session))).map(({ type, data }) => [type, data]);
  expect(left).toContainEqual(["session.updated", { by: "owner", title: null }]);
  expect(left).toContainEqual(["task.edited", expect.objectContaining({ prompt: "(forgotten)" })]);
  // What says that a conversation is deleted stays: it must not come back.
  expect(left).toContainEqual(["session.updated", { by: "4711-quill", deleted: true }]);
  expect(await everything()).not.toContain('"title":"4711');
});

test("[M64] an attached file goes with the last message that names it, and a message with the file that has the words", async () => {
  const { log, session, attached, forget } = await setup();
  attached.set("own", "4711-quill").set("shared", "other").set("left", "other");
  const withFiles = (text: string, ...blobIds: string[]): NewEvent => {
    const attachments = blobIds.map((blobId) => ({ blobId, mimeType: "text/plain", name: "a.txt" }));
    return {
      type: "user.message",
      data: { text, attachments, channel: "cli", sender: "owner", trust: "user" },
    };
  };
  await log.append(session, [
    withFiles("See this", "own", "shared"),
    withFiles("Keep this", "shared"),
    withFiles("4711-quill", "left"),
  ]);
  expect((await forget({ text: "4711-quill" })).removed).toMatchObject({ events: 3, attachments: 2 });
  expect([...attached.keys()]).toEqual(["shared"]);
});

test("[M62] killed at any step, the next start ends it, the wish itself is erased, and nothing comes back", async () => {
  for (let steps = 1; steps < 12; steps++) {
    const { log, open, forget, found, everything } = await setup();
    await found("4711 quill");
    await forget({ text: "4711-quill" }, steps).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
    });
    const { forgetting, memory } = open();
    await forgetting.recover(live);
    await memory.index({}, live);
    expect([steps, await everything()]).toEqual([steps, expect.not.stringMatching(/4711-quill/i)]);
    expect(await forgetting.recover(live)).toBe(0);
    const texts = await found("Else walk good day Safe");
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts).toHaveLength(4);
    expect(await log.verify()).toMatchObject({ damage: [] });
  }
});
