import type { TranscriptLine } from "@deputy/agent/sessions";
import { makeVisible } from "@deputy/kit";
import { HEARTBEAT_CHANNEL, readNote, showNote } from "@deputy/protocol";
import { indent } from "./styles.ts";
import type { Output } from "../output/output.ts";

/** Shows one line of a transcript; text from outside is made safe to print. */
export function showTranscriptLine(output: Output, line: TranscriptLine): void {
  output.object(line);
  output.result(makeVisible(describe(line)));
}

function describe(line: TranscriptLine): string {
  if ("role" in line) return describeMessage(line);
  switch (line.type) {
    case "session":
      return `${line.id}  ${line.timestamp}  ${line.agentId}  ${line.key}${forked(line)}`;
    case "approval":
      return `  ${line.decision} by ${line.by}`;
    case "compaction":
      return indent(`Summary of ${line.fromSeq} to ${line.throughSeq}:\n${line.summary}`, "  ~ ");
    case "turn":
      return `✗ ${line.error.message}`;
    default:
      return line satisfies never;
  }
}

function describeMessage(line: Extract<TranscriptLine, { readonly role: string }>): string {
  switch (line.role) {
    case "user": {
      const note =
        line.channel === HEARTBEAT_CHANNEL
          ? { from: line.channel, text: line.content }
          : readNote({ ...line, text: line.content });
      return note === undefined ? indent(line.content, "> ") : showNote(note);
    }
    case "assistant":
      return line.content;
    case "tool_use":
      return line.toolName === "run_code"
        ? indent(line.content, "  │ ")
        : `  · ${line.toolName} ${line.content}`;
    case "tool_result": {
      const text = [line.error?.message, line.content].filter(Boolean).join("\n");
      return indent(text, line.error === undefined ? "  ✓ " : "  ✗ ");
    }
    default:
      return line satisfies never;
  }
}

function forked({ forkedFrom }: Extract<TranscriptLine, { readonly type: "session" }>): string {
  return forkedFrom === undefined ? "" : `  forked from ${forkedFrom.stream} at ${forkedFrom.throughSeq}`;
}
