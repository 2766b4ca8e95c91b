import { failureText } from "../text/words.ts";
import type { Connection } from "../wire/connection.ts";
import { RequestFailed } from "../wire/request-failed.ts";
import type { Attachment, Sending } from "./transcript-rows.ts";

/** What was said here and is not known to be in the log. It outlives a reload, and is said once however often it is sent. */
export interface Outbox {
  of(conversation: string): readonly Outgoing[];
  /** Sends it now, or as soon as there is a connection. */
  send(conversation: string, text: string, attachments: readonly Attachment[]): void;
  /** Tries one again that was refused. */
  retry(key: string): void;
  discard(key: string): void;
  /** Its event is in the log. */
  arrived(key: string): void;
  onChange(listener: () => void, until: AbortSignal): void;
}

export interface Outgoing {
  readonly key: string;
  readonly conversation: string;
  readonly at: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly state: Sending;
}

/** Where it is kept between two loads of the page. */
export interface OutboxKeeper {
  load(): Promise<readonly Outgoing[]>;
  save(messages: readonly Outgoing[]): void;
}

export function createOutbox(
  deps: { readonly connection: Connection; readonly keeper: OutboxKeeper; readonly newKey: () => string },
  life: AbortSignal,
): Outbox {
  const { connection, keeper } = deps;
  const listeners = new Set<() => void>();
  let messages: readonly Outgoing[] = [];
  /** Messages of one conversation are sent one after the other, in order. */
  const sending = new Set<string>();

  const change = (next: readonly Outgoing[]): void => {
    messages = next;
    keeper.save(messages);
    for (const listener of listeners) listener();
  };
  const setState = (key: string, state: Sending): void =>
    change(messages.map((message) => (message.key === key ? { ...message, state } : message)));

  const sendNext = async (conversation: string): Promise<void> => {
    if (sending.has(conversation)) return;
    const next = messages.find(
      (message) => message.conversation === conversation && message.state.kind === "waiting",
    );
    if (next === undefined) return;
    sending.add(conversation);
    setState(next.key, { kind: "sending" });
    let isLost = false;
    try {
      await connection.call("chat.send", {
        sessionKey: conversation,
        message: next.text,
        messageKey: next.key,
        ...(next.attachments.length > 0 && {
          attachments: next.attachments.map(({ blobId, name, mimeType }) => ({ blobId, name, mimeType })),
        }),
      });
    } catch (error) {
      // Whether it arrived shows when there is a connection again; until then it waits, and is sent under the same key.
      isLost = error instanceof RequestFailed && error.code === "no_answer";
      setState(next.key, isLost ? { kind: "waiting" } : { kind: "failed", why: failureText(error) });
    } finally {
      sending.delete(conversation);
    }
    if (!isLost) await sendNext(conversation);
  };
  const sendAll = (): void => {
    for (const conversation of new Set(messages.map((message) => message.conversation)))
      void sendNext(conversation);
  };

  void keeper.load().then((kept) => {
    // What was on its way when the page was left may have arrived: the same key finds out.
    const left = kept.map((message) =>
      message.state.kind === "sending" ? { ...message, state: { kind: "waiting" as const } } : message,
    );
    change([...left, ...messages]);
    sendAll();
  });
  connection.onOpen(sendAll, life);

  return {
    of: (conversation) => messages.filter((message) => message.conversation === conversation),
    send(conversation, text, attachments) {
      const at = new Date().toISOString();
      const state = { kind: "waiting" as const };
      change([...messages, { key: deps.newKey(), conversation, at, text, attachments, state }]);
      void sendNext(conversation);
    },
    retry(key) {
      const message = messages.find((one) => one.key === key);
      setState(key, { kind: "waiting" });
      if (message !== undefined) void sendNext(message.conversation);
    },
    discard: (key) => change(messages.filter((message) => message.key !== key)),
    arrived(key) {
      if (messages.some((message) => message.key === key))
        change(messages.filter((message) => message.key !== key));
    },
    onChange(listener, until) {
      listeners.add(listener);
      until.addEventListener("abort", () => listeners.delete(listener), { once: true });
    },
  };
}
