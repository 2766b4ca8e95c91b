import { createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "@deputy/kit";
import { type ApprovalId, approvalIdSchema } from "@deputy/protocol";

/** Codes with which a question is answered by mail: each for one question, for a short time. */
export interface AnswerCodes {
  issue(approval: ApprovalId): string;
  /** `wrong` is whatever this Deputy has not signed. */
  read(code: string): ReadCode;
}

export type ReadCode =
  | { readonly kind: "right" | "expired"; readonly approval: ApprovalId }
  | { readonly kind: "wrong" };

export const ANSWER_MS = 60 * 60_000;
const SIGNATURE_CHARS = 32;
/** `packages/secrets` knows it, too: no model is ever shown a code. */
const CODE = /^deputy-answer-((?:cal|pln)_[0-9a-z]{26})-([0-9a-z]{6,10})-([0-9a-f]{32})$/;

/** `key` is this Deputy's own, and in no log. That a code counts once is the question's doing: it has one answer. */
export function createAnswerCodes(deps: {
  readonly key: Uint8Array;
  readonly clock: Pick<Clock, "now">;
}): AnswerCodes {
  const sign = (approval: string, expires: string): string =>
    createHmac("sha256", deps.key)
      .update(`deputy mail answer\n${approval}\n${expires}`)
      .digest("hex")
      .slice(0, SIGNATURE_CHARS);
  return {
    issue(approval) {
      const expires = Math.floor((deps.clock.now() + ANSWER_MS) / 1_000).toString(36);
      return `deputy-answer-${approval}-${expires}-${sign(approval, expires)}`.toLowerCase();
    },
    read(code) {
      const [, id = "", expires = "", signature = ""] = CODE.exec(code.toLowerCase()) ?? [];
      const approval = approvalIdSchema.safeParse(`${id.slice(0, 4)}${id.slice(4).toUpperCase()}`);
      if (!approval.success) return { kind: "wrong" };
      const right = Buffer.from(sign(approval.data, expires));
      const given = Buffer.from(signature);
      if (right.length !== given.length || !timingSafeEqual(right, given)) return { kind: "wrong" };
      const isOver = deps.clock.now() >= Number.parseInt(expires, 36) * 1_000;
      return { kind: isOver ? "expired" : "right", approval: approval.data };
    },
  };
}
