import { type CallId, type Clock, type IdSource, span } from "@deputy/kit";
import { canonicalJson, type Policy, type Redactor } from "@deputy/policy";
import type { ApprovalId, EventData, EventLog, NewEvent, Sha256 } from "@deputy/protocol";
import type { Catalogue, CatalogueTool } from "@deputy/tools";
import type { ApprovalDesk } from "./approval-desk.ts";
import { decidedEvent, previewOf, questionPreview, requestedEvent, settledEvent } from "./call-record.ts";
import type { CallRequest } from "./call-request.ts";
import { readCellJournal, settledEntry } from "./cell-journal.ts";
import type { GrantsView } from "./grants-view.ts";
import type { PriorCall } from "./prior-call.ts";
import { type CallInput, inputHashOf, readInput } from "./read-input.ts";
import { type CallEnd, denied, failed, type Receipt, unknownEnd } from "./receipt.ts";
import { runTool } from "./run-tool.ts";
import { stoppedBy } from "./stop-request.ts";
import { isSuspended, throwIfSuspended } from "./suspend-request.ts";

/** The only way a tool runs: call → policy → approval → run → receipt, each step an event. */
export interface Gate {
  /**
   * Rejects only when the log does, or with the `SuspendRequest` that stopped it: what the tool, the
   * policy and the user do is in the receipt. A call with a `prior` goes on from where that one was.
   */
  call(request: CallRequest, signal: AbortSignal): Promise<Receipt>;
}

export interface GateDeps {
  readonly log: EventLog;
  readonly catalogue: Catalogue;
  readonly policy: Policy;
  readonly approvals: ApprovalDesk;
  readonly grants: GrantsView;
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly sha256: Sha256;
}

/** A call on its way through. */
interface Passage {
  readonly callId: CallId;
  readonly request: CallRequest;
  readonly tool: CatalogueTool;
  readonly input: CallInput & { readonly kind: "ok" };
  readonly inputHash: string;
  readonly durability: "relaxed" | "full";
}

const STOPPED = "Stopped before it ran.";

export function createGate(deps: GateDeps): Gate {
  const { log, redactor } = deps;

  const call = async (request: CallRequest, signal: AbortSignal): Promise<Receipt> => {
    const { prior } = request;
    const callId = prior?.callId ?? deps.ids.next("call");
    const startedMs = deps.clock.monotonicMs();
    const tool = deps.catalogue.get(request.toolPath);
    const input = readInput(tool, request.inputJson);
    const inputHash = inputHashOf(deps.sha256, input);
    const durability = tool?.effect === "read" ? ("relaxed" as const) : ("full" as const);
    const opening =
      prior === undefined ? [requestedEvent(callId, request, redactor.json(input.json), inputHash)] : [];

    const end = async (outcome: CallEnd, before: readonly NewEvent[] = []): Promise<Receipt> => {
      // Taken together, right before the append: the journal has settlements in this order.
      const told = { atMs: deps.clock.now(), order: request.nextOrder() };
      const { toolPath, cellId, index } = request;
      const durationMs = deps.clock.monotonicMs() - startedMs;
      const common = { callId, toolPath, input: input.json, durationMs, ...outcome };
      const receipt: Receipt = { ...common, ...told };
      const askedJson = JSON.stringify(input.json) === request.inputJson ? undefined : request.inputJson;
      const journal = [settledEntry(cellId, { ...common, index, inputHash, askedJson, atMs: told.atMs })];
      const settled = settledEvent(receipt, request, redactor);
      await log.append(request.stream, [...before, settled], { durability, journal });
      return receipt;
    };

    /** A call that can no longer be made; one that was running may have happened all the same. */
    const refuse = async (code: "unknown_tool" | "invalid_input", message: string): Promise<Receipt> => {
      if (prior !== undefined) await withdraw(prior, message);
      const wasRunning = prior !== undefined && prior.stage.kind !== "asked";
      return await end(wasRunning ? unknownEnd(message) : failed(code, message), opening);
    };

    if (tool === undefined) return await refuse("unknown_tool", `There is no tool ${request.toolPath}.`);
    if (input.kind === "invalid") return await refuse("invalid_input", input.message);
    const passage: Passage = { callId, request, tool, input, inputHash, durability };
    const outcome =
      prior === undefined ? await decide(passage, opening, signal) : await goOn(passage, prior.stage, signal);
    return await end(outcome, opening);
  };

  /** Nobody needs to answer any more what was asked about it. */
  const withdraw = async ({ callId, stage }: PriorCall, reason: string): Promise<void> => {
    if (stage.kind === "started") return;
    const approvalId = stage.kind === "asked" ? callId : stage.approvalId;
    await deps.approvals.resolve(approvalId, { decision: "denied", reason }, "deputy");
  };

  /** What becomes of a new call. Leaves in `opening` what is yet to be appended. */
  const decide = async (passage: Passage, opening: NewEvent[], signal: AbortSignal): Promise<CallEnd> => {
    const { callId, request, tool, input, inputHash } = passage;
    const { labels, stream } = request;
    const grants = await deps.grants.of(stream);
    const nowMs = deps.clock.now();
    const decision = deps.policy.decide({ tool, input: input.json, inputHash, labels, grants, nowMs });
    opening.push(decidedEvent(callId, request, decision));
    if (decision.decision === "deny") return denied(decision.reasons.join(" "));
    if (decision.decision === "ask") {
      await ask(passage, opening.splice(0));
      const refusal = await waitForApproval(passage, signal);
      if (refusal !== undefined) return refusal;
    }
    throwIfSuspended(signal);
    if (signal.aborted) return denied(STOPPED);
    return await run(passage, opening.splice(0), signal);
  };

  /** What becomes of a call that an earlier process had begun. */
  const goOn = async (
    passage: Passage,
    stage: NonNullable<CallRequest["prior"]>["stage"],
    signal: AbortSignal,
  ): Promise<CallEnd> => {
    if (stage.kind === "asked") {
      const refusal = await waitForApproval(passage, signal);
      if (refusal !== undefined) return refusal;
      throwIfSuspended(signal);
      return signal.aborted ? denied(STOPPED) : await run(passage, [], signal);
    }
    // Repeated under the same key it has no second effect.
    if (stage.kind === "started" && passage.tool.idempotent) return await run(passage, [], signal);
    const approvalId = stage.kind === "questioned" ? stage.approvalId : await question(passage);
    const answer = await waitFor(passage, approvalId, signal);
    if (answer === undefined)
      return unknownEnd("It was running when Deputy stopped, and then it was given up.");
    if (answer.decision === "approved") return await run(passage, [], signal);
    if (answer.result !== undefined)
      return { status: "succeeded", resultJson: await givenResult(passage, approvalId, answer.result.value) };
    return unknownEnd(answer.reason ?? "It was running when Deputy stopped; its outcome is unknown.");
  };

  /** What the user said it gave: whole in the journal, redacted in the answer's event. */
  const givenResult = async (
    { request }: Passage,
    approvalId: ApprovalId,
    redacted: unknown,
  ): Promise<string> => {
    const { answers } = await readCellJournal(log.journal.read(request.cellId));
    return answers.get(approvalId) ?? JSON.stringify(redacted ?? null);
  };

  const run = async (
    passage: Passage,
    opening: readonly NewEvent[],
    signal: AbortSignal,
  ): Promise<CallEnd> => {
    const { callId, request, tool, input, durability } = passage;
    throwIfSuspended(signal);
    const data = { callId, toolPath: request.toolPath, idempotencyKey: callId };
    const started: NewEvent = { type: "call.started", turnId: request.turnId, data };
    await log.append(request.stream, [...opening, started], { durability });
    // Stopped at the last moment. A shutdown is no reason: not run now, it would have to be asked about.
    if (signal.aborted && !isSuspended(signal)) return denied(STOPPED);
    return await runTool(deps.clock, tool, input.value, contextOf(passage, signal));
  };

  const ask = async (passage: Passage, opening: readonly NewEvent[]): Promise<void> => {
    const { callId, request, tool, input } = passage;
    const data = {
      approvalId: callId,
      ...askedOf(passage),
      preview: redactor.json(previewOf(tool, input.value)),
    };
    const asked: NewEvent = { type: "approval.requested", turnId: request.turnId, data };
    await log.append(request.stream, [...opening, asked]);
  };

  /** Asks what became of a call that was running when Deputy stopped. */
  const question = async (passage: Passage): Promise<ApprovalId> => {
    const { callId, request, tool, input } = passage;
    const approvalId = deps.ids.next("call");
    const preview = redactor.json(questionPreview(previewOf(tool, input.value)));
    const data = { approvalId, ...askedOf(passage), preview, unknownCall: callId, cellId: request.cellId };
    await log.append(request.stream, [{ type: "approval.requested", turnId: request.turnId, data }]);
    return approvalId;
  };

  const askedOf = ({ request, input, inputHash }: Passage) => ({
    toolPath: request.toolPath,
    input: redactor.json(input.json),
    bindingHash: deps.sha256(
      canonicalJson({ program: request.programHash, tool: request.toolPath, input: inputHash }),
    ),
  });

  /** Undefined when the user said yes. */
  const waitForApproval = async (passage: Passage, signal: AbortSignal): Promise<CallEnd | undefined> => {
    const answer = await waitFor(passage, passage.callId, signal);
    if (answer === undefined) return denied(STOPPED);
    return answer.decision === "approved" ? undefined : denied(answer.reason ?? "The user said no.");
  };

  /** As long as it takes; an abort is a denial, and recorded as the answer: undefined then. */
  const waitFor = async (
    { request }: Passage,
    approvalId: ApprovalId,
    signal: AbortSignal,
  ): Promise<EventData<"approval.resolved"> | undefined> => {
    request.setWaiting(true);
    try {
      return await deps.approvals.wait(approvalId, signal);
    } catch (error) {
      throwIfSuspended(signal);
      if (!signal.aborted) throw error;
      await deps.approvals.resolve(approvalId, { decision: "denied", reason: STOPPED }, stoppedBy(signal));
      return undefined;
    } finally {
      request.setWaiting(false);
    }
  };

  const contextOf = ({ callId, request }: Passage, signal: AbortSignal) => ({
    signal,
    idempotencyKey: callId,
    sessionKey: request.sessionKey,
    log: request.log,
    progress: (message: string): void => {
      const data = { callId, toolPath: request.toolPath, message: redactor.text(message) };
      const event: NewEvent = { type: "call.progress", turnId: request.turnId, data };
      // Progress is a courtesy: a log that fails says so where it matters.
      log.append(request.stream, [event], { durability: "relaxed" }).catch(() => undefined);
    },
  });

  return {
    call: (request, signal) => span("gate.call", { tool: request.toolPath }, () => call(request, signal)),
  };
}
