import { createFakeClock } from "@deputy/testing";
import { expect, test } from "vitest";
import { createMeaningSearch } from "./meaning-search.ts";
import { createToolSearch } from "./create-tool-search.ts";
import { toolsOf } from "./test/tools-of.ts";

const never = new AbortController().signal;

/** Knows two topics: animals and ships. */
function meaningOf(text: string): readonly number[] {
  return [/dog|veterinar|puppy/i.test(text) ? 3 : 0.1, /boat|harbour|sail/i.test(text) ? 2 : 0.1];
}

function setup() {
  const asked: (readonly string[])[] = [];
  const warnings: string[] = [];
  const clock = createFakeClock();
  const state = { failure: undefined as Error | undefined };
  const meaning = createMeaningSearch({
    embedder: {
      async embed(texts) {
        asked.push(texts);
        if (state.failure !== undefined) throw state.failure;
        return texts.map(meaningOf);
      },
    },
    hash: (text) => `#${text}`,
    clock,
    warn: (text) => void warnings.push(text),
  });
  const tools = toolsOf({
    "vet.list": ["Veterinarians of a district"],
    "port.list": ["Moorings in a harbour"],
    "shop.list": ["Offers"],
  });
  const both = createToolSearch(tools, meaning);
  const find = async (query: string, signal = never) =>
    (await both.find(query, 10, signal)).map(({ path }) => path);
  return { asked, warnings, clock, state, meaning, tools, both, find };
}

test("[TS5] finds tools by meaning without a shared word; words still count", async () => {
  const { find, both } = setup();
  expect(both.search("my puppy limps", 10)).toEqual([]);
  expect((await find("my puppy limps"))[0]).toBe("vet.list");
  expect((await find("where can I sail to"))[0]).toBe("port.list");
  expect((await find("offers"))[0]).toBe("shop.list");
  expect((await find("shop.list"))[0]).toBe("shop.list");
});

test("[TS5] embeds a tool once, for all catalogues", async () => {
  const { find, asked, tools, meaning } = setup();
  await find("a puppy");
  await find("a boat");
  await createToolSearch([...tools], meaning).find("a dog", 10, never);
  expect(asked.map(({ length }) => length)).toEqual([1, 3, 1, 1]);
});

test("[TS5] searches by words only while the embedder fails, warns once, and tries it again later", async () => {
  const { find, asked, warnings, clock, state } = setup();
  state.failure = new Error("The local server cannot be reached.");
  expect(await find("offers")).toEqual(["shop.list"]);
  expect(await find("my puppy")).toEqual([]);
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
  const { find, warnings, state } = setup();
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
  expect([found[0]?.path, same[0]?.path]).toEqual(["many.tool7", "many.tool7"]);
  expect(many.search("thing 7", 5)).toEqual(await many.find("thing 7", 5, never));
  const controller = new AbortController();
  const late = createToolSearch(tools).find("x", 1, controller.signal);
  controller.abort(new Error("enough"));
  await expect(late).rejects.toThrow("enough");
});
