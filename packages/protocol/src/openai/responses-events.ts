import { z } from "zod";
import type { AnswerPart } from "./answer-feed.ts";
import {
  outputMessage,
  outputText,
  type ResponsesHead,
  responsesObject,
  responsesObjectSchema,
  type ResponsesState,
} from "./responses-object.ts";

/** What a stream of `POST /v1/responses` says. */
export const responsesEventSchema = z.union([
  z.looseObject({
    type: z.enum(["response.created", "response.in_progress", "response.completed", "response.failed"]),
    sequence_number: z.int().nonnegative(),
    response: responsesObjectSchema,
  }),
  z.looseObject({
    type: z.enum([
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
    ]),
    sequence_number: z.int().nonnegative(),
    output_index: z.literal(0),
  }),
]);
export type ResponsesEvent = z.infer<typeof responsesEventSchema>;

export interface ResponsesFeed {
  /** Before everything else. */
  start(): readonly ResponsesEvent[];
  apply(part: AnswerPart): readonly ResponsesEvent[];
}

type Draft = ResponsesEvent extends infer Event
  ? Event extends ResponsesEvent
    ? Omit<Event, "sequence_number"> & { readonly type: Event["type"] }
    : never
  : never;

/** One per run and reader: numbers the events and opens and closes the one message that there is. */
export function createResponsesFeed(head: ResponsesHead): ResponsesFeed {
  let text = "";
  let isOpen = false;
  let next = 0;

  const numbered = (drafts: readonly Draft[]): readonly ResponsesEvent[] =>
    drafts.map((draft) => ({ ...draft, sequence_number: next++ }) as ResponsesEvent);
  const at = { output_index: 0 as const };
  const place = { ...at, content_index: 0, item_id: outputMessage(head.runId, "in_progress").id };
  const opening = (): readonly Draft[] => {
    if (isOpen) return [];
    isOpen = true;
    return [
      { type: "response.output_item.added", ...at, item: outputMessage(head.runId, "in_progress") },
      { type: "response.content_part.added", ...place, part: outputText("") },
    ];
  };
  const closing = (status: "completed" | "incomplete"): readonly Draft[] =>
    isOpen
      ? [
          { type: "response.output_text.done", ...place, text, logprobs: [] },
          { type: "response.content_part.done", ...place, part: outputText(text) },
          { type: "response.output_item.done", ...at, item: outputMessage(head.runId, status, text) },
        ]
      : [];
  const told = (type: "response.completed" | "response.failed", state: ResponsesState): Draft => ({
    type,
    response: responsesObject(head, state),
  });

  return {
    start() {
      const response = responsesObject(head, { status: "in_progress" });
      return numbered([
        { type: "response.created", response },
        { type: "response.in_progress", response },
      ]);
    },
    apply(part) {
      if (part.kind === "text") {
        text += part.text;
        return numbered([
          ...opening(),
          { type: "response.output_text.delta", ...place, delta: part.text, logprobs: [] },
        ]);
      }
      if (part.kind === "done") {
        const { usage } = part;
        return numbered([
          ...closing("completed"),
          told("response.completed", { status: "completed", text, usage }),
        ]);
      }
      const { code, message } = part;
      return numbered([
        ...closing("incomplete"),
        told("response.failed", { status: "failed", text, code, message }),
      ]);
    },
  };
}
