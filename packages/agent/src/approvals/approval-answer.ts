import type { IdSource } from "@deputy/kit";
import type { Redactor } from "@deputy/policy/secrets";
import type {
  ApprovalAnswer,
  ApprovalScope,
  EventData,
  EventOf,
  NewEvent,
  PlannedCall,
} from "@deputy/protocol";

type Request = EventOf<"approval.requested">;

/** Why an answer does not fit its question; undefined when it does. */
export function misfitOf({ data }: Request, answer: ApprovalAnswer, nowMs: number): string | undefined {
  if (answer.expiresAt !== undefined && Date.parse(answer.expiresAt) <= nowMs)
    return "expiresAt: that is past already";
  const isTold = data.askedBy !== undefined || data.unknownCall !== undefined;
  if (answer.result !== undefined && answer.decision === "approved" && !isTold)
    return "result: a yes to a call that is yet to run carries none";
  if (answer.calls === undefined) return undefined;
  if (data.calls === undefined) return "calls: only the answer to a plan can name calls";
  if (answer.decision === "denied") return "calls: a denial is of the whole plan; approve those that may run";
  if (answer.calls.length === 0) return "calls: it names none; deny the plan instead";
  const listed = new Set(data.calls.map(({ callId }) => callId));
  const foreign = answer.calls.find((callId) => !listed.has(callId));
  return foreign === undefined ? undefined : `calls: ${foreign} is not a call of this plan`;
}

/** The answer as events: what was decided, and the grants it creates where it reaches beyond this one call. */
export function answerEvents(
  request: Request,
  given: ApprovalAnswer,
  by: string,
  deps: { readonly ids: IdSource; readonly redactor: Redactor },
): NewEvent[] {
  const answer = redacted(given, deps.redactor);
  const { data } = request;
  const turn = request.turnId === undefined ? {} : { turnId: request.turnId };
  const scope = scopeOf(data, answer);
  const resolved: EventData<"approval.resolved"> = {
    approvalId: data.approvalId,
    decision: answer.decision,
    by,
    scope,
    ...(answer.reason === undefined ? {} : { reason: answer.reason }),
    ...(answer.calls === undefined ? {} : { calls: answer.calls }),
    ...(answer.result === undefined ? {} : { result: answer.result }),
  };
  const grants = answer.decision === "approved" ? grantsOf(data, answer, scope) : [];
  return [
    { ...turn, type: "approval.resolved", data: resolved },
    ...grants.map((grant): NewEvent =>
      Object.assign({}, turn, {
        type: "grant.created" as const,
        data: Object.assign({ grantId: deps.ids.next("grant") }, grant),
      }),
    ),
  ];
}

/** The event that records that no answer came in time. */
export function expiryEvent({ data, turnId }: Request): NewEvent {
  const resolved: EventData<"approval.resolved"> = {
    approvalId: data.approvalId,
    decision: "denied",
    by: "deputy",
    scope: "once",
    reason: "Nobody answered in time.",
    isExpired: true,
  };
  return { ...(turnId === undefined ? {} : { turnId }), type: "approval.resolved", data: resolved };
}

function scopeOf(data: Request["data"], { scope }: ApprovalAnswer): ApprovalScope {
  // The outcome of one call says nothing about the next.
  if (data.unknownCall !== undefined || data.askedBy !== undefined) return "once";
  if (data.calls !== undefined) return scope === undefined || scope === "once" ? "plan" : scope;
  return scope === "plan" ? "once" : (scope ?? data.scope ?? "once");
}

type Grant = Omit<EventData<"grant.created">, "grantId">;

function grantsOf(data: Request["data"], answer: ApprovalAnswer, scope: ApprovalScope): readonly Grant[] {
  const expiry = answer.expiresAt === undefined ? {} : { expiresAt: answer.expiresAt };
  if (data.calls === undefined) {
    if (scope !== "session" && scope !== "task") return [];
    return [{ scope, bindings: [bindingOf(data)], ...expiry }];
  }
  const named = answer.calls === undefined ? undefined : new Set(answer.calls);
  const approved = data.calls.filter(({ callId }) => named?.has(callId) ?? true);
  const exact = approved.map(({ toolPath, inputHash }) => ({ toolPath, inputHash }));
  const plan = { scope: "plan" as const, bindings: exact, planId: data.approvalId as Grant["planId"] };
  return [plan, ...widerGrants(approved, scope, expiry)];
}

/** Grants that go beyond the plan: for all of its calls when the user says so, otherwise for calls that ask once. */
function widerGrants(
  approved: readonly PlannedCall[],
  scope: ApprovalScope,
  expiry: { readonly expiresAt?: string },
): readonly Grant[] {
  const isWider = scope === "session" || scope === "task";
  const standing = isWider ? approved : approved.filter((call) => call.scope === "session");
  const bindings = new Map(standing.map((call) => [JSON.stringify(bindingOf(call)), bindingOf(call)]));
  if (bindings.size === 0) return [];
  return [{ scope: isWider ? scope : "session", bindings: [...bindings.values()], ...expiry }];
}

function bindingOf(call: Pick<Request["data"], "toolPath" | "inputHash" | "grantable">) {
  const { toolPath, inputHash, grantable } = call;
  return grantable === "input" && inputHash !== undefined ? { toolPath, inputHash } : { toolPath };
}

function redacted(answer: ApprovalAnswer, redactor: Redactor): ApprovalAnswer {
  return {
    ...answer,
    ...(answer.reason === undefined ? {} : { reason: redactor.text(answer.reason) }),
    ...(answer.result === undefined ? {} : { result: { value: redactor.json(answer.result.value) } }),
  };
}
