import { createFakeClock } from "@deputy/testing";
import { expect, test, vi } from "vitest";
import { createMeaningSearch } from "./meaning-search.ts";
import { createToolSearch } from "./create-tool-search.ts";
import { toolsOf } from "./test/tools-of.ts";

const never = new AbortController().signal;

/** Knows two topics: animals and ships. */
function meaningOf(text: string): readonly number[] {
  return [/dog|veterinar|puppy/i.test(text) ? 3 : 0.1, /boat|harbour|sail/i.test(text) ? 2 : 0.1];
}

function setup(patienceMs = 0, kept = new Map<string, Int8Array>()) {
  const asked: (readonly string[])[] = [];
  const warnings: string[] = [];
  const clock = createFakeClock();
  const state = { failure: undefined as Error | undefined, gate: Promise.resolve() };
  const meaning = createMeaningSearch({
    embedder: {
      async embed(texts) {
        asked.push(texts);
        await state.gate;
        if (state.failure !== undefined) throw state.failure;
        return texts.map(meaningOf);
      },
    },
    cache: {
      load: () => kept,
      add: (entries) => entries.forEach(([key, vector]) => kept.set(key, vector)),
    },
    hash: (text) => `#${text}`,
    clock,
    patienceMs,
    warn: (text) => void warnings.push(text),
  });
  const tools = toolsOf({
    "vet.list": ["Veterinarians of a district"],
    "port.list": ["Moorings in a harbour"],
    "shop.list": ["Offers"],
  });
  const both = createToolSearch(tools, meaning);
  const find = async (query: string, signal = never) =>
    (await both.find(query, 10, signal)).tools.map(({ path }) => path);
  return { asked, warnings, clock, state, meaning, tools, both, find, kept };
}

const PATIENT = 1_000;

test("[TS5] finds tools by meaning without a shared word; words still count", async () => {
  const { find, both } = setup(PATIENT);
  expect(both.search("my puppy limps", 10)).toEqual([]);
  expect((await find("my puppy limps"))[0]).toBe("vet.list");
  expect((await find("where can I sail to"))[0]).toBe("port.list");
  expect((await find("offers"))[0]).toBe("shop.list");
  expect((await find("shop.list"))[0]).toBe("shop.list");
});

test("[TS5] embeds a tool once, for all catalogues and for the next process", async () => {
  const { find, asked, tools, meaning, kept } = setup(PATIENT);
  await find("a puppy");
  await find("a boat");
  await createToolSearch([...tools], meaning).find("a dog", 10, never);
  expect(asked.map(({ length }) => length)).toEqual([3, 1, 1, 1]);
  const later = setup(PATIENT, kept);
  expect((await later.find("a puppy"))[0]).toBe("vet.list");
  expect(later.asked.map(({ length }) => length)).toEqual([1]);
});

test("[TS8] a search does not wait until tools are read; until then words alone are searched, and it says so", async () => {
  const { both, find, state, clock, asked, meaning } = setup();
  const gate = Promise.withResolvers<void>();
  state.gate = gate.promise;
  expect(await both.find("my puppy", 10, never)).toEqual({
    tools: [],
    by: "words",
    why: "0 of 3 tools have been read so far",
  });
  expect(await find("offers")).toEqual(["shop.list"]);
  await vi.waitFor(() => expect(clock.sleepers).toBe(1));
  await clock.advance(5_000);
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  gate.resolve();
  await vi.waitFor(async () =>
    expect(await both.find("my puppy", 1, never)).toMatchObject({
      by: "words and meaning",
      tools: [{ path: "vet.list" }],
    }),
  );
  expect(asked[0]).toHaveLength(3);
  await meaning[Symbol.asyncDispose]();
});

test("[TS8] the turn that searches first has the machine to itself: tools are read a little later, known ones at once", async () => {
  const { find, clock, asked, meaning, kept } = setup();
  await find("offers");
  await vi.waitFor(() => expect(clock.sleepers).toBe(1));
  await clock.advance(4_999);
  expect(asked).toEqual([]);
  await clock.advance(1);
  await vi.waitFor(() => expect(kept.size).toBe(3));
  await meaning[Symbol.asyncDispose]();
  const next = setup(0, kept);
  await vi.waitFor(async () => expect((await next.find("my puppy"))[0]).toBe("vet.list"));
  const ended = setup();
  await ended.find("offers");
  await ended.meaning[Symbol.asyncDispose]();
  expect(ended.asked).toEqual([]);
});

test("[TS8] an embedder that takes too long for a question is not waited for", async () => {
  const { both, find, state, clock, asked } = setup(PATIENT);
  await find("a boat");
  state.gate = new Promise(() => undefined);
  const found = both.find("offers", 10, never);
  await vi.waitFor(() => expect(asked.at(-1)).toEqual(["offers"]));
  await clock.advance(1_500);
  expect(await found).toMatchObject({ by: "words", why: "The model for it takes too long" });
});

test("[TS5] searches by words only while the embedder fails, warns once, and tries it again later", async () => {
  const { find, both, asked, warnings, clock, state } = setup(PATIENT);
  state.failure = new Error("The local server cannot be reached.");
  expect(await find("offers")).toEqual(["shop.list"]);
  expect(await find("my puppy")).toEqual([]);
  expect(await both.find("offers", 1, never)).toMatchObject({ why: "The local server cannot be reached." });
  expect(warnings).toEqual(["Tools are searched by words alone: The local server cannot be reached."]);
  expect(asked).toHaveLength(1);
  await clock.advance(300_000);
  await find("my puppy");
  expect(warnings).toHaveLength(1);
  state.failure = undefined;
  await clock.advance(300_000);
  expect((await find("my puppy"))[0]).toBe("vet.list");
});

test("[TS5] an abort rejects with its reason and does not count as a failure", async () => {
  const { find, warnings, state } = setup(PATIENT);
  const controller = new AbortController();
  controller.abort(new Error("enough"));
  await expect(find("my puppy", controller.signal)).rejects.toThrow("enough");
  state.failure = undefined;
  expect(warnings).toEqual([]);
  expect((await find("my puppy"))[0]).toBe("vet.list");
});

test("[TS6] other work runs while the index of a large catalogue is built", async () => {
  const tools = toolsOf(
    Object.fromEntries(
      Array.from({ length: 1_000 }, (_, at) => [`many.tool${at}`, [`Gets thing number ${at}`]] as const),
    ),
  );
  const many = createToolSearch(tools);
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const [found, same] = await Promise.all([
    many.find("many.tool7", 1, never),
    many.find("many.tool7", 1, never),
  ]);
  isDone = true;
  expect(turns).toBeGreaterThan(1);
  expect([found.tools[0]?.path, same.tools[0]?.path]).toEqual(["many.tool7", "many.tool7"]);
  expect(many.search("thing 7", 5)).toEqual((await many.find("thing 7", 5, never)).tools);
  const controller = new AbortController();
  const late = createToolSearch(tools).find("x", 1, controller.signal);
  controller.abort(new Error("enough"));
  await expect(late).rejects.toThrow("enough");
});
