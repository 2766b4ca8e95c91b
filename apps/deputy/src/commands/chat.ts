import { connectTurn } from "../client/local-connection.ts";
import { openEngine } from "../engine.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { openHome } from "../home.ts";
import type { Invocation } from "../invocation.ts";
import { createApprover } from "../terminal/approver.ts";
import { followTask } from "../terminal/follow-task.ts";
import { readMessage } from "../terminal/read-message.ts";
import { showTaskEvent } from "../terminal/show-task-event.ts";

const AGENT = "main";
const CHANNEL = "terminal";

/** `deputy`: one session, line by line, until the input ends or `/exit`. */
export async function chat(invocation: Invocation): Promise<ExitCode> {
  const { output, reader, env, signal, onBug } = invocation;
  const home = openHome(invocation.homeDirectory, invocation.warn);
  await using engine = await openEngine({ home, env, plugins: [], secrets: [], signal, onBug });
  const { log, ids } = engine;
  const stream = ids.next("session");
  const key = `${CHANNEL}:${stream}`;
  const approver = createApprover("ask", reader);
  await log.append(stream, [{ type: "session.started", data: { agentId: AGENT, key, channel: CHANNEL } }]);
  output.note("Deputy. Say what you want; a ```ts block is run as a program. /exit leaves.");

  while (!signal.aborted) {
    const text = await readMessage(reader, signal);
    if (text === undefined || text.trim() === "/exit") break;
    if (text.trim() === "") continue;
    const head = await log.head(stream);
    const said = { text, attachments: [], channel: CHANNEL, sender: "owner", trust: "user" as const };
    const turn = { stream, turnId: ids.next("turn"), agentId: AGENT, sessionKey: key };
    await log.append(stream, [{ type: "user.message", turnId: turn.turnId, data: said }]);
    const work = engine.turns.run(turn, signal);
    const feed = connectTurn(engine, turn, work, head?.seq ?? 0);
    // A stop reaches the turn, whose end is then followed like any other.
    await followTask(
      feed,
      { show: (event) => showTaskEvent(output, event), approver },
      new AbortController().signal,
    );
    await work;
  }
  return EXIT.done;
}
