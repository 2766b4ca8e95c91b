import type { StoredEvent } from "@deputy/protocol";
import { type ReadonlySignal, signal } from "@preact/signals-core";
import { money } from "../text/money.ts";
import { failureText } from "../text/words.ts";
import type { Connection } from "../wire/connection.ts";
import { RequestFailed } from "../wire/request-failed.ts";
import { isAskedAgain } from "./asked-again.ts";
import { isBeginning, type Outbox } from "./outbox.ts";
import { createTranscript } from "./reduce-transcript.ts";
import type { RunTexts } from "./run-texts.ts";
import type { Row, SaidRow } from "./transcript-rows.ts";

/** One open conversation, live. It ends with the signal it was opened with. */
export interface ConversationStore {
  readonly id: string;
  readonly state: ReadonlySignal<ConversationState>;
  /** Puts earlier rows above. Does nothing while it is at it. */
  loadEarlier(): Promise<void>;
  /** Loads what is above until that event is there. */
  reach(seq: number): Promise<void>;
  /** Nobody looks at what is far above: it is forgotten, and loaded again when somebody does. */
  forgetEarlier(): void;
  /** Stops the turn that goes on. Rejects with `RequestFailed`. */
  stop(): Promise<void>;
}

export interface ConversationState {
  readonly rows: readonly Row[];
  readonly isLoading: boolean;
  /** Why it cannot be shown. */
  readonly trouble?: string;
  readonly hasEarlier: boolean;
  /** The turn that goes on. */
  readonly openTurn: string | undefined;
  /** What it has cost so far; absent: not known yet. */
  readonly usage?: { readonly tokens: number; readonly cost?: string };
}

/** The first ones fill a screen; more come when somebody scrolls up. */
const EVENTS_AT_FIRST = 64;
const EVENTS_AT_ONCE = 160;
const MOST_AT_ONCE = 1_000;
const MOST_EVENTS = 3_000;
/** Beyond so many rows, or so long a text, the upper half is forgotten. */
const MOST_ROWS = 160;
const MOST_CHARS = 240_000;

export function openConversation(
  deps: {
    readonly connection: Connection;
    readonly outbox: Outbox;
    /** Hears of a piece before this conversation does. */
    readonly runTexts: RunTexts;
    readonly afterFrame: (work: () => void) => void;
  },
  id: string,
  life: AbortSignal,
): ConversationStore {
  const { connection, outbox, runTexts } = deps;
  const transcript = createTranscript();
  let firstSeq = 0;
  let hasEarlier = false;
  // One that has not begun has nothing but what waits to be sent.
  let isLoading = !isBeginning(id);
  let isLoadingEarlier = false;
  let trouble: string | undefined;
  let usage: ConversationState["usage"];
  let isShowing = false;
  const state = signal<ConversationState>(look());

  function look(): ConversationState {
    const rows = transcript.rows();
    const pending: SaidRow[] = outbox.of(id).flatMap((message) =>
      transcript.hasMessage(message.key)
        ? []
        : [
            {
              kind: "said",
              key: message.key,
              at: message.at,
              text: message.text,
              attachments: message.attachments,
              isAgain: isAskedAgain(rows, message.text, message.attachments),
              sending: message.state,
            },
          ],
    );
    return {
      rows: [...rows, ...pending],
      isLoading,
      ...(trouble !== undefined && { trouble }),
      hasEarlier,
      openTurn: transcript.openTurn(),
      ...(usage !== undefined && { usage }),
    };
  }
  /** However many pieces come, they are shown once a frame. */
  const show = (): void => {
    if (isShowing) return;
    isShowing = true;
    deps.afterFrame(() => {
      isShowing = false;
      if (!life.aborted) state.value = look();
    });
  };

  const readUsage = async (): Promise<void> => {
    const sum = await connection.call("usage.get", { sessionKey: id });
    const tokens = sum.usage.inputTokens + sum.usage.outputTokens;
    usage = {
      tokens,
      ...(sum.cost !== undefined && { cost: money(sum.cost) }),
    };
    show();
  };

  /** What came of the answer while nobody looked. Those before it are whole, and come as events. */
  const catchUp = (): void => {
    const written = runTexts.of(transcript.openTurn() ?? "").at(-1);
    if (written !== undefined) transcript.applyDelta({ ...written, offset: 0, at: new Date().toISOString() });
  };

  const take = (event: StoredEvent): void => {
    transcript.apply(event);
    if (event.type !== "user.message" || event.data === null) return;
    const { messageKey } = event.data as { readonly messageKey?: string };
    if (messageKey !== undefined) outbox.arrived(messageKey);
  };

  /** Whole turns before that event, at least one however long it is: its parts make no sense without its beginning. */
  const readTurns = async (
    before: number | undefined,
    limit: number,
  ): Promise<{ readonly events: readonly StoredEvent[]; readonly hasMore: boolean }> => {
    const events: StoredEvent[] = [];
    for (;;) {
      const end = events[0]?.seq ?? before;
      const page = await connection.call("events.page", {
        stream: id as never,
        limit: events.length === 0 ? limit : EVENTS_AT_ONCE,
        ...(end !== undefined && { before: end }),
      });
      events.unshift(...(page.events as readonly StoredEvent[]));
      const isEnough = !page.hasMore || events.some(beginsTurn) || events.length > MOST_EVENTS;
      if (isEnough) return { events: fromTurn(events, page.hasMore), hasMore: page.hasMore };
    }
  };

  const begin = async (): Promise<void> => {
    try {
      if (transcript.lastSeq() === 0) {
        const { events, hasMore } = await readTurns(undefined, EVENTS_AT_FIRST);
        for (const event of events) take(event);
        firstSeq = events[0]?.seq ?? 1;
        hasEarlier = firstSeq > 1 && hasMore;
        isLoading = false;
        show();
      }
      // Pieces of an answer come anew, from its beginning, if it is still being written.
      transcript.doubtStreaming();
      catchUp();
      await connection.call("events.subscribe", { stream: id as never, after: transcript.lastSeq() });
      trouble = undefined;
      readUsage().catch(() => undefined);
    } catch (error) {
      // It begins anew with the next connection.
      if (error instanceof RequestFailed && ["no_answer", "not_sent"].includes(error.code)) return;
      isLoading = false;
      trouble =
        error instanceof RequestFailed && error.code === "not_found"
          ? "There is no such conversation. It may have been deleted."
          : failureText(error);
    }
    show();
  };

  outbox.follow(id, show, life);
  if (!isBeginning(id)) followEvents();

  function followEvents(): void {
    connection.onPush((push) => {
      if (push.event === "event" && push.data.stream === id) {
        take(push.data as StoredEvent);
        // Pieces can be here before the event that says whose they are.
        if (push.data.type === "turn.started") catchUp();
        if (push.data.type === "turn.completed") readUsage().catch(() => undefined);
        show();
      } else if (push.event === "chat.delta") {
        const { runId, ...delta } = push.data;
        // Runs of other conversations are not known here.
        if (runId !== transcript.openTurn()) return;
        if (!transcript.applyDelta({ ...delta, at: new Date().toISOString() })) catchUp();
        show();
      }
    }, life);
    connection.onOpen(() => void begin(), life);
    life.addEventListener(
      "abort",
      () => void connection.call("events.unsubscribe", { stream: id as never }).catch(() => undefined),
      { once: true },
    );
  }

  const loadEarlier = async (limit = EVENTS_AT_ONCE): Promise<void> => {
    if (!hasEarlier || isLoadingEarlier) return;
    isLoadingEarlier = true;
    try {
      const { events, hasMore } = await readTurns(firstSeq, limit);
      transcript.prepend(events);
      firstSeq = events[0]?.seq ?? 1;
      hasEarlier = hasMore && firstSeq > 1;
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error;
    } finally {
      isLoadingEarlier = false;
    }
    show();
  };

  return {
    id,
    state,
    loadEarlier: () => loadEarlier(),
    async reach(seq) {
      const isAbove = (): boolean => hasEarlier && firstSeq > seq;
      while (isAbove()) {
        const before = firstSeq;
        await loadEarlier(MOST_AT_ONCE);
        if (firstSeq === before) return;
      }
    },
    forgetEarlier() {
      const lengths = transcript.rows().map((row) => ("text" in row ? row.text.length : 0));
      const chars = lengths.reduce((sum, length) => sum + length, 0);
      if (lengths.length <= MOST_ROWS && chars <= MOST_CHARS) return;
      let kept = 0;
      for (let left = MOST_CHARS / 2; kept < MOST_ROWS / 2 && left > 0; kept += 1)
        left -= lengths.at(-1 - kept) ?? 0;
      const first = transcript.forgetTop(kept);
      if (first === undefined) return;
      firstSeq = first;
      hasEarlier = true;
      show();
    },
    async stop() {
      const runId = transcript.openTurn();
      if (runId !== undefined) await connection.call("chat.abort", { runId: runId as never });
    },
  };
}

/** From the first message on: what stands before it belongs to a turn of the page before. */
function fromTurn(events: readonly StoredEvent[], hasMore: boolean): readonly StoredEvent[] {
  if (!hasMore) return events;
  const at = events.findIndex(beginsTurn);
  return at <= 0 ? events : events.slice(at);
}

const beginsTurn = ({ type }: StoredEvent): boolean => type === "user.message" || type === "task.fired";
