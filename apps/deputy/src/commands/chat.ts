import { createGrantsView, type Turn } from "@deputy/agent";
import { createLogSessionService, type SessionEntry } from "@deputy/agent/sessions";
import { makeVisible } from "@deputy/kit";
import type { EventLog, TaskEvent } from "@deputy/protocol";
import { connectTurn } from "../client/local-connection.ts";
import { openEngine } from "../engine.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { openTurnOf } from "../go-on-with-turns.ts";
import { openHome } from "../home.ts";
import type { Invocation } from "../invocation.ts";
import { openTerminalSession, type TerminalSessionOptions } from "../open-terminal-session.ts";
import { TERMINAL_CHANNEL } from "../terminal-key.ts";
import { createApprover } from "../terminal/approver.ts";
import { followTask } from "../terminal/follow-task.ts";
import { readMessage } from "../terminal/read-message.ts";
import { showTaskEvent } from "../terminal/show-task-event.ts";

/** `deputy`: one session, line by line, until the input ends or `/exit`; the same one the next time. */
export async function chat(invocation: Invocation, options: TerminalSessionOptions): Promise<ExitCode> {
  const { output, reader, env, signal, onBug } = invocation;
  const home = openHome(invocation.homeDirectory, invocation.warn);
  await using engine = await openEngine({
    home,
    env,
    plugins: [],
    secrets: [],
    signal,
    warn: invocation.warn,
    onBug,
  });
  const { log, ids } = engine;
  const sessions = createLogSessionService({ log, ids });
  const defaultAgent = home.config.agents.default;
  await engine.agents.read(options.agent ?? defaultAgent, signal);
  let opened = await openTerminalSession(sessions, { ...options, defaultAgent }, signal);
  const approver = createApprover("ask", reader);
  output.note(
    "Deputy. Say what you want; a ```ts block is run as a program. /new begins anew, /exit leaves.",
  );
  /** A stop reaches the turn, whose end is then followed like any other. */
  const follow = async (turn: Turn, after: number): Promise<void> => {
    const work = engine.turns.run(turn, signal);
    const feed = connectTurn(engine, turn, work, after);
    const show = (event: TaskEvent): void => showTaskEvent(output, event);
    await followTask(feed, { show, approver }, new AbortController().signal);
    await work;
  };
  if (opened.kind === "resumed") {
    output.note(await describeResumed(log, opened.session));
    const left = await openTurnOf(log, opened.session);
    if (left !== undefined) {
      output.note("Its last turn was interrupted; going on with it.");
      await follow(left, (await log.head(left.stream))?.seq ?? 0);
    }
  }

  while (!signal.aborted) {
    const text = await readMessage(reader, signal);
    if (text === undefined || text.trim() === "/exit") break;
    if (text.trim() === "") continue;
    const { id: stream, agentId, key: sessionKey, channel } = opened.session;
    if (text.trim() === "/new") {
      opened = { kind: "started", session: await sessions.start({ agentId, key: sessionKey, channel }) };
      output.note("A new session.");
      continue;
    }
    const head = await log.head(stream);
    const said = {
      text,
      attachments: [],
      channel: TERMINAL_CHANNEL,
      sender: "owner",
      trust: "user" as const,
    };
    const turn = { stream, turnId: ids.next("turn"), agentId, sessionKey };
    await log.append(stream, [{ type: "user.message", turnId: turn.turnId, data: said }]);
    await follow(turn, head?.seq ?? 0);
  }
  return EXIT.done;
}

/** Also what is allowed in it without asking, which somebody who comes back may have forgotten. */
async function describeResumed(log: EventLog, { id, key, turns, lastAt }: SessionEntry): Promise<string> {
  const grants = await createGrantsView(log).of(id);
  const allowed = new Set(grants.flatMap(({ bindings }) => bindings.map(({ toolPath }) => toolPath)));
  const going = `Going on with ${key}: ${turns} ${turns === 1 ? "turn" : "turns"}, the last on ${lastAt.slice(0, 10)}.`;
  return makeVisible(
    allowed.size === 0 ? going : `${going} You allowed ${[...allowed].join(", ")} for this session.`,
  );
}
