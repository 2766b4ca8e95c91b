import type { ScriptDetector, ScriptEvent, ScriptOutcome } from "@deputy/codemode";
import type { Clock, IdSource } from "@deputy/kit";
import type { Model, ModelRequest, ModelUsage } from "@deputy/model";
import type { Redactor } from "@deputy/secrets";
import type { EventLog, NewEvent } from "@deputy/protocol";
import { CHARS_PER_TOKEN, estimateRequestTokens } from "../compaction/estimate-tokens.ts";
import { type AssembledRequest, sendPrompt } from "../ingress/prompt.ts";
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
}

export interface FoundScript {
  readonly code: string;
  /** Why it cannot be run. */
  readonly refusal?: string;
}

/**
 * One call to the model: its text streams out as deltas; the whole is given back to be written down. Both are
 * redacted, and the deltas put together are the whole. Its calls and scripts are as it wrote them.
 */
export async function askModel(
  deps: {
    readonly log: Pick<EventLog, "publish">;
    readonly model: Model;
    readonly redactor: Redactor;
    readonly ids: IdSource;
    readonly clock: Clock;
  },
  turn: Turn,
  request: AssembledRequest,
  options: { readonly findScripts: boolean },
  signal: AbortSignal,
): Promise<Answer> {
  const { stream, turnId } = turn;
  const calls: ModelCall[] = [];
  const scripts: FoundScript[] = [];
  let code = "";
  const detector = options.findScripts ? await openDetector() : undefined;
  let usage: ModelUsage | undefined;
  let stop = "end";
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
  const look = (events: readonly ScriptEvent[]): void => {
    for (const event of events) {
      if (event.kind === "script_started") code = "";
      if (event.kind === "script_delta" && code.length < KEPT_OF_REFUSED) code += event.code;
      if (event.kind === "script_ended") scripts.push(found(event.outcome, code.slice(0, KEPT_OF_REFUSED)));
    }
  };

  for await (const event of sendPrompt(deps.model, request, signal)) {
    switch (event.kind) {
      case "text":
        grow("message", event.text);
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
  if (texts.message !== "" || calls.length === 0) {
    said.push({ type: "assistant.message", turnId, data: { itemId: itemIds.message, text: texts.message } });
  }
  return { said, calls, scripts, usage: usage ?? estimateUsage(request, texts, calls), stop };
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
      return { code: beginning, refusal: "Its </script> is missing: write it again, whole." };
    case "too_large":
      return {
        code: beginning,
        refusal: `It is longer than ${outcome.maxCodeChars} characters: write a shorter one.`,
      };
    default:
      return { code: beginning, refusal: AMBIGUOUS[outcome.reason] };
  }
}

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
