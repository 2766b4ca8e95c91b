import type { RecordedApproval } from "@deputy/agent";
import { createApprovalsReader } from "@deputy/agent/readers";
import { type CallId, createSystemClock, makeVisible, parseId } from "@deputy/kit";
import { type ApprovalAnswer, approvalIdSchema, type ApprovalScope, readPlanCard } from "@deputy/protocol";
import { AppError } from "../../app-error.ts";
import { openDecisions } from "../../decisions/open-decisions.ts";
import { readLog } from "../../decisions/read-log.ts";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import type { Invocation } from "../../invocation.ts";
import { createFormFilling } from "@deputy/terminal/fill-form";
import { showApproval, showCardLines } from "@deputy/terminal/show";

const clock = createSystemClock();

async function findApproval(invocation: Invocation, name: string): Promise<RecordedApproval> {
  const id = approvalIdSchema.safeParse(name).data;
  const found =
    id && (await readLog(invocation, undefined, (log) => createApprovalsReader({ log, clock }).find(id)));
  if (found !== undefined) return found;
  throw new AppError("not_found", `There is no approval “${makeVisible(name)}”`, {
    hint: "`deputy approvals` lists those that wait.",
  });
}

/** `deputy approvals list`: works beside a running daemon. */
export async function listApprovals(invocation: Invocation): Promise<ExitCode> {
  const { output } = invocation;
  const pending = await readLog(invocation, [], (log) => createApprovalsReader({ log, clock }).pending());
  for (const approval of pending) {
    const { id, requestedAt, toolPath, preview, stream, expiresAt } = approval;
    const until = expiresAt === undefined ? [] : [`until ${expiresAt}`];
    output.result(
      [id, requestedAt, toolPath, preview.title, ...until, `[${stream}]`].map(makeVisible).join("  "),
    );
    output.object(approval);
  }
  if (pending.length === 0) output.note("Nothing waits for your approval.");
  return EXIT.done;
}

/** `deputy approvals show ID`: the whole question, and its outcome. */
export async function showOneApproval(invocation: Invocation, name: string): Promise<ExitCode> {
  const { output } = invocation;
  const approval = await findApproval(invocation, name);
  output.result(showApproval(approval, undefined, "whole"));
  output.result(makeVisible(stateOf(approval)));
  output.object(approval);
  return EXIT.done;
}

export interface ApproveOptions {
  readonly scope?: Exclude<ApprovalScope, "plan">;
  readonly expires?: string;
  readonly calls?: string;
  readonly reason?: string;
  readonly answer?: string;
}

/** `deputy approvals approve ID` */
export async function approve(
  invocation: Invocation,
  name: string,
  { scope, expires, calls, reason, answer }: ApproveOptions,
): Promise<ExitCode> {
  if (expires !== undefined && (scope === undefined || scope === "once"))
    throw new AppError("usage", "--expires needs --scope session, session-any or task");
  const approval = await findApproval(invocation, name);
  if (answer !== undefined && approval.askedBy === undefined)
    throw new AppError("usage", "--answer is only for a call that asks something while it runs");
  if (
    answer === undefined &&
    approval.form !== undefined &&
    approval.answer === undefined &&
    isTyped(invocation)
  ) {
    const filled = await fillIn(invocation, approval, approval.form);
    if (filled !== undefined) return await decide(invocation, approval, filled);
  }
  return await decide(invocation, approval, {
    decision: "approved",
    ...(answer === undefined ? {} : { result: { value: readJson("--answer", answer) } }),
    ...(scope === undefined ? {} : { scope }),
    ...(expires === undefined ? {} : { expiresAt: parseExpiry(expires, clock.now()) }),
    ...(calls === undefined ? {} : { calls: [...chooseCalls(calls, listedIn(approval))] }),
    ...(reason === undefined ? {} : { reason }),
  });
}

/** `deputy approvals deny ID` */
export async function deny(
  invocation: Invocation,
  name: string,
  { reason, result }: { readonly reason?: string; readonly result?: string },
): Promise<ExitCode> {
  const approval = await findApproval(invocation, name);
  if (result !== undefined && approval.unknownCall === undefined)
    throw new AppError("usage", "--result is only for a call that may or may not have happened");
  return await decide(invocation, approval, {
    decision: "denied",
    ...(reason === undefined ? {} : { reason }),
    ...(result === undefined ? {} : { result: { value: readJson("--result", result) } }),
  });
}

/** Asks for the values one after the other; undefined where there are none to ask for. */
async function fillIn(
  { output, reader, signal }: Invocation,
  approval: RecordedApproval,
  form: NonNullable<RecordedApproval["form"]>,
): Promise<ApprovalAnswer | undefined> {
  const filling = createFormFilling(form);
  if (filling === undefined) return undefined;
  output.note(showApproval(approval, undefined, "short", output.width));
  for (let isNew = true; ;) {
    if (isNew) output.note(showCardLines(filling.says(), undefined, output.width));
    const line = await reader.next(`  ${filling.prompt()} `, signal);
    const taken = line === undefined ? ({ kind: "left" } as const) : filling.take(line);
    if (taken.kind === "answer") return taken.answer;
    if (taken.kind === "left")
      throw new AppError("usage", "Nothing was sent; the question still waits", {
        hint: "--answer takes all values at once, as JSON.",
      });
    isNew = taken.kind === "goes_on";
    if (taken.kind === "wrong") output.note(`  ${taken.why}`);
  }
}

function isTyped({ stdin, output }: Invocation): boolean {
  return output.mode === "human" && "isTTY" in stdin && stdin.isTTY === true;
}

async function decide(
  invocation: Invocation,
  { id, preview, ...asked }: RecordedApproval,
  answer: ApprovalAnswer,
): Promise<ExitCode> {
  const { output, signal } = invocation;
  await using decisions = await openDecisions(invocation);
  await decisions.answer(id, answer, signal);
  const { decision, calls } = answer;
  const some = calls === undefined ? "" : `, ${calls.length} of ${readPlanCard(asked)?.calls.length} calls`;
  output.result(`${decision}${some}: ${makeVisible(preview.title)}`);
  output.object({ id, ...answer });
  if (!decisions.isLive) output.note("No daemon is running. `deputy serve` will continue the work.");
  return EXIT.done;
}

function listedIn(approval: RecordedApproval) {
  const card = readPlanCard(approval);
  if (card !== undefined) return card.calls.map(({ callId }) => callId);
  throw new AppError("usage", "--calls is only for a plan, and this is a single call");
}

function stateOf({ status, answer, requestedAt, expiresAt, stream }: RecordedApproval): string {
  const where = `Asked ${requestedAt} in ${stream}`;
  if (answer === undefined)
    return `${where}; ${status === "pending" ? "waits for your answer" : "expired"}${expiresAt === undefined ? "" : ` (until ${expiresAt})`}.`;
  const { by, scope, reason, calls } = answer;
  const some = calls === undefined ? "" : `: ${calls.join(", ")}`;
  return `${where}; ${status} by ${by} (${scope})${some}${reason === undefined ? "" : `, ${reason}`}`;
}

function readJson(option: string, json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new AppError("usage", `${option} is not JSON`, { cause });
  }
}

/** `1,3-5`, or ids, of the calls that a plan lists, in its order. Throws `usage`. */
export function chooseCalls(text: string, listed: readonly CallId[]): readonly CallId[] {
  const chosen = new Set(text.split(",").flatMap((part) => callsIn(part.trim(), listed)));
  return listed.filter((callId) => chosen.has(callId));
}

function callsIn(part: string, listed: readonly CallId[]): readonly CallId[] {
  const named = parseId("call", part);
  if (named !== undefined && listed.includes(named)) return [named];
  const [, first, last = first] = /^(\d{1,6})(?:\s*-\s*(\d{1,6}))?$/.exec(part) ?? [];
  const [from, to] = [Number(first), Number(last)];
  if (from >= 1 && to >= from && to <= listed.length) return listed.slice(from - 1, to);
  throw new AppError("usage", `“${part}” names no call of this plan`, {
    hint: `It lists ${listed.length}: give numbers such as 1,3-5, or ids of its calls.`,
  });
}

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** A future moment, as in `2026-03-01T12:00Z`, or how long from now, as in `30m`. Throws `usage`. */
export function parseExpiry(text: string, nowMs: number): string {
  const [, count, unit] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  const atMs =
    count === undefined || unit === undefined
      ? readMoment(text)
      : nowMs + Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS];
  if (atMs > nowMs) return new Date(atMs).toISOString();
  throw new AppError("usage", `“${text}” is not a time in the future`, {
    hint: "Give a moment such as 2026-03-01T12:00Z, or how long from now: 30m, 8h, 7d.",
  });
}

/** With the time of day and its zone, so that it means one moment; otherwise NaN. */
function readMoment(text: string): number {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d.*(?:Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
}
