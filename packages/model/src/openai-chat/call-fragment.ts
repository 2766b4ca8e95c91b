import { isObject, listIn, type JsonObject, textIn } from "../wire/json.ts";

/** A piece of a call as it was streamed; fields that a server leaves out are empty. */
export interface CallFragment {
  /** Which chunk of the stream it came in. */
  readonly chunk: number;
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly json: string;
}

/** The calls in a delta or a whole message: `tool_calls`, one or many, or the older `function_call`. */
export function readCallFragments(delta: JsonObject, chunk: number): readonly CallFragment[] {
  const { tool_calls: given, function_call: single } = delta;
  const entries = isObject(given) ? [given] : listIn(delta, "tool_calls").filter(isObject);
  const older = isObject(single) ? [{ function: single }] : [];
  return [...entries, ...older].map((entry) => readFragment(entry, chunk));
}

function readFragment(entry: JsonObject, chunk: number): CallFragment {
  const called = isObject(entry["function"]) ? entry["function"] : {};
  const index = entry["index"];
  return {
    chunk,
    index: typeof index === "number" ? index : undefined,
    id: textIn(entry, "id"),
    name: textIn(called, "name"),
    json: readArguments(called),
  };
}

/** Text, or the object itself. */
function readArguments(called: JsonObject): string {
  const given = called["arguments"];
  return isObject(given) ? JSON.stringify(given) : textIn(called, "arguments");
}
