import { readCallInput, refuseCall } from "../wire/call-input.ts";
import { isObject, type JsonObject, parseJson, textIn } from "../wire/json.ts";
import type { FinishedCall } from "../wire/stream-answer.ts";

/** Puts streamed calls together, by everything that servers do differently from each other. */
export interface CallAssembly {
  /** One entry of `delta.tool_calls`. */
  add(fragment: unknown): void;
  /** `cut`: the answer was cut off, so that a call may be unfinished; it is left out. */
  finish(end: "whole" | "cut"): readonly FinishedCall[];
}

interface Draft {
  index: unknown;
  ids: Set<string>;
  name: string;
  json: string;
}

/**
 * `index` tells calls apart, but may be missing, or 0 for all; an id may be missing, or another in each
 * fragment; arguments may be an object, or come in one piece, or be repeated at the end. So a fragment
 * begins a new call only if it names a function and the call it would go on with is complete.
 */
export function createCallAssembly(giveId: (wanted: string | undefined) => string): CallAssembly {
  const drafts: Draft[] = [];

  const find = (index: unknown, id: string, name: string): Draft | undefined => {
    const near = typeof index === "number" ? drafts.filter((draft) => draft.index === index) : drafts;
    if (near.length === 0) return name === "" ? drafts.at(-1) : undefined;
    return near.findLast(({ ids }) => ids.has(id)) ?? near.at(-1);
  };

  return {
    add(fragment) {
      if (!isObject(fragment)) return;
      const called = isObject(fragment["function"]) ? fragment["function"] : {};
      const [id, name, json] = [textIn(fragment, "id"), textIn(called, "name"), argumentsOf(called)];
      const draft = find(fragment["index"], id, name);
      if (draft === undefined || begins(draft, { id, name, json })) {
        drafts.push({ index: fragment["index"], ids: new Set(id === "" ? [] : [id]), name, json });
        return;
      }
      if (id !== "") draft.ids.add(id);
      if (draft.name === "") draft.name = name;
      if (!isComplete(draft.json)) draft.json += json;
    },
    finish: (end) =>
      drafts.flatMap(({ ids, name, json }) => {
        const inputJson = name === "" ? undefined : readCallInput(json);
        if (inputJson !== undefined) return [{ id: giveId([...ids][0]), name, inputJson }];
        return end === "cut" ? [] : refuseCall(name || "a function without a name");
      }),
  };
}

function begins(
  { ids, json: before }: Draft,
  { id, name, json }: Omit<Draft, "index" | "ids"> & { id: string },
): boolean {
  if (name === "" || !isComplete(before)) return false;
  if (id !== "" && !ids.has(id)) return true;
  // Some servers send the whole call once more at the end, or its name with every piece.
  if (json === before) return false;
  return id === "" ? json !== "" || ids.size === 0 : isComplete(json);
}

function isComplete(json: string): boolean {
  return isObject(parseJson(json));
}

function argumentsOf(called: JsonObject): string {
  const given = called["arguments"];
  return isObject(given) ? JSON.stringify(given) : textIn(called, "arguments");
}
