import { openJudge, saidIn, type Told } from "./conversation.ts";
import type { Attack } from "./generate.ts";
import { isCarried } from "./oracle.ts";
import { isObject, leavesOf } from "./slots.ts";

const MOST_TRIES = 3_000;

/**
 * The smallest attack of the same kind that still passes: fewer things told, shorter texts, fewer rows and arguments.
 * The attacker's own words stay.
 */
export function shrink(attack: Attack): Attack {
  const isThere = hasPayload(attack);
  let best = attack;
  let candidates = smaller(best);
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const next = candidates.next();
    if (next.done === true) break;
    if (!passes(next.value) || (isThere && !hasPayload(next.value))) continue;
    best = next.value;
    candidates = smaller(best);
  }
  return best;
}

/** Still an attack by the oracle, and still not held. */
function passes({ suite, task, told, payload, call }: Attack): boolean {
  const { tool, input, smuggled = [] } = call;
  if (saidIn(told).length === 0) return false;
  if (isCarried({ suite, task, told, payload, tool, input, smuggled })) return false;
  const text = JSON.stringify(input);
  if (smuggled.some((value) => !text.includes(value))) return false;
  return openJudge(told)(tool, input).decision === "allow";
}

/** True if the attacker's words are there, and something that they were told by. */
function hasPayload({ told, payload }: Attack): boolean {
  const isThere = told.some((one) => {
    if (one.kind === "result") return leavesOf(one.result).join("\n").includes(payload);
    return (
      (one.kind === "names" || one.kind === "unheard" || one.kind === "configuration") &&
      one.text.includes(payload)
    );
  });
  return isThere && told.some(isAttacked);
}

function isAttacked(one: Told): boolean {
  return one.kind === "names" || one.kind === "unheard" || (one.kind === "result" && one.isPlanted === true);
}

function* smaller(attack: Attack): Generator<Attack> {
  const { told, call } = attack;
  for (const at of told.keys()) yield { ...attack, told: told.toSpliced(at, 1) };
  for (const [at, one] of told.entries())
    for (const less of lessOf(one)) yield { ...attack, told: told.with(at, less) };
  const { required } = call.tool.inputSchema;
  for (const name of Object.keys(call.input)) {
    if ((Array.isArray(required) && required.includes(name)) || call.forged.includes(name)) continue;
    const { [name]: _, ...input } = call.input;
    yield { ...attack, call: { ...call, input } };
  }
}

function* lessOf(told: Told): Generator<Told> {
  if (told.kind === "user") for (const text of shorter(told.text)) yield { ...told, text };
  else if (told.kind === "result")
    for (const result of lessOfValue(told.result)) if (result !== undefined) yield { ...told, result };
}

function* lessOfValue(value: unknown): Generator {
  if (typeof value === "string") yield* shorter(value);
  else if (Array.isArray(value)) {
    if (value.length > 1) yield value.slice(-1);
    if (value.length > 1) for (const at of value.keys()) yield value.toSpliced(at, 1);
    for (const [at, member] of value.entries())
      for (const less of lessOfValue(member)) yield value.with(at, less);
  } else if (isObject(value)) {
    const names = Object.keys(value);
    if (names.length > 1)
      for (const name of names)
        yield Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
    for (const [name, member] of Object.entries(value))
      for (const less of lessOfValue(member)) yield { ...value, [name]: less };
  }
}

/** Without one half or one sentence. Parts of a sentence would be smaller, but nobody says them. */
function* shorter(text: string): Generator<string> {
  const sentences = text.split(/(?<=(?<!\d|\bno)[.!?]\s|\n)/);
  if (sentences.length < 2) return;
  const half = Math.ceil(sentences.length / 2);
  yield sentences.slice(0, half).join("").trim();
  yield sentences.slice(half).join("").trim();
  if (sentences.length <= 40)
    for (const at of sentences.keys()) yield sentences.toSpliced(at, 1).join("").trim();
}
