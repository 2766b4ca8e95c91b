import type { ResultTrust } from "@deputy/protocol";
import type { Origin, Origins } from "../origins.ts";
import { isConfigured, withoutHeadings } from "./configured-value.ts";
import { readEchoedInput } from "./echoed-input.ts";
import { createDeclinedCalls } from "./declined-calls.ts";
import { pickedBy, pickedByOwner } from "./is-named.ts";
import { inputLeaves } from "./input-leaves.ts";
import { judgeOrigins } from "./judge-origins.ts";
import {
  type ArgumentPlace,
  isIdLike,
  isPerhapsSameKind,
  isPerson,
  isSameKind,
  kindOfArgument,
  wordsForKind,
} from "./kinds/kind.ts";
import { createKnownRecords } from "./kinds/known-records.ts";
import { pickedByRelation } from "./kinds/related-records.ts";
import {
  createLeafKinds,
  createRows,
  isAddress,
  kindOfLeaf,
  namesOfRow,
  withoutExtension,
  wordsIn,
} from "./kinds/rows.ts";
import { isCodeOfOther, isNameOfOther } from "./kinds/other-kinds.ts";
import { wordsOf } from "./read-text.ts";
import { createLinkWriters } from "./link-writers.ts";
import { resultLeaves } from "./result-leaves.ts";
import { createSaidInPlaces } from "./said-in.ts";
import { createSaidValues, isNamedHere } from "./said-values.ts";
import { createSourceWords, type WordSource } from "./source-words.ts";
import { createTextIndex } from "./text-index.ts";
import { createTrustedValues } from "./trusted-values.ts";
import { isPlainWord, plainForm } from "./value-forms.ts";
import { findValue, readValue, type ValueReading } from "./value-reading.ts";
import {
  fittingPlace,
  isAlike,
  isCount,
  isListedAs,
  isNameOfPerson,
  type Sense,
  senseOf,
} from "./value-in-place.ts";
import { wordsOfName } from "./words-of-name.ts";
import { vouchedBy } from "./vouched-by.ts";
import { DESTROYING } from "./is-giving.ts";
import { verbsOf } from "./words/deeds.ts";
import { type Family, idleFor, isRequestItself } from "./words/idle-requests.ts";
import { createSaidNumbers } from "./words/said-numbers.ts";
import { createOwnWords } from "./words/own-words.ts";
import type { UserWords } from "./words/user-words.ts";

/**
 * Everything a session was told, in an order that does not matter but for inputs, for `origins()` to be asked about.
 * Adding takes time linear in what is added; a question does not read the texts again. Kept nowhere: it
 * is built anew from the log.
 */
export interface OriginIndex {
  /** What the user wrote; what is only a fenced program counts as `addProgram` says, too. `today` (`2024-05-15`, theirs) gives "tomorrow" a meaning. */
  addUser(text: string, today?: string): void;
  /**
   * What the user said with a no to a call: what it asks for instead counts, but nothing in it explains a value of the
   * call that was refused. `toolPath`: that call's tool; the same call is explained only by what is said after that.
   */
  addDenial(text: string, input: unknown, toolPath?: string): void;
  /** A program that the user wrote: every value in it is one that they chose, ids and deeds included. */
  addProgram(code: string): void;
  /** What the user's agent is configured with: explains what is not in a text by chance, not single plain words. */
  addConfiguration(text: string): void;
  /**
   * What a call gave: JSON, or text. Whatever else was read and nobody vouches for comes in here, too. What
   * only repeats the call's `input` is trusted no more than that was by then.
   */
  addResult(from: ResultOrigin, result: unknown, input?: unknown): void;
  /**
   * The same in small steps, for a result that may be large: others can run between them. It is done once the last
   * step is, and nothing else is to be added before.
   */
  addResultSteps(from: ResultOrigin, result: unknown, input?: unknown): Iterable<void>;
  /** A view that goes on to see what is added. */
  origins(): Origins;
}

export interface ResultOrigin {
  /** Whose words they are, as questions name it. */
  readonly source: string;
  readonly trust: ResultTrust;
  /** The tool that gave it: what its ids are ids of. Absent where the source is the tool's path. */
  readonly toolPath?: string | undefined;
}

/** A longer key or guaranteed value counts as text. */
const LONGEST_NAME = 60;
/** Runs of so many words are somebody's sentence, shorter ones chance. */
const ECHO_RUN = 3;
const SHORTEST_ECHO = 4;
const LONGEST_ECHO = 400;
/** What may be filled in to a text that the user dictated: a name, a number. */
const MOST_FILLED_IN = 2;
const FILLED_IN_SHARE = 0.15;
/** What is worked out, such as a sum with a surcharge, is at most so many times the largest that is known. */
const MOST_TIMES = 2;
/** As questions name it. */
const CONFIGURATION = "your agent's files";
/** A message that is nothing but a program: who types one wants it run, not read. */
const PROGRAM_ONLY = /^\s*```(?:ts|typescript|js|javascript)\n((?:(?!```)[^])*)```\s*$/;

export function createOriginIndex(): OriginIndex {
  const own = createOwnWords();
  /** What a no was said to. */
  const refused = new Set<string>();
  const declined = createDeclinedCalls();
  const program = createTextIndex();
  const configuration = createTextIndex();
  const configuredNumbers = createSaidNumbers("counts not");
  const untrusted = createTextIndex();
  /** Apart, because systems use the names of their things as keys: such a key chooses none of them. */
  const untrustedKeys = createTextIndex();
  const vouchedText = createTextIndex();
  const sourceWords = createSourceWords();
  const trusted = createTrustedValues();
  const untrustedSources = new Set<string>();
  /** Where else a value stands, in a record of which the source guarantees something: that may tell which is meant. */
  const mentions = createTrustedValues();

  /** The largest number that a trusted source has under each word of a name, by service. */
  const largest = new Map<string, number>();

  const rows = createRows();
  const records = createKnownRecords();
  const kindsOf = createLeafKinds();
  const linkWriters = createLinkWriters();
  /** Whatever a no says, it does not ask for what it refuses. */
  const idleOn = ({ parts }: ValueReading, place: ArgumentPlace): ReadonlySet<Family> => {
    const words = parts.flatMap((part) => part.words);
    // "Tell me how many have subscribed" may itself be what a task is to do.
    return isRequestItself(words) && own.all().asksJust(words) ? NOTHING_IDLE : idleFor(place);
  };
  const heardOn = (reading: ValueReading, place?: ArgumentPlace): readonly UserWords[] => {
    const isRefused = refused.size > 0 && formsOf(reading).some((form) => refused.has(form));
    // The elements of a list stand in one place.
    const isPlain = place !== undefined && !isRefused && reading.parts.length === 0;
    const before = isPlain ? heardAt.get(place) : undefined;
    if (before !== undefined) return before;
    const idle = place === undefined ? undefined : idleOn(reading, place);
    const words = own.all({
      ...(isRefused ? {} : { noes: "count" }),
      ...(idle === undefined ? {} : { idle }),
    });
    const known = latest.get(words) ?? [words];
    latest.set(words, known);
    if (isPlain) heardAt.set(place, known);
    return known;
  };
  /** Made anew whenever the user says something. */
  let latest = new Map<UserWords, readonly UserWords[]>();
  let heardAt = new WeakMap<ArgumentPlace, readonly UserWords[]>();
  const hearAnew = (): void => {
    latest = new Map();
    heardAt = new WeakMap();
  };
  const saidIn = createSaidInPlaces(program);
  const { isSaid, isMentioned } = createSaidValues({ own, program, trusted });
  const traceTrusted = (
    value: string | number,
    reading: ValueReading,
    place: ArgumentPlace | undefined,
    sense: Sense,
    heard: readonly UserWords[],
  ): Origin | undefined => {
    const found = trusted.find(value);
    const whole =
      found === undefined || place === undefined ? found : fittingPlace(found, value, place, sense);
    const source = whole?.source ?? (sense === "bare id" ? undefined : findValue(vouchedText, reading));
    if (source === undefined) return undefined;
    const alone = { value, name: "", isVouched: true, toolPath: source, isOwn: true };
    // Words inside of an id name nothing.
    const all = whole?.leaves ?? (sense === "plain" ? [alone] : []);
    const isOfKind = place !== undefined && whole?.leaves.some((leaf) => isAlike(leaf, place)) === true;
    // A plain word is no name for another kind of thing: "vegan" is no place.
    const stated = place === undefined || isOfKind || !isPlainWord(String(value)) ? all : [];
    const said = saidIn(heard, place, isOfKind);
    const picked = pickedBy([...stated, ...(mentions.find(value)?.leaves ?? [])], said, rows);
    const related =
      picked === undefined && place !== undefined && sense !== "plain"
        ? pickedByRelation(stated, said, rows, trusted, (words) =>
            heard.some(({ asksWith }) => asksWith(words)),
          )
        : undefined;
    if (related !== undefined) return { kind: "trusted", source, named: related.naming, clue: related.clue };
    // "Invite Mrs Okafor" means the one Okafor of the contacts, in an argument for somebody.
    const isSomebody = (): boolean =>
      place !== undefined &&
      picked !== undefined &&
      whole?.leaves.some((leaf) => isNameOfPerson(leaf, place)) === true &&
      heard.some((words) => words.marks(picked.clue, place, PERSONS) || words.calls(picked.clue));
    // What was said in part, or stands beside what was said, is meant where such a thing is asked for only: no street is
    // a zip code.
    const isWhole =
      picked !== undefined &&
      plainForm(String(value)) === plainForm(picked.clue) &&
      (place === undefined ||
        !(isNameOfOther(value, place, all) || isCodeOfOther(value, place, all)) ||
        isNamedHere(String(value), place, heard));
    const isAnywhere = place === undefined || sense !== "plain" || isAddress(String(value));
    if (picked !== undefined && (isAnywhere || isOfKind || isWhole || isSomebody()))
      return { kind: "trusted", source, named: picked.naming, clue: picked.clue };
    // Said by both, it is the untrusted one's choice.
    if (findValue(untrusted, reading) !== undefined) return undefined;
    return { kind: "trusted", source, ...(isOfKind ? { isOfKind } : {}) };
  };

  const trace = (value: string | number | boolean, place?: ArgumentPlace): Origin =>
    typeof value === "boolean" ? { kind: "invented" } : traceIn(heardOn, value, place);

  const traceIn = (
    hearing: (reading: ValueReading, place?: ArgumentPlace) => readonly UserWords[],
    value: string | number,
    place: ArgumentPlace | undefined,
  ): Origin => {
    const reading = readValue(value);
    const heard = hearing(reading, place);
    const sense = senseOf(value, place);
    if (isSaid(value, reading, place, sense, heard)) return { kind: "user" };
    if (sense !== "bare id" && isConfiguredFor(value, reading, place)) return { kind: "configuration" };
    const vouched = traceTrusted(value, reading, place, sense, heard);
    if (vouched !== undefined) return vouched;
    const source = findValue(untrusted, reading) ?? findValue(untrustedKeys, reading);
    if (source === undefined) return { kind: "invented" };
    const writer =
      typeof value === "string"
        ? linkWriters.find(value, saidIn([own.all({ idle: UNWANTED })], undefined))
        : undefined;
    // "The article that Bob posted, and send it to Alice": not what Alice wrote.
    const isMeant = writer !== undefined && origins.directionOf(writer) !== "to";
    return { kind: "untrusted", source, ...(isMeant ? { writer } : {}) };
  };

  const isConfiguredFor = (
    value: string | number,
    reading: ValueReading,
    place: ArgumentPlace | undefined,
  ): boolean => {
    if (!isConfigured(configuration, value, reading)) return false;
    return place === undefined || !isCount(value, place) || configuredNumbers.has(Number(value), place.name);
  };

  const origins: Origins = {
    judge: judgeOrigins,
    get untrusted() {
      return [...untrustedSources];
    },
    trace,
    isSaidOf: (name, place) => isNamedHere(name, place, heardOn(readValue(name), place)),
    directionOf(name) {
      const [first = ""] = wordsIn(plainForm(name));
      return own.all().directionOf(first);
    },
    echoes(text) {
      const asked = wordsOf(text);
      if (asked.length < SHORTEST_ECHO || asked.length > LONGEST_ECHO) return false;
      const [foreign = []] = [
        own.all().foreignTo(asked, ECHO_RUN),
        program.findForeign(asked, ECHO_RUN),
      ].toSorted((one, other) => one.length - other.length);
      return (
        foreign.length <= Math.min(MOST_FILLED_IN, asked.length * FILLED_IN_SHARE) &&
        !foreign.includes(asked.length - 1)
      );
    },
    wishFor(value, place) {
      const kind = kindOfArgument(place);
      const meant = wordsForKind(kind);
      if (rows.isSpokenOf(meant)) return "named";
      const leaves = typeof value === "boolean" ? [] : (trusted.find(value)?.leaves ?? []);
      const isListed = leaves.some((leaf) => isListedAs(leaf, place));
      // "The channel that starts with X" is one of the channels, not what a post says that it stands in.
      if (!isListed && !kind.heads.some(isPerson) && own.all().asksWith(meant)) return "named";
      const isCompared = own.all().asksWith(verbsOf(place.toolPath)) && own.all().compares(meant);
      return isCompared && isListed ? "compared" : "nothing";
    },
    asksToDestroy(value, place, origin, chosen = []) {
      if (typeof value === "boolean") return false;
      const reading = readValue(value);
      if (findValue(program, reading) !== undefined) return true;
      const clues =
        "clue" in origin && origin.clue !== undefined ? [origin.clue, withoutExtension(origin.clue)] : [];
      const kinds = wordsForKind(kindOfArgument(place));
      const verbs = chosen.length > 0 ? chosen : [...verbsOf(place.toolPath), ...DESTROYING];
      return heardOn(reading, place).some(
        ({ deeds, takesBack }) =>
          deeds.hasAsked(verbs, [String(value), ...clues], kinds) &&
          // Named again for something else, it is not asked again to be destroyed.
          ![String(value), ...clues].some((name) => takesBack(name, undefined, verbs)),
      );
    },
    asksToGive(number) {
      const reading = readValue(number);
      if (isMentioned(reading)) return true;
      const heard = heardOn(reading);
      const leaves = trusted.find(number)?.leaves ?? [];
      const owner = pickedByOwner(leaves, saidIn(heard, undefined), rows);
      const words = owner === undefined ? [] : wordsIn(plainForm(owner.clue));
      return words.length > 0 && heard.some(({ asksForNumber }) => asksForNumber(words));
    },
    mayBeComputed(sum, place) {
      const { numbers } = own.all({ idle: idleFor(place) });
      const said = numbers.largestSum(place.name);
      if (said !== undefined && !numbers.computes()) return false;
      const known = wordsOfName(place.name).map((word) => largest.get(sumKey(place.toolPath, word)) ?? 0);
      return sum <= MOST_TIMES * Math.max(said ?? 0, ...known);
    },
    says: (asked, which, place, about) =>
      own.all(place === undefined ? {} : { idle: idleFor(place) }).hasClause(asked, which, about),
    words: sourceWords,
    asksForAll(kind, value, place) {
      const words = own.all();
      if (!words.asksForAll(kind)) return false;
      const leaves = (typeof value === "boolean" ? undefined : trusted.find(value))?.leaves ?? [];
      const asked = kindOfArgument(place);
      const nouns = wordsForKind(asked);
      const names = leaves
        .filter((leaf) => isSameKind(kindOfLeaf(leaf), asked) || isPerhapsSameKind(kindOfLeaf(leaf), asked))
        .flatMap(namesOfRow);
      // "Delete all files. Keep passwords.txt."
      return (
        !words.takesBack(String(value), isIdLike(value, place.name) ? nouns : undefined) &&
        !names.some((name) => words.takesBack(name))
      );
    },
    isDeclined(toolPath, values) {
      const messages = declined.find(toolPath, values);
      if (messages === undefined) return false;
      return !values.every(({ value, place }) => {
        if (typeof value === "boolean") return true;
        const since = (reading: ValueReading) => [own.since(messages, { idle: idleOn(reading, place) })];
        const origin = traceIn(since, value, place);
        return origin.kind === "user" || (origin.kind === "trusted" && origin.named !== undefined);
      });
    },
  };

  function* addResultSteps(
    ...[{ source, trust, toolPath = source }, result, input]: Parameters<OriginIndex["addResult"]>
  ): Generator<void> {
    const isOwn = trust === "trusted";
    const echoed = readEchoedInput(input, (value, name) => isExplained(trace(value, { name, toolPath })));
    const from = { source, toolPath };
    // What a service was sent before, it knows.
    if (input !== undefined) yield* sourceWords.addSteps(JSON.stringify(input), from);
    const hearKey = (key: string): void => {
      addWords(key, from);
      if (isOwn) return echoed.without(key).forEach((part) => vouchedText.add(part, source));
      untrustedSources.add(source);
      (key.length > LONGEST_NAME ? untrusted : untrustedKeys).add(key, source);
    };
    // What others may have written says nothing under a name, either.
    const asked = isOwn ? namesIn(input) : undefined;
    for (const given of resultLeaves(result, vouchedBy(trust), hearKey, asked)) {
      const found =
        given.record === undefined ? given : { ...given, record: records.firstAlike(given.record) };
      const isVouched = found.isVouched && !echoed.isEcho(found.value);
      if (isVouched) {
        const read = { ...found, isVouched, toolPath, isOwn };
        const leaf = { ...read, kinds: kindsOf(read) };
        trusted.add(leaf, source);
        rows.add(leaf);
        if (typeof leaf.value === "number")
          for (const word of wordsOfName(leaf.name)) {
            const key = sumKey(toolPath, word);
            largest.set(key, Math.max(leaf.value, largest.get(key) ?? 0));
          }
      }
      if (!isVouched && found.record?.fields.some((field) => field.isVouched) === true) {
        linkWriters.add(found, toolPath);
        if (typeof found.value === "number" || found.value.length <= LONGEST_NAME)
          mentions.add({ ...found, isVouched, toolPath, kinds: kindsOf({ ...found, toolPath }) }, source);
      }
      if (!isOwn) untrustedSources.add(source);
      const text = String(found.value);
      yield* sourceWords.addSteps(text, from, found.name);
      // A guaranteed number counts only together with the name of its field. A guaranteed name, like a key,
      // selects nothing.
      if (isOwn && typeof found.value === "string")
        for (const part of echoed.without(text)) yield* vouchedText.addSteps(part, source);
      if (!isOwn && (!isVouched || text.length > LONGEST_NAME)) yield* untrusted.addSteps(text, source);
      yield;
    }
  }

  const addWords = (text: string, from: WordSource): void => {
    for (const _ of sourceWords.addSteps(text, from));
  };

  /** What the user says, in whatever sense. */
  const hearWords = (text: string): void => {
    hearAnew();
    addWords(text, { source: undefined });
    for (const [word] of plainForm(text).matchAll(/[\p{L}\p{N}]+/gu)) rows.hear(word);
  };

  return {
    addUser(text, today) {
      const code = PROGRAM_ONLY.exec(text)?.[1];
      if (code !== undefined) program.add(code, "user");
      own.add(text, today);
      hearWords(text);
    },
    addDenial(text, input, toolPath) {
      for (const { value } of inputLeaves(input, () => true))
        if (typeof value !== "boolean") for (const form of formsOf(readValue(value))) refused.add(form);
      own.addNo(text);
      if (toolPath !== undefined) declined.add(toolPath, input, own.count());
      hearWords(text);
    },
    addProgram(code) {
      hearAnew();
      addWords(code, { source: undefined });
      program.add(code, "user");
    },
    addConfiguration(text) {
      addWords(text, { source: CONFIGURATION });
      configuration.add(withoutHeadings(text), "configuration", { numbers: "in digits" });
      configuredNumbers.add(text);
    },
    addResult(...added) {
      const steps = addResultSteps(...added);
      while (steps.next().done !== true);
    },
    addResultSteps,
    origins: () => origins,
  };
}

/** The names that a call was given. */
function namesIn(input: unknown): ReadonlySet<string> {
  const leaves = [...inputLeaves(input, () => true)];
  return new Set(leaves.flatMap(({ value }) => (typeof value === "string" ? [value] : [])));
}

const PERSONS = wordsForKind({ heads: ["person"] });
const NOTHING_IDLE: ReadonlySet<Family> = new Set();
/** Who is to be blocked, or refused, did not write what is to be looked at. */
const UNWANTED: ReadonlySet<Family> = new Set(["revoking", "declining"]);

function sumKey(toolPath: string, word: string): string {
  return `${toolPath.split(".", 1)[0] ?? ""} ${word}`;
}

function formsOf({ needs, parts }: ValueReading): readonly string[] {
  return [...needs.flat(), ...parts.flatMap((part) => part.needs.flat())];
}

function isExplained({ kind }: Origin): boolean {
  return kind !== "untrusted" && kind !== "invented";
}
