import { createIdSource, createSystemClock } from "@deputy/kit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ApprovalPreview } from "../events/call-events.ts";
import type { ApprovalCard } from "../wire/approval-card.ts";
import { cardLines } from "./card-lines.ts";
import { projectCard } from "./project-card.ts";
import { DESCRIPTIONS_OF, gatherReasons, shortReasons, withRead, writeValueReason } from "./reasons.ts";

const ids = createIdSource({ clock: createSystemClock() });

interface Asked {
  readonly toolPath: string;
  readonly input: unknown;
  readonly preview: ApprovalPreview;
}

const planOf = (calls: readonly Asked[]): Asked => ({
  toolPath: "plan",
  input: { calls: calls.map((call) => ({ ...call, callId: ids.next("call") })) },
  preview: { title: "plan" },
});

const nasty = fc.string({
  unit: fc.constantFrom(
    "a",
    "7",
    ",",
    ";",
    ":",
    '"',
    "\\",
    "`",
    "│",
    " ",
    "\n",
    "\t",
    "\r",
    "\0",
    "\u001b",
    "\u009b",
    "\u202e",
    "\u2066",
    "\u200b",
    "\u2028",
    "\u3164",
    "\ud800",
    "😀",
  ),
  maxLength: 60,
});
const anyInput = fc.oneof(
  fc.record({ id: fc.integer({ min: 1, max: 99 }), state: fc.constantFrom("open", "closed") }),
  fc.dictionary(nasty, fc.oneof(nasty, fc.integer(), fc.array(nasty, { maxLength: 4 })), { maxKeys: 4 }),
  fc.jsonValue(),
  nasty,
);
const anyCall: fc.Arbitrary<Asked> = fc.record({
  toolPath: fc.oneof(fc.constantFrom("tracker.update", "tracker.delete", "mail.send"), nasty),
  input: anyInput,
  preview: fc.record(
    {
      title: nasty,
      details: nasty,
      reasons: fc.array(nasty, { maxLength: 3 }),
      effect: fc.constantFrom("read" as const, "write" as const, "egress" as const, "destructive" as const),
      changes: fc.array(fc.record({ path: nasty, diff: nasty }), { maxLength: 2 }),
      contents: fc.array(fc.record({ path: nasty, text: nasty }), { maxLength: 2 }),
      rows: fc.array(fc.record({ path: fc.constantFrom("id", "state"), text: nasty, source: nasty }), {
        maxLength: 2,
      }),
    },
    { requiredKeys: ["title"] },
  ),
});

const unfolded = (card: ApprovalCard): readonly number[] =>
  card.groups.flatMap(({ calls }) => calls.map(({ number }) => number));

test("[P64] whatever a question holds, no raw control, bidirectional or invisible character is in its card", () => {
  const strings = (value: unknown): readonly string[] => {
    if (typeof value === "string") return [value];
    return typeof value === "object" && value !== null ? Object.values(value).flatMap(strings) : [];
  };
  fc.assert(
    fc.property(fc.array(anyCall, { minLength: 1, maxLength: 12 }), fc.boolean(), (calls, isPlan) => {
      const card = projectCard(isPlan ? planOf(calls) : (calls[0] ?? planOf(calls)));
      for (const text of strings(card))
        expect(text).not.toMatch(
          /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u,
        );
      for (const { text } of cardLines(card)) expect(text).not.toContain("\n");
    }),
  );
});

test("[P61] whatever the calls, each is there once; what destroys, sends or differs is not folded, and stands first", () => {
  fc.assert(
    fc.property(fc.array(anyCall, { minLength: 1, maxLength: 30 }), (calls) => {
      const { groups } = projectCard(planOf(calls));
      const numbers = groups.flatMap((group) =>
        [...group.calls, ...(group.folded?.calls ?? [])].map((call) => call.number),
      );
      expect(numbers.toSorted((a, b) => a - b)).toEqual(calls.map((_, n) => n + 1));
      const marks = groups.map(({ mark }) => ["destroys", "sends", "differs", undefined].indexOf(mark));
      expect(marks).toEqual(marks.toSorted((a, b) => a - b));
      for (const [at, { preview }] of calls.entries())
        if (preview.effect === undefined || preview.effect === "destructive" || preview.effect === "egress")
          expect(unfolded(projectCard(planOf(calls)))).toContain(at + 1);
    }),
  );
});

test("[P61] what is folded differs from what is shown in nothing but values that are named", () => {
  const alike = fc.record({
    toolPath: fc.constantFrom("a.update", "b.update"),
    input: fc.record(
      {
        id: fc.integer({ min: 1, max: 400 }),
        state: fc.constantFrom("open", "closed", "evil\u202e"),
        note: fc.oneof(fc.constant("usual"), nasty),
      },
      { requiredKeys: ["id"] },
    ),
    preview: fc.constant({ title: "Update", effect: "write" as const }),
  });
  fc.assert(
    fc.property(fc.array(alike, { minLength: 6, maxLength: 60 }), (calls) => {
      for (const group of projectCard(planOf(calls)).groups) {
        const folded = (group.folded?.calls ?? []).map(({ number }) => calls[number - 1]);
        const first = calls[(group.calls[0]?.number ?? 1) - 1];
        for (const call of folded) {
          expect(Object.keys(call?.input ?? {})).toEqual(Object.keys(first?.input ?? {}));
          for (const [name, value] of Object.entries(call?.input ?? {})) {
            const isShared = group.same.some((part) => part.name === name);
            if (isShared) expect(value).toEqual(Reflect.get(first?.input ?? {}, name));
            else if (typeof value === "number") expect(group.folded?.text).toContain(String(value));
            else expect(group.folded?.text).toContain(name);
          }
        }
      }
    }),
  );
});

test("[P61] a call of an effect that is not known is never folded", () => {
  const calls = Array.from({ length: 20 }, (_, id) => ({
    toolPath: "x.set",
    input: { id },
    preview: { title: "x" },
  }));
  expect(unfolded(projectCard(planOf(calls)))).toHaveLength(20);
});

test("[P63] what an id stands for is said with it", () => {
  const preview: ApprovalPreview = {
    title: "tracker.update: PATCH tracker.example/issues/31",
    effect: "write",
    rows: [{ path: "number", text: "Login loops\u202e", source: "tracker.list" }],
  };
  const card = projectCard({ toolPath: "tracker.update", input: { number: 31 }, preview });
  expect(card.groups[0]?.calls[0]).toMatchObject({
    title: "tracker.update: PATCH tracker.example/issues/31",
    parts: [
      {
        kind: "value",
        name: "number",
        text: "31",
        row: { text: "Login loops\\u{202e}", source: "tracker.list" },
      },
    ],
  });
});

test("[P67] what the tool's words repeat of a value is left out of them, and a list of plain values is one", () => {
  const input = {
    command: "make\nmake install",
    cwd: "",
    to: ["bob@example.com", "a, b"],
    of: { a: [{ b: 1 }] },
  };
  const preview = { title: "Run make …", details: "make\nmake install\n\nIn: the workspace" };
  const card = projectCard({ toolPath: "bash.run", input, preview });
  expect(card.groups[0]?.calls[0]?.parts.map(({ name = "", text }) => `${name}=${text}`)).toEqual([
    "command=make\nmake install",
    'cwd=""',
    'to=bob@example.com, "a, b"',
    "of.a[0].b=1",
    "=In: the workspace",
  ]);
});

test("[P62] values of one reason are counted; of many, some are named; what is no such sentence stays", () => {
  const because = (n: number) =>
    writeValueReason({ path: "to", value: `“${n}" \\`, words: "comes from mail.read, not from you." });
  expect(gatherReasons([because(1)])).toEqual([because(1)]);
  const [told] = gatherReasons(Array.from({ length: 20 }, (_, n) => because(n)));
  expect(told).toMatch(/^20 values come from mail\.read, not from you: to "“0\\" \\\\", .*, and 12 more\.$/);
  expect(gatherReasons(["a", "b", "a"])).toEqual(["a", "b"]);
  const tools = ["a.b asks before every call.", "c.d asks before every call.", "a.b asks before every call."];
  expect(gatherReasons([...tools, "x"])).toEqual(["x", "a.b and c.d ask before every call."]);
  const unsaid = "No value in this call of a.b comes from you, and Deputy has read text from c.d";
  expect(gatherReasons([`${unsaid}.`, `${unsaid}, e.f.`])).toEqual([`${unsaid}, e.f.`]);
  const many = gatherReasons(Array.from({ length: 25 }, (_, n) => `reason ${n}`));
  expect(many).toHaveLength(21);
  expect(many.at(-1)).toBe("5 more reasons, told with the calls.");
});

test("[P62] a card says its reasons in a few short sentences, and what was read once", () => {
  const from = (n: number) =>
    writeValueReason({ path: "issueNumber", value: `${n}`, words: "comes from issues.list, not from you." });
  const asks = "issues.close asks before every call.";
  expect(shortReasons([from(1), asks, from(2), asks, from(3)])).toEqual([
    "3 values come from issues.list, not from you (issueNumber).",
    asks,
  ]);
  const github = `${DESCRIPTIONS_OF}openapi:github`;
  const read = ["mail.list", github, `${github}, openapi:mail`, "mail.list"];
  const invented = (path: string) =>
    writeValueReason({ path, value: "x", words: withRead("does not come from you", read) });
  expect(shortReasons([invented("to"), invented("cc"), withRead("It is odd", read.slice(0, 1))])).toEqual([
    "2 values do not come from you (to, cc).",
    "It is odd.",
    "Deputy has read text from mail.list, the tool descriptions of github and mail.",
  ]);
  expect(shortReasons(Array.from({ length: 9 }, (_, n) => `reason ${n}.`))).toHaveLength(5);
});

test("[P65] a card says how far an approval can reach, and how far it does by itself", () => {
  const question = { toolPath: "mail.send", input: {}, preview: { title: "Send" } };
  const inputHash = "a".repeat(64);
  expect(projectCard(question)).not.toHaveProperty("scopes");
  expect(projectCard({ ...question, inputHash }).scopes).toEqual(["once", "session"]);
  const once = projectCard({ ...question, inputHash, anyValues: true, scope: "session-any" });
  expect(once).toMatchObject({ scopes: ["once", "session", "session-any"], scope: "session-any" });
  const calls = [{ callId: ids.next("call"), toolPath: "mail.send", inputHash, anyValues: true as const }];
  expect(projectCard({ ...question, calls }).scopes).toEqual(["plan", "session", "session-any"]);
  expect(projectCard({ ...question, inputHash, unknownCall: ids.next("call") })).not.toHaveProperty("scopes");
});

test("[P65] a card says where an approval for longer is for the very same only", () => {
  const question = { toolPath: "bash.run", input: {}, preview: { title: "Run" } };
  const inputHash = "a".repeat(64);
  expect(projectCard({ ...question, inputHash, grantable: "tool" })).not.toHaveProperty("sameOnly");
  expect(projectCard({ ...question, inputHash, grantable: "input" })).toMatchObject({ sameOnly: true });
  const call = (grantable: "tool" | "input") => ({
    callId: ids.next("call"),
    toolPath: "bash.run",
    inputHash,
    grantable,
  });
  expect(projectCard({ ...question, calls: [call("input"), call("input")] })).toMatchObject({
    sameOnly: true,
  });
  expect(projectCard({ ...question, calls: [call("input"), call("tool")] })).not.toHaveProperty("sameOnly");
});
