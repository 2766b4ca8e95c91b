import { sessionKeyOf, type SessionEntry } from "@deputy/agent/sessions";
import { parseId, throwIfAborted } from "@deputy/kit";
import type { StoredEvent } from "@deputy/protocol";
import { hydrateResponses } from "@deputy/protocol/projections";
import { answerQuestions } from "./answer-questions.ts";
import { openApprovals } from "./approvals.ts";
import type { Approve, Deputy, QueryOptions, RunEvents, RunResult } from "./deputy.ts";
import type { EmbeddedEngine } from "./embedded-engine.ts";
import { followRun } from "./follow-run.ts";
import { SDK_CHANNEL } from "./sdk-channel.ts";
import { closedError, SdkError } from "./sdk-error.ts";

export interface OpenDeputyOptions {
  /** Answers questions of every session without its own `approve`. Absent: they wait for `approvals.answer`. */
  readonly approve?: Approve | undefined;
  /** An abort closes the deputy. */
  readonly signal?: AbortSignal | undefined;
}

/** A deputy over an engine that the caller has opened; it owns the engine from now on. */
export function openDeputy(engine: EmbeddedEngine, { approve, signal }: OpenDeputyOptions = {}): Deputy {
  const { log, sessions, conversations, agents } = engine;
  const closing = new AbortController();
  const questions = answerQuestions(engine, approve, closing.signal);
  let closed: Promise<void> | undefined;

  const assertOpen = (): void => {
    if (closing.signal.aborted) throw closedError();
  };
  const find = async (idOrKey: string): Promise<SessionEntry> => {
    const found = parseId("session", idOrKey) === undefined ? undefined : await sessions.find(idOrKey);
    if (found !== undefined) return found;
    throw new SdkError("unknown_session", `There is no session ${idOrKey} here`, {
      hint: "Give the sessionId of an earlier result; what was kept in memory ends with its deputy.",
    });
  };
  const begin = async (agentId: string, stop: AbortSignal): Promise<SessionEntry> => {
    await agents.read(agentId, stop);
    const key = sessionKeyOf({ channel: SDK_CHANNEL, sender: crypto.randomUUID() });
    return await sessions.start({ key, agentId, channel: SDK_CHANNEL });
  };

  async function* query(prompt: string, options: QueryOptions = {}): RunEvents {
    const stop = options.signal ?? closing.signal;
    assertOpen();
    throwIfAborted(stop);
    const { id } =
      options.session === undefined
        ? await begin(options.agent ?? engine.defaultAgent, stop)
        : await find(options.session);
    using _ = questions.answerBy(id, options.approve);
    await questions.askPending(id);
    assertOpen();
    throwIfAborted(stop);
    const message = { text: prompt, channel: SDK_CHANNEL, sender: "owner", trust: "user" } as const;
    const { runId, seq } = await conversations.send({ session: id, ...message });
    return yield* followRun(engine, { session: id, runId, after: seq - 1 }, questions, stop, closing.signal);
  }

  const run = async (prompt: string, options?: QueryOptions): Promise<RunResult> =>
    await drain(query(prompt, options));

  const close = (): Promise<void> => {
    closed ??= (async () => {
      closing.abort();
      await engine[Symbol.asyncDispose]();
    })();
    return closed;
  };
  signal?.addEventListener("abort", () => void close().catch(engine.onBug), {
    once: true,
    signal: closing.signal,
  });

  return {
    query,
    run,
    async resume(sessionId) {
      assertOpen();
      const { id } = await find(sessionId);
      const runId = await conversations.resume(id);
      await questions.askPending(id);
      const unfinished =
        runId === undefined
          ? undefined
          : followRun(engine, { session: id, runId, after: 0 }, questions, closing.signal, closing.signal);
      return {
        id,
        unfinished,
        query: (prompt, options) => query(prompt, { ...options, session: id }),
        run: (prompt, options) => run(prompt, { ...options, session: id }),
        async history() {
          const events: StoredEvent[] = [];
          for await (const event of log.read(id)) events.push(event);
          return hydrateResponses(events);
        },
      };
    },
    approvals: openApprovals(engine.approvals, assertOpen),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function drain(events: RunEvents): Promise<RunResult> {
  for (;;) {
    const next = await events.next();
    if (next.done === true) return next.value;
  }
}
