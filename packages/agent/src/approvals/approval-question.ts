import { type Clock, shorten } from "@deputy/kit";
import type { Origins, PolicyDecision } from "@deputy/policy";
import { inputLeaves } from "@deputy/policy/input-leaves";
import type { Redactor } from "@deputy/secrets";
import type { ApprovalPreview, EventData, Sha256, StreamId } from "@deputy/protocol";
import type { CatalogueTool } from "@deputy/tools";
import {
  type BoundCall,
  callBinding,
  circumstancesOf,
  groundsOf,
  placeOf,
  toolHashOf,
} from "./approval-binding.ts";
import { finishPreview, previewOf } from "./approval-preview.ts";
import { readTerms } from "../gate/judge-call.ts";
import type { CallInput } from "../gate/read-input.ts";

/** A call that may only run when the user says so. */
export interface CallToAsk extends BoundCall {
  readonly tool: CatalogueTool;
  readonly session: StreamId;
  readonly input: CallInput & { readonly kind: "ok" };
  /** What the session has read: it may tell what an id stands for. */
  readonly origins?: Origins | undefined;
}

export type Question = EventData<"approval.requested">;

/** Describes a call for the user: its whole input, redacted, and what an approval is bound to. Never rejects. */
export type PutQuestion = (
  call: CallToAsk,
  decision: Omit<PolicyDecision, "decision" | "rule">,
) => Promise<Question>;

export function createPutQuestion(deps: {
  readonly redactor: Redactor;
  readonly sha256: Sha256;
  readonly clock: Clock;
  /** After so long a question is no longer open; absent: it never ends. */
  readonly approvalTtlMs?: number | undefined;
}): PutQuestion {
  const { redactor, sha256, clock, approvalTtlMs } = deps;
  return async (call, { reasons, grantable, anyValues, askOnce }) => {
    const input = redactor.json(call.input.json);
    const circumstances = await circumstancesOf(sha256, call);
    const toolHash = toolHashOf(sha256, call.tool);
    const grounds = await groundsOf(sha256, call);
    const { effect } = (await readTerms(call, call)) ?? call.tool;
    const told = await previewOf(call.tool, call.input.value, {
      ...placeOf(call),
      untrusted: call.origins?.untrusted,
    });
    const preview = redactor.json({ ...told, effect, rows: rowsOf(call) });
    const prompt = call.origins?.lastSaid?.();
    return {
      approvalId: call.callId,
      toolPath: call.toolPath,
      input,
      preview: finishPreview(preview, input, redactor.json([...reasons])),
      ...(prompt === undefined ? {} : { prompt: shorten(redactor.text(prompt), PROMPT_CHARS) }),
      bindingHash: callBinding(sha256, { ...call, circumstances, toolHash }),
      inputHash: call.inputHash,
      ...(circumstances === undefined ? {} : { circumstances }),
      toolHash,
      ...(grounds === undefined ? {} : { groundsHash: grounds }),
      ...(grantable === undefined ? {} : { grantable }),
      ...(anyValues === true ? { anyValues } : {}),
      ...(askOnce === true
        ? { scope: anyValues === true ? ("session-any" as const) : ("session" as const) }
        : {}),
      ...(approvalTtlMs === undefined
        ? {}
        : { expiresAt: new Date(clock.now() + approvalTtlMs).toISOString() }),
    };
  };
}

const MOST_ROWS = 50;
const PROMPT_CHARS = 200;

/** What the ids in a call's input stand for, as far as a tool has shown it. */
function rowsOf({ input, toolPath, origins }: CallToAsk): NonNullable<ApprovalPreview["rows"]> {
  const rows: NonNullable<ApprovalPreview["rows"]> = [];
  if (origins?.rowOf === undefined) return rows;
  for (const { path, name, value } of inputLeaves(input.json, () => true)) {
    if (typeof value === "boolean" || rows.length >= MOST_ROWS) continue;
    const row = origins.rowOf(value, { name, toolPath }, input.json);
    if (row !== undefined) rows.push({ path, ...row });
  }
  return rows;
}
