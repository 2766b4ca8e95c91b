import type { ChunkRecord, DocumentRecord, MemoryStore } from "@deputy/memory";
import { readQuery } from "@deputy/memory";
import { describe, expect, test } from "vitest";

/** A document whose pieces are the lines, each with one child; the hash of a child is its text. */
export function documentOf(key: string, ...lines: readonly string[]) {
  const document: DocumentRecord = {
    key,
    scope: "main",
    kind: "notes",
    path: key,
    revision: "1",
    hash: lines.join("\n"),
    isStale: false,
  };
  const chunks: readonly ChunkRecord[] = lines.map((text, at) => ({
    firstLine: at + 1,
    lastLine: at + 1,
    header: `[${key}]`,
    text,
    foreign: [],
    children: [{ hash: `#${text}`, text }],
  }));
  return [document, chunks] as const;
}

/** A direction for each text, by a number of turns; near numbers are near in meaning. */
function directed(turns: number): Float32Array {
  const angle = turns * 2 * Math.PI;
  return Float32Array.from(
    { length: 64 },
    (_, at) => (Math.cos(angle * (1 + (at >> 1))) * (at % 2 ? 1 : 0.5)) / 4,
  );
}

/** What every store of the memory's index promises; `open` gives a new one. */
export function describeMemoryStore(name: string, open: () => Promise<MemoryStore>): void {
  describe(name, () => {
    const found = async (store: MemoryStore, question: string, scopes = ["main"]): Promise<string[]> => {
      const scored = await store.byWords(readQuery(question), scopes, 50);
      return (await store.chunks(scored.map(({ id }) => id))).map(({ text }) => text);
    };

    test("[M1] gives documents and pieces back as they were put", async () => {
      await using store = await open();
      const [document, [chunk]] = documentOf("a.md", "The boiler was serviced.");
      if (chunk === undefined) throw new Error("It has a piece");
      const full = { ...document, date: "2026-01-05", isStale: true };
      await store.put(full, [{ ...chunk, foreign: ["mail from Eve"] }]);
      expect(await store.documents()).toEqual(new Map([["a.md", full]]));
      const { children: _, ...rest } = chunk;
      expect(await store.chunksOf("a.md")).toEqual([
        { ...rest, place: 0, foreign: ["mail from Eve"], document: full, id: expect.any(Number) },
      ]);
    });

    test("[M1] a document that is put again replaces itself; what stayed the same keeps its ids", async () => {
      await using store = await open();
      await store.put(...documentOf("a.md", "apples", "pears", "plums"));
      const before = await store.chunksOf("a.md");
      await store.put(...documentOf("a.md", "cherries", "apples", "plums"));
      const after = await store.chunksOf("a.md");
      expect(after.map(({ text, firstLine }) => [text, firstLine])).toEqual([
        ["cherries", 1],
        ["apples", 2],
        ["plums", 3],
      ]);
      expect(after.slice(1).map(({ id }) => id)).toEqual([before[0]?.id, before[2]?.id]);
      expect(await found(store, "pears")).toEqual([]);
      expect(await store.counts(undefined)).toMatchObject({ documents: 1, chunks: 3, children: 3 });
    });

    test("[M1] the same line twice is two pieces", async () => {
      await using store = await open();
      await store.put(...documentOf("a.md", "tea", "tea"));
      await store.put(...documentOf("a.md", "tea", "tea", "tea"));
      expect(await found(store, "tea")).toEqual(["tea", "tea", "tea"]);
    });

    test("[M2] nothing of a removed document is found, and removing it again changes nothing", async () => {
      await using store = await open();
      await store.put(...documentOf("a.md", "apples"));
      await store.put(...documentOf("b.md", "apples and pears"));
      await store.putVectors("m", new Map([["#apples", directed(0.1)]]));
      expect(await store.byMeaning("m", directed(0.1), ["main"], 5)).toHaveLength(1);
      await store.remove(["a.md", "unknown"]);
      await store.remove(["a.md"]);
      expect(await found(store, "apples")).toEqual(["apples and pears"]);
      expect(await store.byMeaning("m", directed(0.1), ["main"], 5)).toEqual([]);
      expect([...(await store.documents()).keys()]).toEqual(["b.md"]);
    });

    test("[M2] an update changes what is known of a document, and passes over what is unknown", async () => {
      await using store = await open();
      const [document, chunks] = documentOf("a.md", "apples");
      await store.put(document, chunks);
      await store.update([
        { ...document, revision: "2", isStale: true },
        { ...document, key: "unknown" },
      ]);
      expect([...(await store.documents()).values()]).toEqual([
        { ...document, revision: "2", isStale: true },
      ]);
      expect(await found(store, "apples")).toEqual(["apples"]);
    });

    test("[M3] finds by any word and any ending of it, the rarer and the more the better", async () => {
      await using store = await open();
      const lines = ["We serviced the boiler", "The boiler is blue", "The sky is blue", "The sea is blue"];
      await store.put(...documentOf("a.md", ...lines));
      expect(await found(store, "when was the blue boiler serviced?")).toEqual([
        "We serviced the boiler",
        "The boiler is blue",
        "The sky is blue",
        "The sea is blue",
      ]);
      expect(await found(store, "servicing")).toEqual(["We serviced the boiler"]);
      expect(await found(store, "nothing of it")).toEqual([]);
      expect(await store.byWords(readQuery("blue"), ["main"], 2)).toHaveLength(2);
    });

    test.each([
      ["会议", "明天下午有会议室"],
      ["東京", "来週東京へ行く"],
      ["เชียงใหม่", "เราไปเชียงใหม่กัน"],
      ["שלום", "שָׁלוֹם לכולם"],
      ["كتاب", "هذا كِتَاب جديد"],
      ["cafe", "Das Café am Eck"],
      ["INV-2024/17", "Invoice INV-2024/17 is paid"],
    ])("[M3] finds %s in “%s”", async (question, text) => {
      await using store = await open();
      await store.put(...documentOf("a.md", "Something else entirely", text));
      expect(await found(store, question)).toEqual([text]);
    });

    test("[M3] an identifier is found before its parts", async () => {
      await using store = await open();
      await store.put(...documentOf("a.md", "17 invoices of 2024, inv. 3", "see INV-2024/17"));
      expect((await found(store, "INV-2024/17"))[0]).toBe("see INV-2024/17");
    });

    test("[M4] finds by meaning, the nearest first, each piece by its nearest part", async () => {
      await using store = await open();
      const [document, [chunk]] = documentOf("a.md", "two parts");
      if (chunk === undefined) throw new Error("It has a piece");
      const parts = ["far", "near"].map((text) => ({ hash: `#${text}`, text }));
      await store.put(document, [{ ...chunk, children: parts }]);
      await store.put(...documentOf("b.md", "middle"));
      await store.putVectors(
        "m",
        new Map([
          ["#far", directed(0.4)],
          ["#near", directed(0.101)],
          ["#middle", directed(0.13)],
        ]),
      );
      const near = await store.byMeaning("m", directed(0.1), ["main"], 5);
      const outlines = await store.outlines([...near.map(({ id }) => id), 999_999]);
      const whole = await store.chunks(near.map(({ id }) => id));
      expect(outlines).toEqual(
        whole.map(({ id, header, document: { kind, date } }) => ({
          id,
          header,
          document: { kind, ...(date !== undefined && { date }) },
        })),
      );
      expect((await store.chunks(near.map(({ id }) => id))).map(({ text }) => text)).toEqual([
        "two parts",
        "middle",
      ]);
      expect(near[0]?.score).toBeGreaterThan(near[1]?.score ?? 1);
      expect(await store.byMeaning("m", directed(0.1), ["main"], 1)).toHaveLength(1);
      expect(await store.byMeaning("other", directed(0.1), ["main"], 5)).toEqual([]);
    });

    test("[M4] pieces without a vector are pending, each text once, until they have one", async () => {
      await using store = await open();
      await store.put(...documentOf("a.md", "tea", "milk"));
      await store.put(...documentOf("b.md", "tea"));
      expect(await store.pending("m", 10)).toEqual([
        { hash: "#tea", text: "tea" },
        { hash: "#milk", text: "milk" },
      ]);
      expect(await store.pending("m", 1)).toHaveLength(1);
      await store.putVectors("m", new Map([["#tea", directed(0)]]));
      expect(await store.pending("m", 10)).toEqual([{ hash: "#milk", text: "milk" }]);
      expect(await store.counts("m")).toMatchObject({ children: 2, embedded: 1 });
      expect((await store.counts("m")).former).toBeUndefined();
      expect(await store.byMeaning("m", directed(0), ["main"], 5)).toHaveLength(2);
    });

    test("[M80] vectors of another model stay beside those of the new one, until they are pruned", async () => {
      await using store = await open();
      await store.put(...documentOf("a.md", "tea", "milk"));
      await store.putVectors("b", new Map([["#tea", directed(0.1)]]));
      await store.putVectors("a", new Map(["#tea", "#milk"].map((hash) => [hash, directed(0.2)])));
      expect(await store.counts("c")).toMatchObject({ embedded: 0, former: { model: "a", vectors: 2 } });
      await store.putVectors("c", new Map([["#tea", directed(0.3)]]));
      expect(await store.counts("c")).toMatchObject({ embedded: 1, former: { model: "a", vectors: 2 } });
      expect(await store.byMeaning("a", directed(0.2), ["main"], 5)).toHaveLength(2);
      await store.prune("c");
      expect((await store.counts("c")).former).toBeUndefined();
    });

    test("[M4] a text that moves keeps its vector; one that nobody has any more loses it", async () => {
      await using store = await open();
      await store.put(...documentOf("a.md", "tea", "milk"));
      await store.putVectors("m", new Map(["#tea", "#milk"].map((hash) => [hash, directed(0.2)])));
      await store.put(...documentOf("b.md", "tea"));
      await store.remove(["a.md"]);
      expect(await store.pending("m", 10)).toEqual([]);
      expect(await store.byMeaning("m", directed(0.2), ["main"], 5)).toHaveLength(1);
      await store.prune("m");
      await store.put(...documentOf("a.md", "tea", "milk"));
      expect(await store.pending("m", 10)).toEqual([{ hash: "#milk", text: "milk" }]);
    });

    test("[M4] vectors of several models lie beside each other until the others are pruned", async () => {
      await using store = await open();
      await store.put(...documentOf("a.md", "tea"));
      await store.putVectors("old", new Map([["#tea", directed(0.3)]]));
      await store.putVectors("new", new Map([["#tea", directed(0.6)]]));
      expect(await store.byMeaning("old", directed(0.3), ["main"], 5)).toHaveLength(1);
      expect(await store.byMeaning("new", directed(0.6), ["main"], 5)).toHaveLength(1);
      await store.prune("new");
      expect(await store.byMeaning("old", directed(0.3), ["main"], 5)).toEqual([]);
      expect(await store.byMeaning("new", directed(0.6), ["main"], 5)).toHaveLength(1);
    });

    test("[M5] only documents of the asked scopes are found", async () => {
      await using store = await open();
      const [mine, chunks] = documentOf("a.md", "the secret of tea");
      await store.put(mine, chunks);
      const [theirs, others] = documentOf("b.md", "another secret of tea");
      await store.put({ ...theirs, scope: "other" }, others);
      const vectors = ["#the secret of tea", "#another secret of tea"].map(
        (hash) => [hash, directed(0.5)] as const,
      );
      await store.putVectors("m", new Map(vectors));
      expect(await found(store, "secret")).toEqual(["the secret of tea"]);
      expect(await found(store, "secret", ["other"])).toEqual(["another secret of tea"]);
      expect(await found(store, "secret", ["main", "other"])).toHaveLength(2);
      expect(await store.byMeaning("m", directed(0.5), ["main"], 5)).toHaveLength(1);
      expect(await store.byMeaning("m", directed(0.5), [], 5)).toEqual([]);
    });
  });
}
