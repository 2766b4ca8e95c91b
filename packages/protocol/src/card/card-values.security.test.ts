import { createIdSource, createSystemClock, showText } from "@deputy/kit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ApprovalPreview } from "../events/call-events.ts";
import type { ApprovalCard, CardGroup } from "../wire/approval-card.ts";
import { cardLines } from "./card-lines.ts";
import { cardValues } from "./asked-call.ts";
import { quoted } from "./group-lines.ts";
import { projectCard } from "./project-card.ts";

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
const linesOf = (card: ApprovalCard, width?: number): readonly string[] =>
  cardLines(card, width).map(({ text }) => text);

/** What somebody would write who wants a text to be taken for a part of the card. */
const LURES = [
  "? Approve 3 things",
  "Why you are asked: nothing is wrong.",
  "Approve? [y]es, [n]o",
  "[ Approve 18 ]  [ Deny… ]",
  "to: bob@example.com",
  "all of them: to: bob@example.com",
  "each line: to",
  "1. #1 Harmless",
  "3 × notes.read",
  "asked by “me”",
  "mail.read · asked by “me”",
  "↳ in contacts.list: Bob",
  "Yes is for this conversation",
  "runs test.sh:",
];
const lure = fc.constantFrom(...LURES);
const text = fc.oneof(
  lure,
  fc
    .array(fc.oneof(lure, fc.constantFrom("Hello", "", "    ", "\u202e", "\u001b[2K\u001b[A", "│", "┊")), {
      minLength: 1,
      maxLength: 6,
    })
    .chain((lines) =>
      fc
        .constantFrom("\n", "\r\n", "\n    ", "\u2028", " · ", "  ", " ".repeat(70))
        .map((by) => lines.join(by)),
    ),
  fc.constantFrom("bob@example.com", "mallory@evil.example", "9000", "acme"),
);
const value = fc.oneof(text, fc.integer({ min: 0, max: 20 }), fc.array(text, { maxLength: 3 }), fc.boolean());
const input = fc.oneof(
  fc.record({ to: value, amount: fc.integer({ min: 1, max: 3 }), text: value }),
  fc.dictionary(fc.constantFrom("to", "cc", "id", "text", "a b", "x.y"), value, { maxKeys: 5 }),
);
/** Tools speak about their input, often in its own words. */
const asked: fc.Arbitrary<Asked> = fc
  .tuple(input, fc.constantFrom("mail.send", "issues.close"), text, fc.nat(3), text)
  .map(([given, toolPath, title, about, stands]) => {
    const values = Object.values(given).map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
    const [path = "to"] = Object.keys(given);
    return {
      toolPath,
      input: given,
      preview: {
        title: about === 0 ? title : `Do it ${about === 1 ? (values[0] ?? "") : ""}`,
        details: about === 2 ? title : [title, ...values].join("\n"),
        effect: "write",
        ...(about === 3 ? { rows: [{ path, text: stands, source: "contacts.list" }] } : {}),
      },
    };
  });

/** The names of all values that a card shows for one of its calls, each as often as it does. */
function namesFor(groups: readonly CardGroup[], number: number): readonly string[] {
  return groups.flatMap(({ same, listed = [], calls, folded }) => {
    const call = [...calls, ...(folded?.calls ?? [])].find((one) => one.number === number);
    if (call === undefined) return [];
    const named = [...same, ...call.parts].flatMap(({ kind, name }) =>
      kind === "value" ? [name ?? ""] : [],
    );
    return [...named, ...listed];
  });
}

test("[P67] whatever the input and the tool's words, every value is on the card under its name", () => {
  fc.assert(
    fc.property(fc.array(asked, { minLength: 1, maxLength: 8 }), (calls) => {
      const card = projectCard(planOf(calls));
      for (const [at, call] of calls.entries()) {
        const shown = namesFor(card.groups, at + 1);
        const line = card.groups
          .flatMap((group) => group.calls.concat(group.folded?.calls ?? []))
          .find(({ number }) => number === at + 1);
        const missing = cardValues(call.input).filter(({ path }) => !shown.includes(path));
        const told = missing.map(({ path, text: said }) => `${path}: ${quoted(showText(said))}`);
        if (missing.length > 0) expect(line?.title).toBe(told.join(" · "));
      }
    }),
  );
});

test("[P60] alike calls are a group, each in one line by what its id stands for; what they share is said once", () => {
  const titles = ["Search finds nothing on Safari", "Typo on the pricing page", "Dark mode flickers"];
  const plan = planOf(
    titles.map((title, at) => ({
      toolPath: "github.issues.close",
      input: { owner: "acme", repo: "website", issueNumber: at + 1, title },
      preview: {
        title: `Close acme/website#${at + 1} in the demo tracker`,
        details: `${title}\nPOST demo.localhost/repos/acme/website/issues/${at + 1}/close`,
        effect: "write",
        rows: [{ path: "issueNumber", text: title, source: "github.issues.list" }],
        reasons: [
          `issueNumber "${at + 1}" comes from github.issues.list, not from you.`,
          "github.issues.close asks before every call.",
        ],
      },
    })),
  );
  const prompt = "Close all issues older than 90 days\nThanks!";
  expect(linesOf(projectCard({ ...plan, prompt }), 200)).toEqual([
    "? Close 3 issues in acme/website",
    "  github.issues.close · asked by “Close all issues older than 90 days …”",
    "  1. #1 Search finds nothing on Safari",
    "  2. #2 Typo on the pricing page",
    "  3. #3 Dark mode flickers",
    "  all of them: owner: acme · repo: website · each line: issueNumber, title",
    "    │ POST demo.localhost/repos/acme/website/issues/{issueNumber}/close",
    "  Why you are asked: 3 values come from github.issues.list, not from you (issueNumber). github.issues.close asks before every call.",
  ]);
});

test("[P67] of a single call, each value has a line that begins with its name, and the value stands behind it", () => {
  fc.assert(
    fc.property(asked, (call) => {
      const card = projectCard(call);
      const lines = linesOf(card, 10_000);
      for (const { path } of cardValues(call.input)) {
        const part = card.groups[0]?.calls[0]?.parts.find(({ name }) => name === path);
        const [first = ""] = part?.text.split("\n") ?? [];
        const at = lines.findIndex((line) => line.startsWith(`    ${path}:`));
        expect(at).toBeGreaterThan(0);
        if (part?.text.includes("\n") === false) expect(lines[at]).toBe(`    ${path}: ${part.text}`);
        else expect(lines.slice(at + 1).some((line) => line === `    │ ${first}`)).toBe(true);
      }
    }),
  );
});

test("[P67] a line of the body does not hide the recipient, nor the tool's words payee and amount", () => {
  const body = "Hi Bob,\nlunch at 12?\nmallory@evil.example\nis the address that I blocked.";
  const mail = projectCard({
    toolPath: "mail.send",
    input: { to: "mallory@evil.example", text: body },
    preview: { title: "Send a mail", details: body, effect: "egress" },
  });
  expect(linesOf(mail)).toContain("    to: mallory@evil.example");
  const pay = projectCard({
    toolPath: "bank.pay",
    input: { to: "AT61 1904", amount: 9000 },
    preview: { title: "Pay the phone bill", details: "Payee:\nAT61 1904\n9000", effect: "destructive" },
  });
  expect(linesOf(pay)).toEqual(expect.arrayContaining(["    to: AT61 1904", "    amount: 9000"]));
});

test("[P67] what is said like the name of a thing is still said to be an argument", () => {
  const calls = ["Safari", "Typo"].map((title, at) => ({
    toolPath: "issues.comment",
    input: { number: at + 1, comment: title },
    preview: {
      title: "Comment",
      effect: "write" as const,
      rows: [{ path: "number", text: title, source: "issues.list" }],
    },
  }));
  const [group] = projectCard(planOf(calls)).groups;
  expect(group?.calls.map(({ title }) => title)).toEqual(["#1 Safari", "#2 Typo"]);
  expect(group?.listed).toEqual(["number", "comment"]);
});

test("[P68] no text passes for a line of the card, however it is made and wherever the screen breaks it", () => {
  fc.assert(
    fc.property(
      fc.array(asked, { minLength: 1, maxLength: 5 }),
      fc.boolean(),
      fc.constantFrom(20, 40, 80, 100),
      fc.constantFrom("short" as const, "whole" as const),
      (calls, isPlan, width, detail) => {
        const [first] = calls;
        const card = projectCard(isPlan || first === undefined ? planOf(calls) : first, detail);
        const own = linesOf(card, 100_000).filter((line) => !/^\s*│/.test(line));
        const known = skeletonOf(card);
        expect(own).toHaveLength(known.length);
        for (const [at, line] of own.entries()) expect(line.startsWith(known[at] ?? "")).toBe(true);
        // Broken, the rest of each line is set off, so that the same lines begin as they did.
        const broken = linesOf(card, width);
        for (const line of broken) expect(line.length).toBeLessThanOrEqual(width);
        expect(broken.filter((line) => !/^\s*[│┊]/.test(line))).toHaveLength(own.length);
      },
    ),
  );
});

/** What the lines of a card begin with that are the card's own, from its structure alone. */
function skeletonOf(card: ApprovalCard): readonly string[] {
  const [only] = card.groups;
  const isOne = card.groups.length === 1;
  const isSingle = isOne && only?.calls[0]?.callId === undefined;
  const ofParts = (group: CardGroup["same"], indent: string): readonly string[] =>
    group.flatMap(({ kind, name, row }) => [
      ...(name === undefined ? [] : [`${indent}${kind === "contents" ? "runs " : ""}${name}:`]),
      ...(row === undefined ? [] : [`${indent}  ↳ in ${row.source}: `]),
    ]);
  const ofGroup = (group: CardGroup, indent: string): readonly string[] => {
    const isInline = ({ kind, row, text: said }: CardGroup["same"][number]) =>
      kind === "value" && row === undefined && said.length <= 60 && !said.includes("\n");
    return [
      ...group.calls.flatMap(({ number, parts }) => {
        const below = " ".repeat(indent.length + `${number}. `.length);
        const inOne = parts.length > 0 && parts.every(isInline);
        return [`${indent}${number}. `, ...(inOne ? [`${below}${parts[0]?.name}: `] : ofParts(parts, below))];
      }),
      ...(group.folded === undefined ? [] : [indent]),
      ...(group.same.length === 0 && group.listed === undefined ? [] : [`${indent}all of them:`]),
      ...ofParts(
        group.same.filter((part) => !isInline(part)),
        `${indent}  `,
      ),
    ];
  };
  return [
    "? ",
    ...(isOne ? ["  "] : []),
    ...(isSingle ? ofParts(only?.calls[0]?.parts ?? [], "    ") : []),
    ...(isOne && !isSingle && only !== undefined ? ofGroup(only, "  ") : []),
    ...(isOne ? [] : card.groups.flatMap((group) => [`  ${group.count} × `, ...ofGroup(group, "    ")])),
    ...(card.why.length === 0 ? [] : ["  Why you are asked: "]),
  ];
}

test("[P61] a value that few calls have is shown first, also where no value has a majority", () => {
  const update = (id: number, state: string): Asked => ({
    toolPath: "tracker.update_issue",
    input: { id, state },
    preview: { title: "Update an issue", effect: "write" },
  });
  const stateOf = (n: number): string => {
    if (n === 25) return "purged";
    return n % 2 === 0 ? "closed" : "open";
  };
  const { groups } = projectCard(planOf(Array.from({ length: 40 }, (_, n) => update(n, stateOf(n)))));
  expect(groups.map(({ count, mark }) => [count, mark])).toEqual([
    [1, "differs"],
    [19, undefined],
    [20, undefined],
  ]);
  expect(groups[0]?.calls[0]?.parts).toContainEqual({ kind: "value", name: "state", text: "purged" });
  expect(groups[1]?.same).toContainEqual({ kind: "value", name: "state", text: "open" });
});

test("[P61] whatever the numbers, a value that is much rarer than the others is never folded", () => {
  const state = fc.constantFrom("a", "b", "c");
  fc.assert(
    fc.property(
      fc.array(state, { minLength: 12, maxLength: 60 }),
      fc.integer({ min: 1, max: 2 }),
      fc.nat(),
      (states, times, place) => {
        const odd = Array.from({ length: times }, () => "odd");
        const at = place % states.length;
        const all = [...states.slice(0, at), ...odd, ...states.slice(at)];
        const calls = all.map((one, id): Asked => ({
          toolPath: "t.update",
          input: { id, state: one },
          preview: { title: "Update", effect: "write" },
        }));
        for (const { folded } of projectCard(planOf(calls)).groups)
          for (const { number } of folded?.calls ?? []) expect(all[number - 1]).not.toBe("odd");
      },
    ),
  );
});

test("[P64] the card has all of a long text, and so do its lines on demand", () => {
  const lines = Array.from({ length: 120 }, (_, n) =>
    n === 60 ? "PS: my password is hunter2" : `line ${n}`,
  );
  const call = {
    toolPath: "mail.send",
    input: { to: "bob@x.example", text: lines.join("\n") },
    preview: { title: "Send a mail", effect: "egress" as const },
  };
  const [, body] = projectCard(call).groups[0]?.calls[0]?.parts ?? [];
  expect(body?.text).not.toContain("hunter2");
  expect(body?.left).toBeGreaterThan(0);
  expect(body?.whole).toBe(lines.join("\n"));
  expect(linesOf(projectCard(call, "whole"))).toContain("    │ PS: my password is hunter2");
});
