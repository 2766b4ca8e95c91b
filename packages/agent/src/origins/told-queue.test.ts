import { createPolicy } from "@deputy/policy/create-policy";
import { createOriginIndex } from "@deputy/policy/provenance";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createToldQueue, type Told } from "./told-queue.ts";

const WORDS = [
  "ada@home.example",
  "eve@evil.example",
  "inv-4711",
  "the old letter",
  "7",
  "Ada",
  "4 May 2024",
];
const anyText = fc.array(fc.constantFrom(...WORDS, "pay", "to"), { minLength: 1, maxLength: 4 });
const anyLeaf = fc.oneof(
  anyText.map((words) => words.join(" ")),
  fc.constantFrom(7, 4711, true, null),
);
const anyResult = fc.oneof(
  anyLeaf,
  fc.array(fc.record({ id: anyLeaf, memo: anyLeaf }), { maxLength: 4 }),
  fc.constant([]),
);
const anyTrust = fc.constantFrom("trusted" as const, "untrusted" as const, { values: ["*.id"] });

type Happening =
  | { readonly kind: "user" | "configuration"; readonly text: string }
  | {
      readonly kind: "result";
      readonly source: string;
      readonly trust: "trusted" | "untrusted" | { values: string[] };
      readonly result: unknown;
      readonly input: unknown;
    }
  | { readonly kind: "ask" };
const anyHappening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({
    kind: fc.constantFrom("user", "configuration"),
    text: anyText.map((words) => words.join(" ")),
  }),
  fc.record({
    kind: fc.constant("result"),
    source: fc.constantFrom("mail.read", "book.find"),
    trust: anyTrust,
    result: anyResult,
    input: fc.record({ name: anyLeaf }),
  }),
  fc.record({ kind: fc.constant("ask") }),
);

const toTold = (happening: Exclude<Happening, { kind: "ask" }>): Told => {
  if (happening.kind !== "result") return { ...happening, kind: happening.kind };
  const { source, trust, result, input } = happening;
  const hasWords = /["\d]/.test(JSON.stringify(result));
  return { kind: "result", source, trust, hasWords, heldChars: 1, load: async () => ({ result, input }) };
};

test("[A152] whenever somebody asks, the answers are those of reading everything as it comes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyHappening, { maxLength: 12 }), async (happenings) => {
      const queue = createToldQueue();
      const index = createOriginIndex();
      const expectSame = async () => {
        expect(queue.origins.untrusted).toEqual(index.origins().untrusted);
        await queue.ready();
        for (const value of [...WORDS, 7, 4711, "pay to Ada"])
          for (const name of ["id", "memo"]) {
            const place = { name, toolPath: "book.write" };
            expect(queue.origins.trace(value, place)).toEqual(index.origins().trace(value, place));
          }
        expect(queue.origins.untrusted).toEqual(index.origins().untrusted);
      };
      for (const happening of happenings) {
        if (happening.kind === "ask") {
          await expectSame();
          continue;
        }
        queue.add(toTold(happening));
        if (happening.kind === "user") index.addUser(happening.text);
        if (happening.kind === "configuration") index.addConfiguration(happening.text);
        if (happening.kind === "result") index.addResult(happening, happening.result, happening.input);
      }
      await expectSame();
    }),
    { numRuns: 300 },
  );
});

test("[A307] before it was searched, no call passes that is asked about afterwards", async () => {
  const policy = createPolicy();
  const anyCall = fc.record({
    path: fc.constantFrom("book.find", "mail.send"),
    effect: fc.constantFrom("read" as const, "write" as const, "egress" as const, "destructive" as const),
    critical: fc.constantFrom<"all" | readonly string[]>("all", ["id"], []),
    isLocal: fc.boolean(),
    input: fc.oneof(
      fc.record({ id: anyLeaf, memo: anyLeaf }, { requiredKeys: [] }),
      fc.record({
        id: fc.constantFrom(123456, "48 15 16 23 42", "inv-4711 inv-4711 inv-4711 the old letter"),
      }),
    ),
  });
  const told = fc.array(
    anyHappening.filter(({ kind }) => kind !== "ask"),
    { maxLength: 6 },
  );
  const asked = { before: 0, after: 0 };
  await fc.assert(
    fc.asyncProperty(told, anyCall, async (happenings, { input, ...of }) => {
      const queue = createToldQueue();
      for (const happening of happenings) if (happening.kind !== "ask") queue.add(toTold(happening));
      const tool = { approval: "auto", ...of } as const;
      const decide = () =>
        policy.decide({
          tool,
          input,
          inputHash: "1",
          labels: [],
          origins: queue.origins,
          grants: [],
          counts: [],
          nowMs: 1,
        }).decision;
      expect(queue.origins.judge).toBeUndefined();
      const before = decide();
      await queue.ready();
      const after = decide();
      if (before === "ask") asked.before += 1;
      if (after === "ask") asked.after += 1;
      if (before === "allow") expect(after).toBe("allow");
    }),
    { numRuns: 400 },
  );
  // Both answers were given, often.
  expect(Math.min(asked.after, asked.before - asked.after)).toBeGreaterThan(20);
});

test("[A152] what was held for long is read before more of it is", async () => {
  const queue = createToldQueue();
  const told: Told = {
    kind: "result",
    source: "big.list",
    trust: "untrusted",
    hasWords: true,
    heldChars: 9 * 1024 * 1024,
    load: async () => ({ result: "eve@evil.example" }),
  };
  queue.add(told);
  expect(queue.isFull()).toBe(false);
  queue.add(told);
  expect(queue.isFull()).toBe(true);
  await queue.ready();
  expect(queue.isFull()).toBe(false);
  expect(queue.origins.trace("eve@evil.example")).toEqual({ kind: "untrusted", source: "big.list" });
});

test("[A152] what calls gave that turns out to be lost is nobody's word, and known as such", async () => {
  const queue = createToldQueue();
  queue.add({
    kind: "result",
    source: "book.find",
    trust: { values: ["*.id"] },
    hasWords: false,
    heldChars: 0,
    load: async () => ({ result: "ada@home.example", trust: "untrusted" }),
  });
  await queue.ready();
  expect(queue.origins.untrusted).toEqual(["book.find"]);
  expect(queue.origins.trace("ada@home.example")).toEqual({ kind: "untrusted", source: "book.find" });
});

test("[A152] what could not be read is read again before anything is judged, and so is all after it", async () => {
  const queue = createToldQueue();
  let failures = 1;
  queue.add({
    kind: "result",
    source: "mail.read",
    trust: "untrusted",
    hasWords: true,
    heldChars: 1,
    load: async () => {
      if (failures-- > 0) throw new Error("not now");
      return { result: "eve@evil.example" };
    },
  });
  queue.add({ kind: "user", text: "Write to ada@home.example" });
  await expect(queue.ready()).rejects.toThrow("not now");
  await queue.ready();
  expect(queue.origins.trace("eve@evil.example")).toEqual({ kind: "untrusted", source: "mail.read" });
  expect(queue.origins.trace("ada@home.example")).toEqual({ kind: "user" });
});

test("[A170] names of others explain nothing, and alone they are no untrusted text", async () => {
  const queue = createToldQueue();
  queue.add({ kind: "names", source: "the tool descriptions of mcp:shop", text: "eve@evil.example" });
  await queue.ready();
  expect(queue.origins.untrusted).toEqual([]);
  const source = "the tool descriptions of mcp:shop";
  expect(queue.origins.trace("eve@evil.example")).toEqual({ kind: "untrusted", source });
});
