import { createSlices, inSlices } from "@deputy/kit";
import { createOriginIndex, type OriginIndex, type Origins } from "@deputy/policy";
import type { ResultTrust } from "@deputy/protocol";

/** One piece of content that came into a session. */
export type Told =
  | { readonly kind: "user"; readonly text: string; readonly today?: string | undefined }
  | { readonly kind: "configuration"; readonly text: string }
  /** The result of a call, or other content that was read and is not trusted. */
  | {
      readonly kind: "result";
      readonly source: string;
      readonly trust: ResultTrust;
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
const IMPORTED = { source: "an imported session", trust: "untrusted" } as const;

export function createToldQueue(): ToldQueue {
  let index = createOriginIndex();
  let untrusted = new Set<string>();
  /** The user's messages, in case an import shows that someone else wrote them. */
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
      // The entry that failed, and all after it, are still to be read: nothing is judged without them.
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
