import { openSqliteStore } from "./open-sqlite-store.ts";

// Puts five documents again and again until it is killed, each time with other lines.
const store = await openSqliteStore(process.argv[2] ?? "");
for (let round = 0; ; round++) {
  const key = `${round % 5}.md`;
  const revision = String(round);
  const chunks = Array.from({ length: 20 }, (_, at) => {
    const text = `line ${at} of revision ${round}`;
    const children = [{ hash: text, text }];
    return { firstLine: at + 1, lastLine: at + 1, header: "", text, foreign: [], children };
  });
  const document = { key, scope: "main", kind: "notes", path: key, revision, hash: revision } as const;
  await store.put({ ...document, isStale: false }, chunks);
  process.send?.(round);
}
