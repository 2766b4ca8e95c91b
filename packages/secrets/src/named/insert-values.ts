import { type Detect, MORE, NONE, type Span, type Verdict } from "../detector.ts";
import { isExample, isReference, isStandIn } from "../plausible.ts";
import { tellOfName } from "./named-secret.ts";

const LONGEST_STATEMENT = 2_048;
const HEAD =
  /^insert\s{1,5}(?:ignore\s{1,5})?into\s{1,5}[\w."`[\]]{1,100}\s{0,5}\(([^()]{1,400})\)\s{0,5}values\s{0,5}/i;
const BEGUN =
  /^insert(?:\s+(?:ignore\s+)?(?:i(?:n(?:t(?:o[^()]*(?:\([^()]*(?:\)\s*[a-z]*[^;]*)?)?)?)?)?)?)?$/i;
const ROW = /\s{0,20},?\s{0,20}\(/y;
const FIELD =
  /\s{0,20}(?:[NEB]?'((?:[^'\\\n]|''|\\.){0,256})'|"([^"\n]{0,256})"|[^,()'"\n]{0,80}(?:\([^()'"\n]{0,80}\))?)\s{0,20}([,)])/y;

/** `INSERT INTO users (name, password) VALUES ('ada', '…')`: the fields of columns that are secret. */
export const detectInsert: Detect = (view, at) => {
  const statement = view.text.slice(at, at + LONGEST_STATEMENT);
  const head = HEAD.exec(statement);
  const isCut = !view.isFinal && statement.length < LONGEST_STATEMENT;
  if (isCut && !/[;\n]/.test(statement) && BEGUN.test(statement)) return MORE;
  if (head === null) return NONE;
  const columns = (head[1] ?? "")
    .split(",")
    .map((name) => tellOfName(name.replaceAll(/[^\w]/g, "")) !== "no");
  return columns.includes(true) ? judgeRows(statement, at, head[0].length, columns) : NONE;
};

function judgeRows(statement: string, at: number, from: number, columns: readonly boolean[]): Verdict {
  const spans: Span[] = [];
  for (ROW.lastIndex = from; ROW.test(statement);) {
    let next = ROW.lastIndex;
    for (let column = 0; ; column++) {
      FIELD.lastIndex = next;
      const found = FIELD.exec(statement);
      if (found === null) return finding(spans);
      const value = found[1] ?? found[2] ?? "";
      const start = at + next + found[0].indexOf(value);
      if (
        columns[column] === true &&
        value.length >= 4 &&
        !isReference(value) &&
        !isStandIn(value) &&
        !isExample(value)
      )
        spans.push({ start, end: start + value.length });
      next = FIELD.lastIndex;
      if (found[3] === ")") break;
    }
    ROW.lastIndex = next;
  }
  return finding(spans);
}

function finding(spans: readonly Span[]): Verdict {
  return spans.length === 0 ? NONE : { kind: "secret", spans };
}
