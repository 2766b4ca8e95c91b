import { type Recall, type Recalled, recalledKey } from "@deputy/agent/turns";
import { type Clock, throwIfAborted } from "@deputy/kit";
import { type Hit, type Memory, MemoryError, readQuery } from "@deputy/memory";
import { describeHit } from "./describe-memory.ts";

/** So much of a prompt is for what was recalled for one message. */
const MOST_HITS = 5;
const MOST_CHARS = 6_000;
/** So many are looked at: what is shown already and what is no use is passed over. */
const LOOKED_AT = 20;
/** Where room is short, another piece is worth more than what stands beside a lesser one: see docs/memory.md. */
const JOIN_AMONG = 4;
/** A model waits no longer for it. */
const PATIENCE_MS = 1_500;
/** For so long it waits for notes that have changed: while many are being indexed, it answers from what there is. */
const FRESH_MS = 600;
/** For so long it waits for the meaning of the question. */
const MEANING_MS = 900;
/** Less near than this, or less fitting than this share of the best, is chance. */
const LEAST_MEANING = 0.3;
const LEAST_SHARE = 0.4;
const LONGEST_QUESTION = 2_000;
/** “Hello”, “thanks”, “go on”: nothing is asked. */
const SHORT_WORD = /^\s*[\p{L}\p{M}'’]{1,10}(?: [\p{L}\p{M}'’]{1,4})?[\s.!…]*$/u;
/** A message that is nothing but a program is run, not answered. */
const PROGRAM = /^\s*(`{3,}|~{3,})[^\n]*\n[^]*\n\s*\1\s*$/;

/**
 * Recalls notes and earlier conversations that fit a message. MEMORY.md is in every prompt already. `memory` is opened
 * with the first message that asks something.
 */
export function createMemoryRecall(deps: {
  readonly memory: () => Promise<Pick<Memory, "search">>;
  readonly clock: Clock;
}): Recall {
  return {
    async recall({ agentId, session, text, shown }, signal) {
      if (PROGRAM.test(text)) return undefined;
      const question = text.slice(0, LONGEST_QUESTION);
      const words = new Set(readQuery(question).terms.map(({ word }) => word)).size;
      if (words === 0 || SHORT_WORD.test(question)) return undefined;
      const patience = new AbortController();
      const late = deps.clock.sleep(PATIENCE_MS, AbortSignal.any([signal, patience.signal])).then(
        () => patience.abort(),
        () => undefined,
      );
      // A model that is still being started must not cost what words have found.
      const meaning = new AbortController();
      void deps.clock.sleep(MEANING_MS, AbortSignal.any([signal, patience.signal])).then(
        () => meaning.abort(),
        () => undefined,
      );
      try {
        const memory = await deps.memory();
        const until = AbortSignal.any([signal, patience.signal]);
        const options = {
          scope: agentId,
          limit: LOOKED_AT,
          freshWithinMs: FRESH_MS,
          meaningUntil: meaning.signal,
          joinAmong: JOIN_AMONG,
        };
        const found = await unlessAborted(memory.search(question, options, until), until);
        // What the session itself says fits best, and is in the prompt.
        const others = found.hits.filter(
          ({ chunk: { document } }) => document.kind !== "memory" && document.path !== session,
        );
        const best = others[0]?.score ?? 0;
        const kept: Recalled["hits"] = [];
        let room = MOST_CHARS;
        // One after the other: what is not needed is not looked at.
        for (const each of others) {
          if (kept.length === MOST_HITS) break;
          const chars = each.chunk.header.length + each.chunk.text.length;
          // A long one does not keep out a short one behind it.
          if (chars > room || !isFitting(each, { words, best })) continue;
          const hit = describeHit(each);
          if (shown.has(recalledKey(hit))) continue;
          kept.push(hit);
          room -= chars;
        }
        return kept.length === 0 ? undefined : { hits: kept, by: found.by };
      } catch (error) {
        throwIfAborted(signal);
        const isLate = patience.signal.aborted;
        if (!isLate && !(error instanceof MemoryError)) throw error;
        const note = isLate ? "The memory did not answer in time." : (error as MemoryError).message;
        return { hits: [], by: "words", note };
      } finally {
        patience.abort();
        await late;
      }
    },
  };
}

function isFitting(
  { score, why }: Hit,
  { words, best }: { readonly words: number; readonly best: number },
): boolean {
  if (score < LEAST_SHARE * best) return false;
  return why.words.length >= Math.min(words, 2) || (why.meaning ?? 0) >= LEAST_MEANING;
}

/** A search may be busy with something that hears of an abort late. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => undefined);
  const aborted = Promise.withResolvers<never>();
  const stop = (): void => aborted.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    throwIfAborted(signal);
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
