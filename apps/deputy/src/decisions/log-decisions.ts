import { hostname } from "node:os";
import {
  createLogApprovalDesk,
  createLogGrantsDesk,
  createTurnKeeper,
  type ResolveOutcome,
} from "@deputy/agent";
import { createIdSource, createSystemClock } from "@deputy/kit";
import { createRedactor } from "@deputy/secrets";
import type { ApprovalAnswer } from "@deputy/protocol";
import { assertReports, createLogTaskService, openRepeatingTask } from "@deputy/tasks";
import { agentsSettings } from "../agents/agents-settings.ts";
import { openAgents } from "../agents/open-agents.ts";
import { AppError } from "../app-error.ts";
import { defaultModelRef } from "../choose-model-ref.ts";
import { secretsOf, secretsIn } from "../config/secret-places.ts";
import type { Home } from "../home.ts";
import type { Invocation } from "../invocation.ts";
import { openStore } from "../open-store.ts";
import type { Decisions } from "./decisions.ts";

const BY = "terminal";

/** Writes to the log itself. Nothing runs here: the next process that opens the home continues from there. */
export async function openLogDecisions(home: Home, { env, warn, onBug }: Invocation): Promise<Decisions> {
  await using opened = new AsyncDisposableStack();
  const clock = createSystemClock();
  const ids = createIdSource({ clock });
  const { log } = opened.use(await openStore({ directory: home.directory, clock, ids, warn }));
  const redactor = createRedactor([...secretsIn(env), ...secretsOf(home.config, env, home.directory)]);
  const approvals = createLogApprovalDesk({ log, clock, ids, redactor });
  const grants = createLogGrantsDesk({ log, clock });
  const work = () => Promise.reject(new Error("No task is begun here"));
  const owner = `${hostname()} ${process.pid} ${ids.next("event")}`;
  const keeper = opened.use(createTurnKeeper({ log, owner, clock, redactor }));
  const signal = new AbortController().signal;
  const tasks = opened.use(createLogTaskService({ log, ids, work, stop: keeper.stop, onBug, signal }));

  const owned = opened.move();
  return {
    isLive: false,
    async answer(id, answer) {
      assertAnswered(await approvals.resolve(id, answer, BY), answer);
    },
    async revoke(id) {
      if ((await grants.revoke(id, BY)).kind === "unknown")
        throw new AppError("not_found", "There is no such grant");
    },
    async add(task) {
      if (task.hook !== undefined) {
        const { DEMO_MAILBOX } = await import("@deputy/demo-world/mark");
        const { createReporters } = await import("../hooks/hooks-file.ts");
        const isDemo = defaultModelRef(agentsSettings(home.config), env, undefined).provider === "rehearsal";
        assertReports(task.hook, createReporters(home, isDemo ? [DEMO_MAILBOX] : [])());
      }
      const { defaultAgent, registry } = agentsOf(home);
      const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
      const opening = openRepeatingTask(task, { ids, defaultAgent, nowMs: clock.now(), zone });
      await registry.read(opening.agentId, new AbortController().signal);
      await log.append(opening.stream, opening.events);
      const added = await tasks.get(opening.taskId);
      if (added === undefined) throw new Error(`${opening.taskId} is not in the log it was just written to`);
      return added;
    },
    async change(id, change) {
      const outcome = await tasks.change(id, change, BY);
      if (outcome.kind === "unknown") throw new AppError("not_found", "There is no such task");
      if (outcome.kind === "already_ended")
        throw new AppError("already_decided", `The task has already ended: ${outcome.status}`);
    },
    async cancel(id) {
      const outcome = await tasks.cancel(id, BY);
      if (outcome.kind === "unknown") throw new AppError("not_found", "There is no such task");
      if (outcome.kind === "already_ended" && outcome.status !== "cancelled")
        throw new AppError("already_decided", `The task has already ended: ${outcome.status}`);
      await tasks.endFinished();
      const task = await tasks.get(id);
      for (const asked of await approvals.pending())
        if (asked.stream === task?.stream)
          await approvals.resolve(asked.id, { decision: "denied", reason: "The task was cancelled." }, BY);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function agentsOf(home: Home) {
  const { settings, registry } = openAgents(home, process.cwd());
  return { defaultAgent: settings.defaultAgent, registry };
}

function assertAnswered(outcome: ResolveOutcome, { decision, calls }: ApprovalAnswer): void {
  switch (outcome.kind) {
    case "resolved":
      return;
    case "already_resolved":
      if (outcome.scope !== undefined)
        throw new AppError(
          "already_decided",
          `It was already approved, and what counts is that answer (${outcome.scope}): this one has changed nothing`,
        );
      if (outcome.decision === decision && isSame(outcome.calls, calls)) return;
      throw new AppError("already_decided", `It was already ${outcome.decision}`);
    case "expired":
      throw new AppError("already_decided", "It was not answered in time");
    case "unknown":
      throw new AppError("not_found", "There is no such approval");
    case "invalid":
      throw new AppError("usage", outcome.message);
  }
}

function isSame(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return new Set(a).symmetricDifference(new Set(b)).size === 0;
}
