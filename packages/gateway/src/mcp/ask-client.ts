import type { ApprovalDesk } from "@deputy/agent";
import { makeVisible } from "@deputy/kit";
import { type ApprovalAnswer, type PendingApproval, readPlanCard, showApproval } from "@deputy/protocol";
import type {
  ClientCapabilities,
  ElicitRequestFormParams,
  ServerContext,
} from "@modelcontextprotocol/server";

/** Does the client show forms to its user? A client that declares no kind supports exactly these. */
export function canAsk(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  if (elicitation === undefined) return false;
  return elicitation.form !== undefined || elicitation.url === undefined;
}

/**
 * The question as a form: the whole card in words, for a plan one tick per call, and what a running call asks with the
 * fields of its own. `wrong`: why the last answer was none.
 */
export function questionOf(approval: PendingApproval, wrong?: string): ElicitRequestFormParams {
  const asked = fieldsOf(approval);
  if (asked !== undefined)
    return {
      mode: "form",
      message: [
        "A tool asks you something, through Deputy:",
        showApproval(approval),
        ...(wrong === undefined ? [] : [`Your last answer did not fit: ${makeVisible(wrong)}`]),
        "Accept gives it the values of the form. Decline gives it none.",
      ].join("\n\n"),
      requestedSchema: asked,
    };
  const calls = callsOf(approval);
  if (approval.askedBy !== undefined)
    return {
      mode: "form",
      message: `A tool asks you something, through Deputy:\n\n${showApproval(approval)}\n\nAccept says yes to it. Decline says no.`,
      requestedSchema: { type: "object", properties: {} },
    };
  const how =
    calls.length === 0
      ? "Accept runs it once. Decline denies it."
      : "Accept runs the calls that are ticked, once each. Decline denies them all.";
  const ticks = calls.map(({ callId, preview }, n) => {
    return [
      callId,
      { type: "boolean" as const, title: `${n + 1}. ${preview.title}`, default: true },
    ] as const;
  });
  return {
    mode: "form",
    message: ["Deputy asks for your approval:", showApproval(approval), how].join("\n\n"),
    requestedSchema: {
      type: "object",
      properties: Object.fromEntries(ticks),
      ...(calls.length === 0 ? {} : { required: calls.map(({ callId }) => callId) }),
    },
  };
}

/** The user's answer to the form. Undefined when they gave none: the question then stays open. */
export function answerOf(
  approval: PendingApproval,
  said: { readonly action: string; readonly content?: Readonly<Record<string, unknown>> | undefined },
): ApprovalAnswer | undefined {
  if (said.action === "decline") return { decision: "denied" };
  if (said.action !== "accept") return undefined;
  if (approval.form !== undefined)
    return { decision: "approved", scope: "once", result: { value: { ...said.content } } };
  const calls = callsOf(approval).map(({ callId }) => callId);
  if (calls.length === 0) return { decision: "approved", scope: "once" };
  const ticked = calls.filter((callId) => said.content?.[callId] === true);
  if (ticked.length === 0) return { decision: "denied" };
  return { decision: "approved", scope: "once", ...(ticked.length < calls.length && { calls: ticked }) };
}

type Fields = ElicitRequestFormParams["requestedSchema"];

/**
 * The fields of a question, where it has any; what the tool proposes is filled in. What a server says about a field
 * is shown with nothing hidden.
 */
function fieldsOf({ form }: PendingApproval): Fields | undefined {
  if (form === undefined) return undefined;
  const { properties, required } = (form.schema ?? {}) as Partial<Fields>;
  const shown = Object.entries(properties ?? {}).map(([name, field]) => {
    const { title, description } = field as { readonly title?: unknown; readonly description?: unknown };
    const words = {
      ...(typeof title === "string" && { title: makeVisible(title) }),
      ...(typeof description === "string" && { description: makeVisible(description) }),
    };
    const proposed = Object.hasOwn(form.proposed, name) ? { default: form.proposed[name] } : {};
    return [name, { ...field, ...words, ...proposed }];
  });
  const names = Array.isArray(required) ? { required } : {};
  return { type: "object", properties: Object.fromEntries(shown) as Fields["properties"], ...names };
}

function callsOf(approval: PendingApproval) {
  return readPlanCard(approval)?.calls ?? [];
}

/** The longest possible timer; an approval expires by itself. */
const LONGEST_WAIT_MS = 2_147_483_647;

/**
 * Asks through the stream of the call, as the older protocol does. `unanswered`: the user gave no answer, or the
 * client cannot ask after all; the question stays open. The first answer counts: when it comes from elsewhere, the
 * question is withdrawn. Rejects as the log does.
 */
export async function askNow(
  approvals: ApprovalDesk,
  approval: PendingApproval,
  ctx: ServerContext,
  leaves: AbortSignal,
): Promise<"answered" | "unanswered"> {
  let wrong: string | undefined;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const outcome = await askOnce(approvals, approval, ctx, leaves, wrong);
    if (typeof outcome === "string") return outcome;
    wrong = outcome.wrong;
  }
  return "unanswered";
}

/** Somebody who gives as many answers that do not fit gives none. */
const MOST_ROUNDS = 5;

async function askOnce(
  approvals: ApprovalDesk,
  approval: PendingApproval,
  ctx: ServerContext,
  leaves: AbortSignal,
  wrong: string | undefined,
): Promise<"answered" | "unanswered" | { readonly wrong: string }> {
  const over = new AbortController();
  const signal = AbortSignal.any([ctx.mcpReq.signal, leaves, over.signal]);
  const unlessAborted = (error: unknown): "unanswered" => {
    if (signal.aborted) return "unanswered";
    throw error;
  };
  const params = { ...questionOf(approval, wrong) };
  const asked = ctx.mcpReq
    .send({ method: "elicitation/create", params }, { signal, timeout: LONGEST_WAIT_MS })
    .catch((): "unanswered" => "unanswered");
  const elsewhere = approvals.wait(approval.id, signal).then(() => "answered" as const, unlessAborted);
  const said = await Promise.race([asked, elsewhere]);
  over.abort();
  await elsewhere;
  if (typeof said === "string") return said;
  const answer = answerOf(approval, said);
  if (answer === undefined) return "unanswered";
  const outcome = await approvals.resolve(approval.id, answer, answeredBy(ctx));
  return outcome.kind === "invalid" ? { wrong: outcome.message } : "answered";
}

/** Recorded in the log: the owner of the token, whichever client asked. */
export function answeredBy(ctx: ServerContext): string {
  const { clientId } = ctx.http?.authInfo ?? {};
  if (clientId === undefined) throw new Error("A call came without its caller");
  return clientId;
}
