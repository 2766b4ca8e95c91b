import { readClauses } from "./clauses.ts";
import { createUserWords, type UserWords } from "./user-words.ts";
import { withdrawsEarlier } from "./withdrawals.ts";

/** The user's messages in their order: a later one may take back what an earlier one asked. */
export interface OwnWords {
  add(text: string, today?: string): void;
  /** All of them. */
  all(): UserWords;
  /** How many there are. */
  count(): number;
  /** Those after the first `count`. */
  since(count: number): UserWords;
}

interface Message {
  readonly text: string;
  readonly today: string | undefined;
  isTakenBack: boolean;
}

/** Adding takes time linear in the text; after a withdrawal, everything is read once more. */
export function createOwnWords(): OwnWords {
  const messages: Message[] = [];
  let read: UserWords | undefined = createUserWords();
  const readFrom = (first: number): UserWords => {
    const words = createUserWords();
    for (const { text, today, isTakenBack } of messages.slice(first)) words.add(text, today, isTakenBack);
    return words;
  };
  return {
    add(text, today) {
      const last = messages.at(-1);
      if (last !== undefined && withdrawsEarlier(text, readClauses(text))) {
        last.isTakenBack = true;
        read = undefined;
      }
      messages.push({ text, today, isTakenBack: false });
      read?.add(text, today);
    },
    all: () => (read ??= readFrom(0)),
    count: () => messages.length,
    since: readFrom,
  };
}
