import { resultLeaves, type ResultRecord } from "../result-leaves.ts";
import { type ArgumentPlace, isIdLike, isSameKind, type Kind, kindOfArgument, kindOfField } from "./kind.ts";
import { splitWords } from "../../inference/split-words.ts";

/** A record that a tool has shown, by what people call it. */
export interface RowName {
  readonly text: string;
  /** The tool that showed it. */
  readonly source: string;
}

/**
 * What ids stand for, so that a question can say it. Only for people to read: nothing is explained or allowed by
 * it. Where two records could be meant, there is no answer.
 */
export interface RowNames {
  /** Takes in a result in small steps, with the input of the call that gave it. */
  addSteps(toolPath: string, result: unknown, input: unknown): Iterable<void>;
  /** The record that an id in a call's input stands for. Never throws. */
  find(value: string | number, place: ArgumentPlace, input: unknown): RowName | undefined;
}

interface Row extends RowName {
  readonly kind: Kind;
  /** The input that gave it: issue 1 of one repository is not issue 1 of another. */
  readonly input: unknown;
}

/** The fields by which people call a thing, best first. */
const NAMES = ["title", "subject", "name", "summary", "label", "headline", "filename", "display"];
/** Arguments of a reading call that only choose how much of a place is shown, not which place. */
const VIEWS = new Set(
  "state status sort order direction page limit per_page cursor offset query q since until fields include filter".split(
    " ",
  ),
);
const MOST_ROWS = 20_000;
const LONGEST_NAME = 200;
const LEAVES_A_STEP = 1_000;

export function createRowNames(): RowNames {
  const rows = new Map<string, Row[]>();
  let count = 0;

  const put = (record: ResultRecord, toolPath: string, input: unknown): void => {
    const text = nameOf(record);
    if (text === undefined) return;
    for (const { value, name } of record.fields) {
      if (!isIdLike(value, name) || count >= MOST_ROWS) continue;
      const place = { name, toolPath, recordName: record.name, isTop: record.isTop };
      const row = { text, source: toolPath, kind: kindOfField(place), input };
      const known = rows.get(String(value));
      if (known === undefined) rows.set(String(value), [row]);
      else known.push(row);
      count += 1;
    }
  };

  return {
    *addSteps(toolPath, result, input) {
      const known = new WeakSet<ResultRecord>();
      let leaves = 0;
      for (const { record } of resultLeaves(
        result,
        () => false,
        () => undefined,
      )) {
        if (record !== undefined && !known.has(record)) put(record, toolPath, input);
        if (record !== undefined) known.add(record);
        leaves += 1;
        if (leaves % LEAVES_A_STEP === 0) yield;
      }
    },
    find(value, place, input) {
      if (!isIdLike(value, place.name)) return undefined;
      const kind = kindOfArgument(place);
      const found = (rows.get(String(value)) ?? []).filter(
        (row) => isSameKind(row.kind, kind) && isSamePlace(row.input, input),
      );
      const [first] = found;
      if (first === undefined || found.some(({ text }) => text !== first.text)) return undefined;
      return { text: first.text, source: first.source };
    },
  };
}

function nameOf({ fields }: ResultRecord): string | undefined {
  for (const wanted of NAMES) {
    const found = fields.find(({ name }) => splitWords(name).includes(wanted));
    if (typeof found?.value !== "string") continue;
    if (found.value.trim() !== "" && found.value.length <= LONGEST_NAME) return found.value;
  }
  return undefined;
}

/** True unless an argument that both calls have says that they are about different places. */
function isSamePlace(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || one === null || typeof other !== "object" || other === null) return true;
  return Object.entries(one).every(([key, value]: [string, unknown]) => {
    if (VIEWS.has(key.toLowerCase()) || !Object.hasOwn(other, key)) return true;
    return JSON.stringify(Reflect.get(other, key)) === JSON.stringify(value);
  });
}
