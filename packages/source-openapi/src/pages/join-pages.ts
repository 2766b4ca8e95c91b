import { isObject } from "@deputy/json-schema";

export interface ListIn {
  /** Undefined if the answer itself is the list. */
  readonly key: string | undefined;
  readonly items: readonly unknown[];
}

const USUAL: ReadonlySet<string> = new Set([
  "items",
  "data",
  "results",
  "value",
  "values",
  "records",
  "entries",
  "list",
  "resources",
]);

/** The main list of an answer: the answer itself, a list with a usual name, or the only one in it. */
export function listIn(value: unknown): ListIn | undefined {
  if (Array.isArray(value)) return { key: undefined, items: value };
  if (!isObject(value)) return undefined;
  const lists = Object.entries(value).flatMap(([key, items]) =>
    Array.isArray(items) ? [{ key, items }] : [],
  );
  return lists.find(({ key }) => USUAL.has(key)) ?? (lists.length === 1 ? lists[0] : undefined);
}

/** Joins answers of the same operation: the whole list, and everything else from the last answer. */
export function joinPages(answers: readonly unknown[]): unknown {
  const last = answers.at(-1);
  const list = listIn(last);
  if (list === undefined || answers.length === 1) return last;
  const items = answers.flatMap((answer) => listIn(answer)?.items ?? []);
  return list.key === undefined || !isObject(last) ? items : { ...last, [list.key]: items };
}
