import { createSlices, inSlices } from "@deputy/kit";
import { createOriginIndex, type OriginIndex, type Origins } from "@deputy/policy";
import type { ResultTrust } from "@deputy/protocol";

/** Something that a session was told. */
export type Told =
  | { readonly kind: "user"; readonly text: string; readonly today?: string | undefined }
  | { readonly kind: "configuration"; readonly text: string }
  /** A call's result, or whatever else was read and nobody vouches for. */
  | {
      readonly kind: "result";
      readonly source: string;
      readonly trust: ResultTrust;
      /** Whether there is any word in it: what has none is nobody's text. */
      readonly hasWords: boolean;
      /** Characters that are held for it meanwhile. */
      readonly heldChars: number;
      /** The text of a message, which an import makes somebody else's word. */
      readonly message?: string;
      /** What it is, once it is needed. Never rejects. */
      load(): Promise<Loaded>;
    }
  /** All of it so far came from somewhere else: none of it is this user's word. */
  | { readonly kind: "imported" };

export interface Loaded {
  readonly result: unknown;
  readonly input?: unknown;
  /** Where it is less than was thought. */
  readonly trust?: ResultTrust;
  /** Its length, where nothing was held. */
  readonly chars?: number;
}

/**
 * What a session was told, in its order. Reading a large result for what is in it takes seconds, and most results are
 * never asked about: so it is done when somebody is about to ask, and in slices. Where untrusted text came from is
 * known at once.
 */
export interface ToldQueue {
  add(told: Told): void;
  /** Resolves once everything that was added before is in `origins`. Not abortable: what was begun has to be ended. */
  ready(): Promise<void>;
  /** True when more is held than should be: somebody is to wait for `ready`. */
  isFull(): boolean;
  /** As far as `ready` has come; `untrusted` is always up to date. */
  readonly origins: Origins;
  /** How much it has been told, in characters: about what it takes up in memory. */
  readonly chars: number;
}

const MOST_HELD_CHARS = 16 * 1024 * 1024;
const IMPORTED = { source: "an imported session", trust: "untrusted" } as const;

export function createToldQueue(): ToldQueue {
  let index = createOriginIndex();
  let untrusted = new Set<string>();
  /** What the user said, should it turn out that somebody else wrote it down. */
  const said: string[] = [];
  const configurations: string[] = [];
  let hasSaid = false;
  let waiting: Told[] = [];
  let heldChars = 0;
  let chars = 0;
  let reading: Promise<void> | undefined;
  const slices = createSlices();

  const readOne = async (told: Told, into: OriginIndex): Promise<OriginIndex> => {
    if (told.kind === "user") {
      into.addUser(told.text, told.today);
      said.push(told.text);
    } else if (told.kind === "configuration") {
      into.addConfiguration(told.text);
      configurations.push(told.text);
    } else if (told.kind === "result") {
      const { source } = told;
      const { result, input, trust = told.trust, chars: loaded = 0 } = await told.load();
      if (trust === "untrusted" && told.trust !== "untrusted") untrusted.add(source);
      await inSlices(into.addResultSteps({ source, trust }, result, input), slices);
      heldChars -= told.heldChars;
      chars += loaded;
      if (told.message !== undefined) said.push(told.message);
    } else {
      const anew = createOriginIndex();
      for (const text of configurations) anew.addConfiguration(text);
      anew.addResult(IMPORTED, said);
      return anew;
    }
    if (slices.isOver()) await slices.next();
    return into;
  };

  const readAll = async (): Promise<void> => {
    let done = 0;
    try {
      for (let told = waiting[0]; told !== undefined; told = waiting[done]) {
        index = await readOne(told, index);
        done += 1;
      }
    } finally {
      // What failed, and all after it, is still to be read: nothing is judged without it.
      waiting = waiting.slice(done);
    }
  };

  return {
    add(told) {
      waiting.push(told);
      if (told.kind === "user" || (told.kind === "result" && told.message !== undefined)) hasSaid = true;
      if (told.kind === "user" || told.kind === "configuration") chars += told.text.length;
      if (told.kind === "imported") untrusted = new Set(hasSaid ? [IMPORTED.source] : []);
      if (told.kind !== "result") return;
      if (told.hasWords && told.trust !== "trusted") untrusted.add(told.source);
      heldChars += told.heldChars;
      chars += told.heldChars;
    },
    async ready() {
      while (reading !== undefined || waiting.length > 0) {
        reading ??= readAll().finally(() => (reading = undefined));
        await reading;
      }
    },
    isFull: () => heldChars > MOST_HELD_CHARS,
    origins: {
      get untrusted() {
        return [...untrusted];
      },
      trace: (...asked) => index.origins().trace(...asked),
      echoes: (text) => index.origins().echoes(text),
      asksForAll: (kind) => index.origins().asksForAll(kind),
    },
    get chars() {
      return chars;
    },
  };
}
