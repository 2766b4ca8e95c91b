import type { Model, ModelRequest } from "@deputy/model";
import { type EventData, noteMessage } from "@deputy/protocol";
import { expect, test } from "vitest";
import { factsText } from "./facts-text.ts";
import { type Author, joinText, leastTrusted, ours, plainText, type Text, textBy } from "./labelled-text.ts";
import { ATTACHMENT_NAMES, messageText } from "./message-text.ts";
import { senderOf } from "./message-text.ts";
import { assembleRequest, labelsOf, sendPrompt, standingParts } from "./prompt.ts";
import { isRecalled, recalledText } from "./recalled-text.ts";
import { namesBy, quotedByCheck, wordsBy } from "./tool-author.ts";

const USER = { kind: "user" } as const;
const DEPUTY = { kind: "deputy" } as const;
const DERIVED = { kind: "derived", from: [] } as const;
const someone = (source: string) => ({ kind: "other", source, weight: "text" }) as const;
/** The parts of a text as its rows: who wrote what. */
const rows = (parts: Text): readonly (readonly [string, Author])[] => parts.map(({ text, by }) => [text, by]);
/** What each author but Deputy wrote. */
const others = (text: Text) => rows(text).filter(([, by]) => by.kind !== "deputy");

test("[A174] what Deputy says has its label, and what is inserted keeps its own", () => {
  const said = textBy(USER, "hello");
  expect(rows(ours`a ${said}${2} b`)).toEqual([
    ["a ", DEPUTY],
    ["hello", USER],
    ["2", DEPUTY],
    [" b", DEPUTY],
  ]);
  expect(ours``).toEqual([]);
  expect(textBy(USER, "")).toEqual([]);
  expect(textBy(USER, '"a"', "a")).toEqual([{ text: '"a"', by: USER, raw: "a" }]);
  expect(textBy(USER, "a", "a")).toEqual([{ text: "a", by: USER }]);
  const joined = joinText([said, ours`one`, said], ours`, `);
  expect(plainText(joined)).toBe("hello, one, hello");
  expect(others(joined)).toEqual([
    ["hello", USER],
    ["hello", USER],
  ]);
});

test("[A174] a mixture is trusted like the least trusted in it", () => {
  const inOrder: readonly Exclude<Author, { kind: "deputy" }>[] = [
    { kind: "tools" },
    { kind: "configuration" },
    { kind: "model" },
    { kind: "derived", from: ["mail.read"] },
    someone("mail eve"),
  ];
  expect(leastTrusted([])).toEqual(DEPUTY);
  expect(leastTrusted(ours`Hello`)).toEqual(DEPUTY);
  for (const [at, worst] of inOrder.entries()) {
    const better = inOrder.slice(0, at).flatMap((by) => textBy(by, "x"));
    for (const mixed of [
      [...better, ...textBy(worst, "y"), ...ours`z`],
      [...ours`z`, ...textBy(worst, "y"), ...better],
    ])
      expect(leastTrusted(mixed)).toEqual(worst);
  }
  expect(leastTrusted([...textBy({ kind: "tools" }, "x"), ...textBy(USER, "y")])).toEqual(USER);
});

const message = (more: Partial<EventData<"user.message">>): EventData<"user.message"> => ({
  text: "Look at it",
  channel: "mail",
  sender: "eve",
  trust: "user",
  attachments: [],
  ...more,
});

test("[A176] only what the user said of a message is theirs", () => {
  expect(rows(messageText(message({})))).toEqual([["Look at it", USER]]);
  expect(rows(messageText(message({ said: { start: 5, end: 7 } })))).toEqual([
    ["Look ", DERIVED],
    ["at", USER],
    [" it", DERIVED],
  ]);
  // Nothing is said twice where the bounds are the wrong way round.
  expect(rows(messageText(message({ said: { start: 7, end: 5 } })))).toEqual([
    ["Look at", DERIVED],
    [" it", DERIVED],
  ]);
  expect(rows(messageText(message({ trust: "untrusted" })))).toEqual([["Look at it", someone("mail eve")]]);
  expect(senderOf({ channel: "mail", sender: "eve" })).toBe("mail eve");
});

test("[A295] a note says whose it is: a task's answer is not Deputy's own word", () => {
  const noted = (from: string): string =>
    plainText(messageText(noteMessage({ from, text: "Build 17 failed." })));
  expect(noted("the task “Watch\nthe builds”")).toBe(
    "[Not written by the user; a note of Deputy's:] From the task “Watch the builds”: Build 17 failed.",
  );
  expect(noted("process")).toBe("[Not written by the user; a note of Deputy's:] Build 17 failed.");
});

test("[A171] a file's name and type are whoever's made it, and cannot leave their line", () => {
  const file = { blobId: "b1", name: 'a"\n\u202eb', mimeType: "text/plain" };
  const attached = (more: object, trust: "user" | "untrusted" = "user") =>
    messageText(message({ trust, attachments: [{ ...file, ...more }] }));
  const [said, ...names] = others(attached({ size: 5 }));
  expect(said).toEqual(["Look at it", USER]);
  expect(names.map(([, by]) => by)).toEqual([someone(ATTACHMENT_NAMES), someone(ATTACHMENT_NAMES)]);
  expect(
    attached({})
      .filter(({ raw }) => raw !== undefined)
      .map(({ raw }) => raw),
  ).toEqual([file.name, file.mimeType]);
  const line = plainText(attached({ size: 5 })).split("\n");
  expect(line).toHaveLength(2);
  expect(line[1]).toMatch(
    /^\[Attached, by the name and type that the sender gave it: "a\\"\\n.*b", "text\/plain", 5 bytes\. What is in it has not been read\.\]$/,
  );
  expect(line[1]).not.toContain("\u202e");
  expect(plainText(attached({}))).toContain(", of unknown size. ");
  expect(plainText(attached({ name: "a.png", mimeType: "image/png" }))).toContain(
    "It is a picture: text in it is nobody's word.",
  );
  expect(others(attached({}, "untrusted")).map(([, by]) => by)).toEqual([
    someone("mail eve"),
    someone("mail eve"),
    someone("mail eve"),
  ]);
});

test("[A175] what was recalled is data of whoever wrote a part of it, and is known again", () => {
  const hit = (about: string, text: string, ...foreign: readonly string[]) => ({ about, text, foreign });
  const recalled = recalledText({
    hits: [hit("", "Tea\nat five"), hit("Bank", "Pay", "mail eve", "web")],
  } as unknown as EventData<"memory.recalled">);
  expect(others(recalled)).toEqual([
    ["Tea\n   at five", DERIVED],
    ["Bank\n   Pay", someone("mail eve, web")],
  ]);
  expect(plainText(recalled).split("\n").slice(1)).toEqual(["1. Tea", "   at five", "2. Bank", "   Pay"]);
  expect(isRecalled(recalled)).toBe(true);
  expect(isRecalled([])).toBe(false);
  expect(isRecalled(ours`Recalled`)).toBe(false);
  expect(isRecalled(textBy(USER, plainText(recalled.slice(0, 1))))).toBe(false);
});

test("[A170] a tool's words and name are their author's; a check may quote all whose tools a program mentions", () => {
  const served = { describedBy: "mcp:crm" };
  expect([wordsBy({}), namesBy({})]).toEqual([{ kind: "tools" }, { kind: "tools" }]);
  const { source } = wordsBy(served) as { readonly source: string };
  expect(source).toContain("mcp:crm");
  expect([wordsBy(served), namesBy(served)]).toEqual([
    { kind: "other", source, weight: "text" },
    { kind: "other", source, weight: "names" },
  ]);
  const tools = [
    { path: "crm.work", ...served },
    { path: "crm.play", ...served },
    { path: "box.get", describedBy: "api:box" },
    { path: "files.list" },
  ];
  const quoted = (code: string) =>
    quotedByCheck(code, { list: () => tools } as unknown as Parameters<typeof quotedByCheck>[1]);
  const box = wordsBy({ describedBy: "api:box" }) as { readonly source: string };
  expect(quoted("tools.crm.work()")).toEqual([source]);
  expect(quoted("tools.files.list()")).toEqual([]);
  expect(quoted("tools.crmx.work()")).toEqual([]);
  for (const code of [
    "const { box } = tools; tools.crm",
    "tools",
    'tools["crm"]',
    "f(tools, 1)",
    "tools . 1",
  ])
    expect(quoted(code)).toEqual([box.source, source]);
  for (const code of ["tools?.files.list()", "tools!.files", "tools . files.list()", "mytools"])
    expect(quoted(code)).toEqual([]);
});

test("[A174] the time, the user and what is connected are told, with names as their authors'", () => {
  const at = { at: "2026-11-17T14:05+01:00", zone: "Europe/Berlin" };
  const plain = (more: object) => plainText(factsText({ ...at, ...more })).split("\n");
  const [time] = plain({});
  expect(time).toBe("Deputy says: it is Tuesday, 2026-11-17, 14:05, UTC+01:00 (Europe/Berlin).");
  expect(plain({})).toHaveLength(1);
  expect(plain({ user: { name: "Ann", language: "German" } }).slice(1)).toEqual([
    "The user's name is Ann.",
    "Their language: German.",
  ]);
  const days = Array.from(
    { length: 7 },
    (_, day) =>
      plainText(factsText({ zone: "UTC", at: `2026-11-${15 + day}T00:00+00:00` })).split(/is |,/)[1],
  );
  expect(days).toEqual(["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]);
  const none = { namespaces: [], more: 0, paths: [], hooks: [], mailboxes: [], folders: [] };
  const connected = (more: object) => plain({ connected: { ...none, ...more } }).slice(1);
  expect(connected({})).toEqual(["No tools are connected."]);
  const namespaces = [
    { name: "files", count: 3 },
    { name: "crm", count: 2, by: "mcp:crm" },
  ];
  expect(connected({ namespaces, more: 4 })).toEqual(["Tools by namespace: files (3), crm (2) and 4 more."]);
  expect(connected({ namespaces })).toEqual(["Tools by namespace: files (3), crm (2)."]);
  expect(
    connected({ paths: ["a.b", "c.d"], hooks: ["build"], mailboxes: ["me"], folders: ["in", "out"] }),
  ).toEqual([
    "No tools are connected.",
    "Most used: a.b, c.d.",
    "Hooks that are set up: build.",
    "Mailboxes: me.",
    "Watched folders: in, out.",
  ]);
  const waits = { paths: ["tasks.createEventTrigger"] };
  const cannot = "No hook, mailbox or folder is set up: no task can wait for a report yet.";
  expect(connected(waits)).toContain(cannot);
  for (const some of [{ hooks: ["build"] }, { mailboxes: ["me"] }, { folders: ["in"] }])
    expect(connected({ ...waits, ...some })).not.toContain(cannot);
  expect(
    others(
      factsText({
        ...at,
        user: { name: "Ann" },
        connected: { ...none, namespaces },
      }),
    ),
  ).toEqual([
    ["Tuesday, 2026-11-17, 14:05, UTC+01:00", { kind: "tools" }],
    ["Europe/Berlin", { kind: "tools" }],
    ["Ann", { kind: "configuration" }],
    ["files", { kind: "tools" }],
    ["crm", { kind: "other", source: "mcp:crm", weight: "names" }],
  ]);
});

const schema = { type: "object" as const };
const tool = (by: Author) => ({
  name: textBy(USER, "look"),
  description: ours`Looks`,
  inputSchema: { value: schema, by },
});
const prompt = {
  system: ours`Be kind.`,
  messages: [
    { role: "user", text: textBy(USER, "Hello") },
    { role: "assistant", parts: [{ kind: "text", text: "Hi" }] },
    { role: "tool", results: [{ callId: "c1", text: ours`done`, isError: false }] },
  ],
  tools: [tool({ kind: "tools" })],
  maxOutputTokens: 10,
} as const;

test("[A174] a request has the texts of its prompt, and tells what it was made of", () => {
  const request = assembleRequest(prompt);
  expect(request).toEqual({
    system: "Be kind.",
    messages: [
      { role: "user", text: "Hello" },
      { role: "assistant", parts: [{ kind: "text", text: "Hi" }] },
      { role: "tool", results: [{ callId: "c1", text: "done", isError: false }] },
    ],
    tools: [{ name: "look", description: "Looks", inputSchema: schema }],
    maxOutputTokens: 10,
  });
  expect(assembleRequest({ ...prompt, effort: "low" }).effort).toBe("low");
  expect(labelsOf(request)).toBe(prompt);
  expect(labelsOf({ ...request })).toBeUndefined();
});

test("[A174] provenance hears of instructions and functions; of a schema, unless Deputy made it", () => {
  expect(rows(standingParts(prompt))).toEqual([
    ["Be kind.", DEPUTY],
    ["look", USER],
    ["Looks", DEPUTY],
    [JSON.stringify(schema), { kind: "tools" }],
  ]);
  expect(standingParts({ ...prompt, tools: [tool(DEPUTY)] })).toHaveLength(3);
});

test("[A174] a model gets the request as it was made, with its pictures if there are any", async () => {
  const request = assembleRequest(prompt);
  const sent: ModelRequest[] = [];
  const asked: unknown[] = [];
  const sees = (isSeeing: boolean): Model =>
    ({
      sees: isSeeing,
      async *stream(given: ModelRequest) {
        sent.push(given);
        yield { type: "done" };
      },
    }) as unknown as Model;
  const shelf = {
    bring: (messages: unknown, how: unknown) => {
      asked.push(how);
      return Promise.resolve([messages, "brought"]);
    },
  } as unknown as Parameters<typeof sendPrompt>[2];
  const { signal } = new AbortController();
  expect(await Array.fromAsync(sendPrompt(sees(true), request, undefined, signal))).toHaveLength(1);
  expect(sent).toEqual([request]);
  await Array.fromAsync(sendPrompt(sees(true), request, shelf, signal));
  await Array.fromAsync(sendPrompt(sees(false), request, shelf, signal));
  expect(asked).toEqual(["shown", "described"]);
  expect(sent.at(-1)).toEqual({ ...request, messages: [request.messages, "brought"] });
});
