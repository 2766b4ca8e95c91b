import { boundsInWords, kindInWords } from "@deputy/json-schema/describe-field";
import { misfitsOf } from "@deputy/json-schema/form-check";
import { fieldsOf, type FormField, type FormKind, formOf } from "@deputy/json-schema/form-fields";
import { showOnOneLine, showText } from "@deputy/kit";
import type { ApprovalAnswer, CardLine } from "@deputy/protocol";
import type { ApprovalRequest } from "../chat/chat-block.ts";
import { isNumbered, readTyped } from "./read-value.ts";

/** The values that a running call asks for, one after the other; all of them are shown before they are sent. */
export interface FormFilling {
  /** What is asked now. Text that is not Deputy's own stands behind a bar, and nothing in it is invisible. */
  says(): readonly CardLine[];
  /** Stands before what is typed. */
  prompt(): string;
  take(line: string): TakenLine;
}

export type TakenLine =
  | { readonly kind: "goes_on" }
  | { readonly kind: "wrong"; readonly why: string }
  /** Back to the question, which stays open. */
  | { readonly kind: "left" }
  | { readonly kind: "answer"; readonly answer: ApprovalAnswer };

type AnswerForm = NonNullable<ApprovalRequest["form"]>;

const LONGEST_NAME = 40;
const LONGEST_VALUE = 40;
/** More of a text is no longer read before it is sent; its length is told. */
const LONGEST_REVIEWED = 2_000;

/** Undefined where there is nothing to fill in, or only as JSON. */
export function createFormFilling({ schema, proposed }: AnswerForm): FormFilling | undefined {
  const all = (fieldsOf(schema) ?? []).map(({ name, schema: of, isRequired }): Field => ({
    name,
    schema: of,
    isRequired,
    form: formOf(of),
  }));
  const fields = all.filter(({ form }) => form.kind !== "fixed");
  if (fields.length === 0) return undefined;
  const fixed = all.filter(({ form }) => form.kind === "fixed");
  const given = new Map<string, unknown>(fixed.map(({ name, schema: of }) => [name, of["const"]]));
  let at = 0;
  /** A value is changed that was seen among all. */
  let isChanging = false;

  const content = (): Readonly<Record<string, unknown>> => ({ ...proposed, ...Object.fromEntries(given) });
  const stands = (name: string): unknown => (given.has(name) ? given.get(name) : proposed[name]);
  const goTo = (next: number): TakenLine => {
    at = next;
    isChanging = false;
    return { kind: "goes_on" };
  };
  const onwards = (): TakenLine => goTo(isChanging ? fields.length : at + 1);
  const back = (): TakenLine => {
    if (isChanging) return goTo(fields.length);
    return at === 0 ? { kind: "left" } : goTo(at - 1);
  };
  const takeValue = ({ name, form, isRequired }: Field, line: string): TakenLine => {
    if (line.trim() === "") {
      if (stands(name) !== undefined || !isRequired) return onwards();
      return wrong("It must be given.");
    }
    const meant = readTyped(form, line);
    if (meant.kind !== "value") return wrong(meant.kind === "unreadable" ? meant.why : "It must be given.");
    const { byField } = misfitsOf(schema, { ...content(), [name]: meant.value });
    const misfit = byField.find(([one]) => one === name);
    if (misfit !== undefined) return wrong(misfit[1]);
    given.set(name, meant.value);
    return onwards();
  };
  const takeReview = (line: string): TakenLine => {
    const text = line.trim();
    if (/^n(?:o)?$/i.test(text)) return { kind: "answer", answer: { decision: "denied" } };
    if (/^y(?:es)?$/i.test(text)) return send();
    const number = /^\d{1,6}$/.test(text) ? Number(text) : 0;
    const chosen = number > 0 ? number - 1 : fields.findIndex(({ name }) => name === text);
    if (chosen < 0 || chosen >= fields.length)
      return wrong("Type y to send it, n to decline, or the number of a value to change it.");
    at = chosen;
    isChanging = true;
    return { kind: "goes_on" };
  };
  const send = (): TakenLine => {
    const { byField, others } = misfitsOf(schema, content());
    const problems = [...byField.map(([name, what]) => `${name}: ${what}`), ...others];
    if (problems.length > 0) return wrong(problems.map(showOnOneLine).join(" "));
    const result = { value: Object.fromEntries(given) };
    return { kind: "answer", answer: { decision: "approved", scope: "once", result } };
  };

  return {
    says() {
      const field = fields[at];
      if (field === undefined) return reviewLines([...fields, ...fixed], stands);
      return fieldLines(field, `${at + 1} of ${fields.length}`, proposed[field.name]);
    },
    prompt() {
      const field = fields[at];
      if (field === undefined) return "Send it? [y]es, [n]o, or the number of a value to change it:";
      const { name, isRequired } = field;
      const value = stands(name);
      const enter =
        value === undefined ? (isRequired ? [] : ["Enter leaves it out"]) : [`Enter keeps ${shortly(value)}`];
      const taken = given.has(name) && !isRequired ? ["/skip takes it away"] : [];
      return `“${cut(showOnOneLine(name), LONGEST_NAME)}” (${[...enter, ...taken, "/back", "/no declines"].join(", ")}):`;
    },
    take(line) {
      const [, command = "", rest = ""] = /^\s*\/(back|no|skip)(?:\s+(.*))?$/is.exec(line) ?? [];
      const field = fields[at];
      switch (command.toLowerCase()) {
        case "back":
          return back();
        case "no": {
          const reason = rest.trim() === "" ? {} : { reason: rest.trim() };
          return { kind: "answer", answer: { decision: "denied", ...reason } };
        }
        case "skip":
          if (field === undefined) break;
          if (field.isRequired && proposed[field.name] === undefined) return wrong("It must be given.");
          given.delete(field.name);
          return onwards();
      }
      return field === undefined ? takeReview(line) : takeValue(field, line);
    },
  };
}

/** True if a yes alone says too little. */
export function lacksValues({ schema, proposed }: AnswerForm): boolean {
  return (fieldsOf(schema) ?? []).some(({ name, isRequired }) => isRequired && proposed[name] === undefined);
}

interface Field extends FormField {
  readonly form: FormKind;
}

function wrong(why: string): TakenLine {
  return { kind: "wrong", why };
}

function fieldLines({ name, schema, form, isRequired }: Field, place: string, proposed: unknown) {
  const { title, description } = schema;
  const said = [name, ...[title, description].filter((text) => typeof text === "string" && text !== name)];
  const must = proposed !== undefined ? "" : isRequired ? " It must be given." : " It may be left out.";
  const plain = form.kind === "raw" ? [`takes ${JSON.stringify(schema)}`] : [];
  return [
    { text: `  Value ${place}: ${howToGive(form, schema)}.${must}`, style: "question" as const },
    ...behindBar([said.join(": "), ...plain].join("\n")),
    ...(form.kind === "choice" || form.kind === "several" ? choiceLines(form) : []),
    ...(proposed === undefined ? [] : behindBar(`proposed: ${JSON.stringify(proposed)}`)),
  ];
}

function howToGive(form: FormKind, schema: FormField["schema"]): string {
  switch (form.kind) {
    case "switch":
      return "y or n";
    case "choice":
      return isNumbered(form) ? "one of these, by its number or its name" : "one of these, by its name";
    case "several": {
      return `some of these, with commas between${boundsInWords(schema["minItems"], schema["maxItems"], " of them")}`;
    }
    case "lines":
      return "texts, with commas between";
    case "raw":
      return "a value as JSON";
    default:
      return kindInWords(schema) ?? form.kind;
  }
}

function choiceLines(choice: Extract<FormKind, { kind: "choice" | "several" }>): readonly CardLine[] {
  const { options, names } = choice;
  return options.map((option, n) => {
    const name = names?.[n] ?? option;
    const shown = name === option ? name : `${name} (${option})`;
    return { text: `  │ ${isNumbered(choice) ? `${n + 1}. ` : "- "}${showOnOneLine(shown)}` };
  });
}

function reviewLines(fields: readonly Field[], stands: (name: string) => unknown): readonly CardLine[] {
  return [
    { text: "  This is what is sent. Give it no password.", style: "question" },
    ...fields.map(({ name, form }, n) => {
      const value = stands(name);
      const shown = value === undefined ? "left out" : cutTold(JSON.stringify(value));
      const mark = form.kind === "fixed" ? "-" : `${n + 1}.`;
      return { text: `  │ ${mark} ${showOnOneLine(name)}: ${showOnOneLine(shown)}` };
    }),
  ];
}

function behindBar(text: string): readonly CardLine[] {
  return showText(text)
    .split("\n")
    .map((line) => ({ text: `  │ ${line}` }));
}

function shortly(value: unknown): string {
  return cut(showOnOneLine(JSON.stringify(value)), LONGEST_VALUE);
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
}

function cutTold(text: string): string {
  if (text.length <= LONGEST_REVIEWED) return text;
  return `${text.slice(0, LONGEST_REVIEWED).toWellFormed()}… (${text.length} characters)`;
}
