import { type CallId, type Clock, type IdSource, span } from "@deputy/kit";
import { canonicalJson, type Policy, type Redactor } from "@deputy/policy";
import type { EventLog, NewEvent, Sha256 } from "@deputy/protocol";
import type { Catalogue, CatalogueTool } from "@deputy/tools";
import type { ApprovalDesk } from "./approval-desk.ts";
import { journalEntry, settledEvent } from "./call-record.ts";
import type { CallRequest } from "./call-request.ts";
import type { GrantsView } from "./grants-view.ts";
import type { Receipt } from "./receipt.ts";
import { runTool } from "./run-tool.ts";
import { stoppedBy } from "./stop-request.ts";

/** The only way a tool runs: call → policy → approval → run → receipt, each step an event. */
export interface Gate {
  /** Never rejects for anything the tool, the policy or the user does: that is in the receipt. */
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

export function createGate(deps: GateDeps): Gate {
  const { log, redactor } = deps;

  const call = async (request: CallRequest, signal: AbortSignal): Promise<Receipt> => {
    const { stream, turnId, cellId, toolPath } = request;
    const callId = deps.ids.next("call");
    const startedMs = deps.clock.monotonicMs();
    const raw: unknown = JSON.parse(request.inputJson);
    const tool = deps.catalogue.get(toolPath);
    const parsed = tool?.parseInput(raw);
    const input = parsed?.kind === "ok" ? parsed.input : raw;
    const inputHash = deps.sha256(canonicalJson(input));
    const requested: NewEvent = {
      type: "call.requested",
      turnId,
      data: {
        callId,
        cellId,
        index: request.index,
        toolPath,
        input: redactor.json(input),
        inputHash,
        labels: [...request.labels],
      },
    };

    const end = async (
      outcome: Omit<Receipt, "callId" | "toolPath" | "durationMs" | "input">,
      before: NewEvent[] = [],
    ) => {
      const receipt = {
        callId,
        toolPath,
        input,
        durationMs: deps.clock.monotonicMs() - startedMs,
        ...outcome,
      };
      await log.append(stream, [...before, settledEvent(receipt, request, redactor)], {
        durability: tool?.effect === "read" ? "relaxed" : "full",
        journal: [journalEntry(receipt, request, inputHash, deps.clock.now())],
      });
      return receipt;
    };

    if (tool === undefined) {
      return await end(failed("unknown_tool", `There is no tool ${toolPath}.`), [requested]);
    }
    if (parsed?.kind === "invalid") return await end(failed("invalid_input", parsed.message), [requested]);

    const decision = deps.policy.decide({
      tool,
      input,
      inputHash,
      labels: request.labels,
      grants: await deps.grants.of(stream),
      nowMs: deps.clock.now(),
    });
    const decided: NewEvent = {
      type: "call.decided",
      turnId,
      data: { callId, decision: decision.decision, rule: decision.rule, provenance: [...decision.reasons] },
    };
    const opening = [requested, decided];
    if (decision.decision === "deny") return await end(denied(decision.reasons.join(" ")), opening);

    if (decision.decision === "ask") {
      const answer = await ask(callId, tool, input, inputHash, request, opening, signal);
      if (answer !== "approved") return await end(answer);
    }

    const idempotencyKey = callId;
    const started: NewEvent = { type: "call.started", turnId, data: { callId, toolPath, idempotencyKey } };
    await log.append(stream, decision.decision === "ask" ? [started] : [...opening, started], {
      durability: tool.effect === "read" ? "relaxed" : "full",
    });
    const progress = (message: string): void => {
      const data = { callId, toolPath, message: redactor.text(message) };
      log
        .append(stream, [{ type: "call.progress", turnId, data }], { durability: "relaxed" })
        .catch(() => undefined);
    };
    const context = { signal, idempotencyKey, sessionKey: request.sessionKey, progress, log: request.log };
    return await end(await runTool(tool, input, context));
  };

  /** Asks the user and waits, as long as it takes; an abort is a denial, and recorded as the answer. */
  const ask = async (
    callId: CallId,
    tool: CatalogueTool,
    input: unknown,
    inputHash: string,
    request: CallRequest,
    opening: NewEvent[],
    signal: AbortSignal,
  ) => {
    const { stream, turnId, programHash, toolPath } = request;
    const bindingHash = deps.sha256(
      canonicalJson({ program: programHash, tool: toolPath, input: inputHash }),
    );
    const preview = redactor.json(tool.preview(input));
    const asked: NewEvent = {
      type: "approval.requested",
      turnId,
      data: { approvalId: callId, toolPath, input: redactor.json(input), preview, bindingHash },
    };
    await log.append(stream, [...opening, asked]);
    try {
      const answer = await deps.approvals.wait(callId, signal);
      if (answer.decision === "approved") return "approved";
      return denied(answer.reason ?? "The user said no.");
    } catch (error) {
      if (!signal.aborted) throw error;
      const reason = "Stopped before it was answered.";
      await deps.approvals.resolve(callId, { decision: "denied", reason }, stoppedBy(signal));
      return denied(reason);
    }
  };

  return {
    call: (request, signal) => span("gate.call", { tool: request.toolPath }, () => call(request, signal)),
  };
}

function failed(code: string, message: string) {
  return { status: "failed" as const, error: { code, message } };
}

function denied(message: string) {
  return { status: "denied" as const, error: { code: "denied", message } };
}
