import { type Clock, isAbort, retry, type SessionId } from "@deputy/kit";
import { ChannelsError } from "../channels-error.ts";
import type { ChatApp, Message } from "../chat-app.ts";
import type { Door } from "../door.ts";
import { cutRuns } from "../text/cut-runs.ts";
import { plainText, type Run } from "../text/styled-text.ts";
import { itemIds, type Shown } from "./session-items.ts";

/** What is durable about the messages of a conversation. Each resolves once it is. */
export interface Journal {
  posting(item: string, part: number): Promise<void>;
  posted(item: string, part: number, ref: string): Promise<void>;
  shown(what: { readonly item?: string; readonly through?: number; readonly failed?: string }): Promise<void>;
}

/** A message of an earlier process; without a `ref` it is unknown whether the app has it. */
export interface OpenPost {
  readonly item: string;
  readonly part: number;
  readonly ref?: string;
}

interface Posted {
  ref?: string;
  /** What it shows, as far as that is known. */
  text?: string;
  /** It only says that the message may have arrived. */
  isNotice?: boolean;
}

/** Shows the items of one conversation in its place. One call at a time. */
export interface Poster {
  /** Posts the item, or brings what is there up to date. Rejects only as the journal does, and on abort. */
  show(item: string, message: Shown, signal: AbortSignal): Promise<void>;
  /**
   * As `show`; nothing of it will change any more. `through`: with it, everything up to this event is shown. Both are
   * noted at once: after a crash in between it would be shown a second time.
   */
  finish(item: string, message: Shown, signal: AbortSignal, through?: number): Promise<void>;
  /** Notes that nothing of these will change any more, of which `show` has shown the last state. */
  close(items: readonly string[]): Promise<void>;
  isOpen(item: string): boolean;
  /** Items that may still change, and what is posted of each, by the app's names. */
  open(): ReadonlyMap<string, readonly string[]>;
  /** What only says that the item may have arrived may become the item itself. */
  reveal(item: string): void;
  /** This message shows the item, as its button has told: it was posted without anybody knowing. */
  isAt(item: string, ref: string): void;
}

/** Where the parts begin that say what became of a question, in an app that cannot change what it has shown. */
const FIRST_AFTER = 1_000;
const ATTEMPTS = 12;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 120_000;
const LEAST_SPREAD_MS = 500;

/**
 * An app that cannot tell whether it has a message already is never sent it twice: where that is unknown, the user gets
 * a line that says so, with a button that shows it again.
 */
export function createPoster(deps: {
  readonly app: ChatApp;
  readonly door: Pick<Door, "download">;
  readonly place: string;
  readonly session: SessionId;
  readonly journal: Journal;
  readonly open: readonly OpenPost[];
  readonly clock: Clock;
}): Poster {
  const { app, place, journal, clock } = deps;
  /** By item: what each of its messages is called in the app, and what it shows as far as that is known. */
  const posts = new Map<string, Map<number, Posted>>();
  for (const { item, part, ref } of deps.open) partsOf(item).set(part, ref === undefined ? {} : { ref });

  function partsOf(item: string): Map<number, Posted> {
    const parts = posts.get(item) ?? new Map<number, Posted>();
    posts.set(item, parts);
    return parts;
  }

  /** Being told to wait is no failed attempt, however often and however long: the app has many others to serve. */
  const persist = async <Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> => {
    const policy = {
      attempts: ATTEMPTS,
      baseMs: FIRST_WAIT_MS,
      maxMs: LONGEST_WAIT_MS,
      retryable: (error: unknown) =>
        waitAskedFor(error) === undefined &&
        (codeOf(error) === "not_sent" || (codeOf(error) === "unknown" && app.can.deduplicates)),
    };
    for (;;)
      try {
        return await retry({ clock }, policy, signal, work);
      } catch (error) {
        const waitMs = signal.aborted ? undefined : waitAskedFor(error);
        if (waitMs === undefined) throw error;
        // All who wait would come at the same moment, and most of them be turned away again.
        await clock.sleep(waitMs + Math.random() * Math.max(waitMs, LEAST_SPREAD_MS), signal);
      }
  };

  const keyOf = (item: string, part: number): string => `${deps.session} ${item} ${part}`;

  /** What cannot come along is on the page, as everything is. */
  const withFile = async ({ attachment, ...message }: Shown, signal: AbortSignal): Promise<Message> => {
    if (attachment === undefined) return message;
    const { name, mimeType, blobId } = attachment;
    const { maxFileBytes } = app.can;
    const bytes =
      maxFileBytes === undefined ? undefined : await deps.door.download(blobId, maxFileBytes, signal);
    if (bytes !== undefined && bytes.byteLength > 0) return { ...message, file: { name, mimeType, bytes } };
    return { runs: [...plainText("A file is on Deputy's page: "), ...message.runs] };
  };

  const post = async (item: string, part: number, shown: Shown, signal: AbortSignal): Promise<void> => {
    await journal.posting(item, part);
    partsOf(item).set(part, {});
    const key = keyOf(item, part);
    const message = await withFile(shown, signal);
    try {
      const ref = await persist(signal, () => app.post(place, message, key, signal));
      partsOf(item).set(part, { ref, text: fingerprint(shown) });
      await journal.posted(item, part, ref);
    } catch (error) {
      if (codeOf(error) !== "unknown" || app.can.deduplicates) throw error;
      await sayUnknown(item, part, signal);
    }
  };

  /** Whether it arrived is unknown, and sending it again could show it twice. */
  const sayUnknown = async (item: string, part: number, signal: AbortSignal): Promise<void> => {
    const message: Message = {
      runs: plainText(
        "Deputy was interrupted while it sent you something here. If you do not see it above, show it again.",
      ),
      buttons: [{ label: "Show again", data: `again ${item}`.slice(0, 64), kind: "more" }],
    };
    const ref = await persist(signal, () =>
      app.post(place, message, `${deps.session} ${item} ${part} unknown`, signal),
    );
    partsOf(item).set(part, { ref, text: fingerprint(message), isNotice: true });
    await journal.posted(item, part, ref);
  };

  /** An earlier process may have posted it, longer ago than the app remembers keys. */
  const postAgain = async (
    item: string,
    part: number,
    message: Shown,
    signal: AbortSignal,
  ): Promise<void> => {
    const ref = await persist(signal, async () => app.find?.(place, keyOf(item, part), signal));
    if (ref === undefined) return await post(item, part, message, signal);
    if (message.attachment === undefined)
      await persist(signal, async () => app.edit?.(place, ref, message, signal));
    partsOf(item).set(part, { ref, text: fingerprint(message) });
    await journal.posted(item, part, ref);
  };

  /** Messages that stood for one that has been found. */
  const strays: string[] = [];
  const clearStrays = async (signal: AbortSignal): Promise<void> => {
    const message = { runs: plainText("It did arrive.") };
    for (const ref of strays.splice(0))
      await persist(signal, async () => app.edit?.(place, ref, message, signal));
  };

  const bringUpToDate = async (
    item: string,
    message: Shown,
    signal: AbortSignal,
    first = 0,
  ): Promise<void> => {
    await clearStrays(signal);
    const pieces = cutRuns(message.runs, app.can.maxChars, app.can.measure);
    for (const [at, runs] of pieces.entries()) {
      const part = first + at;
      const isLast = at === pieces.length - 1;
      const wanted = isLast ? { ...message, runs } : { runs };
      const known = partsOf(item).get(part);
      if (known === undefined) await post(item, part, wanted, signal);
      // The user has been told that it may be there; a button shows it.
      else if (known.isNotice === true) continue;
      else if (known.ref !== undefined) {
        // A file is shown once.
        const isFile = wanted.attachment !== undefined;
        if (app.edit !== undefined && !isFile && known.text !== fingerprint(wanted)) {
          const { ref } = known;
          await persist(signal, async () => app.edit?.(place, ref, wanted, signal));
          known.text = fingerprint(wanted);
        }
      } else if (app.can.deduplicates) await postAgain(item, part, wanted, signal);
      else await sayUnknown(item, part, signal);
    }
  };

  /** What the app will not take is given up: the conversation goes on, and the log says why. */
  const failureOf = async (signal: AbortSignal, work: () => Promise<void>): Promise<string | undefined> => {
    try {
      await work();
      return undefined;
    } catch (error) {
      if (signal.aborted || isAbort(error) || codeOf(error) === undefined) throw error;
      return (error as Error).message.slice(0, 2_000);
    }
  };

  return {
    async show(item, message, signal) {
      const failed = await failureOf(signal, () => bringUpToDate(item, message, signal));
      if (failed !== undefined) await journal.shown({ item, failed });
    },
    async finish(item, message, signal, through) {
      const follows = app.edit === undefined && item.startsWith(itemIds.question(""));
      const first = follows ? FIRST_AFTER : 0;
      const failed = await failureOf(signal, () => bringUpToDate(item, message, signal, first));
      posts.delete(item);
      await journal.shown({
        item,
        ...(through !== undefined && { through }),
        ...(failed !== undefined && { failed }),
      });
    },
    async close(items) {
      for (const item of items) {
        posts.delete(item);
        await journal.shown({ item });
      }
    },
    isOpen: (item) => posts.has(item),
    open: () =>
      new Map([...posts].map(([item, parts]) => [item, [...parts.values()].flatMap(({ ref }) => ref ?? [])])),
    reveal(item) {
      for (const [part, known] of partsOf(item)) {
        if (known.isNotice === true && app.edit === undefined) partsOf(item).delete(part);
        known.isNotice = false;
      }
    },
    isAt(item, ref) {
      const parts = [...partsOf(item)];
      if (parts.some(([, known]) => known.ref === ref)) return;
      const [part, before] = parts.findLast(([, { isNotice }]) => isNotice === true) ??
        parts.at(-1) ?? [0, {}];
      partsOf(item).set(part, { ref });
      if (before.ref !== undefined) strays.push(before.ref);
    },
  };
}

function codeOf(error: unknown): string | undefined {
  return error instanceof ChannelsError ? error.code : undefined;
}

/** For how long the app wants to be left alone, if that is why it did not take something. */
function waitAskedFor(error: unknown): number | undefined {
  return error instanceof ChannelsError && error.code === "not_sent" ? error.retryAfterMs : undefined;
}

function fingerprint({ runs, buttons = [] }: Shown): string {
  return JSON.stringify([runs satisfies readonly Run[], buttons]);
}
