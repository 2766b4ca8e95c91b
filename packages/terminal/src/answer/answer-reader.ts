import type { ApprovalAnswer, CardLine } from "@deputy/protocol";
import type { ApprovalRequest } from "../chat/chat-block.ts";
import { createFormFilling, type FormFilling, lacksValues } from "./fill-form.ts";
import { askFor, asksForDetails, parseApproval } from "./parse-approval.ts";

/** Makes an answer to one question of the lines that a person types: of one, or of several where values are asked for. */
export interface AnswerReader {
  readonly request: ApprovalRequest;
  prompt(): string;
  /** True while values are given, of which any may be empty. */
  isFilling(): boolean;
  read(line: string): LineRead;
}

export type LineRead =
  | { readonly kind: "answer"; readonly answer: ApprovalAnswer }
  /** The question is to be shown whole. */
  | { readonly kind: "details" }
  /** More is asked, by these lines; none where it is the question again. */
  | { readonly kind: "asks"; readonly lines: readonly CardLine[] }
  /** `why` where more than a yes or no is asked. */
  | { readonly kind: "no_answer"; readonly why?: string };

/** How to begin to fill in what is asked for. */
const FILL = /^\s*f(?:ill)?\s*$/i;

/** True for a yes where values must be given. */
function isTooShort(answer: ApprovalAnswer | undefined, form: NonNullable<ApprovalRequest["form"]>): boolean {
  return answer?.decision === "approved" && answer.result === undefined && lacksValues(form);
}

export function createAnswerReader(request: ApprovalRequest): AnswerReader {
  let filling: FormFilling | undefined;
  const readFilling = (now: FormFilling, line: string): LineRead => {
    const taken = now.take(line);
    if (taken.kind === "answer") return taken;
    if (taken.kind === "wrong") return { kind: "no_answer", why: taken.why };
    if (taken.kind === "left") filling = undefined;
    return { kind: "asks", lines: taken.kind === "left" ? [] : now.says() };
  };
  return {
    request,
    isFilling: () => filling !== undefined,
    prompt: () => filling?.prompt() ?? askFor(request),
    read(line) {
      if (filling !== undefined) return readFilling(filling, line);
      if (asksForDetails(line)) return { kind: "details" };
      const answer = parseApproval(line, request);
      const { form } = request;
      if (form !== undefined && (FILL.test(line) || isTooShort(answer, form))) {
        filling = createFormFilling(form);
        if (filling !== undefined) return { kind: "asks", lines: filling.says() };
      }
      return answer === undefined ? { kind: "no_answer" } : { kind: "answer", answer };
    },
  };
}
