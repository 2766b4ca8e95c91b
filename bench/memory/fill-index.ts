import { createSystemClock } from "@deputy/kit";
import { openIndexThread } from "@deputy/memory/node";
import { createRandom, inventText, inventVector } from "./invented.ts";

// `node bench/memory/fill-index.ts FILE PIECES REVISION`: fills an index in a process of its own, so that what is left
// in memory afterwards is not counted as the memory of a search.

const CHUNKS_PER_DOCUMENT = 50;
const CHILDREN = 3;

const [, , path = "", pieces = "0", revision = ""] = process.argv;
const random = createRandom(1);
await using store = openIndexThread(path, { clock: createSystemClock(), onDamaged: () => undefined });
for (let at = 0; at < Number(pieces); at += CHUNKS_PER_DOCUMENT) {
  const key = `note-${at}.md`;
  const count = Math.min(CHUNKS_PER_DOCUMENT, Number(pieces) - at);
  const chunks = Array.from({ length: count }, (_, place) => ({
    firstLine: place + 1,
    lastLine: place + 1,
    header: `[${key}]`,
    text: inventText(random),
    foreign: [],
    children: Array.from({ length: CHILDREN }, (__, part) => ({ hash: `${at + place}-${part}`, text: "" })),
  }));
  const record = { key, scope: "main", kind: "notes", path: key, revision, hash: key } as const;
  await store.put({ ...record, isStale: false }, chunks);
  const hashes = chunks.flatMap(({ children }) => children.map(({ hash }) => hash));
  await store.putVectors("bench", new Map(hashes.map((hash) => [hash, inventVector(random)])));
}
