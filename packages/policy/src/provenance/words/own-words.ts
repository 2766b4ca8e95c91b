import { readClauses } from "./clauses.ts";
import {
  familiesIn,
  type Family,
  type PointingBack,
  pointsBefore,
  readClausesOnce,
} from "./idle-requests.ts";
import { createUserWords, type UserWords } from "./user-words.ts";
import { withdrawsEarlier } from "./withdrawals.ts";

/** The user's messages in their order: a later one may take back what an earlier one asked. */
export interface OwnWords {
  add(text: string, today?: string): void;
  /** What was said with a no to a call: it takes back, and asks for something else. */
  addNo(text: string): void;
  /** All of them, as they count. */
  all(counting?: Counting): UserWords;
  /** How many there are. */
  count(): number;
  /** Those after the first `count`. */
  since(count: number, counting?: Counting): UserWords;
}

/** What counts. */
export interface Counting {
  /** Requests that do not, since they ask for another sort of deed. */
  readonly idle?: ReadonlySet<Family> | undefined;
  /** What a no asks for counts as well; what it refuses always does. */
  readonly noes?: "count" | undefined;
}

interface Message {
  readonly text: string;
  readonly today: string | undefined;
  readonly isNo: boolean;
  isTakenBack: boolean;
  pointedBack: PointingBack | undefined;
}

/**
 * Adding takes time linear in the text, for each way of counting that was asked for; after a withdrawal, or where one
 * message speaks of what another one asked, everything is read once more.
 */
export function createOwnWords(): OwnWords {
  const messages: Message[] = [];
  const views = new Map<string, { readonly words: UserWords; readonly counting: Counting }>();
  /** Those of all requests. */
  const families = new Set<Family>();
  let hasNoes = false;
  /** Without what makes no difference: most messages are read in one way only. */
  const telling = ({ idle, noes }: Counting): Counting => {
    const told = [...(idle ?? [])].filter((family) => families.has(family));
    return { idle: told.length === 0 ? undefined : new Set(told), noes: hasNoes ? noes : undefined };
  };
  const hear = (words: UserWords, message: Message, { noes }: Counting): void => {
    const { text, today, isNo, isTakenBack, pointedBack } = message;
    const counting = isNo ? (noes === "count" ? "requests" : "refusals") : "statements";
    words.add(text, { today, isTakenBack, counting, pointedBack });
  };
  const readFrom = (first: number, counting: Counting): UserWords => {
    const words = createUserWords(counting.idle);
    for (const message of messages.slice(first)) hear(words, message, counting);
    return words;
  };
  const push = (message: Message): void => {
    messages.push(message);
    for (const { words, counting } of views.values()) hear(words, message, counting);
  };
  return {
    add(text, today) {
      const last = messages.findLast(({ isNo }) => !isNo);
      const clauses = readClausesOnce(text);
      for (const family of familiesIn(text, clauses)) families.add(family);
      const asked = last === undefined ? "" : lastHead(last.text);
      if (last !== undefined && withdrawsEarlier(text, clauses, asked)) {
        last.isTakenBack = true;
        views.clear();
      }
      const pointedBack = pointsBefore(text, clauses);
      if (last !== undefined && pointedBack !== undefined) {
        last.pointedBack = pointedBack;
        for (const [key, { counting }] of views) if (counting.idle !== undefined) views.delete(key);
      }
      push({ text, today, isNo: false, isTakenBack: false, pointedBack: undefined });
    },
    addNo(text) {
      for (const family of familiesIn(text, readClausesOnce(text))) families.add(family);
      hasNoes = true;
      push({ text, today: undefined, isNo: true, isTakenBack: false, pointedBack: undefined });
    },
    all(counting = {}) {
      const { idle, noes } = telling(counting);
      const key = [...(idle ?? []), noes ?? ""].join(" ");
      const known = views.get(key) ?? { words: readFrom(0, { idle, noes }), counting: { idle, noes } };
      views.set(key, known);
      return known.words;
    },
    count: () => messages.length,
    since: (count, counting = {}) => readFrom(count, counting),
  };
}

function lastHead(text: string): string {
  return readClauses(text).findLast(({ stance }) => stance === "request")?.head ?? "";
}
