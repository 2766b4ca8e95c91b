import { isObject, type JsonObject, parseJson } from "./json.ts";

/**
 * A call's arguments as JSON of an object, unchanged if they already are. Some servers send nothing for “no
 * arguments”, and some a string that contains the JSON. Undefined for anything else.
 */
export function readCallInput(text: string): string | undefined {
  if (text.trim() === "") return "{}";
  const value = parseJson(text);
  if (isObject(value)) return text;
  return typeof value === "string" && isObject(parseJson(value)) ? value : undefined;
}

/**
 * The same, but arguments that make no sense are passed on unchanged: the caller tells the model, which can
 * fix them. Undefined if the answer was cut off before the arguments began.
 */
export function finishCallInput(text: string, end: "whole" | "cut"): string | undefined {
  return end === "cut" && text.trim() === "" ? undefined : (readCallInput(text) ?? text);
}

/** A call's arguments as an object, for wires that want one. */
export function toInputObject(inputJson: string): JsonObject {
  const value = parseJson(inputJson);
  return isObject(value) ? value : {};
}

/** A call's arguments as JSON of an object, for wires that want it as text. */
export function toInputJson(inputJson: string): string {
  return isObject(parseJson(inputJson)) ? inputJson : "{}";
}
