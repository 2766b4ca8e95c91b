import { createFakeClock } from "@deputy/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { createCatalogue } from "../create-catalogue.ts";
import { defineTool } from "../define-tool.ts";
import { createMeaningSearch } from "./meaning-search.ts";

const never = new AbortController().signal;
const tool = (description: string) =>
  defineTool({ description, approval: "auto", args: z.object({}), run: () => null });

/** Knows of two kinds of things: what beasts have to do with, and what ships have to do with. */
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
  const sources = [
    {
      source: "test",
      tree: {
        vet: { list: tool("Veterinarians of a district") },
        port: { list: tool("Moorings in a harbour") },
        shop: { list: tool("Offers") },
      },
    },
  ];
  const catalogue = createCatalogue(sources, [], undefined, meaning);
  const find = async (query: string, signal = never) =>
    (await catalogue.find(query, 10, signal)).map(({ path }) => path);
  return { asked, warnings, clock, state, meaning, sources, catalogue, find };
}

test("[T51] what means the same is found though no word is the same; words still count", async () => {
  const { find, catalogue } = setup();
  expect(catalogue.search("my puppy limps", 10)).toEqual([]);
  expect((await find("my puppy limps"))[0]).toBe("vet.list");
  expect((await find("where can I sail to"))[0]).toBe("port.list");
  expect((await find("offers"))[0]).toBe("shop.list");
  expect((await find("shop.list"))[0]).toBe("shop.list");
});

test("[T51] a tool is learnt once, whichever catalogue it is in", async () => {
  const { find, asked, sources, meaning } = setup();
  await find("a puppy");
  await find("a boat");
  await createCatalogue(sources, [], undefined, meaning).find("a dog", 10, never);
  expect(asked.map(({ length }) => length)).toEqual([1, 3, 1, 1]);
});

test("[T51] where it fails words alone are searched, which is said once; later it is asked again", async () => {
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

test("[T51] an abort rejects with its reason, and is no failure", async () => {
  const { find, warnings, state } = setup();
  const controller = new AbortController();
  controller.abort(new Error("enough"));
  await expect(find("my puppy", controller.signal)).rejects.toThrow("enough");
  state.failure = undefined;
  expect(warnings).toEqual([]);
  expect((await find("my puppy"))[0]).toBe("vet.list");
});

test("[T52] while the index of a large catalogue is built, other work goes on", async () => {
  const tree = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, at) => [`tool${at}`, tool(`Gets thing number ${at}`)]),
  );
  const catalogue = createCatalogue([{ source: "test", tree: { many: tree } }]);
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const [found, same] = await Promise.all([
    catalogue.find("many.tool7", 1, never),
    catalogue.find("many.tool7", 1, never),
  ]);
  isDone = true;
  expect(turns).toBeGreaterThan(1);
  expect([found[0]?.path, same[0]?.path]).toEqual(["many.tool7", "many.tool7"]);
  expect(catalogue.search("thing 7", 5)).toEqual(await catalogue.find("thing 7", 5, never));
  const controller = new AbortController();
  const late = createCatalogue([{ source: "test", tree: { many: tree } }]).find("x", 1, controller.signal);
  controller.abort(new Error("enough"));
  await expect(late).rejects.toThrow("enough");
});
