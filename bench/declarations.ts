import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type DeclaredTool, emitDeclarations, type JsonSchema } from "@deputy/codemode";
import { reportLimit } from "./report.ts";
import { sized } from "./sized.ts";

const TOOLS = sized(2_000, 50);
const RUNS = sized(7, 1);
const LIMIT_MS = 150;

/**
 * Declarations of 2,000 tools in fresh processes: the cost of a start. The fastest run counts, because other
 * work on the machine only slows it down.
 */
export async function benchDeclarations(): Promise<void> {
  const file = fileURLToPath(import.meta.url);
  const measure = (): number => Number(execFileSync(process.execPath, [file], { encoding: "utf8" }));
  const fastest = Math.min(...Array.from({ length: RUNS }, measure));
  reportLimit(`declarations of ${TOOLS} tools, first time`, fastest, "ms CPU", LIMIT_MS);
}

/** What an OpenAPI operation looks like: scalars, an enum, a list, a filter; one in four names its records. */
function operation(n: number): DeclaredTool {
  const record: JsonSchema = {
    type: "object",
    properties: {
      id: { type: "integer" },
      title: { type: "string", description: "As its author wrote it" },
      state: { enum: ["open", "closed"] },
    },
    required: ["id", "title"],
  };
  const isNamed = n % 4 === 0;
  const items = { type: "array", items: isNamed ? { $ref: "#/$defs/Record" } : record };
  return {
    path: `service${n % 40}.operation${n}`,
    description: `Operation ${n} on records.\nUse it to find what somebody asked for.`,
    inputSchema: {
      type: "object",
      properties: {
        owner: { type: "string", description: "Whose records" },
        limit: { type: "integer", description: "At most 100", maximum: 100 },
        order: { type: "string", enum: ["asc", "desc"] },
        ids: { type: "array", items: { type: "integer" } },
        filter: { type: "object", properties: { since: { type: "string" }, text: { type: "string" } } },
      },
      required: ["owner"],
    },
    outputSchema: {
      type: "object",
      properties: { items, next: { type: ["string", "null"] } },
      required: ["items"],
      ...(isNamed ? { $defs: { Record: record } } : {}),
    },
  };
}

if (import.meta.main) {
  const tools = Array.from({ length: TOOLS }, (_, n) => operation(n));
  const before = process.cpuUsage();
  emitDeclarations(tools);
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(String((user + system) / 1_000));
}
