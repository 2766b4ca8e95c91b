import type { ApprovalAnswer } from "@deputy/protocol";
import type { ApprovalRequest } from "./chat/chat-block.ts";
import type { ApproveMode, LineReader, Output } from "./output/output.ts";
import { showApproval, showCardLines } from "./show/show-approval.ts";

/** Answers approval requests for the person at the terminal. */
export interface Approver {
  /** `wrong` is what was wrong with the answer before, which did not fit the question. */
  answer(request: ApprovalRequest, signal: AbortSignal, wrong?: string): Promise<ApprovalAnswer>;
}

/** `ask` reads a line for each request, `d` shows all of it; when the input has ended, no one can be asked, and the answer is no. */
export function createApprover(
  mode: ApproveMode,
  reader: LineReader,
  output: Pick<Output, "note" | "width">,
): Approver {
  return {
    async answer(request, signal, wrong) {
      if (mode === "all" && wrong !== undefined)
        return { decision: "denied", reason: `It needs more than the yes of --approve all. ${wrong}` };
      if (mode === "all") return { decision: "approved" };
      if (mode === "none") return { decision: "denied", reason: "Denied by --approve none." };
      if (wrong !== undefined) output.note(`  That does not fit. ${wrong}`);
      // Loaded with the first question: most programs have none.
      const { createAnswerReader } = await import("./answer/answer-reader.ts");
      const answers = createAnswerReader(request);
      for (;;) {
        const line = await reader.next(`  ${answers.prompt()} `, signal, "fresh").catch((error: unknown) => {
          // It was answered elsewhere, or is over: what comes next begins a line.
          output.note("");
          throw error;
        });
        if (line === undefined) return NOBODY;
        const read = answers.read(line);
        switch (read.kind) {
          case "answer":
            return read.answer;
          case "details":
            output.note(showApproval(request, undefined, "whole", output.width));
            break;
          case "asks":
            if (read.lines.length > 0) output.note(showCardLines(read.lines, undefined, output.width));
            break;
          case "no_answer":
            if (read.why !== undefined) output.note(`  ${read.why}`);
            break;
          default:
            read satisfies never;
        }
      }
    },
  };
}

/** The answer when no one can be asked. */
export const NOBODY: ApprovalAnswer = { decision: "denied", reason: "Nobody was there to answer." };
