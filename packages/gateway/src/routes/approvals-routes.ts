import type { ApprovalDesk, ResolveOutcome } from "@deputy/agent";
import { type ApprovalAnswer, approvalIdSchema, type ApprovalScope } from "@deputy/protocol";
import { scopeWords } from "@deputy/protocol/grants";
import { approvalAnsweredSchema, approvalAnswerSchema, approvalListSchema } from "@deputy/protocol/wire";
import { GatewayError } from "../gateway-error.ts";
import { ok, type Route } from "../route.ts";
import { json } from "../route-doc.ts";
import { validate } from "../validate.ts";

export function approvalsRoutes(deps: { readonly approvals: ApprovalDesk }): readonly Route[] {
  const { approvals } = deps;
  return [
    {
      method: "GET",
      path: "/api/approvals",
      auth: "bearer",
      doc: {
        summary: "Questions that wait for an answer",
        query: { status: { description: "Only pending ones can be listed", pattern: "^pending$" } },
        answers: { 200: json(approvalListSchema) },
      },
      handle: async ({ query }) => {
        if ((query.get("status") ?? "pending") !== "pending") {
          throw new GatewayError("invalid_request", "status: only pending approvals can be listed");
        }
        return ok({ approvals: await approvals.pending() });
      },
    },
    {
      method: "POST",
      path: "/api/approvals/:callId",
      auth: "bearer",
      doc: {
        summary: "Answer a question; a plan's id answers for all its calls",
        body: approvalAnswerSchema,
        answers: { 200: json(approvalAnsweredSchema) },
      },
      handle: async ({ params, body, caller }) => {
        const answer = validate(approvalAnswerSchema, body);
        const id = approvalIdSchema.safeParse(params["callId"]);
        if (!id.success) throw unknown();
        const outcome = await approvals.resolve(id.data, answer, caller.name);
        refuseUnlessAnswered(outcome, answer);
        return ok({ id: id.data, decision: answer.decision });
      },
    },
  ];
}

/** The same answer again, say after a lost response, is no conflict. */
export function refuseUnlessAnswered(outcome: ResolveOutcome, answer: ApprovalAnswer): void {
  switch (outcome.kind) {
    case "resolved":
      return;
    case "already_resolved":
      if (outcome.scope !== undefined)
        throw new GatewayError("approval_already_resolved", describeScope(outcome.scope));
      if (outcome.decision === answer.decision && isSameSet(outcome.calls, answer.calls)) return;
      throw new GatewayError("approval_already_resolved", `It was already ${outcome.decision}`);
    case "expired":
      throw new GatewayError("approval_expired", "It was not answered in time");
    case "unknown":
      throw unknown();
    case "invalid":
      throw new GatewayError("invalid_request", outcome.message);
  }
}

/** A second yes that reaches otherwise changes nothing; its sender must not think that it did. */
function describeScope(scope: ApprovalScope): string {
  return `It was already approved (${scopeWords(scope)}), and that is what counts: this answer has changed nothing`;
}

function isSameSet(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return new Set(a).symmetricDifference(new Set(b)).size === 0;
}

const unknown = (): GatewayError => new GatewayError("not_found", "There is no such approval");
