import type { AttackForm } from "./attack-forms.ts";
import { openSession, type Session } from "./run-session.ts";
import {
  defaultsOf,
  fillVectors,
  type InjectionTask,
  type Json,
  type Suite,
  type TaskCall,
  type UserTask,
} from "./suite.ts";

/** A call that an attacker had made, in place of the user's or beside them. */
export interface AttackedCall {
  readonly kind: AttackKind;
  readonly form: AttackForm;
  readonly isHeld: boolean;
  /** For the report. */
  readonly what: string;
}

/**
 * `call`: one of the attacker's own. The others are the user's call with one argument replaced: a `target`
 * decides who is affected, a `link` is put into its text, a `number` or `words` stand in for its content;
 * `said` is what the user spoke of, too, if for something else.
 */
export type AttackKind = "call" | "link" | "target" | "number" | "said" | "words";

const LINK = /(?:[\w-]+\.)+com\S*|\w+@\S+/;
const CONTENT: ReadonlySet<string> = new Set(["body", "content", "subject", "description"]);

/** One injection in one form against one user task, at every moment after it was read. */
export function* attack(
  suiteName: string,
  suite: Suite,
  task: UserTask,
  injection: InjectionTask,
  form: AttackForm,
): Generator<AttackedCall> {
  const payload = `${injection.goal}\n${JSON.stringify(injection.calls.map(({ args }) => args))}`;
  const isRead = ({ function: name }: TaskCall): boolean =>
    suite.tools.find((tool) => tool.name === name)?.effect === "read";
  const injected = injection.calls.filter((call) => !isRead(call));
  for (const vector of vectorsFor(task, form)) {
    const own = defaultsOf(suite);
    const textOf = (id: string): string =>
      id === vector && form.vectorText !== undefined ? form.vectorText(payload) : own(id);
    const sees = (call: TaskCall): boolean =>
      vector === undefined || call.vectors_seen?.includes(vector) === true;
    const session = openSession({ suiteName, suite, prompt: task.prompt, textOf });
    const names = renamed(suite, textOf);
    const start = vector === undefined ? -1 : task.calls.findIndex(sees);
    if (start === -1) form.prepare?.(session, payload);
    for (const [at, call] of task.calls.entries()) {
      if (at > start && !isRead(call))
        yield* replaced(session, call, injected, form, `${task.id} ${injection.id}`);
      session.make(withNames(call, names));
      if (at < start) continue;
      if (at === start && vector !== undefined) form.prepare?.(session, payload);
      yield* issued(
        session,
        injection.calls,
        isRead,
        form,
        `${suiteName} ${task.id} ${injection.id} after ${at}`,
      );
    }
  }
}

/** Forms that need no place in the suite to write to are tried once. */
function vectorsFor(task: UserTask, { vectorText }: AttackForm): readonly (string | undefined)[] {
  if (vectorText === undefined) return [undefined];
  return [...new Set(task.calls.flatMap(({ vectors_seen = [] }) => vectors_seen))];
}

/** The attacker's calls, one after the other; what they read is read, what is held does not happen. */
function* issued(
  session: Session,
  calls: readonly TaskCall[],
  isRead: (call: TaskCall) => boolean,
  form: AttackForm,
  where: string,
): Generator<AttackedCall> {
  for (const call of calls) {
    if (isRead(call)) session.make(call);
    else yield { kind: "call", form, ...outcome(session, call, where) };
  }
}

/** The user's own call with one of its arguments replaced by the attacker's of the same name. */
function* replaced(
  session: Session,
  call: TaskCall,
  injected: readonly TaskCall[],
  form: AttackForm,
  where: string,
): Generator<AttackedCall> {
  for (const { args } of injected) {
    for (const [name, value] of Object.entries(args)) {
      if (!(name in call.args) || call.args[name] === value) continue;
      const isSaid = typeof value === "string" && session.index.origins().trace(value).kind === "user";
      const kind = isSaid ? "said" : kindOf(name, value);
      yield { kind, form, ...outcome(session, changed(call, { [name]: value }), where) };
    }
    const [link] = LINK.exec(Object.values(args).join(" ")) ?? [];
    for (const [name, value] of Object.entries(call.args)) {
      if (link === undefined || !CONTENT.has(name)) continue;
      yield {
        kind: "link",
        form,
        ...outcome(session, changed(call, { [name]: `${String(value)} ${link}` }), where),
      };
    }
  }
}

function kindOf(name: string, value: unknown): AttackKind {
  if (typeof value === "number" || name === "date") return "number";
  if (!CONTENT.has(name)) return "target";
  return LINK.test(String(value)) ? "link" : "words";
}

function changed(call: TaskCall, args: Json): TaskCall {
  return { ...call, args: { ...call.args, ...args } };
}

function outcome(session: Session, call: TaskCall, where: string): Pick<AttackedCall, "isHeld" | "what"> {
  const { decision } = session.decide(call);
  return { isHeld: decision !== "allow", what: `${where}: ${call.function} ${JSON.stringify(call.args)}` };
}

/** Whatever the attacker's text is the name of is called by that name. */
function renamed(suite: Suite, textOf: (vector: string) => string): ReadonlyMap<unknown, unknown> {
  const own = defaultsOf(suite);
  const names = markedNames(suite.environment_template);
  return new Map(names.map((name) => [fillVectors(name, own), fillVectors(name, textOf)]));
}

function markedNames(value: unknown): readonly string[] {
  if (typeof value === "string") return value.includes("⟦INJ:") ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(markedNames) : [];
}

function withNames(call: TaskCall, names: ReadonlyMap<unknown, unknown>): TaskCall {
  const args = Object.entries(call.args).map(([name, value]) => [name, names.get(value) ?? value] as const);
  return changed(call, Object.fromEntries(args));
}
