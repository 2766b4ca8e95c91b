import type { ScriptDetector, ScriptEvent, ScriptOutcome } from "@deputy/codemode";
import { type Clock, type IdSource, type NoteOnSpan, span } from "@deputy/kit";
import type { Fallback, Model, ModelRequest, ModelUsage } from "@deputy/model";
import type { Redactor } from "@deputy/secrets";
import type { EventLog, NewEvent } from "@deputy/protocol";
import { CHARS_PER_TOKEN, estimateRequestTokens } from "../compaction/estimate-tokens.ts";
import { type AssembledRequest, sendPrompt } from "../ingress/prompt.ts";
import type { PictureShelf } from "../pictures/picture-shelf.ts";
import type { Turn } from "./turn.ts";

/** Something the model wants done. */
export interface ModelCall {
  readonly id: string;
  readonly name: string;
  readonly inputJson: string;
}

export interface Answer {
  /** Its reasoning and its text, not yet in the log. */
  readonly said: readonly NewEvent[];
  readonly calls: readonly ModelCall[];
  /** Programs between script tags in its text; only where they are looked for. */
  readonly scripts: readonly FoundScript[];
  readonly usage: ModelUsage;
  readonly stop: string;
  /** Present if another model answered than the one that was asked. */
  readonly fallback?: Fallback;
}

export interface FoundScript {
  readonly code: string;
  /** Why it cannot be run. */
  readonly refusal?: string;
  /** The text of the answer is without it. */
  readonly apart?: true;
  /** It has no end tag. */
  readonly unclosed?: true;
}

/**
 * Whether programs in the text are looked for, and stay in it: earlier versions left all of them there, later those
 * without an end tag.
 */
export type ScriptSearch = "none" | "taken_out" | "closed_taken_out" | "left_in";

/**
 * One call to the model: its text streams out as deltas; the whole is given back to be written down. Both are
 * redacted, and the deltas put together are the whole. Its calls and scripts are as it wrote them.
 */
export function askModel(
  deps: AskDeps,
  turn: Turn,
  request: AssembledRequest,
  scriptSearch: ScriptSearch,
  signal: AbortSignal,
): Promise<Answer> {
  const { provider, model } = deps.model.ref;
  const about = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": provider,
    "gen_ai.request.model": model,
    "gen_ai.request.max_tokens": request.maxOutputTokens,
    "gen_ai.conversation.id": turn.stream,
  };
  const ask = async (note: NoteOnSpan): Promise<Answer> => {
    const answer = await readAnswer(deps, turn, request, scriptSearch, signal);
    const { usage, stop, fallback } = answer;
    note({
      "gen_ai.usage.input_tokens": usage.inputTokens,
      "gen_ai.usage.output_tokens": usage.outputTokens,
      "gen_ai.response.finish_reasons": [stop],
      ...(fallback === undefined ? {} : { "gen_ai.response.model": fallback.model }),
    });
    return answer;
  };
  return span(`chat ${model}`, about, ask, "client");
}

interface AskDeps {
  readonly log: Pick<EventLog, "publish">;
  readonly model: Model;
  readonly redactor: Redactor;
  readonly ids: IdSource;
  readonly clock: Clock;
  /** Absent: the model is only told of pictures. */
  readonly pictures?: PictureShelf | undefined;
}

async function readAnswer(
  deps: AskDeps,
  turn: Turn,
  request: AssembledRequest,
  scriptSearch: ScriptSearch,
  signal: AbortSignal,
): Promise<Answer> {
  const { stream, turnId } = turn;
  const calls: ModelCall[] = [];
  const scripts: FoundScript[] = [];
  let source = "";
  let opening = "";
  let code = "";
  const detector = scriptSearch === "none" ? undefined : await openDetector();
  let usage: ModelUsage | undefined;
  let stop = "end";
  let fallback: Fallback | undefined;
  const texts = { message: "", reasoning: "" };
  const raw = { message: "", reasoning: "" };
  const filters = { message: deps.redactor.stream(), reasoning: deps.redactor.stream() };
  const itemIds = { message: deps.ids.next("item"), reasoning: deps.ids.next("item") };
  let opaque: string | undefined;

  const publish = (itemType: "message" | "reasoning", text: string): void => {
    if (text === "") return;
    const at = new Date(deps.clock.now()).toISOString();
    const offset = texts[itemType].length;
    const itemId = itemIds[itemType];
    deps.log.publish({ type: "assistant.delta", stream, turnId, at, itemId, itemType, offset, text });
    texts[itemType] += text;
  };
  const grow = (itemType: "message" | "reasoning", text: string): void => {
    raw[itemType] += text;
    publish(itemType, filters[itemType].push(text));
  };
  const isTakenOut = scriptSearch === "taken_out" || scriptSearch === "closed_taken_out";
  /** A program is no part of what the answer says; one whose end is unclear stays where it stands. */
  const look = (events: readonly ScriptEvent[]): void => {
    for (const event of events) {
      switch (event.kind) {
        case "text":
          if (isTakenOut) grow("message", event.text);
          break;
        case "script_started":
          [source, code, opening] = [event.tag, "", event.tag];
          break;
        case "script_delta":
          source += event.code;
          if (code.length < KEPT_OF_REFUSED) code += event.code;
          break;
        case "script_ended": {
          const isUnclosed = scriptSearch === "taken_out" && event.outcome.kind === "unterminated";
          const beginning = isUnclosed ? source.slice(opening.length) : code.slice(0, KEPT_OF_REFUSED);
          const script = found(event.outcome, beginning);
          const isTaken = isTakenOut && (script.refusal === undefined || isUnclosed);
          if (isTakenOut && !isTaken) grow("message", source + event.tag);
          scripts.push({
            ...script,
            ...(isTaken ? { apart: true } : {}),
            ...(isUnclosed ? { unclosed: true } : {}),
          });
        }
      }
    }
  };

  for await (const event of sendPrompt(deps.model, request, deps.pictures, signal)) {
    switch (event.kind) {
      case "text":
        if (!isTakenOut) grow("message", event.text);
        if (detector !== undefined) look(detector.push(event.text));
        break;
      case "reasoning":
        grow("reasoning", event.text);
        break;
      case "reasoning_done":
        opaque = event.opaque;
        break;
      case "tool_call":
        calls.push(event);
        break;
      case "usage":
        usage = event.usage;
        break;
      case "answered_by":
        fallback = event.fallback;
        break;
      case "stop":
        stop = event.reason;
        break;
    }
  }
  if (detector !== undefined) look(detector.end());
  publish("reasoning", filters.reasoning.end());
  publish("message", filters.message.end());

  const said: NewEvent[] = [];
  if (texts.reasoning !== "" || opaque !== undefined) {
    // It may repeat what was redacted, and its provider takes it only with the answer as it was.
    const isWhole = texts.reasoning === raw.reasoning && texts.message === raw.message;
    const kept = opaque === undefined || !isWhole ? {} : { opaque };
    const data = { itemId: itemIds.reasoning, text: texts.reasoning, ...kept };
    said.push({ type: "assistant.reasoning", turnId, data });
  }
  if (texts.message !== "" || (calls.length === 0 && !scripts.some(({ apart }) => apart))) {
    said.push({ type: "assistant.message", turnId, data: { itemId: itemIds.message, text: texts.message } });
  }
  const counted = usage ?? estimateUsage(request, texts, calls);
  return { said, calls, scripts, usage: counted, stop, ...(fallback === undefined ? {} : { fallback }) };
}

/** Some servers do not say what they counted; a budget is to hold all the same. */
function estimateUsage(
  request: ModelRequest,
  texts: { readonly message: string; readonly reasoning: string },
  calls: readonly ModelCall[],
): ModelUsage {
  const chars = calls.reduce(
    (sum, { name, inputJson }) => sum + name.length + inputJson.length,
    texts.message.length + texts.reasoning.length,
  );
  return {
    inputTokens: estimateRequestTokens(request),
    outputTokens: Math.ceil(chars / CHARS_PER_TOKEN),
  };
}

/** How much is kept of a script that is not run. The answer's text has all of it. */
const KEPT_OF_REFUSED = 2_000;

function found(outcome: ScriptOutcome, beginning: string): FoundScript {
  switch (outcome.kind) {
    case "complete":
      return { code: outcome.code };
    case "unterminated":
      return { code: beginning, refusal: UNCLOSED };
    case "too_large":
      return {
        code: beginning,
        refusal: `It is longer than ${outcome.maxCodeChars} characters: write a shorter one.`,
      };
    default:
      return { code: beginning, refusal: AMBIGUOUS[outcome.reason] };
  }
}

export const UNCLOSED = "Its </script> is missing: write it again, whole.";

const AMBIGUOUS: Readonly<Record<Extract<ScriptOutcome, { kind: "ambiguous" }>["reason"], string>> = {
  tag_in_comment: "A </script> is in a comment, so the end of the program is unclear: leave it out.",
  tag_in_literal:
    "A </script> is in a string, template or regular expression, so the end of the program is unclear: write it as `<\\/script>` there.",
  nested_tag: "A <script> stands in the middle of it: write one script after the other.",
};

/** Most agents call for programs; only those that write them into their text need it. */
async function openDetector(): Promise<ScriptDetector> {
  const { createScriptDetector } = await import("@deputy/codemode/detector");
  return createScriptDetector();
}
