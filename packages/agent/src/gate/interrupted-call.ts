import type { ApprovalId, EventLog, Sha256 } from "@deputy/protocol";
import type { ToolContext } from "@deputy/tools";
import { toolHashOf } from "../approvals/approval-binding.ts";
import type { ApprovalDesk } from "../approvals/approval-desk.ts";
import type { ApprovalWait } from "../approvals/approval-wait.ts";
import type { AskUser } from "../approvals/ask-user.ts";
import { readCellJournal } from "../cell/cell-journal.ts";
import { type GatedCall, STOPPED } from "./gated-call.ts";
import type { PriorCall } from "./prior-call.ts";
import { type CallEnd, denied, RAN_WHEN_STOPPED, unknownEnd } from "./receipt.ts";
import { throwIfSuspended } from "../turn/stop-request.ts";

export interface InterruptedCalls {
  /** Continues a call that an earlier process had begun. */
  goOn(gated: GatedCall, prior: PriorCall, signal: AbortSignal): Promise<CallEnd>;
  /** Nobody needs to answer any more what was asked about it; a plan may still be about others. */
  withdraw(prior: PriorCall, reason: string): Promise<void>;
}

/** A call that ran at so many deaths of the process is not repeated unasked. */
const SUSPECT_DEATHS = 2;
const OTHER_TOOL = "The tool has changed since it was asked.";
const NOBODY_WAITS = "Deputy was stopped while it was asked.";

export function createInterruptedCalls(deps: {
  readonly log: EventLog;
  readonly approvals: ApprovalDesk;
  readonly sha256: Sha256;
  readonly wait: ApprovalWait;
  readonly ask: AskUser;
  readonly run: (
    gated: GatedCall,
    approvedBy: ToolContext["approvedBy"],
    signal: AbortSignal,
  ) => Promise<CallEnd>;
  /**
   * Called for a call that may have crashed Deputy, and that is repeated only if the user says so. Must not throw.
   */
  readonly onSuspect?: ((gated: GatedCall, deaths: number) => void) | undefined;
  /** The reason why the user's settings no longer let the call run, even if it was approved before. */
  readonly forbidden: (gated: GatedCall) => Promise<string | undefined>;
}): InterruptedCalls {
  const { log, approvals, wait, ask } = deps;

  /** A call that is forbidden by now is not made; one that was running may have happened all the same. */
  const run = async (
    gated: GatedCall,
    before: "asked" | "running" | "questioned",
    signal: AbortSignal,
  ): Promise<CallEnd> => {
    const why = await deps.forbidden(gated);
    if (why === undefined) return await deps.run(gated, before === "running" ? "terms" : "user", signal);
    return before === "asked" ? denied(why) : unknownEnd(why);
  };

  /** Records the result that the user gave for the call: in full in the journal, redacted in the answer's event. */
  const givenResult = async (
    { request }: GatedCall,
    approvalId: ApprovalId,
    redacted: unknown,
  ): Promise<string> => {
    const { answers } = await readCellJournal(log.journal.read(request.cellId));
    return answers.get(approvalId) ?? JSON.stringify(redacted ?? null);
  };

  return {
    async goOn(gated, { stage, deaths, toolHash, questions = [] }, signal) {
      for (const question of questions)
        await approvals.resolve(question, { decision: "denied", reason: NOBODY_WAITS }, "deputy");
      if (stage.kind === "asked") {
        const refusal = await wait.forApproval(gated, stage.asked, signal);
        if (refusal !== undefined) return refusal;
        throwIfSuspended(signal);
        return signal.aborted ? denied(STOPPED) : await run(gated, "asked", signal);
      }
      // Repeated under the same key it has no second effect; but it may be what Deputy died of.
      const isSuspect = deaths >= SUSPECT_DEATHS;
      // A yes to the tool as it was is none to another that has its name now.
      const isOther = toolHash !== undefined && toolHash !== toolHashOf(deps.sha256, gated.tool);
      if (stage.kind === "started" && gated.tool.idempotent && !isSuspect && !isOther)
        return await run(gated, "running", signal);
      if (isSuspect) deps.onSuspect?.(gated, deaths);
      if (stage.kind === "questioned" && isOther)
        await approvals.resolve(stage.approvalId, { decision: "denied", reason: OTHER_TOOL }, "deputy");
      const approvalId =
        stage.kind === "questioned" && !isOther ? stage.approvalId : await ask.whatBecameOf(gated, deaths);
      const answer = await wait.forAnswer(gated, approvalId, signal);
      if (answer === undefined)
        return unknownEnd("It was running when Deputy stopped, and then it was given up.");
      if (answer.decision === "approved") return await run(gated, "questioned", signal);
      if (answer.result !== undefined) {
        const resultJson = await givenResult(gated, approvalId, answer.result.value);
        return { status: "succeeded", resultJson };
      }
      return unknownEnd(answer.reason ?? RAN_WHEN_STOPPED);
    },

    async withdraw({ stage }, reason) {
      if (stage.kind === "started" || (stage.kind === "asked" && stage.asked.calls !== undefined)) return;
      const approvalId = stage.kind === "asked" ? stage.asked.approvalId : stage.approvalId;
      await approvals.resolve(approvalId, { decision: "denied", reason }, "deputy");
    },
  };
}
