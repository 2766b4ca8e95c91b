import { findForkPoint, type ForkAt } from "@deputy/agent/replay";
import { createLogSessionService, readKnown, sessionKeyOf } from "@deputy/agent/sessions";
import { makeVisible, parseId, type SessionId } from "@deputy/kit";
import type { CanonicalEvent, EventLog, NewEvent } from "@deputy/protocol";
import { AppError } from "../../app-error.ts";
import { connectTurn } from "../../chat/local-connection.ts";
import { endOnFailure } from "../../process/report-failure.ts";
import { openEngine } from "../../engine.ts";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { findRecordedSession } from "../../find-recorded-session.ts";
import { openHome } from "../../home.ts";
import type { Invocation } from "../../invocation.ts";
import { catchStrayErrors } from "../../process/stray-errors.ts";
import { createApprover } from "@deputy/terminal";
import { followTask, type ShowEvent } from "@deputy/terminal";
import { showTaskEvent } from "@deputy/terminal";
import type { ReplayOptions } from "./replay.ts";

const CHANNEL = "terminal";

/**
 * `deputy replay SESSION --fork-at POINT`: answers the last message before that point again, in a new session. No
 * other process may use the home meanwhile.
 */
export async function goOnInFork(
  invocation: Invocation,
  name: string,
  options: ReplayOptions & { readonly forkAt: string },
): Promise<ExitCode> {
  const { output, reader, env, signal, onBug } = invocation;
  const home = openHome(invocation.homeDirectory, invocation.warn);
  using stray = catchStrayErrors({ tell: invocation.onStray, shutDown: invocation.shutDown });
  await using engine = await openEngine({
    home,
    env,
    ...(options.model === undefined ? {} : { model: options.model }),
    plugins: options.tools ?? [],
    secrets: [],
    signal,
    onBug,
    warn: invocation.warn,
    onFailed: endOnFailure(invocation.warn),
  });
  invocation.redactWith(engine.redact);
  const { log, ids } = engine;
  const source = await findRecordedSession(log, name);
  const point = findPoint(await readKnown(log, source), options.forkAt);
  const turnId = ids.next("turn");
  const sessions = createLogSessionService({ log, ids });
  const key = sessionKeyOf({ channel: CHANNEL, sender: `fork-${turnId}` });
  const forked = await sessions.fork(source, { throughSeq: point.throughSeq, key });
  const session =
    forked.kind === "forked"
      ? forked.session
      : await sessions.start({ key, agentId: await agentOf(log, source), channel: CHANNEL });
  output.note(`· ${session.id} continues ${source} after event ${point.throughSeq}`);
  output.object({ type: "forked", session: session.id, from: source, throughSeq: point.throughSeq });

  const stream = session.id;
  const before = (await log.head(stream))?.seq ?? 0;
  const said = point.said.map((data): NewEvent => ({ type: "user.message", turnId, data }));
  await log.append(stream, said);
  const turn = { stream, turnId, agentId: session.agentId, sessionKey: key };
  const work = engine.turns.run(turn, signal);
  const show: ShowEvent = (event, answered) => showTaskEvent(output, event, answered);
  const approver = createApprover(options.approve, reader, output);
  // A stop reaches the turn, whose end is then followed like any other.
  const followed = new AbortController().signal;
  const exit = await followTask(connectTurn(engine, turn, work, before), { show, approver }, followed);
  const outcome = await work;
  if (stray.fatal()) return EXIT.failed;
  return exit === EXIT.done && outcome.kind !== "completed" ? EXIT.failed : exit;
}

function findPoint(
  events: readonly CanonicalEvent[],
  text: string,
): Extract<ReturnType<typeof findForkPoint>, { readonly kind: "found" }> {
  const point = findForkPoint(events, parsePoint(events, text));
  switch (point.kind) {
    case "found":
      return point;
    case "unknown_turn":
      throw new AppError("usage", `The session has no turn ${makeVisible(text)}`, { hint: HINT });
    case "nothing_said":
      throw new AppError("usage", `Nothing had been said by event ${makeVisible(text)}`, { hint: HINT });
    case "program":
      throw new AppError("usage", "That was a program of yours, which no model answers", {
        hint: "`deputy exec FILE` runs a program again.",
      });
    default:
      return point satisfies never;
  }
}

const HINT = "Give an event's number, `turn:N`, or a turn's id; `deputy replay SESSION --json` has both.";

function parsePoint(events: readonly CanonicalEvent[], text: string): ForkAt {
  if (/^\d{1,10}$/.test(text)) return { kind: "seq", seq: Number(text) };
  const number = /^turn:([1-9]\d{0,9})$/.exec(text)?.[1];
  const begun = events.filter(({ type }) => type === "turn.started");
  const turnId = number === undefined ? parseId("turn", text) : begun[Number(number) - 1]?.turnId;
  if (turnId !== undefined) return { kind: "turn", turnId };
  throw new AppError("usage", `“${makeVisible(text)}” is not a point in the session`, { hint: HINT });
}

async function agentOf(log: EventLog, session: SessionId): Promise<string> {
  const started = (await readKnown(log, session)).find(({ type }) => type === "session.started");
  return started?.type === "session.started" ? started.data.agentId : "main";
}
