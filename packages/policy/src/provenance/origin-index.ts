import type { ResultTrust } from "@deputy/protocol";
import type { Origin, Origins } from "../origins.ts";
import { isForAll, readRequestsForAll, type RequestForAll } from "./asks-for-all.ts";
import { isConfigured, withoutHeadings } from "./configured-value.ts";
import { readEchoedInput } from "./echoed-input.ts";
import { namingOf, type Said } from "./is-named.ts";
import { readNumeral } from "./read-number.ts";
import { wordsOf } from "./read-text.ts";
import { resultLeaves } from "./result-leaves.ts";
import { createSaidNames } from "./said-names.ts";
import { createTextIndex } from "./text-index.ts";
import { createTrustedValues, type TrustedValue } from "./trusted-values.ts";
import { plainForm } from "./value-forms.ts";
import { findValue, readValue, type ValueReading } from "./value-reading.ts";
import { vouchedBy } from "./vouched-by.ts";
import { wordsOfName } from "./words-of-name.ts";

/**
 * Everything a session was told, in an order that does not matter but for inputs, for `origins()` to be asked about.
 * Adding takes time linear in what is added; a question does not read the texts again. Kept nowhere: it
 * is built anew from the log.
 */
export interface OriginIndex {
  /** What the user wrote. `today` (`2024-05-15`, theirs) gives "tomorrow" a meaning. */
  addUser(text: string, today?: string): void;
  /** What the user's agent is configured with: explains what is not in a text by chance, not single plain words. */
  addConfiguration(text: string): void;
  /**
   * What a call gave: JSON, or text. Whatever else was read and nobody vouches for comes in here, too. What
   * only repeats the call's `input` is trusted no more than that was by then.
   */
  addResult(
    from: { readonly source: string; readonly trust: ResultTrust },
    result: unknown,
    input?: unknown,
  ): void;
  /**
   * The same in small steps, for a result that may be large: others can run between them. It is done once the last
   * step is, and nothing else is to be added before.
   */
  addResultSteps(
    from: { readonly source: string; readonly trust: ResultTrust },
    result: unknown,
    input?: unknown,
  ): Iterable<void>;
  /** A view that goes on to see what is added. */
  origins(): Origins;
}

/** A longer key or guaranteed value counts as text. */
const LONGEST_NAME = 60;
/** A longer text is not a name. */
const LONGEST_VALUE = 10_000;
/** Shorter than an account number: an id, which counts under its name. */
const SHORT_DIGITS = /^\d{1,15}$/;
/** Runs of so many words are somebody's sentence, shorter ones chance. */
const ECHO_RUN = 3;
const SHORTEST_ECHO = 4;
const LONGEST_ECHO = 400;
const ECHOED_SHARE = 0.75;

export function createOriginIndex(): OriginIndex {
  const user = createTextIndex();
  const configuration = createTextIndex();
  const untrusted = createTextIndex();
  /** Apart, because systems use the names of their things as keys: such a key chooses none of them. */
  const untrustedKeys = createTextIndex();
  const vouchedText = createTextIndex();
  const trusted = createTrustedValues();
  const untrustedSources = new Set<string>();
  /** Where else values stand: whoever wrote that, it may tell which one the user means. */
  const mentions = createTrustedValues();

  const names = createSaidNames();
  const requestsForAll: RequestForAll[] = [];

  const said: Said = {
    says: (value) => findValue(user, readValue(value)) !== undefined,
    callsIt: names.has,
  };

  const findTrusted = (value: string | number, name: string | undefined): TrustedValue | undefined => {
    const found = trusted.find(value);
    const isNumber =
      typeof value === "number" || readNumeral(plainForm(value)).length > 0 || SHORT_DIGITS.test(value);
    if (!isNumber || name === undefined) return found;
    return found?.leaves.some((leaf) => isLike(leaf.name, name)) === true ? found : undefined;
  };

  const traceTrusted = (
    value: string | number,
    reading: ValueReading,
    name: string | undefined,
  ): Origin | undefined => {
    const whole = findTrusted(value, name);
    const source = whole?.source ?? findValue(vouchedText, reading);
    if (source === undefined) return undefined;
    const own = whole?.leaves ?? [{ value, name: "", isVouched: true }];
    const named = namingOf([...own, ...(mentions.find(value)?.leaves ?? [])], said);
    if (named !== undefined) return { kind: "trusted", source, named };
    // Said by both, it is the untrusted one's choice.
    return findValue(untrusted, reading) === undefined ? { kind: "trusted", source } : undefined;
  };

  const trace = (value: string | number | boolean, name?: string): Origin => {
    if (typeof value === "boolean") return { kind: "invented" };
    const reading = readValue(value);
    if (findValue(user, reading) !== undefined) return { kind: "user" };
    if (isConfigured(configuration, value, reading)) return { kind: "configuration" };
    const vouched = traceTrusted(value, reading, name);
    if (vouched !== undefined) return vouched;
    const source = findValue(untrusted, reading) ?? findValue(untrustedKeys, reading);
    return source === undefined ? { kind: "invented" } : { kind: "untrusted", source };
  };

  const origins: Origins = {
    get untrusted() {
      return [...untrustedSources];
    },
    trace,
    echoes(text) {
      const words = wordsOf(text);
      if (words.length < SHORTEST_ECHO || words.length > LONGEST_ECHO) return false;
      return user.countEchoed(words, ECHO_RUN) >= words.length * ECHOED_SHARE;
    },
    asksForAll: (kind) => requestsForAll.some((request) => isForAll(request, kind)),
  };

  function* addResultSteps(
    ...[{ source, trust }, result, input]: Parameters<OriginIndex["addResult"]>
  ): Generator<void> {
    const isOwn = trust === "trusted";
    const echoed = readEchoedInput(input, (value, name) => isExplained(trace(value, name)));
    const hearKey = (key: string): void => {
      if (isOwn) return echoed.without(key).forEach((part) => vouchedText.add(part, source));
      untrustedSources.add(source);
      (key.length > LONGEST_NAME ? untrusted : untrustedKeys).add(key, source);
    };
    for (const found of resultLeaves(result, vouchedBy(trust), hearKey)) {
      const isVouched = found.isVouched && !echoed.isEcho(found.value);
      if (isVouched) trusted.add({ ...found, isVouched }, source);
      // Untrusted records are distinguished only by their guaranteed fields (see `namingOf`).
      else if (found.record?.fields.some((field) => field.isVouched) === true)
        mentions.add({ ...found, isVouched }, source);
      else if (typeof found.value === "number" || found.value.length <= LONGEST_VALUE)
        mentions.addPlace(found.value);
      if (!isOwn) untrustedSources.add(source);
      const text = String(found.value);
      // A guaranteed number counts only together with the name of its field. A guaranteed name, like a key,
      // selects nothing.
      if (isOwn && typeof found.value === "string")
        for (const part of echoed.without(text)) yield* vouchedText.addSteps(part, source);
      if (!isOwn && (!isVouched || text.length > LONGEST_NAME)) yield* untrusted.addSteps(text, source);
      yield;
    }
  }

  return {
    addUser(text, today) {
      user.add(text, "user", { today });
      names.add(text);
      requestsForAll.push(...readRequestsForAll(text));
    },
    addConfiguration: (text) =>
      configuration.add(withoutHeadings(text), "configuration", { numbers: "in digits" }),
    addResult(...added) {
      const steps = addResultSteps(...added);
      while (steps.next().done !== true);
    },
    addResultSteps,
    origins: () => origins,
  };
}

function isExplained({ kind }: Origin): boolean {
  return kind !== "untrusted" && kind !== "invented";
}

function isLike(one: string, other: string): boolean {
  const words = wordsOfName(other);
  return wordsOfName(one).some((word) => words.includes(word));
}
