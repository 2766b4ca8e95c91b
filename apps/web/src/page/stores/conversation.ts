import type { StoredEvent } from "@deputy/protocol";
import { type ReadonlySignal, signal } from "@preact/signals-core";
import { failureText } from "../text/words.ts";
import type { Connection } from "../wire/connection.ts";
import { RequestFailed } from "../wire/request-failed.ts";
import { isBeginning, type Outbox } from "./outbox.ts";
import { createTranscript } from "./reduce-transcript.ts";
import type { Row, SaidRow } from "./transcript-rows.ts";

/** One open conversation, live. It ends with the signal it was opened with. */
export interface ConversationStore {
  readonly id: string;
  readonly state: ReadonlySignal<ConversationState>;
  /** Puts earlier rows above. Does nothing while it is at it. */
  loadEarlier(): Promise<void>;
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
  readonly tokens: number;
}

const EVENTS_AT_ONCE = 160;

export function openConversation(
  deps: {
    readonly connection: Connection;
    readonly outbox: Outbox;
    readonly afterFrame: (work: () => void) => void;
  },
  id: string,
  life: AbortSignal,
): ConversationStore {
  const { connection, outbox } = deps;
  const transcript = createTranscript();
  let firstSeq = 0;
  let hasEarlier = false;
  // One that has not begun has nothing but what waits to be sent.
  let isLoading = !isBeginning(id);
  let isLoadingEarlier = false;
  let trouble: string | undefined;
  let isShowing = false;
  const state = signal<ConversationState>(look());

  function look(): ConversationState {
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
              sending: message.state,
            },
          ],
    );
    return {
      rows: [...transcript.rows(), ...pending],
      isLoading,
      ...(trouble !== undefined && { trouble }),
      hasEarlier,
      openTurn: transcript.openTurn(),
      tokens: transcript.tokens(),
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

  const take = (event: StoredEvent): void => {
    transcript.apply(event);
    if (event.type !== "user.message" || event.data === null) return;
    const { messageKey } = event.data as { readonly messageKey?: string };
    if (messageKey !== undefined) outbox.arrived(messageKey);
  };

  const begin = async (): Promise<void> => {
    try {
      if (transcript.lastSeq() === 0) {
        const page = await connection.call("events.page", { stream: id as never, limit: EVENTS_AT_ONCE });
        const events = fromTurn(page.events as readonly StoredEvent[], page.hasMore);
        for (const event of events) take(event);
        firstSeq = events[0]?.seq ?? 1;
        hasEarlier = firstSeq > 1 && page.hasMore;
        isLoading = false;
        show();
      }
      // Pieces of an answer come anew, from its beginning, if it is still being written.
      transcript.doubtStreaming();
      await connection.call("events.subscribe", { stream: id as never, after: transcript.lastSeq() });
      trouble = undefined;
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
        show();
      } else if (push.event === "chat.delta") {
        const { runId, ...delta } = push.data;
        // Runs of other conversations are not known here.
        if (runId !== transcript.openTurn()) return;
        transcript.applyDelta({ ...delta, at: new Date().toISOString() });
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

  return {
    id,
    state,
    async loadEarlier() {
      if (!hasEarlier || isLoadingEarlier) return;
      isLoadingEarlier = true;
      try {
        const page = await connection.call("events.page", {
          stream: id as never,
          before: firstSeq,
          limit: EVENTS_AT_ONCE,
        });
        const events = fromTurn(page.events as readonly StoredEvent[], page.hasMore);
        transcript.prepend(events);
        firstSeq = events[0]?.seq ?? 1;
        hasEarlier = page.hasMore && firstSeq > 1;
      } catch (error) {
        if (!(error instanceof RequestFailed)) throw error;
      } finally {
        isLoadingEarlier = false;
      }
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
  const at = events.findIndex(({ type }) => type === "user.message" || type === "task.fired");
  return at <= 0 ? events : events.slice(at);
}
