import type { Clock, IdSource } from "@deputy/kit";
import { canonicalJson } from "@deputy/policy/canonical-json";
import type { Redactor } from "@deputy/secrets";
import type { ApprovalId, EventData, EventLog, NewEvent, Sha256 } from "@deputy/protocol";
import type { ToolAnswer, ToolQuestion } from "@deputy/tools";
import { finishPreview } from "./approval-preview.ts";
import type { ApprovalWait } from "./approval-wait.ts";
import { refusalOf } from "./declined.ts";
import { readCellJournal } from "../cell/cell-journal.ts";
import type { GatedCall } from "../gate/gated-call.ts";

/** A running call's question to the user: an approval of its own, bound to the call and to what is asked. */
export type AskInCall = (
  gated: GatedCall,
  question: ToolQuestion,
  signal: AbortSignal,
) => Promise<ToolAnswer>;

const STOPPED = "Stopped while it waited for the user.";

export function createAskInCall(deps: {
  readonly log: EventLog;
  readonly wait: ApprovalWait;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly sha256: Sha256;
  readonly approvalTtlMs?: number | undefined;
}): AskInCall {
  const { log, wait, ids, clock, redactor, sha256, approvalTtlMs } = deps;

  /** Whole in the journal, redacted in the answer's event. */
  const givenValue = async (
    cellId: GatedCall["request"]["cellId"],
    approvalId: ApprovalId,
  ): Promise<unknown> => {
    const { answers } = await readCellJournal(log.journal.read(cellId));
    return JSON.parse(answers.get(approvalId) ?? "null");
  };

  return async (gated, { title, details, input: asked, form }, signal) => {
    const { callId, request } = gated;
    const { toolPath, cellId, turnId, stream, programHash } = request;
    const approvalId = ids.next("call");
    const input = redactor.json(asked);
    const preview = redactor.json({ title, ...(details === undefined ? {} : { details }) });
    const data: EventData<"approval.requested"> = {
      approvalId,
      toolPath,
      input,
      preview: finishPreview(preview, input, []),
      bindingHash: sha256(
        canonicalJson({ program: programHash, call: callId, asked, ...(form === undefined ? {} : { form }) }),
      ),
      askedBy: callId,
      ...(form === undefined ? {} : { form: redactor.json(form) }),
      cellId,
      ...(approvalTtlMs === undefined
        ? {}
        : { expiresAt: new Date(clock.now() + approvalTtlMs).toISOString() }),
    };
    const requested: NewEvent = { type: "approval.requested", turnId, data };
    await log.append(stream, [requested]);
    const answer = await wait.forAnswer(gated, approvalId, signal);
    if (answer === undefined) return { kind: "declined", reason: STOPPED };
    if (answer.result !== undefined) return { kind: "accepted", value: await givenValue(cellId, approvalId) };
    return answer.decision === "approved"
      ? { kind: "accepted" }
      : { kind: "declined", reason: refusalOf(answer) };
  };
}
