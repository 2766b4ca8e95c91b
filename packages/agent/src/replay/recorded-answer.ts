import type { ModelEvent, StopReason } from "@deputy/model";
import type { EventData } from "@deputy/protocol";
import { sentJson } from "../turn/offer.ts";
import type { LeadingEvent } from "./recorded-turn.ts";

/** One answer of the model, as it was written down. */
export interface RecordedAnswer {
  readonly said: readonly LeadingEvent[];
  /** Its last event, and the last one that the model had seen. */
  readonly seq: number;
  readonly throughSeq: number;
  readonly events: readonly ModelEvent[];
}

type AnswerEnd = NonNullable<EventData<"assistant.message">["answer"]>;

/** The answers of a turn, in order: each ends with the event that says what it cost. */
export function readAnswers(leading: readonly LeadingEvent[]): readonly RecordedAnswer[] {
  const answers: RecordedAnswer[] = [];
  let said: LeadingEvent[] = [];
  for (const event of leading) {
    if (event.type.startsWith("turn.")) continue;
    said.push(event);
    const end = endOf(event);
    if (end === undefined) continue;
    answers.push({ said, seq: event.seq, throughSeq: end.throughSeq, events: toModelEvents(said, end) });
    said = [];
  }
  return answers;
}

/** Present on the last event of an answer. */
function endOf(event: LeadingEvent): AnswerEnd | undefined {
  return event.type === "assistant.message" || event.type === "cell.submitted"
    ? event.data.answer
    : undefined;
}

/** The recorded answer as model events, each text in one piece. */
function toModelEvents(said: readonly LeadingEvent[], end: AnswerEnd): readonly ModelEvent[] {
  const { modelCalls: _, ...usage } = end.usage;
  return [
    ...said.flatMap(toModelEvent),
    { kind: "usage", usage },
    { kind: "stop", reason: end.stop as StopReason },
  ];
}

function toModelEvent(event: LeadingEvent): ModelEvent[] {
  switch (event.type) {
    case "assistant.reasoning": {
      const { text, opaque } = event.data;
      const done: ModelEvent[] = opaque === undefined ? [] : [{ kind: "reasoning_done", opaque }];
      return text === "" ? done : [{ kind: "reasoning", text }, ...done];
    }
    case "assistant.message":
      return event.data.text === "" ? [] : [{ kind: "text", text: event.data.text }];
    case "cell.submitted": {
      const { providerCallId: id, isScript, call, code } = event.data;
      // A script stands in the text; a program without an id is the user's own.
      if (id === undefined || isScript === true) return [];
      if (call === undefined)
        return [{ kind: "tool_call", id, name: "run_code", inputJson: JSON.stringify({ code }) }];
      return [{ kind: "tool_call", id, name: call.name, inputJson: sentJson(call.input) }];
    }
    default:
      return [];
  }
}
