import { type CallId, type Clock, type IdSource, span } from "@deputy/kit";
import type { Grant, Policy, PolicyDecision, Redactor } from "@deputy/policy";
import type { ApprovalId, EventData, EventLog, NewEvent, Sha256, StreamId } from "@deputy/protocol";
import type { Catalogue, CatalogueTool } from "@deputy/tools";
import { type Asked, isAbout } from "./approval-binding.ts";
import type { ApprovalDesk } from "./approval-desk.ts";
import { questionPreview } from "./approval-preview.ts";
import { type CallToAsk, createPutQuestion } from "./approval-question.ts";
import { decidedEvent, requestedEvent, settledEvent } from "./call-record.ts";
import type { CallRequest } from "./call-request.ts";
import { readCellJournal, settledEntry } from "./cell-journal.ts";
import type { GrantsView } from "./grants-view.ts";
import type { ForeseenCall } from "./plan/cell-plans.ts";
import type { Foresee } from "./plan/foresight.ts";
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
  /** What it would say to calls of a session as things stand now. Nothing comes of asking. */
  foresee(stream: StreamId): Promise<Foresee>;
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
  /** After so long a question is no longer open, and its call is denied; absent: it never ends. */
  readonly approvalTtlMs?: number;
}

/** A call on its way through. */
interface Passage {
  readonly callId: CallId;
  readonly request: CallRequest;
  readonly tool: CatalogueTool;
  readonly input: CallInput & { readonly kind: "ok" };
  readonly inputHash: string;
  /** A plan has listed it. */
  readonly foreseen: ForeseenCall | undefined;
  readonly durability: "relaxed" | "full";
}

const STOPPED = "Stopped before it ran.";

export function createGate(deps: GateDeps): Gate {
  const { log, redactor } = deps;
  const putQuestion = createPutQuestion(deps);

  const call = async (request: CallRequest, signal: AbortSignal): Promise<Receipt> => {
    const { prior } = request;
    const startedMs = deps.clock.monotonicMs();
    const tool = deps.catalogue.get(request.toolPath);
    const input = readInput(tool, request.inputJson);
    const inputHash = inputHashOf(deps.sha256, input);
    const foreseen = prior === undefined ? request.plans?.take(request.toolPath, inputHash) : undefined;
    const callId = prior?.callId ?? foreseen?.callId ?? deps.ids.next("call");
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
      const settled = settledEvent(receipt, request, tool?.trust, redactor);
      await log.append(request.stream, [...before, settled], { durability, journal });
      return receipt;
    };

    /** A call that can no longer be made; one that was running may have happened all the same. */
    const refuse = async (code: "unknown_tool" | "invalid_input", message: string): Promise<Receipt> => {
      if (prior !== undefined) await withdraw(prior, message);
      const wasRunning = prior !== undefined && prior.stage.kind !== "asked";
      return await end(wasRunning ? unknownEnd(message) : failed(code, message), opening);
    };

    if (tool === undefined) return await refuse("unknown_tool", noTool(request.toolPath));
    if (input.kind === "invalid") return await refuse("invalid_input", input.message);
    const passage: Passage = { callId, request, tool, input, inputHash, foreseen, durability };
    const outcome =
      prior === undefined ? await decide(passage, opening, signal) : await goOn(passage, prior.stage, signal);
    return await end(outcome, opening);
  };

  /** Nobody needs to answer any more what was asked about it; a plan may still be about others. */
  const withdraw = async ({ stage }: PriorCall, reason: string): Promise<void> => {
    if (stage.kind === "started" || (stage.kind === "asked" && stage.asked.calls !== undefined)) return;
    const approvalId = stage.kind === "asked" ? stage.asked.approvalId : stage.approvalId;
    await deps.approvals.resolve(approvalId, { decision: "denied", reason }, "deputy");
  };

  const judge = (
    { tool, input, inputHash }: Pick<Passage, "tool" | "input" | "inputHash">,
    { labels, origins }: Pick<CallRequest, "labels" | "origins">,
    grants: readonly Grant[],
  ): PolicyDecision =>
    deps.policy.decide({
      tool: { ...tool, ...tool.termsOf?.(input.value) },
      input: input.json,
      inputHash,
      labels,
      ...(origins === undefined ? {} : { origins }),
      grants,
      nowMs: deps.clock.now(),
    });

  /** What becomes of a new call. Leaves in `opening` what is yet to be appended. */
  const decide = async (passage: Passage, opening: NewEvent[], signal: AbortSignal): Promise<CallEnd> => {
    const { callId, request } = passage;
    const own = judge(passage, request, await deps.grants.of(request.stream));
    const answer = own.decision === "deny" ? undefined : await answerInPlan(passage);
    const decision = answer === undefined ? own : answer.decision;
    opening.push(decidedEvent(callId, request, decision));
    if (decision.decision === "deny") return denied(answer?.reason ?? decision.reasons.join(" "));
    if (decision.decision === "ask") {
      const refusal = await askAndWait(passage, decision, opening, signal);
      if (refusal !== undefined) return refusal;
    }
    throwIfSuspended(signal);
    if (signal.aborted) return denied(STOPPED);
    return await run(passage, opening.splice(0), signal);
  };

  /** What the user has said to it in a plan; undefined when that is still open, or no longer counts. */
  const answerInPlan = async ({ callId, foreseen, request }: Passage) => {
    if (foreseen === undefined) return undefined;
    const { approvalId } = foreseen.asked;
    const answer = await deps.approvals.answered(approvalId);
    if (answer === undefined) return undefined;
    if (answer.isExpired === true) return request.plans?.drop(approvalId);
    const by = { rule: "plan", reasons: [`You decided about it in the plan ${approvalId}.`] };
    if (!isApproved(answer, callId)) {
      return { decision: { ...by, decision: "deny" as const }, reason: refusalOf(answer) };
    }
    if (!deps.grants.isPlanGranted(request.stream, approvalId)) return request.plans?.drop(approvalId);
    return { decision: { ...by, decision: "allow" as const }, reason: undefined };
  };

  /** What becomes of a call that an earlier process had begun. */
  const goOn = async (
    passage: Passage,
    stage: NonNullable<CallRequest["prior"]>["stage"],
    signal: AbortSignal,
  ): Promise<CallEnd> => {
    if (stage.kind === "asked") {
      const refusal = await waitForApproval(passage, stage.asked, signal);
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

  /** Undefined when the user said yes. Takes out of `opening` what it has appended. */
  const askAndWait = async (
    passage: Passage,
    decision: PolicyDecision,
    opening: NewEvent[],
    signal: AbortSignal,
  ): Promise<CallEnd | undefined> => {
    const { request } = passage;
    try {
      const asked = await ask(passage, decision, opening, signal);
      opening.length = 0;
      return await waitForApproval(passage, asked, signal);
    } catch (error) {
      throwIfSuspended(signal);
      if (!signal.aborted || error !== signal.reason) throw error;
      return denied(STOPPED);
    } finally {
      request.setWaiting(false);
    }
  };

  /** Resolves once the question is in the log. */
  const ask = async (
    passage: Passage,
    decision: PolicyDecision,
    before: readonly NewEvent[],
    signal: AbortSignal,
  ): Promise<Asked> => {
    const { callId, request, inputHash, foreseen } = passage;
    if (foreseen !== undefined && (await isOpen(foreseen.asked))) {
      await log.append(request.stream, before);
      return foreseen.asked;
    }
    const question = putQuestion(toAsk(passage), decision);
    if (request.plans !== undefined) {
      // Held back until the others wait as well, it is the user that the call waits for already.
      request.setWaiting(true);
      return await request.plans.ask({ question, callId, inputHash, before }, signal);
    }
    const requested: NewEvent = { type: "approval.requested", turnId: request.turnId, data: question };
    await log.append(request.stream, [...before, requested]);
    return question;
  };

  const isOpen = async ({ approvalId }: Asked): Promise<boolean> =>
    (await deps.approvals.answered(approvalId)) === undefined;

  /** Asks what became of a call that was running when Deputy stopped. */
  const question = async (passage: Passage): Promise<ApprovalId> => {
    const { callId, request } = passage;
    const approvalId = deps.ids.next("call");
    const { expiresAt: _, ...asked } = putQuestion(toAsk(passage), { reasons: [] });
    const preview = questionPreview(asked.preview);
    const data = { ...asked, approvalId, preview, unknownCall: callId, cellId: request.cellId };
    await log.append(request.stream, [{ type: "approval.requested", turnId: request.turnId, data }]);
    return approvalId;
  };

  const toAsk = ({ callId, request, tool, input, inputHash }: Passage): CallToAsk => {
    const { toolPath, programHash } = request;
    return { callId, programHash, toolPath, tool, input, inputHash };
  };

  /** Undefined when the user said yes to this very call. */
  const waitForApproval = async (
    passage: Passage,
    asked: Asked,
    signal: AbortSignal,
  ): Promise<CallEnd | undefined> => {
    if (!isAbout(deps.sha256, asked, toAsk(passage))) return denied(OTHER);
    const answer = await waitFor(passage, asked.approvalId, signal);
    if (answer === undefined) return denied(STOPPED);
    if (answer.isExpired === true) return denied(refusalOf(answer), "approval_expired");
    return isApproved(answer, passage.callId) ? undefined : denied(refusalOf(answer));
  };

  /** As long as it takes; an abort is a denial, and recorded as the answer: undefined then. */
  const waitFor = async (
    { request }: Passage,
    approvalId: ApprovalId,
    signal: AbortSignal,
  ): Promise<Answer | undefined> => {
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

  const foresee = async (stream: StreamId): Promise<Foresee> => {
    const grants = await deps.grants.of(stream);
    return ({ toolPath, inputJson, programHash, granted, ...seen }) => {
      const tool = deps.catalogue.get(toolPath);
      const input = readInput(tool, inputJson);
      if (tool === undefined) return { kind: "refused", code: "unknown_tool", message: noTool(toolPath) };
      if (input.kind === "invalid") return { kind: "refused", code: "invalid_input", message: input.message };
      const inputHash = inputHashOf(deps.sha256, input);
      const hoped: Grant = { bindings: granted.map((path) => ({ toolPath: path })) };
      const decision = judge({ tool, input, inputHash }, seen, [...grants, hoped]);
      if (decision.decision === "deny")
        return { kind: "refused", code: "denied", message: decision.reasons.join(" ") };
      if (decision.decision === "allow") return { kind: "allowed", tool, inputHash };
      const put = (callId: CallId) =>
        putQuestion({ callId, programHash, toolPath, tool, input, inputHash }, decision);
      return { kind: "asks", tool, inputHash, put };
    };
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
    foresee,
  };
}

type Answer = EventData<"approval.resolved">;

const OTHER = "What was asked about is not what the program asks for now.";

/** Of a plan, whether this call of it was. */
function isApproved({ decision, calls }: Answer, callId: CallId): boolean {
  return decision === "approved" && (calls === undefined || calls.includes(callId));
}

function refusalOf({ reason, decision }: Answer): string {
  return reason ?? (decision === "denied" ? "The user said no." : "The user left it out of what may run.");
}

function noTool(toolPath: string): string {
  return `There is no tool ${toolPath}.`;
}
