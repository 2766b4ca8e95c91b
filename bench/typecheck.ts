import { readdirSync, readFileSync } from "node:fs";
import { emitDeclarations, type TypeChecker } from "@deputy/codemode";
import { createNodeTypeChecker } from "@deputy/codemode/node";
import { reportLimit } from "./report.ts";
import { sized } from "./sized.ts";

const TOOLS = sized(2_000, 50);
const ROUNDS = sized(300, 3);
const CATALOGUES = 4;
const COLD_STARTS = sized(5, 1);
const signal = new AbortController().signal;

/** Typechecking a cell against 2,000 tools: warm, with a mistake, among several catalogues, and from nothing. */
export async function benchTypecheck(): Promise<void> {
  const [declarations = "", ...others] = Array.from({ length: CATALOGUES }, (_, n) => catalogue(n));
  console.log(
    `Typecheck against ${TOOLS} tools (${Math.round(declarations.length / 1024)} KB of declarations):`,
  );

  const cold: number[] = [];
  for (let n = 0; n < COLD_STARTS; n++) {
    await using fresh = createNodeTypeChecker();
    cold.push(await timeMs(fresh, "return 1;", declarations));
  }
  reportLimit("cold start, p50", percentile(cold, 0.5), "ms", 1_000);

  await using checker = createNodeTypeChecker();
  for (const one of [declarations, ...others])
    await checker.check({ code: "return 1;", declarations: one }, signal);
  await reportChecks(checker, "warm", () => declarations, rightCell);
  await reportChecks(
    checker,
    "warm, catalogues in turn",
    (n) => [declarations, ...others][n % CATALOGUES] ?? "",
    rightCell,
  );
  await checker.check({ code: wrongCell(1), declarations }, signal);
  await reportChecks(checker, "warm, with a mistake explained", () => declarations, wrongCell);
  reportLimit(`memory with ${CATALOGUES} catalogues`, childrenBytes() / 2 ** 20, "MB", 384);
}

async function reportChecks(
  checker: TypeChecker,
  what: string,
  declarationsFor: (n: number) => string,
  cell: (n: number) => string,
): Promise<void> {
  const times: number[] = [];
  for (let n = 0; n < ROUNDS; n++) times.push(await timeMs(checker, cell(n), declarationsFor(n)));
  reportLimit(`${what}, p50`, percentile(times, 0.5), "ms", 15);
  reportLimit(`${what}, p95`, percentile(times, 0.95), "ms", 40);
}

async function timeMs(checker: TypeChecker, code: string, declarations: string): Promise<number> {
  const startedMs = performance.now();
  await checker.check({ code, declarations }, signal);
  return performance.now() - startedMs;
}

const toolAt = (n: number): string => `tools.service${n % 40}.tool${n}`;

function rightCell(round: number): string {
  return `const page = await ${toolAt((round * 37) % TOOLS)}({ id: ${round}, state: "open" });
const names = page.items.filter((item) => item.id > ${round}).map((item) => item.name.toUpperCase());
for (const name of names) console.log(name);
return { count: names.length, first: page.items[0]?.id };`;
}

function wrongCell(round: number): string {
  return `const page = await ${toolAt((round * 37) % TOOLS)}({ id: "${round}", sate: "open" });
return page.item.map((one) => one.name);`;
}

function catalogue(seed: number): string {
  const text = { type: "string" } as const;
  const item = {
    type: "object",
    properties: { id: { type: "integer" }, name: text },
    required: ["id", "name"],
  };
  return emitDeclarations(
    Array.from({ length: TOOLS }, (_, n) => ({
      path: toolAt(n).slice("tools.".length),
      description: `Does thing ${n} of catalogue ${seed}, as its documentation says`,
      inputSchema: {
        type: "object",
        properties: {
          id: { type: "integer" },
          state: { enum: ["open", "closed", `other${n}`] },
          title: { ...text, description: "What it is called" },
          tags: { type: "array", items: text },
          filter: { type: "object", properties: { from: text, to: text } },
        },
        required: ["id"],
      },
      outputSchema: {
        type: "object",
        properties: { id: { type: "integer" }, items: { type: "array", items: item } },
        required: ["id", "items"],
      },
    })),
  );
}

function percentile(times: readonly number[], part: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * part)] ?? 0;
}

/** What the processes started by this one hold in memory. */
function childrenBytes(): number {
  const children = readdirSync("/proc/self/task").flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, "utf8").split(" "),
  );
  return children
    .filter((pid) => pid.trim() !== "")
    .map((pid) => Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * 4096)
    .reduce((sum, bytes) => sum + bytes, 0);
}
