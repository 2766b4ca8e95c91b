import { makeVisible } from "@deputy/kit";
import {
  type MemoryChanges,
  memoryChangesSchema,
  type MemoryForget,
  memoryForgetSchema,
  type MemoryForgotten,
  memoryForgottenSchema,
  type MemoryUndone,
  memoryUndoneSchema,
} from "@deputy/protocol/wire";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { localMinute } from "@deputy/protocol/schedule";
import { AppError } from "../../app-error.ts";
import { attach } from "../../chat/attach.ts";
import { endOnFailure } from "../../process/report-failure.ts";
import { openEngine } from "../../engine.ts";
import { openHome } from "../../home.ts";
import type { Invocation } from "../../invocation.ts";
import { describeForget } from "../../memory/describe-memory.ts";

const LISTED = 20;

/** What a command changes of the memory: in the running daemon when there is one, else in the home itself. */
interface MemoryChanger extends AsyncDisposable {
  changes(limit: number): Promise<MemoryChanges>;
  undo(changeId: string): Promise<MemoryUndone>;
  forget(request: MemoryForget): Promise<MemoryForgotten>;
}

async function openChanger(invocation: Invocation): Promise<MemoryChanger> {
  const { env, signal, warn, onBug } = invocation;
  const home = openHome(invocation.homeDirectory, warn);
  const daemon = await attach(home, env);
  if (daemon !== undefined) {
    const { ask } = daemon.client;
    return {
      changes: (limit) => ask(`/api/memory/changes?limit=${limit}`, memoryChangesSchema, undefined, signal),
      undo: (changeId) => ask("/api/memory/undo", memoryUndoneSchema, { changeId }, signal),
      forget: (request) => ask("/api/memory/forget", memoryForgottenSchema, request, signal),
      [Symbol.asyncDispose]: async () => undefined,
    };
  }
  const engine = await openEngine({
    home,
    env,
    plugins: [],
    secrets: [],
    signal,
    onBug,
    warn,
    onFailed: endOnFailure(warn),
  });
  const { memory } = engine;
  if (memory === undefined) {
    await engine[Symbol.asyncDispose]();
    throw new AppError("not_available", "Memory is switched off", {
      hint: "`deputy config set memory.enabled true` switches it on.",
    });
  }
  return {
    changes: (limit) => memory.changes({ limit }),
    undo: (changeId) => memory.undo({ changeId }, "owner", signal),
    forget: (request) => memory.forget(request, "owner", signal),
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}

/** `deputy memory changes` */
export async function listChanges(
  invocation: Invocation,
  options: { readonly limit?: number },
): Promise<ExitCode> {
  const { output } = invocation;
  await using memory = await openChanger(invocation);
  const { changes } = await memory.changes(Math.min(options.limit ?? LISTED, 100));
  for (const [at, change] of changes.entries()) {
    const { changeId, path, by, edit, undoneBy, toldBy } = change;
    const state = undoneBy === undefined ? "" : "  (taken back)";
    output.result(`${at + 1}. ${makeVisible(path)}, ${localMinute(change.at)}, ${makeVisible(by)}${state}`);
    for (const line of edit.removed) output.result(`   - ${makeVisible(line)}`);
    for (const line of edit.added) output.result(`   + ${makeVisible(line)}`);
    if (toldBy.length > 0) output.result(`   Told by: ${makeVisible(toldBy.join("; "))}`);
    output.result(`   ${changeId}`);
    output.object(change);
  }
  if (changes.length === 0) output.note("Nothing was written yet.");
  return EXIT.done;
}

const OUTCOMES: Readonly<Record<Exclude<MemoryUndone["outcome"], "undone">, string>> = {
  unknown: "There is no such change, or it was never made",
  already: "It was taken back before",
  changed_since: "The lines are not as the change left them, so nothing was done",
};

/** `deputy memory undo CHANGE`: by its id, or by its number in the list. */
export async function undoChange(invocation: Invocation, name: string): Promise<ExitCode> {
  await using memory = await openChanger(invocation);
  const id = /^\d{1,3}$/.test(name)
    ? (await memory.changes(Math.min(Number(name), 100))).changes[Number(name) - 1]?.changeId
    : name;
  const { outcome } = await memory.undo(id ?? name);
  if (outcome !== "undone")
    throw new AppError("not_found", OUTCOMES[outcome], { hint: "`deputy memory changes` lists them." });
  invocation.output.result("Taken back.");
  invocation.output.object({ changeId: id, outcome });
  return EXIT.done;
}

/** `deputy memory forget`: says what would be removed; with `--yes`, removes it. */
export async function forgetMemory(
  invocation: Invocation,
  options: {
    readonly text?: string;
    readonly person?: string;
    readonly source?: string;
    readonly since?: string;
    readonly until?: string;
    readonly agent?: string;
    readonly yes?: true;
  },
): Promise<ExitCode> {
  const { output } = invocation;
  const { since, until, yes, ...wish } = options;
  const request = memoryForgetSchema.safeParse({
    ...wish,
    ...(since === undefined ? {} : { since: readTime(since) }),
    ...(until === undefined ? {} : { until: readTime(until) }),
    dryRun: yes !== true,
  });
  if (!request.success || [...Object.values(wish), since, until].every((one) => one === undefined))
    throw new AppError("usage", "Say what to forget: --text, --person, --source, --since or --until");
  await using memory = await openChanger(invocation);
  const report = await memory.forget(request.data);
  for (const line of describeForget(report, yes === true ? "did" : "would")) output.result(makeVisible(line));
  if (yes !== true) output.note("Nothing is removed yet: add --yes to forget it for good.");
  output.object({ type: "forgotten", dryRun: yes !== true, ...report });
  return EXIT.done;
}

function readTime(text: string): string {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new AppError("usage", `“${makeVisible(text)}” is not a time`);
  return new Date(ms).toISOString();
}
