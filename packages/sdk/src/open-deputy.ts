import { sessionKeyOf, type SessionEntry } from "@deputy/agent/sessions";
import { parseId, throwIfAborted } from "@deputy/kit";
import { hydrateResponses, type StoredEvent } from "@deputy/protocol";
import { answerQuestions } from "./answer-questions.ts";
import { openApprovals } from "./approvals.ts";
import type { Approve, Deputy, QueryOptions, RunEvents, RunResult } from "./deputy.ts";
import type { EmbeddedEngine } from "./embedded-engine.ts";
import { followRun } from "./follow-run.ts";
import { SDK_CHANNEL } from "./sdk-channel.ts";
import { closedError, SdkError } from "./sdk-error.ts";

export interface OpenDeputyOptions {
  /** Answers questions of every session that has no `approve` of its own. Absent: they wait for `approvals.answer`. */
  readonly approve?: Approve | undefined;
}

/** A deputy over an engine that somebody has opened; it owns the engine from now on. */
export function openDeputy(engine: EmbeddedEngine, options: OpenDeputyOptions = {}): Deputy {
  const { log, sessions, conversations, agents } = engine;
  const closing = new AbortController();
  const questions = answerQuestions(engine, options.approve, closing.signal);
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
  const begin = async (agentId: string, signal: AbortSignal): Promise<SessionEntry> => {
    await agents.read(agentId, signal);
    const key = sessionKeyOf({ channel: SDK_CHANNEL, sender: crypto.randomUUID() });
    return await sessions.start({ key, agentId, channel: SDK_CHANNEL });
  };

  async function* query(prompt: string, options: QueryOptions = {}): RunEvents {
    const signal = options.signal ?? closing.signal;
    assertOpen();
    throwIfAborted(signal);
    const { id } =
      options.session === undefined
        ? await begin(options.agent ?? engine.defaultAgent, signal)
        : await find(options.session);
    await questions.ask(id, options.approve);
    throwIfAborted(signal);
    const message = { text: prompt, channel: SDK_CHANNEL, sender: "owner", trust: "user" } as const;
    const { runId, seq } = await conversations.send({ session: id, ...message });
    return yield* followRun(
      engine,
      { session: id, runId, after: seq - 1 },
      questions,
      signal,
      closing.signal,
    );
  }

  const run = async (prompt: string, options?: QueryOptions): Promise<RunResult> =>
    await drain(query(prompt, options));

  return {
    query,
    run,
    async resume(sessionId) {
      assertOpen();
      const { id } = await find(sessionId);
      const runId = await conversations.resume(id);
      await questions.ask(id, undefined);
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
    close() {
      closed ??= (async () => {
        closing.abort();
        await engine[Symbol.asyncDispose]();
      })();
      return closed;
    },
    async [Symbol.asyncDispose]() {
      await this.close();
    },
  };
}

async function drain(events: RunEvents): Promise<RunResult> {
  for (;;) {
    const next = await events.next();
    if (next.done === true) return next.value;
  }
}
