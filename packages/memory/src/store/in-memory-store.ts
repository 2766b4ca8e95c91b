import type { Scored } from "../search/fuse.ts";
import { termsOf } from "../text/words-of.ts";
import { bm25, weighTerms } from "./bm25.ts";
import { chooseTerms } from "./choose-terms.ts";
import type { ChildRecord, ChunkRecord, DocumentRecord, MemoryStore, StoredChunk } from "./memory-store.ts";
import { COMPARED } from "./memory-store.ts";
import { createSignIndex } from "./sign-index.ts";
import { dotPacked, packVector, signsOf } from "./vector-code.ts";

interface KeptChunk extends ChunkRecord {
  readonly id: number;
  readonly key: string;
  readonly place: number;
  readonly terms: readonly string[];
  readonly distinct: ReadonlySet<string>;
}

/** For tests and the browser: everything is gone with the process. Ranks as the store on SQLite does. */
export function createInMemoryStore(): MemoryStore {
  const documents = new Map<string, DocumentRecord>();
  const chunks = new Map<number, KeptChunk>();
  const vectors = new Map<string, Map<string, Uint8Array>>();
  let nextId = 1;

  const chunksOf = (key: string): readonly KeptChunk[] =>
    [...chunks.values()].filter((chunk) => chunk.key === key).sort(byPlace);
  const inScope = (scopes: readonly string[]): readonly KeptChunk[] =>
    [...chunks.values()].filter(({ key }) => scopes.includes(documents.get(key)?.scope ?? ""));
  const children = (): readonly ChildRecord[] => [
    ...new Map(
      [...chunks.values()].flatMap((chunk) => chunk.children.map((child) => [child.hash, child] as const)),
    ).values(),
  ];
  const toStored = (chunk: KeptChunk): readonly StoredChunk[] => {
    const { id, place, firstLine, lastLine, header, text, foreign, key } = chunk;
    const document = documents.get(key);
    return document === undefined
      ? []
      : [{ id, place, firstLine, lastLine, header, text, foreign, document }];
  };
  const withVector = (model: string): number =>
    children().filter(({ hash }) => vectors.get(model)?.has(hash) ?? false).length;

  return {
    version: async () => 0,
    async documents() {
      return new Map(documents);
    },
    async put(document, added) {
      documents.set(document.key, document);
      const before = chunksOf(document.key);
      const kept = Map.groupBy(before, identityOf);
      for (const { id } of before) chunks.delete(id);
      for (const [place, chunk] of added.entries()) {
        const id = kept.get(identityOf(chunk))?.shift()?.id ?? nextId++;
        const terms = termsOf(`${chunk.header}\n${chunk.text}`);
        chunks.set(id, { ...chunk, id, place, key: document.key, terms, distinct: new Set(terms) });
      }
    },
    async update(changed) {
      for (const each of changed) if (documents.has(each.key)) documents.set(each.key, each);
    },
    async remove(keys) {
      for (const key of keys) {
        for (const { id } of chunksOf(key)) chunks.delete(id);
        documents.delete(key);
      }
    },
    async pending(model, limit) {
      return children()
        .filter(({ hash }) => !(vectors.get(model)?.has(hash) ?? false))
        .slice(0, limit);
    },
    async putVectors(model, added) {
      const known = vectors.get(model) ?? new Map<string, Uint8Array>();
      vectors.set(model, known);
      for (const [hash, vector] of added) known.set(hash, packVector(vector));
    },
    async prune(model) {
      const used = new Set(children().map(({ hash }) => hash));
      const left = [...(vectors.get(model) ?? [])].filter(([hash]) => used.has(hash));
      vectors.clear();
      vectors.set(model, new Map(left));
    },
    async byWords(query, scopes, limit) {
      const all = [...chunks.values()];
      const counts = new Map<string, number>();
      for (const { distinct } of all)
        for (const term of distinct) counts.set(term, (counts.get(term) ?? 0) + 1);
      const countOf = (term: string): number => counts.get(term) ?? 0;
      const wanted = weighTerms(chooseTerms(query.terms, all.length, countOf), all.length, countOf);
      const average = all.reduce((sum, { terms }) => sum + terms.length, 0) / Math.max(all.length, 1);
      return inScope(scopes)
        .map(({ id, terms }) => ({
          id,
          score: bm25({ terms: terms.join(" "), count: terms.length }, wanted, average),
        }))
        .filter(({ score }) => score > 0)
        .sort(byScore)
        .slice(0, limit);
    },
    async byMeaning(model, vector, scopes, limit) {
      const known = vectors.get(model) ?? new Map<string, Uint8Array>();
      const owners: { readonly id: number; readonly packed: Uint8Array }[] = inScope(scopes).flatMap(
        ({ id, children: own }) =>
          own.flatMap(({ hash }) => {
            const packed = known.get(hash);
            return packed?.length === vector.length + 4 ? [{ id, packed }] : [];
          }),
      );
      const index = createSignIndex(vector.length);
      owners.forEach(({ packed }, at) =>
        index.put(at, signsOf(new Int8Array(packed.buffer, packed.byteOffset + 4, vector.length))),
      );
      const best = new Map<number, number>();
      for (const at of index.nearest(vector, COMPARED)) {
        const owner = owners[at];
        if (owner === undefined) continue;
        const score = dotPacked(owner.packed, vector);
        best.set(owner.id, Math.max(best.get(owner.id) ?? -1, score));
      }
      return [...best]
        .map(([id, score]) => ({ id, score }))
        .sort(byScore)
        .slice(0, limit);
    },
    async outlines(ids) {
      return ids.flatMap((id) => {
        const chunk = chunks.get(id);
        const [stored] = chunk === undefined ? [] : toStored(chunk);
        if (stored === undefined) return [];
        const { kind, date } = stored.document;
        return [{ id, header: stored.header, document: { kind, ...(date !== undefined && { date }) } }];
      });
    },
    async chunks(ids) {
      return ids.flatMap((id) => {
        const chunk = chunks.get(id);
        return chunk === undefined ? [] : toStored(chunk);
      });
    },
    async chunksOf(key) {
      return chunksOf(key).flatMap(toStored);
    },
    async counts(model) {
      const all = children().length;
      const embedded = model === undefined ? 0 : withVector(model);
      const [former] = [...vectors]
        .filter(([each, known]) => each !== model && known.size > 0)
        .map(([each, known]) => ({ model: each, vectors: known.size }))
        .sort((a, b) => b.vectors - a.vectors);
      return {
        documents: documents.size,
        chunks: chunks.size,
        children: all,
        embedded,
        ...(former !== undefined && { former }),
      };
    },
    async scrub() {},
    async [Symbol.asyncDispose]() {},
  };
}

function byPlace(a: KeptChunk, b: KeptChunk): number {
  return a.place - b.place;
}

function byScore(a: Scored, b: Scored): number {
  return b.score - a.score || a.id - b.id;
}

function identityOf({ header, text, foreign }: ChunkRecord): string {
  return JSON.stringify([header, text, foreign]);
}
