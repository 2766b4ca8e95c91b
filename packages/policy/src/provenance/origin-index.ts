import type { ResultTrust } from "@deputy/protocol";
import type { Origin, Origins } from "../origins.ts";
import { isNamed } from "./is-named.ts";
import { readNumeral } from "./read-number.ts";
import { wordsOf } from "./read-text.ts";
import { resultLeaves } from "./result-leaves.ts";
import { createTextIndex } from "./text-index.ts";
import { createTrustedValues, type TrustedValue } from "./trusted-values.ts";
import { plainForm } from "./value-forms.ts";
import { findValue, readValue, type ValueReading } from "./value-reading.ts";
import { vouchedBy } from "./vouched-by.ts";
import { wordsOfName } from "./words-of-name.ts";

/**
 * Everything a session was told, in an order that does not matter, for `origins()` to be asked about.
 * Adding takes time linear in what is added; a question does not read the texts again. Kept nowhere: it
 * is built anew from the log.
 */
export interface OriginIndex {
  /** What the user wrote. `today` (`2024-05-15`, theirs) gives "tomorrow" a meaning. */
  addUser(text: string, today?: string): void;
  /** What the user's agent is configured with. */
  addConfiguration(text: string): void;
  /** What a call gave: JSON, or text. Whatever else was read and nobody vouches for comes in here, too. */
  addResult(from: { readonly source: string; readonly trust: ResultTrust }, result: unknown): void;
  /** A view that goes on to see what is added. */
  origins(): Origins;
}

/** A longer key or vouched value is a text in a strange place. */
const LONGEST_NAME = 60;
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

  const says = (value: string | number): boolean => findValue(user, readValue(value)) !== undefined;

  const findTrusted = (value: string | number, name: string | undefined): TrustedValue | undefined => {
    const found = trusted.find(value);
    const isNumber = typeof value === "number" || readNumeral(plainForm(value)).length > 0;
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
    if (isNamed([...own, ...(mentions.find(value)?.leaves ?? [])], says))
      return { kind: "trusted", source, named: true };
    // Said by both, it is the untrusted one's choice.
    return findValue(untrusted, reading) === undefined ? { kind: "trusted", source } : undefined;
  };

  const trace = (value: string | number | boolean, name?: string): Origin => {
    if (typeof value === "boolean") return { kind: "invented" };
    const reading = readValue(value);
    if (findValue(user, reading) !== undefined) return { kind: "user" };
    if (findValue(configuration, reading) !== undefined) return { kind: "configuration" };
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
  };

  return {
    addUser: (text, today) => user.add(text, "user", today),
    addConfiguration: (text) => configuration.add(text, "configuration"),
    addResult({ source, trust }, result) {
      const isOwn = trust === "trusted";
      const hearKey = (key: string): void => {
        if (isOwn) return vouchedText.add(key, source);
        untrustedSources.add(source);
        (key.length > LONGEST_NAME ? untrusted : untrustedKeys).add(key, source);
      };
      for (const leaf of resultLeaves(result, vouchedBy(trust), hearKey)) {
        (leaf.isVouched ? trusted : mentions).add(leaf, source);
        if (!isOwn) untrustedSources.add(source);
        const text = String(leaf.value);
        // A vouched number counts only under its name. A vouched name chooses nothing, as a key does not.
        if (isOwn && typeof leaf.value === "string") vouchedText.add(text, source);
        if (!isOwn && (!leaf.isVouched || text.length > LONGEST_NAME)) untrusted.add(text, source);
      }
    },
    origins: () => origins,
  };
}

function isLike(one: string, other: string): boolean {
  const words = wordsOfName(other);
  return wordsOfName(one).some((word) => words.includes(word));
}
