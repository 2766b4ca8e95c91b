import { createSlices, inSlices } from "@deputy/kit";
import type { OriginIndex, Origins, RowNames } from "@deputy/policy";
import type { ResultTrust } from "@deputy/protocol";

/** One piece of content that came into a session. */
export type Told =
  | { readonly kind: "user"; readonly text: string; readonly today?: string | undefined }
  /** What the user said with a no; `refused`: the input of the call that they refused, if known. Never rejects. */
  | {
      readonly kind: "denial";
      /** Empty if they only said no. */
      readonly text: string;
      readonly toolPath: string;
      refused(): Promise<{ readonly input: unknown } | undefined>;
    }
  /** A program of the user's own. */
  | { readonly kind: "program"; readonly text: string }
  | { readonly kind: "configuration"; readonly text: string }
  /** Identifiers that somebody else chose. They explain nothing; alone they make the session hold no untrusted text. */
  | { readonly kind: "names"; readonly source: string; readonly text: string }
  /** The result of a call, or other content that was read and is not trusted. */
  | {
      readonly kind: "result";
      readonly source: string;
      readonly trust: ResultTrust;
      /** The tool that gave it, if one did: its ids are ids of that tool's things. */
      readonly toolPath?: string;
      /** False for content without any word, such as a number: it counts as nobody's text. */
      readonly hasWords: boolean;
      /** Characters that are held for it meanwhile. */
      readonly heldChars: number;
      /** The text of a message. After an import it counts as someone else's. */
      readonly message?: string;
      /** Loads the content when it is needed. Never rejects. */
      load(): Promise<Loaded>;
    }
  /** Everything so far came from another home: none of it is this user's own text. */
  | { readonly kind: "imported" };

export interface Loaded {
  readonly result: unknown;
  readonly input?: unknown;
  /** Present when the content turns out to be less trusted than was assumed. */
  readonly trust?: ResultTrust;
  /** Its length, where nothing was held. */
  readonly chars?: number;
}

/**
 * The content that came into a session, in order. Searching a large result takes seconds, and most results are never
 * asked about. So that is done in slices, and only when a question is about to come. The sources of untrusted text
 * are known at once.
 */
export interface ToldQueue {
  add(told: Told): void;
  /** Resolves once everything that was added before is in `origins`. Not abortable: what was begun has to be ended. */
  ready(): Promise<void>;
  /** True when it holds more than it should: the caller should wait for `ready`. */
  isFull(): boolean;
  /** Complete up to the last `ready`; `untrusted` is always up to date. */
  readonly origins: Origins;
  /** The length of the content so far, in characters: about the memory it takes up. */
  readonly chars: number;
}

const MOST_HELD_CHARS = 16 * 1024 * 1024;
const IMPORTED = { source: "imported session", trust: "untrusted" } as const;

const NEVER = { times: 0, isNext: false, among: 0 };
/** Before anything was read, nobody is known to have said anything. */
const NO_WORDS: Origins["words"] = {
  saidOf: () => NEVER,
  ownOf: () => NEVER,
  holderOf: () => undefined,
  ownerOf: () => undefined,
  isUnheard: () => false,
  hasOthers: () => true,
};

const loadIndex = () => import("@deputy/policy/provenance");

export function createToldQueue(): ToldQueue {
  /** Undefined until `ready` is first asked for: reads need none, and so does most of what runs. */
  let index: OriginIndex | undefined;
  let rows: RowNames | undefined;
  let untrusted = new Set<string>();
  /** The user's messages, in case an import shows that someone else wrote them. */
  const said: string[] = [];
  const configurations: string[] = [];
  /** The user's last message: what they say with a no has no day. */
  let lastSaid: string | undefined;
  let waiting: Told[] = [];
  let heldChars = 0;
  let chars = 0;
  let reading: Promise<void> | undefined;
  const slices = createSlices();

  const readOne = async (told: Told, into: OriginIndex): Promise<OriginIndex> => {
    if (told.kind === "user" || told.kind === "program") {
      if (told.kind === "user") into.addUser(told.text, told.today);
      else into.addProgram(told.text);
      said.push(told.text);
    } else if (told.kind === "denial") {
      // Without it, what the words are about is not known, and they explain nothing.
      const refused = await told.refused();
      if (refused !== undefined) into.addDenial(told.text, refused.input, told.toolPath);
      if (told.text !== "") said.push(told.text);
    } else if (told.kind === "configuration") {
      into.addConfiguration(told.text);
      configurations.push(told.text);
    } else if (told.kind === "names") {
      into.addResult({ source: told.source, trust: "untrusted" }, told.text);
    } else if (told.kind === "result") {
      const { source } = told;
      const { result, input, trust = told.trust, chars: loaded = 0 } = await told.load();
      if (trust === "untrusted" && told.trust !== "untrusted") untrusted.add(source);
      await inSlices(into.addResultSteps({ source, trust, toolPath: told.toolPath }, result, input), slices);
      if (told.toolPath !== undefined) {
        rows ??= (await loadIndex()).createRowNames();
        await inSlices(rows.addSteps(told.toolPath, result, input), slices);
      }
      heldChars -= told.heldChars;
      chars += loaded;
      if (told.message !== undefined) said.push(told.message);
    } else {
      const { createOriginIndex } = await loadIndex();
      const anew = createOriginIndex();
      for (const text of configurations) anew.addConfiguration(text);
      anew.addResult(IMPORTED, said);
      return anew;
    }
    if (slices.isOver()) await slices.next();
    return into;
  };

  const readAll = async (): Promise<void> => {
    index ??= (await loadIndex()).createOriginIndex();
    let done = 0;
    try {
      for (let told = waiting[0]; told !== undefined; told = waiting[done]) {
        index = await readOne(told, index);
        done += 1;
      }
    } finally {
      // The entry that failed, and all after it, are still to be read: nothing is judged without them.
      waiting = waiting.slice(done);
    }
  };

  return {
    add(told) {
      waiting.push(told);
      if (told.kind === "user" && told.today !== undefined) lastSaid = told.text;
      if (told.kind === "imported") lastSaid = undefined;
      const isOwn = told.kind === "user" || told.kind === "program" || told.kind === "denial";
      if (isOwn || told.kind === "configuration" || told.kind === "names") chars += told.text.length;
      if (told.kind === "imported") untrusted = new Set([IMPORTED.source]);
      if (told.kind !== "result") return;
      if (told.hasWords && told.trust !== "trusted") untrusted.add(told.source);
      heldChars += told.heldChars;
      chars += told.heldChars;
    },
    async ready() {
      do {
        reading ??= readAll().finally(() => (reading = undefined));
        await reading;
      } while (reading !== undefined || waiting.length > 0);
    },
    isFull: () => heldChars > MOST_HELD_CHARS,
    origins: {
      get untrusted() {
        return [...untrusted];
      },
      get judge() {
        return index?.origins().judge;
      },
      trace: (...asked) => index?.origins().trace(...asked) ?? { kind: "invented" },
      directionOf: (name) => index?.origins().directionOf(name),
      echoes: (text) => index?.origins().echoes(text) ?? false,
      isSaidOf: (...asked) => index?.origins().isSaidOf(...asked) ?? false,
      wishFor: (value, place) => index?.origins().wishFor(value, place) ?? "nothing",
      get words() {
        return index?.origins().words ?? NO_WORDS;
      },
      asksToDestroy: (...asked) => index?.origins().asksToDestroy(...asked) ?? false,
      says: (...asked) => index?.origins().says(...asked) ?? false,
      asksToGive: (number) => index?.origins().asksToGive(number) ?? false,
      asksForAll: (...asked) => index?.origins().asksForAll(...asked) ?? false,
      mayBeComputed: (...asked) => index?.origins().mayBeComputed(...asked) ?? false,
      isDeclined: (...asked) => index?.origins().isDeclined(...asked) ?? false,
      lastSaid: () => lastSaid,
      rowOf: (...asked) => rows?.find(...asked),
    },
    get chars() {
      return chars;
    },
  };
}
