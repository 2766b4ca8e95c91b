import type { CallFragment } from "./call-fragment.ts";

/** A call while its pieces arrive. */
export interface CallDraft {
  readonly index: number | undefined;
  readonly ids: Set<string>;
  name: string;
  json: string;
  /** The last chunk that named it. */
  namedIn: number;
  readonly extent: JsonExtent;
}

export function beginDraft({ index, id, name, json, chunk }: CallFragment): CallDraft {
  const extent = createJsonExtent();
  extent.push(json);
  return { index, ids: new Set(id === "" ? [] : [id]), name, json, namedIn: chunk, extent };
}

/** Complete arguments do not grow: some servers repeat them. */
export function growDraft(draft: CallDraft, { id, json }: CallFragment): void {
  if (id !== "") draft.ids.add(id);
  if (draft.extent.isWhole()) return;
  draft.json += json;
  draft.extent.push(json);
}

/**
 * Says whether text that arrives in pieces contains a whole object or string, by its brackets and quotes
 * alone.
 */
interface JsonExtent {
  push(text: string): void;
  isWhole(): boolean;
}

function createJsonExtent(): JsonExtent {
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let opening = "";
  const read = (char: string): void => {
    if (isEscaped) isEscaped = false;
    else if (isInString && char === "\\") isEscaped = true;
    else if (char === '"') isInString = !isInString;
    else if (!isInString && (char === "{" || char === "[")) depth += 1;
    else if (!isInString && (char === "}" || char === "]")) depth -= 1;
  };
  return {
    push(text) {
      for (const char of text) {
        if (opening === "") opening = char.trim();
        read(char);
      }
    },
    isWhole: () => ["{", "[", '"'].includes(opening) && depth <= 0 && !isInString,
  };
}
