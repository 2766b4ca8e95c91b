import { methods, RequestError, type AgentContext, type SessionUpdate } from "@agentclientprotocol/sdk";
import { type CanonicalEvent, type LogItem, readEvent } from "@deputy/protocol";
import type { Conversation } from "@deputy/client";
import { createUpdateProjection } from "./project-updates.ts";
import { createQuestions } from "./questions.ts";
import type { ReadPrompt } from "./read-prompt.ts";
import { type PromptEnd, promptEndOf } from "./stop-reason.ts";

/** One session that an editor has open. The editor gets its events and its questions. */
export interface AcpSession {
  /** Resolves once the editor has got the past events, if it wants them; later ones follow as they come. */
  show(past: "tell" | "skip"): Promise<void>;
  /** One at a time. Resolves with the turn's end, once the editor has got all of it. */
  prompt(prompt: ReadPrompt): Promise<PromptEnd>;
  /** Stops the current turn, whoever began it. Idempotent. */
  cancel(): void;
  /** Shown at the next prompt, before anything else, because the user does not look earlier. */
  notice(text: string): void;
  /** Cancels, lets the waiting prompt be answered, and sends nothing more. */
  close(): Promise<void>;
}

export interface AcpSessionDeps {
  readonly conversation: Conversation;
  readonly client: Pick<AgentContext, "notify" | "request">;
  /** True when the editor shows notices apart from the agent's text. */
  readonly notices: boolean;
  /** Aborted when the editor is gone: then the turn is left alone. */
  readonly gone: AbortSignal;
  readonly onBug: (error: unknown) => void;
}

export function createAcpSession(deps: AcpSessionDeps): AcpSession {
  const { conversation, client, gone } = deps;
  const sessionId = conversation.session.id;
  const notices: string[] = [];
  let following = new AbortController();
  let shownSeq = 0;
  let changed = Promise.withResolvers<void>();
  let lastEnd: (PromptEnd & { readonly seq: number }) | undefined;
  let prompting: { isCancelled: boolean; readonly answered: Promise<void> } | undefined;
  /** Sent from here, so the editor already shows it. */
  const saidHere: string[] = [];

  const tell = (update: SessionUpdate): Promise<void> =>
    client.notify(methods.client.session.update, { sessionId, update });

  const isEcho = (event: CanonicalEvent): boolean => {
    if (event.type !== "user.message") return false;
    if (event.data.trust !== "user") return true;
    const at = saidHere.indexOf(event.data.text);
    if (at >= 0) saidHere.splice(at, 1);
    return at >= 0;
  };

  /** Reads the session from its beginning; events that the editor must not see again only update the projection. */
  const follow = async (past: "tell" | "skip", throughSeq: number, signal: AbortSignal): Promise<void> => {
    const projection = createUpdateProjection();
    const questions = createQuestions(deps);
    shownSeq = 0;
    for await (const item of conversation.items(signal)) {
      const event = eventOf(item);
      const isPast = item.kind === "event" && item.event.seq <= throughSeq;
      const updates = projection.take(item);
      const isTold = isPast ? past === "tell" : event === undefined || !isEcho(event);
      if (isTold) for (const update of updates) await tell(update);
      if (item.kind !== "event") continue;
      if (event !== undefined) {
        const end = promptEndOf(event);
        if (end !== undefined) lastEnd = { ...end, seq: event.seq };
        questions.take(event);
      }
      if (item.event.seq >= throughSeq) questions.ask(signal);
      shownSeq = item.event.seq;
      changed.resolve();
      changed = Promise.withResolvers<void>();
    }
  };

  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => undefined);
  const shownThrough = async (seq: number): Promise<void> => {
    for (;;) {
      if (shownSeq >= seq) return;
      await Promise.race([changed.promise, broken.promise]);
    }
  };

  const tellNotices = async (): Promise<void> => {
    for (const text of notices.splice(0))
      await tell(
        deps.notices
          ? { sessionUpdate: "notice", severity: "warning", title: text }
          : { sessionUpdate: "agent_message_chunk", content: { type: "text", text: `${text}\n\n` } },
      );
  };

  const cancel = (): void => {
    if (prompting !== undefined) prompting.isCancelled = true;
    conversation.stop("user");
  };

  return {
    async show(past) {
      following.abort();
      following = new AbortController();
      const throughSeq = await conversation.headSeq();
      follow(past, throughSeq, AbortSignal.any([following.signal, gone])).catch((error: unknown) => {
        if (!gone.aborted) deps.onBug(error);
        broken.reject(error);
      });
      await shownThrough(throughSeq);
    },
    async prompt({ text, quoted }) {
      if (prompting !== undefined)
        throw RequestError.invalidRequest(undefined, "A prompt of this session is still being answered");
      const { promise: answered, resolve: finish } = Promise.withResolvers<void>();
      const current = { isCancelled: false, answered };
      prompting = current;
      try {
        await tellNotices();
        const beforeSeq = await conversation.headSeq();
        saidHere.push(text);
        await conversation.say(text, gone, quoted);
        // Cancelled before there was a turn to stop.
        if (current.isCancelled) conversation.stop("user");
        await conversation.idle(gone);
        await shownThrough(await conversation.headSeq());
        if (current.isCancelled) return { kind: "stopped", reason: "cancelled" };
        if (lastEnd === undefined || lastEnd.seq <= beforeSeq)
          throw new Error("The turn ended, and its end is not in the log");
        return lastEnd;
      } finally {
        prompting = undefined;
        finish();
      }
    },
    cancel,
    async close() {
      cancel();
      await prompting?.answered;
      await conversation.idle(gone);
      following.abort();
    },
    notice: (text) => void notices.push(text),
  };
}

function eventOf(item: LogItem): CanonicalEvent | undefined {
  if (item.kind === "delta") return undefined;
  const read = readEvent(item.event);
  return read.kind === "known" ? read.event : undefined;
}
