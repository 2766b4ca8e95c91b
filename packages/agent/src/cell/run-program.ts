import type { BridgeCall, CellFailure, CellLimits, Sandbox } from "@deputy/codemode";
import { type CellId, type Clock, type IdSource, openTaskGroup } from "@deputy/kit";
import type { Origins } from "@deputy/policy";
import { asksForOrigins } from "@deputy/policy/asks-for-origins";
import { canonicalJson } from "@deputy/policy/canonical-json";
import type { EventLog, Label, Sha256 } from "@deputy/protocol";
import type { Catalogue, CatalogueTool } from "@deputy/tools";
import type { Question } from "../approvals/approval-question.ts";
import { imageEntry, type JournalledSettlement, settlementOf } from "./cell-journal.ts";
import type { CellRequest } from "./cell-report.ts";
import { seedOf } from "./draft-cell.ts";
import type { Gate } from "../gate/gate.ts";
import { callFingerprint, type OpenCell, toCellRecord } from "./open-cell.ts";
import { createCellPlans, PLAN_LIMITS } from "../plan/cell-plans.ts";
import type { Markers } from "../plan/markers.ts";
import type { Ahead } from "../plan/run-ahead.ts";
import { inputHashOf, readInput } from "../gate/read-input.ts";
import type { Receipt } from "../gate/receipt.ts";
import type { SessionOrigins, SessionOriginsReader } from "../origins/session-origins.ts";

export interface ProgramDeps {
  readonly log: EventLog;
  readonly sandbox: Sandbox;
  readonly gate: Gate;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly sha256: Sha256;
  readonly limits: CellLimits;
  readonly origins: SessionOriginsReader;
  /** Gathers a cell's questions into plans. Default `on`. */
  readonly plans?: "on" | "off" | undefined;
}

export interface ProgramRun extends CellRequest {
  readonly cellId: CellId;
  /** JavaScript, types stripped. */
  readonly script: string;
  readonly programHash: string;
  /** The time at which the cell's clock starts. */
  readonly startedAtMs: number;
  /** State of the cell that an earlier process left. */
  readonly open?: OpenCell | undefined;
}

/** A line that a tool has written into the log of its program. */
interface ToolLog {
  readonly source: string;
  readonly message: string;
}

interface ProgramEnd {
  readonly failure: CellFailure | undefined;
  readonly resultJson: string | undefined;
  readonly logs: readonly string[];
  readonly logSources: readonly string[];
  /** In the order the calls were made, those of an earlier process included. */
  readonly receipts: readonly Receipt[];
}

/** A larger image is not kept: running the program again from the journal does as well. */
const LARGEST_IMAGE_BYTES = 4 * 1024 * 1024;

/**
 * Runs a checked program, or continues one, and passes each of its calls through the gate. No call is still running
 * when it ends. While all of its calls wait for the user, the program sleeps, and its image is in the journal.
 * Rejects when the gate does.
 */
export async function runProgram(
  deps: ProgramDeps,
  program: ProgramRun,
  signal: AbortSignal,
): Promise<ProgramEnd> {
  const { stream, turnId, cellId, open } = program;
  const receipts = new Map(
    open?.journal.settled.map((entry, order) => [entry.index + 1, toReceipt(entry, order)]),
  );
  const toolLogs: ToolLog[] = [];
  let session: Promise<SessionOrigins> | undefined;
  /** Where the session's values came from so far. A program without calls does not need it. */
  const whatWasTold = (): Promise<SessionOrigins> =>
    (session ??= deps.origins.of(stream, deps.catalogue, program.shown ?? []));
  const settleInOrder = createInOrder(open?.journal.settled.length ?? 0);
  let failure: { readonly error: unknown } | undefined;
  let loggedChars = 0;
  let told = open?.journal.settled.length ?? 0;
  /** The highest id among its calls. */
  let made = Math.max(0, ...receipts.keys());
  let orders = told;
  /** How many settlements the last image contains. Until the cell gets another one, a new image would be the same. */
  let kept = open?.journal.image?.after;
  const noteLog = (source: string, message: string): void => {
    loggedChars += message.length;
    if (loggedChars <= deps.limits.maxLogBytes) toolLogs.push({ source, message });
  };
  await using calls = openTaskGroup(signal);

  /** Once all calls wait for the user: what is held back is asked, then the cell sleeps. */
  const settleDown = async (): Promise<void> => {
    await cell.quiet();
    if (!waiting.isAll()) return;
    await plans?.flush();
    await sleep();
  };

  /** The image only saves time. So nothing waits for it, and a failing log is reported where it matters. */
  const sleep = async (): Promise<void> => {
    await cell.quiet();
    const after = told;
    if (!waiting.isAll()) return;
    const bytes = await cell.hibernate();
    if (bytes === undefined || bytes.length > LARGEST_IMAGE_BYTES || after !== told || after === kept) return;
    kept = after;
    const data = { cellId, why: "for an answer", checkpoint: "journal" };
    await deps.log
      .append(stream, [{ type: "cell.suspended", turnId, data }], {
        durability: "relaxed",
        journal: [imageEntry(cellId, { after, bytes })],
      })
      .catch(() => undefined);
  };
  const waiting = createWaitingCount(() => void settleDown(), program.onWaiting);

  const lookAhead = async (markers: Markers, asked: readonly Question[]): Promise<Ahead> => {
    await cell.quiet();
    const image = await cell.hibernate();
    if (image === undefined || image.length > PLAN_LIMITS.imageBytes) return NOTHING_AHEAD;
    const { origins, ready } = await whatWasTold();
    await ready();
    const fork = {
      spec,
      image,
      made,
      programHash: program.programHash,
      labels: labelsOf(origins),
      origins,
      asked,
      foresee: await deps.gate.foresee(program),
      recorded: recordedReads(deps, receipts.values()),
      takePlanned: plans?.copyListed() ?? (() => false),
      markers,
      nextCallId: () => deps.ids.next("call"),
    };
    const { runAhead } = await import("../plan/run-ahead.ts");
    return await runAhead(deps, fork, calls.signal);
  };
  // A single call that a model asked for has no later calls to plan.
  const plans =
    deps.plans === "off" || program.call !== undefined
      ? undefined
      : createCellPlans(deps, { ...program, listed: open?.listed ?? [], lookAhead });

  /** What is called by an alias is known by its own path from here on. */
  const pathOf = ({ path }: BridgeCall): string => deps.catalogue.aliases[path] ?? path;
  const pass = async (call: BridgeCall, callSignal: AbortSignal): Promise<void> => {
    const { path, inputJson } = call;
    const toolPath = pathOf(call);
    const index = call.id - 1;
    const place = waiting.add();
    try {
      const { origins, note, ready, isFull } = await whatWasTold();
      if (isFull() || (await isJudged(deps.catalogue.get(toolPath), inputJson))) await ready();
      const request = {
        ...program,
        index,
        toolPath,
        ...(path === toolPath ? {} : { calledAs: path }),
        inputJson,
        labels: labelsOf(origins),
        origins,
        log: (message: string) => noteLog(toolPath, message),
        nextOrder: () => orders++,
        setWaiting: place.setWaiting,
        plans,
        prior: open?.prior.get(index),
      };
      const receipt = await deps.gate.call(request, callSignal);
      receipts.set(call.id, receipt);
      note(receipt);
      settleInOrder(receipt.order, () => {
        told += 1;
        cell.settle(call.id, settlementOf(receipt, receipt.atMs));
      });
    } catch (error) {
      failure ??= { error };
      throw error; // Ends the cell; reported once its other calls have settled.
    } finally {
      place.remove();
    }
  };

  const spec = {
    code: program.script,
    toolPaths: [...deps.catalogue.list().map((tool) => tool.path), ...Object.keys(deps.catalogue.aliases)],
    limits: { ...deps.limits, maxCalls: Math.min(deps.limits.maxCalls, program.maxCalls ?? Infinity) },
    startedAtMs: program.startedAtMs,
    seed: seedOf(deps.sha256, cellId),
    onCall: (call: BridgeCall) => {
      made = Math.max(made, call.id);
      if (!calls.signal.aborted) calls.spawn((callSignal) => pass(call, callSignal));
    },
  };
  const fingerprint = async (call: BridgeCall): Promise<string> => {
    const path = pathOf(call);
    const input = await readInput(deps.catalogue.get(path), call.inputJson);
    return callFingerprint(path, inputHashOf(deps.sha256, input));
  };
  const resumed = open && {
    record: toCellRecord(open),
    ...(await import("@deputy/codemode/resume-cell")),
  };
  const cell =
    resumed === undefined
      ? deps.sandbox.start(spec, calls.signal)
      : resumed.resumeCell(deps.sandbox, spec, resumed.record, fingerprint, calls.signal);
  const outcome = await cell.outcome;
  // The program of these calls is gone: they are aborted, then they settle in the log.
  await calls[Symbol.asyncDispose]();
  if (failure !== undefined) throw failure.error;

  const ended = {
    logs: [...outcome.logs, ...toolLogs.map(({ message }) => message)],
    logSources: toolLogs.map(({ source }) => source),
    receipts: [...receipts.entries()].sort(([a], [b]) => a - b).map(([, receipt]) => receipt),
  };
  if (outcome.kind === "failed") return { ...ended, failure: outcome.failure, resultJson: undefined };
  return { ...ended, failure: undefined, resultJson: outcome.resultJson };
}

/** Whether a call of this tool may be judged by where its values come from: those that its schema adds count, too. */
async function isJudged(tool: CatalogueTool | undefined, inputJson: string): Promise<boolean> {
  if (tool === undefined) return false;
  if (tool.termsOf !== undefined || asksForOrigins(tool, inputJson)) return true;
  return asksForOrigins(tool, JSON.stringify((await readInput(tool, inputJson)).json));
}

function labelsOf(origins: Origins): readonly Label[] {
  return origins.untrusted.map((source) => ({ trust: "untrusted", source }));
}

const NOTHING_AHEAD: Ahead = { calls: [], unforeseen: 0 };

/** Results of this program's reads, for a fork that makes the same reads. */
function recordedReads(
  deps: Pick<ProgramDeps, "catalogue" | "sha256">,
  receipts: Iterable<Receipt>,
): (toolPath: string, inputHash: string) => string | undefined {
  const results = new Map<string, string>();
  for (const { toolPath, input, resultJson } of receipts) {
    if (resultJson === undefined || deps.catalogue.get(toolPath)?.effect !== "read") continue;
    results.set(callFingerprint(toolPath, deps.sha256(canonicalJson(input))), resultJson);
  }
  return (toolPath, inputHash) => results.get(callFingerprint(toolPath, inputHash));
}

/** The receipt of a call, made from its journal entry. */
export function toReceipt(entry: JournalledSettlement, order: number): Receipt {
  const { callId, toolPath, input, askedJson, status, durationMs, atMs, resultJson, error, isToolError } =
    entry;
  return {
    callId,
    toolPath,
    input,
    status,
    durationMs,
    atMs,
    order,
    ...(askedJson === undefined ? {} : { askedJson }),
    ...(resultJson === undefined ? {} : { resultJson }),
    ...(error === undefined ? {} : { error }),
    ...(isToolError === undefined ? {} : { isToolError }),
  };
}

/** Passes things on in the order of their numbers, from `first`, each as soon as those before it were passed on. */
function createInOrder(first: number): (order: number, pass: () => void) => void {
  const early = new Map<number, () => void>();
  let next = first;
  return (order, pass) => {
    early.set(order, pass);
    for (let due = early.get(next); due !== undefined; due = early.get(next)) {
      early.delete(next);
      next += 1;
      due();
    }
  };
}

/** Knows when everything there is waits. */
interface WaitingCount {
  add(): { setWaiting(isWaiting: boolean): void; remove(): void };
  /** True when there is at least one, and all of them wait. */
  isAll(): boolean;
}

/**
 * `onAllWaiting` is called a moment after the last one that did not wait begins to, or goes; once for many.
 * `onChange` at once whenever it comes to be so, and when it no longer is.
 */
function createWaitingCount(
  onAllWaiting: () => void,
  onChange: (isAll: boolean) => void = () => undefined,
): WaitingCount {
  let all = 0;
  let waiting = 0;
  let isDue = false;
  let wasAll = false;
  const isAll = (): boolean => all > 0 && waiting === all;
  const look = (): void => {
    if (isAll() !== wasAll) {
      wasAll = !wasAll;
      onChange(wasAll);
    }
    if (isDue || !isAll()) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      if (isAll()) onAllWaiting();
    });
  };
  return {
    isAll,
    add() {
      all += 1;
      look();
      let isWaiting = false;
      const setWaiting = (now: boolean): void => {
        if (now === isWaiting) return;
        isWaiting = now;
        waiting += now ? 1 : -1;
        look();
      };
      return {
        setWaiting,
        remove() {
          setWaiting(false);
          all -= 1;
          look();
        },
      };
    },
  };
}
