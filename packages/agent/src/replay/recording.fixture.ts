import { DEFAULT_CELL_LIMITS } from "@deputy/codemode";
import type { CellId } from "@deputy/kit";
import type { Effort, Model, ModelEvent, Price } from "@deputy/model";
import { createRedactor } from "@deputy/secrets";
import type { BlobStore, EventData, JournalEntry, StoredEvent, StreamId } from "@deputy/protocol";
import { type Catalogue, createCatalogue, type ToolTree } from "@deputy/tools";
import { live, readAll, SECRET, setUpGate, sha256 } from "../agent.fixture.ts";
import { createCellRunner } from "../cell/cell-runner.ts";
import { programParts } from "../program-parts.fixture.ts";
import { type CompactionLimits, DEFAULT_COMPACTION_LIMITS } from "../compaction/compaction-limits.ts";
import type { PictureShelf } from "../pictures/picture-shelf.ts";
import type { Recall } from "../recall/recall.ts";
import type { Surroundings } from "../turn/facts.ts";
import type { AgentMode } from "../turn/offer.ts";
import { runProgramTurn } from "../turn/program-turn.ts";
import type { TurnBudget } from "../budget/turn-limits.ts";
import { type ChosenModel, createTurnRunner } from "../turn/turn-runner.ts";
import { replaySession } from "./replay-session.ts";
import { type ReplaySummary, summarize, type TurnReplay } from "./replay-report.ts";

export const say = (text: string): ModelEvent[] => [
  { kind: "text", text },
  { kind: "usage", usage: { inputTokens: 7, outputTokens: 3, cacheReadTokens: 2 } },
  { kind: "stop", reason: "end" },
];
export const program = (code: string, id = "p1"): ModelEvent[] => [
  { kind: "tool_call", id, name: "run_code", inputJson: JSON.stringify({ code }) },
  { kind: "usage", usage: { inputTokens: 10, outputTokens: 2 } },
  { kind: "stop", reason: "tool_calls" },
];

/** A log in memory with a real turn over it, and what it takes to run that turn again. */
export function setUpRecording(
  answers: readonly (readonly ModelEvent[] | Error)[],
  agent: {
    readonly mode?: AgentMode;
    readonly budget?: TurnBudget;
    readonly extra?: ToolTree;
    readonly compaction?: CompactionLimits;
    readonly recall?: Recall;
    readonly surroundings?: Surroundings;
    /** Instead of the answers. */
    readonly model?: Model;
    readonly effort?: Effort;
    /** What the user chose for the session. */
    readonly chosen?: ChosenModel;
    readonly blobs?: BlobStore;
    readonly pictures?: PictureShelf;
    readonly prices?: Readonly<Record<string, Price>>;
  } = {},
) {
  const { prices, effort } = agent;
  const base = setUpGate({
    ...(agent.extra !== undefined && { extra: agent.extra }),
    ...(prices !== undefined && { prices }),
    ...(agent.blobs !== undefined && { blobs: agent.blobs }),
  });
  const { log, keeper, catalogue, redactor, gate, clock, ids, stream, turnId } = base;
  const limits = DEFAULT_CELL_LIMITS;
  const parts = { ...programParts(), log, catalogue, gate, redactor, clock, ids, sha256, limits };
  const cells = createCellRunner(parts);
  const { mode = "code", budget = {} } = agent;
  let asked = 0;
  const model: Model = agent.model ?? {
    ref: { provider: "test", model: "script" },
    async *stream(_request, signal) {
      signal.throwIfAborted();
      const answer = answers[Math.min(asked++, answers.length - 1)] ?? [];
      if (answer instanceof Error) throw answer;
      yield* answer;
    },
  };
  const { compaction = DEFAULT_COMPACTION_LIMITS } = agent;
  const turnLimits = { modelCalls: 5, typecheckAttempts: 3, outputTokens: 1_000, budget, compaction };
  const profile = { model, mode, effort, limits: turnLimits, catalogue, cells, instructions: [] };
  const turns = createTurnRunner({
    keeper,
    profileOf: async () => profile,
    chosenOf: async () => agent.chosen ?? {},
    ...(prices !== undefined && { prices }),
    redactor,
    clock,
    ids,
    recall: agent.recall,
    surroundings: agent.surroundings,
    pictures: agent.pictures,
  });
  const turn = { stream, turnId, agentId: "main", sessionKey: "test" };

  const tell = async (text: string, attachments: EventData<"user.message">["attachments"] = []) => {
    const said = { text, attachments, channel: "test", sender: "me", trust: "user" as const };
    await log.append(stream, [{ type: "user.message", data: said }]);
  };
  const start = async (
    signal = live,
    id = turnId,
    attachments: EventData<"user.message">["attachments"] = [],
  ) => {
    if ((await log.head(stream)) === undefined)
      await log.append(stream, [
        { type: "session.started", data: { agentId: "main", key: "test", channel: "test" } },
      ]);
    await tell("Do it", attachments);
    return await turns.run({ ...turn, turnId: id }, signal);
  };
  const again = (signal = live) => turns.run(turn, signal);
  const exec = (code: string, signal = live) =>
    runProgramTurn({ keeper, cells, journal: log.journal }, { code, language: "typescript" }, turn, signal);
  /** Answers every approval as soon as it is asked for, until the work is over. */
  const answering = async <T>(work: Promise<T>, decide: (n: number) => boolean = () => true): Promise<T> => {
    const state = { isOver: false };
    void work.catch(() => undefined).finally(() => (state.isOver = true));
    for (let n = 0; !state.isOver; await new Promise((resolve) => setTimeout(resolve, 1))) {
      for (const { id } of await base.approvals.pending())
        await base.approvals.resolve(id, { decision: decide(n++) ? "approved" : "denied" }, "me");
    }
    return await work;
  };

  const replay = async (
    options: {
      readonly tools?: Catalogue;
      readonly typecheck?: true;
      readonly turn?: number;
      readonly stream?: StreamId;
      readonly cpuMs?: number;
      /** The log as an earlier version wrote it. */
      readonly asRead?: (event: StoredEvent) => StoredEvent;
    } = {},
  ): Promise<{ readonly turns: readonly TurnReplay[]; readonly summary: ReplaySummary }> => {
    const before = await readAll(log, stream);
    const replayed = await Array.fromAsync(
      replaySession(
        {
          log: { journal: log.journal, read: (of) => mapped(log.read(of), options.asRead) },
          sandbox: parts.sandbox,
          stripper: parts.stripper,
          sha256,
          clock,
          ids,
          limits: { ...limits, cpuMs: options.cpuMs ?? limits.cpuMs },
          catalogue: options.tools ?? catalogue,
          checker: options.typecheck === undefined ? undefined : parts.checker,
          agentOf: async () => ({ mode: "code", instructions: [] }),
          redactor: createRedactor([SECRET]),
        },
        options.stream ?? stream,
        { turn: options.turn },
        live,
      ),
    );
    if ((await readAll(log, stream)).length !== before.length) throw new Error("A replay wrote to the log");
    return { turns: replayed, summary: summarize(replayed) };
  };
  /** Changes what the journal has of a cell. */
  const tamper = async (
    cellId: CellId,
    change: (entries: readonly JournalEntry[]) => readonly JournalEntry[],
  ): Promise<void> => {
    const entries = await Array.fromAsync(log.journal.read(cellId));
    await log.journal.erase(cellId);
    await log.append(stream, [], { journal: [...change(entries)] });
  };
  const cellIds = async (): Promise<readonly CellId[]> =>
    (await readAll(log, stream))
      .filter(({ type }) => type === "cell.submitted")
      .map(({ data }) => (data as { cellId: CellId }).cellId);
  return { ...base, tell, start, again, exec, answering, replay, tamper, cellIds };
}

async function* mapped(
  events: AsyncIterable<StoredEvent>,
  change: (event: StoredEvent) => StoredEvent = (event) => event,
): AsyncIterable<StoredEvent> {
  for await (const event of events) yield change(event);
}

export const NO_TOOLS: Catalogue = createCatalogue([]);

/** Rewrites the JSON of an entry. */
export function rewrite(entry: JournalEntry, from: string, to: string): JournalEntry {
  const text = new TextDecoder().decode(entry.bytes);
  if (!text.includes(from)) throw new Error(`The entry has no ${from}`);
  return { ...entry, bytes: new TextEncoder().encode(text.replaceAll(from, to)) };
}

/** Of everything that was run again, what did not agree. */
export function disagreements(turns: readonly TurnReplay[]): readonly TurnReplay["outcome"][] {
  return turns
    .flatMap((turn) => [turn, ...turn.cells, ...turn.modelCalls])
    .flatMap(({ outcome }) => (outcome.kind === "agrees" ? [] : [outcome]));
}
