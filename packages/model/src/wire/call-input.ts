import { WireFailure } from "./failure.ts";
import { isObject, type JsonObject, parseJson } from "./json.ts";

/**
 * A call's arguments as JSON of an object: as they came, if they are that. Some servers send nothing for
 * “no arguments”, and some a string that holds the JSON. Undefined if it is none of these.
 */
export function readCallInput(text: string): string | undefined {
  if (text.trim() === "") return "{}";
  const value = parseJson(text);
  if (isObject(value)) return text;
  return typeof value === "string" && isObject(parseJson(value)) ? value : undefined;
}

/** A call that cannot be run is no answer; a cut-off one is left out by whoever knows that it was cut off. */
export function refuseCall(name: string): never {
  throw new WireFailure("garbage", `the arguments of its call to ${name} are not JSON`);
}

/** A call's arguments as an object, for wires that want one. */
export function toInputObject(inputJson: string): JsonObject {
  const value = parseJson(inputJson);
  return isObject(value) ? value : {};
}
