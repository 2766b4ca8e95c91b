import type { RpcParams } from "@deputy/protocol/rpc";
import { failureText } from "../text/words.ts";
import type { Connection } from "../wire/connection.ts";
import { pause } from "../wire/pause.ts";
import { RequestFailed } from "../wire/request-failed.ts";
import type { Attachment, Sending } from "./transcript-rows.ts";
import { isWaiting, type WaitingFiles } from "./waiting-files.ts";

/** What was said here and is not known to be in the log. It outlives a reload, and is said once however often it is sent. */
export interface Outbox {
  of(conversation: string): readonly Outgoing[];
  /** Sends it now, or as soon as there is a connection. */
  send(conversation: string, text: string, attachments: readonly Attachment[]): void;
  /** The same as the first message of a new conversation. Returns the name under which it begins. */
  begin(text: string, attachments: readonly Attachment[], who: Answerer): string;
  /** Tries one again that was refused. */
  retry(key: string): void;
  /** Forgets one that was refused, or was not sent yet, with its files. */
  discard(key: string): void;
  /** Forgets it and leaves its files to the caller. */
  takeBack(key: string): void;
  /** Its event is in the log. */
  arrived(key: string): void;
  /** Calls `listener` when something of that conversation is otherwise. */
  follow(conversation: string, listener: () => void, until: AbortSignal): void;
  /** Calls `listener` when a conversation that begins here has its id. */
  onBegun(listener: (name: string, id: string) => void, until: AbortSignal): void;
}

/** Who is to answer, of a conversation that begins; what is absent is as Deputy is set. */
export interface Answerer {
  readonly agentId?: string;
  readonly model?: string;
  readonly effort?: Effort;
}

/** How much a model reasons before it answers. */
export type Effort = NonNullable<RpcParams<"sessions.create">["effort"]>;

export interface Outgoing extends Answerer {
  readonly key: string;
  /** Its id, or the name under which it begins. */
  readonly conversation: string;
  readonly at: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly state: Sending;
}

/** Where it is kept between two loads of the page, and for other tabs. Nothing here rejects. */
export interface OutboxKeeper {
  /** In the order in which they were said. */
  load(): Promise<readonly Outgoing[]>;
  /** False once another tab has sent or discarded it. */
  has(key: string): Promise<boolean>;
  keep(message: Outgoing): Promise<void>;
  drop(key: string): Promise<void>;
}

const AGAIN_MS = 300;
/** A conversation that has not begun has a name of this page's own. */
const NAME = "web--";
export const isBeginning = (conversation: string): boolean => conversation.startsWith(NAME);

export function createOutbox(
  deps: {
    readonly connection: Connection;
    readonly keeper: OutboxKeeper;
    readonly files: Pick<WaitingFiles, "get" | "forget">;
    /** Gives the id of the bytes, the same for the same ones. Rejects with `RequestFailed`. */
    readonly store: (bytes: Blob) => Promise<string>;
    readonly newKey: () => string;
  },
  life: AbortSignal,
): Outbox {
  const { connection, keeper } = deps;
  const followers = new Map<string, Set<() => void>>();
  const begunListeners = new Set<(name: string, id: string) => void>();
  let messages: readonly Outgoing[] = [];
  /** Messages of one conversation are sent one after the other, in order. */
  const sending = new Set<string>();

  const tell = (conversation: string): void => followers.get(conversation)?.forEach((listener) => listener());
  const find = (key: string): Outgoing | undefined => messages.find((message) => message.key === key);
  /** Resolves once it is kept. */
  const put = async (message: Outgoing): Promise<void> => {
    messages =
      find(message.key) === undefined
        ? [...messages, message]
        : messages.map((one) => (one.key === message.key ? message : one));
    tell(message.conversation);
    await keeper.keep(message);
  };
  const setState = async (key: string, state: Sending): Promise<void> => {
    const message = find(key);
    if (message !== undefined) await put({ ...message, state });
  };
  const forget = (key: string): void => {
    const message = find(key);
    if (message === undefined) return;
    messages = messages.filter((one) => one !== message);
    tell(message.conversation);
  };
  const isOpen = (): boolean => connection.state.peek().kind === "open";

  /** The id of a conversation that begins with this message. Asked again, it is the same one. */
  const begin = async ({ conversation: name, agentId, model, effort }: Outgoing): Promise<string> => {
    const { sessionId } = await connection.call("sessions.create", {
      channel: "web",
      key: name,
      existing: "go_on",
      ...(agentId !== undefined && { agentId }),
      ...(model !== undefined && { model }),
      ...(effort !== undefined && { effort }),
    });
    const moved = messages.filter(({ conversation }) => conversation === name);
    messages = messages.map((one) => (one.conversation === name ? { ...one, conversation: sessionId } : one));
    await Promise.all(moved.map(({ key }) => keeper.keep(find(key) as Outgoing)));
    for (const listener of begunListeners) listener(name, sessionId);
    return sessionId;
  };

  /** The same message once its files are with Deputy. */
  const withFiles = async (message: Outgoing): Promise<Outgoing> => {
    if (!message.attachments.some(isWaiting)) return message;
    const attachments: Attachment[] = [];
    for (const file of message.attachments)
      attachments.push(isWaiting(file) ? { ...file, blobId: await storeWaiting(file) } : file);
    const ready = { ...message, attachments };
    await put(ready);
    deps.files.forget(message.attachments);
    return ready;
  };
  const storeWaiting = async ({ blobId, name }: Attachment): Promise<string> => {
    const bytes = await deps.files.get(blobId);
    if (bytes === undefined)
      throw new RequestFailed(
        "not_found",
        `This browser has not kept ${name}. Discard the message, and attach it again.`,
      );
    try {
      return await deps.store(bytes);
    } catch (error) {
      if (!(error instanceof RequestFailed) || error.code !== "no_answer") throw error;
      // The message itself has not been sent.
      throw new RequestFailed("not_sent", error.message, { cause: error });
    }
  };

  const deliver = async (message: Outgoing, wasSent: boolean): Promise<void> => {
    const conversation = isBeginning(message.conversation) ? await begin(message) : message.conversation;
    await connection.call("chat.send", {
      sessionKey: conversation,
      message: message.text,
      messageKey: message.key,
      ...(wasSent && { again: true }),
      ...(message.attachments.length > 0 && {
        attachments: message.attachments.map(({ blobId, name, mimeType }) => ({ blobId, name, mimeType })),
      }),
    });
    // It is in the log. Whoever looks at the conversation sees it there in a moment.
    await keeper.drop(message.key);
    const sent = find(message.key);
    if (sent === undefined) return;
    messages = messages.map((one) => (one === sent ? { ...sent, state: { kind: "sent" } } : one));
    if (followers.has(conversation)) tell(conversation);
    else forget(message.key);
  };

  const isDue = ({ state }: Outgoing): boolean => state.kind === "queued" || state.kind === "uncertain";
  const sendNext = async (conversation: string): Promise<void> => {
    if (sending.has(conversation) || !isOpen()) return;
    const next = messages.find((message) => message.conversation === conversation && isDue(message));
    if (next === undefined) return;
    sending.add(conversation);
    const wasSent = next.state.kind === "uncertain";
    let isLost = false;
    try {
      if (!(await keeper.has(next.key))) {
        forget(next.key);
      } else {
        const ready = await withFiles(next);
        // While it is on its way, a page that is left does not know whether it arrived.
        await keeper.keep({ ...ready, state: { kind: "uncertain" } });
        messages = messages.map((one) =>
          one.key === next.key ? { ...ready, state: { kind: "sending" } } : one,
        );
        tell(conversation);
        await deliver(ready, wasSent);
      }
    } catch (error) {
      const code = error instanceof RequestFailed ? error.code : "";
      isLost = code === "no_answer" || code === "not_sent";
      if (code === "no_answer") await setState(next.key, { kind: "uncertain" });
      else if (code === "not_sent") await setState(next.key, next.state);
      else await setState(next.key, { kind: "failed", why: failureText(error) });
    } finally {
      sending.delete(conversation);
    }
    const now = find(next.key)?.conversation ?? conversation;
    // Lost and back again while it was being noticed: nobody else would go on.
    if (isLost && isOpen()) await pause(AGAIN_MS, life);
    if (!isLost || isOpen()) await Promise.all([...new Set([now, conversation])].map(sendNext));
  };
  const sendAll = (): void => {
    for (const conversation of new Set(messages.map((message) => message.conversation)))
      void sendNext(conversation);
  };

  void keeper.load().then((kept) => {
    const own = new Set(messages.map(({ key }) => key));
    const left = kept.filter(({ key }) => !own.has(key));
    messages = [...left, ...messages];
    for (const { conversation } of left) tell(conversation);
    sendAll();
  });
  connection.onOpen(sendAll, life);

  const say = (message: Omit<Outgoing, "key" | "at" | "state">): void => {
    const at = new Date().toISOString();
    const said: Outgoing = { key: deps.newKey(), at, ...message, state: { kind: "queued" } };
    void put(said).then(() => sendNext(said.conversation));
  };

  return {
    of: (conversation) => messages.filter((message) => message.conversation === conversation),
    send: (conversation, text, attachments) => say({ conversation, text, attachments }),
    begin(text, attachments, who) {
      const conversation = `${NAME}${deps.newKey()}`;
      say({ conversation, text, attachments, ...who });
      return conversation;
    },
    retry(key) {
      const message = find(key);
      if (message === undefined) return;
      void setState(key, { kind: "queued" }).then(() => sendNext(message.conversation));
    },
    discard(key) {
      deps.files.forget(find(key)?.attachments ?? []);
      void keeper.drop(key);
      forget(key);
    },
    takeBack(key) {
      void keeper.drop(key);
      forget(key);
    },
    arrived(key) {
      if (find(key) === undefined) return;
      void keeper.drop(key);
      forget(key);
    },
    follow(conversation, listener, until) {
      const own = followers.get(conversation) ?? new Set();
      own.add(listener);
      followers.set(conversation, own);
      until.addEventListener(
        "abort",
        () => {
          own.delete(listener);
          if (own.size > 0) return;
          followers.delete(conversation);
          messages = messages.filter((one) => one.conversation !== conversation || one.state.kind !== "sent");
        },
        { once: true },
      );
    },
    onBegun(listener, until) {
      begunListeners.add(listener);
      until.addEventListener("abort", () => begunListeners.delete(listener), { once: true });
    },
  };
}
