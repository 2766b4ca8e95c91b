import { type IdSource, shorten, showOnOneLine } from "@deputy/kit";
import { isObject } from "@deputy/json-schema";
import { checkForm } from "@deputy/json-schema/form-check";
import { inputLeaves } from "@deputy/policy/input-leaves";
import type { Redactor } from "@deputy/secrets";
import { readPlanCard } from "@deputy/protocol";
import type {
  ApprovalAnswer,
  ApprovalScope,
  EventData,
  EventOf,
  NewEvent,
  PlannedCall,
} from "@deputy/protocol";

type Request = EventOf<"approval.requested">;

/** Nobody remembers for longer what a task may do by itself. */
const LONGEST_TASK_GRANT_MS = 90 * 24 * 60 * 60 * 1_000;

/** Why an answer does not fit its question; undefined when it does. */
export function misfitOf({ data }: Request, answer: ApprovalAnswer, nowMs: number): string | undefined {
  if (answer.expiresAt !== undefined && Date.parse(answer.expiresAt) <= nowMs)
    return "expiresAt: that is past already";
  if (answer.scope === "task" && answer.decision === "approved") {
    if (answer.expiresAt === undefined)
      return "expiresAt: an approval for a task needs an end, at most 90 days from now";
    if (Date.parse(answer.expiresAt) > nowMs + LONGEST_TASK_GRANT_MS)
      return "expiresAt: an approval for a task is for 90 days at most";
  }
  const isTold = data.askedBy !== undefined || data.unknownCall !== undefined;
  if (answer.result !== undefined && answer.decision === "approved" && !isTold)
    return "result: a yes to a call that is yet to run carries none";
  const unfit = answer.decision === "approved" ? misfitOfForm(data, answer) : undefined;
  if (unfit !== undefined) return unfit;
  if (answer.scope === "session-any" && answer.decision === "approved" && !takesAnyValues(data))
    return "scope: this cannot be approved whatever the values; session approves the values that are shown";
  if (answer.calls === undefined) return undefined;
  if (data.calls === undefined) return "calls: only the answer to a plan can name calls";
  if (answer.decision === "denied") return "calls: a denial is of the whole plan; approve those that may run";
  if (answer.calls.length === 0) return "calls: it names none; deny the plan instead";
  const listed = new Set(data.calls.map(({ callId }) => callId));
  const foreign = answer.calls.find((callId) => !listed.has(callId));
  return foreign === undefined ? undefined : `calls: ${foreign} is not a call of this plan`;
}

/** Whether a yes has the values that the question needs: what it leaves out is as proposed. */
function misfitOfForm({ form }: Request["data"], { result }: ApprovalAnswer): string | undefined {
  if (form === undefined) return undefined;
  if (result !== undefined && !isObject(result.value))
    return "result: it must be an object with a value for each field";
  const problems = checkForm(form.schema, {
    ...form.proposed,
    ...(isObject(result?.value) ? result.value : {}),
  });
  return problems.length === 0 ? undefined : `result: ${problems.map(showOnOneLine).join("; ")}`;
}

function takesAnyValues(data: Request["data"]): boolean {
  return data.anyValues === true || data.calls?.some((call) => call.anyValues === true) === true;
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

/** How far an answer reaches, as its question allows. */
export function scopeOf(data: Request["data"], { scope }: ApprovalAnswer): ApprovalScope {
  // The outcome of one call says nothing about the next.
  if (data.unknownCall !== undefined || data.askedBy !== undefined) return "once";
  if (data.calls !== undefined) return scope === undefined || scope === "once" ? "plan" : scope;
  return scope === "plan" ? "once" : (scope ?? data.scope ?? "once");
}

type Grant = Omit<EventData<"grant.created">, "grantId">;

function grantsOf(data: Request["data"], answer: ApprovalAnswer, scope: ApprovalScope): readonly Grant[] {
  const expiry = answer.expiresAt === undefined ? {} : { expiresAt: answer.expiresAt };
  if (data.calls === undefined) {
    if (!isStanding(scope)) return [];
    const bindings = bindingsOf(data, scope, data.input);
    return [{ scope, bindings, ...expiry, ...describeCall(data, bindings) }];
  }
  const named = answer.calls === undefined ? undefined : new Set(answer.calls);
  const approved = data.calls.filter(({ callId }) => named?.has(callId) ?? true);
  const exact = approved.map(({ toolPath, inputHash }) => ({ toolPath, inputHash }));
  const planId = data.approvalId as Grant["planId"];
  const card = readPlanCard(data)?.calls ?? [];
  const cardOf = (callId: string) => card.find((call) => call.callId === callId);
  const told = (calls: readonly PlannedCall[]): Pick<Grant, "title" | "lines"> => ({
    title: short(data.preview.title),
    lines: toLines(calls.map(({ callId, toolPath }) => titleOf(toolPath, cardOf(callId)?.preview.title))),
  });
  const plan = { scope: "plan" as const, bindings: exact, planId, ...told(approved) };
  // Said to be for this plan only, it is no more than that, whatever its calls are meant for.
  if (answer.scope === "once" || answer.scope === "plan") return [plan];
  return [plan, ...widerGrants(approved, (callId) => cardOf(callId)?.input, scope, expiry, told)];
}

/** What people recognise a grant by: the call's title, and the values that were on its card. */
function describeCall(
  { toolPath, preview, input }: Pick<Request["data"], "toolPath" | "preview" | "input">,
  bindings: Grant["bindings"],
): Pick<Grant, "title" | "lines"> {
  const values = inputLeaves(input, () => true).map(({ path, value }) =>
    path === "" ? String(value) : `${path}: ${value}`,
  );
  if (bindings.some(({ anyValues }) => anyValues === true))
    return { title: short(`${toolPath}, whatever the values`), lines: [] };
  return { title: titleOf(toolPath, preview.title), lines: toLines(values) };
}

const LONGEST_LINE = 200;
const MOST_LINES = 20;

function titleOf(toolPath: string, title = toolPath): string {
  const isSaid = title === toolPath || title.startsWith(`${toolPath}:`);
  return short(isSaid ? title : `${toolPath}: ${title}`);
}

function toLines(lines: readonly string[]): string[] {
  const more = lines.length - MOST_LINES;
  return [...lines.slice(0, MOST_LINES).map(short), ...(more > 0 ? [`and ${more} more`] : [])];
}

function short(text: string): string {
  return shorten(showOnOneLine(text), LONGEST_LINE);
}

/** Grants that go beyond the plan: for all of its calls when the user says so, otherwise for calls that ask once. */
function widerGrants(
  approved: readonly PlannedCall[],
  inputOf: (callId: string) => unknown,
  scope: ApprovalScope,
  expiry: { readonly expiresAt?: string },
  told: (calls: readonly PlannedCall[]) => Pick<Grant, "title" | "lines">,
): readonly Grant[] {
  const own = (call: PlannedCall): ApprovalScope => (isStanding(scope) ? scope : (call.scope ?? "once"));
  const standing = approved.filter((call) => isStanding(own(call)));
  const bindings = standing.flatMap((call) => bindingsOf(call, own(call), inputOf(call.callId)));
  if (bindings.length === 0) return [];
  const widest = standing.some((call) => own(call) === "session-any") ? "session-any" : "session";
  const different = new Map(bindings.map((binding) => [JSON.stringify(binding), binding]));
  const reach = isStanding(scope) ? scope : widest;
  return [{ scope: reach, bindings: [...different.values()], ...expiry, ...told(standing) }];
}

function isStanding(scope: ApprovalScope): boolean {
  return scope === "session" || scope === "session-any" || scope === "task";
}

/**
 * What a yes that reaches further than one call covers: whatever the values, where the user chose that and the tool
 * takes it; else this very input, and calls of the tool whose values are explained or were on the card. A grant of
 * one input also dies with what that depends on, and every grant with the tool that it was given to.
 */
export function bindingsOf(
  call: Pick<
    Request["data"],
    "toolPath" | "inputHash" | "grantable" | "anyValues" | "toolHash" | "groundsHash"
  >,
  scope: ApprovalScope,
  input: unknown,
): Grant["bindings"] {
  const { toolPath, inputHash, grantable, anyValues, toolHash, groundsHash } = call;
  const tool = { toolPath, ...(toolHash === undefined ? {} : { toolHash }) };
  if (scope === "session-any" && anyValues === true) return [{ ...tool, anyValues }];
  const grounds = groundsHash === undefined ? {} : { groundsHash };
  const exact = inputHash === undefined ? [] : [{ ...tool, inputHash, ...grounds }];
  if (grantable === "input" && exact.length > 0) return exact;
  const values = valuesOf(input);
  return [{ ...tool, ...(Object.keys(values).length === 0 ? {} : { values }) }, ...exact];
}

/** More is no list of values that somebody looked at one by one. */
const MOST_VALUES = 100;
const LONGEST_VALUE = 500;

/** By their places, each of which has one; names inside of an input may be keys that somebody chose. */
function valuesOf(input: unknown): NonNullable<Grant["bindings"][number]["values"]> {
  const leaves = inputLeaves(input, () => false);
  if (leaves.length > MOST_VALUES) return {};
  const shown = leaves.filter(({ value }) => String(value).length <= LONGEST_VALUE);
  return Object.fromEntries(shown.map(({ path, value }) => [path, [value]]));
}

function redacted(answer: ApprovalAnswer, redactor: Redactor): ApprovalAnswer {
  return {
    ...answer,
    ...(answer.reason === undefined ? {} : { reason: redactor.text(answer.reason) }),
    ...(answer.result === undefined ? {} : { result: { value: redactor.json(answer.result.value) } }),
  };
}
