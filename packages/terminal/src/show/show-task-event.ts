import { makeVisible } from "@deputy/kit";
import type { TaskEvent } from "@deputy/protocol";
import type { ChatBlock } from "../chat/chat-block.ts";
import { describeDecision, showApproval } from "./show-approval.ts";
import type { Output } from "../output/output.ts";
import { indent } from "./styles.ts";

const MARKS = { succeeded: "✓", failed: "✗", denied: "⊘" } as const;

/**
 * Shows one event of a task; text from outside is made safe to print. The blocks are what it is in a chat, where
 * that is known: they say more of an answer.
 */
export function showTaskEvent(output: Output, event: TaskEvent, blocks: readonly ChatBlock[] = []): void {
  output.object(event);
  switch (event.type) {
    case "status":
      output.note(`· ${makeVisible(event.message)}`);
      break;
    case "code_generated":
      output.note(indent(makeVisible(event.code), "  │ "));
      break;
    case "approval_request":
      output.note(showApproval(event, undefined, "short", output.width));
      break;
    case "approval_resolved":
      output.note(`  ${makeVisible(decided(event, blocks))}`);
      break;
    case "tool_result":
      output.note(
        `${MARKS[event.status]} ${makeVisible(event.toolPath)}${event.preview === undefined ? "" : `  ${makeVisible(event.preview)}`}`,
      );
      break;
    case "agent_message":
      output.result(makeVisible(event.text));
      break;
    case "error":
      output.note(`✗ ${makeVisible(event.error)}`);
      break;
    case "completed":
      break;
  }
}

function decided({ decision }: { readonly decision: string }, blocks: readonly ChatBlock[]): string {
  const partly = blocks.find((block) => block.kind === "decision" && block.part !== undefined);
  return partly?.kind === "decision" ? describeDecision(partly) : decision;
}
