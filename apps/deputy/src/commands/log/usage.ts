import type { TurnUsage, UsageSum } from "@deputy/agent";
import { addUsage, NO_USAGE, readUsage } from "@deputy/agent/readers";
import { createSystemClock, makeVisible } from "@deputy/kit";
import { parseTime } from "../../audit/parse-time.ts";
import { readLog } from "../../decisions/read-log.ts";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import type { Invocation } from "../../invocation.ts";
import type { UsageGroup } from "../log-commands.ts";

export interface UsageOptions {
  readonly by: UsageGroup;
  readonly since?: string;
  readonly until?: string;
}

/** `deputy usage`: the use of models and its cost; works beside a running daemon. */
export async function showUsage(
  invocation: Invocation,
  { by, since, until }: UsageOptions,
): Promise<ExitCode> {
  const { output, signal } = invocation;
  const nowMs = createSystemClock().now();
  const sinceMs = since === undefined ? -Infinity : parseTime(since, nowMs);
  const untilMs = until === undefined ? Infinity : parseTime(until, nowMs);
  const groups = new Map<string, UsageSum>();
  let total = NO_USAGE;
  await readLog(invocation, undefined, async (log) => {
    for await (const turn of readUsage(log)) {
      signal.throwIfAborted();
      const atMs = Date.parse(turn.at);
      if (atMs < sinceMs || atMs >= untilMs) continue;
      groups.set(turn[by], addUsage(groups.get(turn[by]) ?? NO_USAGE, turn));
      total = addUsage(total, turn);
    }
  });
  if (total.turns > 0) output.result(HEAD);
  for (const [name, sum] of groups) {
    output.result(rowOf(name, sum));
    output.object({ type: "usage", [by satisfies keyof TurnUsage]: name, ...sum });
  }
  output.result(rowOf("total", total));
  output.object({ type: "total", ...total });
  if (total.unpriced > 0)
    output.note(
      `Turns without a known price: ${total.unpriced}. Set the price in \`prices\` of the settings.`,
    );
  return EXIT.done;
}

const NAME_CHARS = 30;
const COLUMN_CHARS = 12;
const HEAD = line("", ["turns", "requests", "input", "cached", "output", "cost"]);

function rowOf(name: string, sum: UsageSum): string {
  const cost = Object.entries(sum.cost).map(([currency, amount]) => `${amount.toFixed(4)} ${currency}`);
  const numbers = [
    sum.turns,
    sum.modelCalls,
    sum.inputTokens,
    sum.cacheReadTokens + sum.cacheWriteTokens,
    sum.outputTokens,
  ];
  return line(name, [...numbers.map(String), cost.join(" + ") || "-"]);
}

function line(name: string, columns: readonly string[]): string {
  return [makeVisible(name).padEnd(NAME_CHARS), ...columns.map((text) => text.padStart(COLUMN_CHARS))]
    .join(" ")
    .trimEnd();
}
