import { createToolSearch } from "@deputy/search";
import { createCatalogue, defineTool, type ToolTree } from "@deputy/tools";
import { z } from "zod";
import { reportLimit } from "./report.ts";
import { sized } from "./sized.ts";

const TOOLS = sized(10_000, 200);
const QUERY_LIMIT_MS = 20;
const ROUNDS = sized(50, 6);
const NOUNS = ["issue", "invoice", "message", "channel", "user", "file", "event", "card", "order", "report"];
const VERBS = ["list", "create", "update", "delete", "archive", "share", "search", "export"];
const QUERIES = [
  "close the stale issues of a project",
  "who can see this file",
  "send 20 invoices to users",
  "zzz",
];

/** A search over many tools: the first, which builds the index, and those after it. */
export async function benchToolSearch(): Promise<void> {
  const { search } = createToolSearch(createCatalogue([{ source: "bench", tree: inventTools() }]).list());
  const cold = time(() => search("list issues", 10));
  console.log(`${`index of ${TOOLS} tools`.padEnd(48)} ${cold.toFixed(0)} ms with the first search`);
  const times = Array.from({ length: ROUNDS }, (_, at) =>
    time(() => search(QUERIES[at % QUERIES.length] ?? "", 10)),
  ).toSorted((a, b) => a - b);
  const median = times[Math.floor(ROUNDS / 2)] ?? Number.NaN;
  reportLimit(`search over ${TOOLS} tools, median`, median, "ms", QUERY_LIMIT_MS);
}

function time(act: () => unknown): number {
  const start = performance.now();
  act();
  return performance.now() - start;
}

function inventTools(): ToolTree {
  const tree: Record<string, Record<string, ReturnType<typeof defineTool>>> = {};
  for (let n = 0; n < TOOLS; n++) {
    const [noun = "", verb = ""] = [NOUNS[n % NOUNS.length], VERBS[n % VERBS.length]];
    const service = (tree[`service${n % 97}`] ??= {});
    service[`${verb}${noun}${n}`] = defineTool({
      description: `${verb} one ${noun} of the ${NOUNS[(n >> 4) % NOUNS.length]} of a project, number ${n}`,
      approval: "auto",
      args: z.object({ owner: z.string().describe("Whose it is"), limit: z.int().optional() }),
      run: () => n,
    });
  }
  return tree;
}
