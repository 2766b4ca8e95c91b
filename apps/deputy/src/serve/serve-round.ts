import { StopRequest } from "@deputy/agent";
import { CodedError, createSystemClock, isAbort, openTaskGroup } from "@deputy/kit";
import { removeDaemonFile, writeDaemonFile } from "@deputy/client/daemon-file";
import { enabledApps } from "../channels/chat-apps.ts";
import { type Engine, type EngineOptions, openEngine } from "../engine.ts";
import { EXIT } from "@deputy/terminal/output";
import { followEvents } from "../events/follow-events.ts";
import { openHeartbeat } from "../heartbeat/open-heartbeat.ts";
import type { Invocation } from "../invocation.ts";
import { collectGarbage } from "../garbage/collect-garbage.ts";
import { collectWhenQuiet } from "../garbage/collect-when-quiet.ts";
import { type GatewayPlan, gatewayOver } from "./plan-gateway.ts";
import { openShutdownDeadline } from "../process/shutdown-deadline.ts";
import type { Served } from "./keep-serving.ts";

export interface Round extends Pick<
  EngineOptions,
  "home" | "plugins" | "demoSpeed" | "owner" | "brokenSources"
> {
  readonly plan: GatewayPlan;
  readonly invocation: Invocation;
  /** Why the settings of the last restart are not in force, if they are not. */
  readonly refusal?: string | undefined;
  /** Called once clients can reach it. */
  readonly onReady: (engine: Engine, url: string, signInCode: () => string) => void;
}

/**
 * Engine and gateway from their opening to their end: until the invocation's signal aborts, the log fails
 * for good, or the owner wants a restart. Rejects if they cannot be opened. In any case, nothing is left open.
 */
export async function serveRound(round: Round): Promise<Served> {
  const { invocation } = round;
  const over = new AbortController();
  const stop = (): void => over.abort(invocation.signal.reason);
  if (invocation.signal.aborted) stop();
  invocation.signal.addEventListener("abort", stop, { once: true });
  let failure: CodedError<string> | undefined;
  let isReady = false;
  let isRenewed = false;
  const restart = (): void => {
    if (over.signal.aborted) return;
    isRenewed = true;
    over.abort(new StopRequest("shutdown"));
  };
  const onReady: Round["onReady"] = (...reached) => {
    isReady = true;
    round.onReady(...reached);
  };
  const onFailed = (error: CodedError<string>): void => {
    if (over.signal.aborted) return;
    failure = error;
    if (isReady)
      invocation.warn(
        `${error.message} (${error.code}). Deputy accepts nothing more until it has opened its files again, which it does by itself. Running work is interrupted and continues then.`,
      );
    over.abort(new StopRequest("shutdown"));
  };
  using _deadline = openShutdownDeadline({
    signal: over.signal,
    clock: createSystemClock(),
    end() {
      invocation.warn("Some work did not stop in time, so it was ended. The next start continues it.");
      process.exit(EXIT.failed);
    },
  });
  try {
    await serveUntil({ ...round, onReady, onFailed, restart }, over.signal);
  } catch (error) {
    // Running work is interrupted together with its log.
    if (failure === undefined && !isRenewed) throw error;
    if (!isAbort(error) && !(error instanceof CodedError)) invocation.onBug(error);
  } finally {
    invocation.signal.removeEventListener("abort", stop);
  }
  if (failure !== undefined && !isReady) throw failure;
  if (failure !== undefined) return { kind: "failed" };
  return { kind: isRenewed ? "renewed" : "stopped" };
}

async function serveUntil(
  round: Round & Required<Pick<EngineOptions, "onFailed">> & { readonly restart: () => void },
  signal: AbortSignal,
): Promise<void> {
  const { invocation, home, plan, onReady, restart, refusal, ...options } = round;
  const { env, warn, onBug } = invocation;
  await using engine = await openEngine({
    ...options,
    home,
    env,
    secrets: [plan.token()],
    signal,
    warn,
    onBug,
  });
  invocation.redactWith(engine.redact);
  await using gateway = gatewayOver(engine, plan, onBug, { home, env, restart, refusal });

  const { url } = await gateway.listen(signal);
  writeDaemonFile(home.directory, { url, pid: process.pid });
  onReady(engine, url, gateway.signInCode);
  await engine.tasks.goOn((task, error) =>
    warn(`Task ${task} waits for the next start: ${error instanceof Error ? error.message : String(error)}`),
  );
  await engine.conversations.goOn(await engine.tasks.list());
  await engine.outbox.goOn();
  await engine.repeating.keep();
  await using heartbeat = openHeartbeat({ home, engine, warn, onBug, signal });
  await heartbeat.start();
  await engine.reminders.keep();
  const { mail } = home.config.adapters;
  const inbox =
    mail.enabled && mail.answersFrom !== undefined
      ? (await import("../channels/answer-by-mail.ts")).answerByMail({ home, engine })
      : engine.inbox;
  await using _events = followEvents({ ...invocation, home, engine: { ...engine, inbox }, signal });
  await using _mailbox =
    engine.defaultModel.provider === "rehearsal"
      ? (await import("@deputy/demo-world/mailbox")).watchMailbox({
          ...engine,
          home: home.directory,
          time: engine.dueBy.clock,
          onBug,
          signal,
        })
      : undefined;
  await using _channels =
    enabledApps(home.config).length > 0
      ? (await import("../channels/open-channels.ts")).openChannels({
          ...invocation,
          home,
          engine,
          url,
          token: plan.token,
          signal,
        })
      : undefined;
  await using background = openTaskGroup(signal);
  const quiet = { clock: engine.clock, cpuMs, collect: collectGarbage };
  background.spawn((until) => collectWhenQuiet(quiet, until));
  background.spawn((until) => engine.keepRetention(until));
  await stopped(signal);
  if (!invocation.signal.aborted) return;
  invocation.output.note("Stopping…");
  removeDaemonFile(home.directory);
}

/** All threads counted. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
