import {
  type ApprovalCard,
  type ApprovalPreview,
  type CardLine,
  cardLines,
  projectCard,
  wrapCardLines,
} from "@deputy/protocol";
import { NO_STYLES, type Styles } from "./styles.ts";
import type { DecisionBlock } from "../chat/chat-block.ts";

/**
 * A question as lines of at most `width` columns, with nothing in it invisible. `whole` folds no calls and leaves
 * nothing out of long values.
 */
export function showApproval(
  request: {
    readonly toolPath: string;
    readonly input: unknown;
    readonly preview: ApprovalPreview;
    /** As the daemon made it, which knows more of the question. */
    readonly card?: ApprovalCard | undefined;
  },
  styles: Styles = NO_STYLES,
  detail: "short" | "whole" = "short",
  width?: number,
): string {
  const { card } = request;
  const shown =
    card !== undefined && detail === "short"
      ? card
      : {
          ...card,
          ...projectCard(request, detail),
          ...(card?.prompt === undefined ? {} : { prompt: card.prompt }),
        };
  return cardLines(shown, width)
    .map((line) => styled(styles, line))
    .join("\n");
}

/** Lines like those of a question. */
export function showCardLines(
  lines: readonly CardLine[],
  styles: Styles = NO_STYLES,
  width?: number,
): string {
  return wrapCardLines(lines, width)
    .map((line) => styled(styles, line))
    .join("\n");
}

function styled(styles: Styles, { text, style }: CardLine): string {
  switch (style) {
    case "question":
      return styles.question(text);
    case "warning":
      return styles.bad(text);
    case "added":
      return styles.added(text);
    case "removed":
      return styles.removed(text);
    case "soft":
      return styles.soft(text);
    default:
      return text;
  }
}

/** Who answered what; of a plan, also how much of it was left out. */
export function describeDecision({ decision, by, part }: DecisionBlock): string {
  return part === undefined ? `${decision} by ${by}` : `${part.approved} of ${part.of} approved by ${by}`;
}
