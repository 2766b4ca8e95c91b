import { type CallId, type Clock, type IdSource, span } from "@deputy/kit";
import { canonicalJson, type Policy, type Redactor } from "@deputy/policy";
import type { EventLog, NewEvent, Sha256 } from "@deputy/protocol";
import type { Catalogue, CatalogueTool } from "@deputy/tools";
import type { ApprovalDesk } from "./approval-desk.ts";
import { decidedEvent, journalEntry, previewOf, requestedEvent, settledEvent } from "./call-record.ts";
import type { CallRequest } from "./call-request.ts";
import type { GrantsView } from "./grants-view.ts";
import { type CallInput, readInput } from "./read-input.ts";
import { type CallEnd, denied, failed, type Receipt } from "./receipt.ts";
import { runTool } from "./run-tool.ts";
import { stoppedBy } from "./stop-request.ts";

/** The only way a tool runs: call → policy → approval → run → receipt, each step an event. */
export interface Gate {
  /** Rejects only when the log does: what the tool, the policy and the user do is in the receipt. */
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
}

const STOPPED = "Stopped before it ran.";

export function createGate(deps: GateDeps): Gate {
  const { log, redactor } = deps;

  const call = async (request: CallRequest, signal: AbortSignal): Promise<Receipt> => {
    const callId = deps.ids.next("call");
    const startedMs = deps.clock.monotonicMs();
    const tool = deps.catalogue.get(request.toolPath);
    const input = readInput(tool, request.inputJson);
    const inputHash = deps.sha256(canonicalJson(input.json));
    const durability = tool?.effect === "read" ? ("relaxed" as const) : ("full" as const);
    const opening = [requestedEvent(callId, request, redactor.json(input.json), inputHash)];

    const end = async (outcome: CallEnd, before: readonly NewEvent[] = []): Promise<Receipt> => {
      const durationMs = deps.clock.monotonicMs() - startedMs;
      const receipt = { callId, toolPath: request.toolPath, input: input.json, durationMs, ...outcome };
      const journal = [journalEntry(receipt, request, inputHash, deps.clock.now())];
      await log.append(request.stream, [...before, settledEvent(receipt, request, redactor)], {
        durability,
        journal,
      });
      return receipt;
    };

    if (tool === undefined)
      return await end(failed("unknown_tool", `There is no tool ${request.toolPath}.`), opening);
    if (input.kind === "invalid") return await end(failed("invalid_input", input.message), opening);

    const { labels, stream } = request;
    const grants = await deps.grants.of(stream);
    const nowMs = deps.clock.now();
    const decision = deps.policy.decide({ tool, input: input.json, inputHash, labels, grants, nowMs });
    opening.push(decidedEvent(callId, request, decision));
    if (decision.decision === "deny") return await end(denied(decision.reasons.join(" ")), opening);

    const passage: Passage = { callId, request, tool, input, inputHash };
    if (decision.decision === "ask") {
      const answer = await ask(passage, opening.splice(0), signal);
      if (answer !== "approved") return await end(answer);
    }
    if (signal.aborted) return await end(denied(STOPPED), opening);
    const data = { callId, toolPath: request.toolPath, idempotencyKey: callId };
    await log.append(stream, [...opening, { type: "call.started", turnId: request.turnId, data }], {
      durability,
    });
    return await end(await runTool(deps.clock, tool, input.value, contextOf(passage, signal)));
  };

  /** Asks the user and waits, as long as it takes; an abort is a denial, and recorded as the answer. */
  const ask = async (
    passage: Passage,
    opening: readonly NewEvent[],
    signal: AbortSignal,
  ): Promise<CallEnd | "approved"> => {
    const { callId, request, tool, input, inputHash } = passage;
    const { stream, turnId, programHash, toolPath } = request;
    const bindingHash = deps.sha256(
      canonicalJson({ program: programHash, tool: toolPath, input: inputHash }),
    );
    const shown = { input: redactor.json(input.json), preview: redactor.json(previewOf(tool, input.value)) };
    const data = { approvalId: callId, toolPath, ...shown, bindingHash };
    await log.append(stream, [...opening, { type: "approval.requested", turnId, data }]);
    try {
      const answer = await deps.approvals.wait(callId, signal);
      return answer.decision === "approved" ? "approved" : denied(answer.reason ?? "The user said no.");
    } catch (error) {
      if (!signal.aborted) throw error;
      await deps.approvals.resolve(callId, { decision: "denied", reason: STOPPED }, stoppedBy(signal));
      return denied(STOPPED);
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
