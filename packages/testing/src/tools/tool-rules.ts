import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CatalogueHarness, contextWith, toolAt } from "./catalogue-harness.ts";
import { SEEDS, seedTool } from "./seed-tools.ts";

const live = contextWith(new AbortController().signal);

const MISFITS = [{}, { id: "1" }, { id: null }, { id: 1.5 }, { id: [1] }, { labels: ["a"] }];
const INHERITED: unknown = JSON.parse('{ "__proto__": { "id": 1 } }');

export function describeToolCalls({ open }: CatalogueHarness): void {
  const only = async (change: Parameters<typeof seedTool>[0]) =>
    toolAt(await open([seedTool({ path: "test.tool", ...change })]), "test.tool");

  describe("input", () => {
    test("[T7] accepts valid input unchanged, and accepts the result again", async () => {
      const tool = toolAt(await open(SEEDS), "issues.close");
      for (const input of [{ id: 1 }, { id: 0, labels: [] }, { id: -5, labels: ["a", ""] }]) {
        expect(await tool.parseInput(Object.freeze(input))).toEqual({ kind: "ok", input });
      }
    });

    test("[T7] no argument is an empty object, if that is valid", async () => {
      const catalogue = await open(SEEDS);
      for (const nothing of [undefined, null]) {
        expect(await toolAt(catalogue, "issues.list").parseInput(nothing)).toEqual({ kind: "ok", input: {} });
        expect(await toolAt(catalogue, "issues.close").parseInput(nothing)).toMatchObject({
          kind: "invalid",
        });
      }
    });

    test.each([...MISFITS, INHERITED])("[T7] refuses %j, and the message says where", async (input) => {
      const parsed = await toolAt(await open(SEEDS), "issues.close").parseInput(input);
      expect(parsed).toEqual({ kind: "invalid", message: expect.stringContaining("id") });
    });

    test("[T7] accepts or refuses any JSON with a message, without throwing or changing it", async () => {
      const tools = (await open(SEEDS)).list();
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...tools), fc.jsonValue(), async (tool, raw) => {
          const before = JSON.stringify(raw);
          const parsed = await tool.parseInput(raw);
          expect(JSON.stringify(raw)).toBe(before);
          expect(await tool.parseInput(raw)).toEqual(parsed);
          if (parsed.kind === "invalid") expect(parsed.message).toMatch(/\S/);
          else expect(await tool.parseInput(parsed.input)).toEqual(parsed);
        }),
      );
    });

    test("[T7] refuses what JSON cannot express, without throwing", async () => {
      const tool = toolAt(await open(SEEDS), "issues.close");
      const trap = new Proxy(
        {},
        {
          get: () => {
            throw new Error("trapped");
          },
        },
      );
      for (const raw of [
        1n,
        Symbol("id"),
        () => 1,
        new Date(Number.NaN),
        trap,
        {
          get id() {
            throw new Error("trapped");
          },
        },
      ]) {
        expect(await tool.parseInput(raw)).toEqual({ kind: "invalid", message: expect.stringMatching(/\S/) });
      }
    });

    test("[T7] an input cannot reach the prototype of anything", async () => {
      const raw: unknown = JSON.parse(
        '{ "id": 1, "__proto__": { "polluted": 1 }, "constructor": { "prototype": { "polluted": 1 } } }',
      );
      const parsed = await toolAt(await open(SEEDS), "issues.close").parseInput(raw);
      if (parsed.kind === "ok") expect((parsed.input as { polluted?: unknown }).polluted).toBeUndefined();
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    });
  });

  describe("running", () => {
    test("[T8] the tool gets its input and returns its result, even in concurrent calls", async () => {
      const tool = toolAt(await open(SEEDS), "issues.close");
      const ids = Array.from({ length: 20 }, (_, n) => n);
      const results = await Promise.all(ids.map((id) => tool.run({ id }, live)));
      expect(results).toEqual(ids.map((id) => ({ closed: id })));
    });

    test.each([{ closed: "1" }, { closed: null }, {}, [], null, "closed", { closed: 1.5 }])(
      "[T8] the result %j does not match the declaration, and is refused",
      async (result) => {
        const outputSchema = toolAt(await open(SEEDS), "issues.close").outputSchema;
        if (outputSchema === undefined) throw new Error("The tool declares no result");
        const tool = await only({ outputSchema, run: () => result });
        await expect(tool.run({ id: 1 }, live)).rejects.toMatchObject({
          code: "invalid_output",
          message: expect.stringContaining("test.tool"),
        });
      },
    );

    test("[T8] accepts any result without a declaration", async () => {
      for (const result of [null, "text", 0, [{ a: [true] }]]) {
        expect(await (await only({ run: () => result })).run({ id: 1 }, live)).toEqual(result);
      }
    });

    test("[T8] a failing tool fails the call, with its own message", async () => {
      const tool = await only({
        run: () => {
          throw new Error("The tracker is offline");
        },
      });
      await expect(tool.run({ id: 1 }, live)).rejects.toThrow("The tracker is offline");
      const later = await only({ run: () => Promise.reject(new Error("It went away")) });
      await expect(later.run({ id: 1 }, live)).rejects.toThrow("It went away");
    });

    test("[T8] an abort reaches the tool, and ends the call", async () => {
      const started = Promise.withResolvers<void>();
      const stopped = Promise.withResolvers<void>();
      const tool = await only({
        run: (_input, signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => {
              stopped.resolve();
              reject(new Error("stopped"));
            });
            started.resolve();
          }),
      });
      const stop = new AbortController();
      const running = tool.run({ id: 1 }, contextWith(stop.signal));
      const rejected = expect(running).rejects.toThrow();
      await started.promise;
      stop.abort(new Error("enough"));
      await stopped.promise;
      await rejected;
    });
  });

  describe("preview", () => {
    test("[T9] shows the tool and its input if the author wrote none", async () => {
      const { title, details } = await toolAt(await open(SEEDS), "issues.close").preview({ id: 4711 });
      expect(title).toMatch(/\S/);
      expect(`${title}\n${details}`).toContain("issues.close");
      expect(`${title}\n${details}`).toContain("4711");
    });

    test("[T9] there is one for any input", async () => {
      const cycle: { self?: unknown } = {};
      cycle.self = cycle;
      const hostile = [
        {
          toJSON: () => {
            throw new Error("no");
          },
        },
        Object.create(null),
        { n: 1n },
        cycle,
      ];
      for (const tool of (await open(SEEDS)).list()) {
        for (const input of [undefined, null, "", () => 1, Symbol("s"), ...hostile]) {
          const { title, details = "" } = await tool.preview(input);
          expect(title).toMatch(/\S/);
          expect(details).toBeTypeOf("string");
        }
      }
    });
  });
}
