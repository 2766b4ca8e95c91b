import type { ModelEvent, StopReason } from "@deputy/model";
import type { EventData } from "@deputy/protocol";
import { taggedScript } from "../history/history.ts";
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
  const { fallback } = end;
  return [
    ...(fallback === undefined ? [] : [{ kind: "answered_by" as const, fallback }]),
    // Where they stood in the text is not recorded. In front of it, none of it can change what they are.
    ...said.filter((event) => !isUnclosed(event)).flatMap(scriptText),
    ...said.flatMap(toModelEvent),
    // Nothing follows one without an end.
    ...said.filter(isUnclosed).flatMap(scriptText),
    { kind: "usage", usage },
    { kind: "stop", reason: end.stop as StopReason },
  ];
}

/** A program that was taken out of the text. */
function scriptText(event: LeadingEvent): ModelEvent[] {
  if (event.type !== "cell.submitted" || event.data.apart !== true) return [];
  return [{ kind: "text", text: taggedScript(event.data) }];
}

function isUnclosed(event: LeadingEvent): boolean {
  return event.type === "cell.submitted" && event.data.unclosed === true;
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
      // A script stands in the text, or before it; a program without an id is the user's own.
      if (id === undefined || isScript === true) return [];
      if (call === undefined)
        return [{ kind: "tool_call", id, name: "run_code", inputJson: JSON.stringify({ code }) }];
      return [{ kind: "tool_call", id, name: call.name, inputJson: sentJson(call.input) }];
    }
    default:
      return [];
  }
}
