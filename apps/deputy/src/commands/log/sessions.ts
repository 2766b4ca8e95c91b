import { createLogSessionService, createSessionReader, type SessionReader } from "@deputy/agent/sessions";
import { createIdSource, createSystemClock, makeVisible } from "@deputy/kit";
import { openSqliteReader, StoreError } from "@deputy/store/sqlite";
import { AppError } from "../../app-error.ts";
import { EXIT, type ExitCode } from "@deputy/terminal/output";
import { findSession } from "@deputy/client/sessions";
import { openHome } from "../../home.ts";
import type { Invocation } from "../../invocation.ts";
import { openStore } from "../../open-store.ts";
import { localStamp } from "@deputy/protocol/schedule";
import { showTranscriptLine } from "@deputy/terminal/show";

interface Bounded {
  readonly limit?: number;
}

/** Works beside a running daemon. */
async function readSessions(
  invocation: Invocation,
  work: (sessions: SessionReader) => Promise<void>,
): Promise<ExitCode> {
  const { directory } = openHome(invocation.homeDirectory, invocation.warn);
  await using log = openSqliteReader({ directory });
  await work(createSessionReader(log));
  return EXIT.done;
}

const NO_SESSIONS = "There are no sessions yet.";

/** `deputy sessions list` */
export async function listSessions(invocation: Invocation, options: Bounded): Promise<ExitCode> {
  const { output } = invocation;
  const work = async (sessions: SessionReader): Promise<void> => {
    const listed = await sessions.list(options);
    if (listed.length === 0) output.note(NO_SESSIONS);
    for (const session of listed) {
      const { id, lastAt, turns, agentId, key, title } = session;
      const columns = [
        id,
        localStamp(lastAt),
        `${String(turns).padStart(4)} ${turns === 1 ? "turn " : "turns"}`,
        agentId,
        key,
        title,
      ];
      output.result(columns.map(makeVisible).join("  "));
      output.object(session);
    }
  };
  return await readSessions(invocation, work).catch((error: unknown) => {
    if (!(error instanceof StoreError && error.code === "no_database")) throw error;
    output.note(NO_SESSIONS);
    return EXIT.done;
  });
}

/** `deputy sessions show SESSION` */
export async function showSession(invocation: Invocation, name: string): Promise<ExitCode> {
  const { output, signal } = invocation;
  return await readSessions(invocation, async (sessions) => {
    const { id } = await findSession(sessions, name);
    for await (const line of sessions.transcript(id, signal)) showTranscriptLine(output, line);
  });
}

/** `deputy sessions search WORDS` */
export async function searchSessions(
  invocation: Invocation,
  words: readonly string[],
  { limit }: Bounded,
): Promise<ExitCode> {
  const { output, signal, announce } = invocation;
  return await readSessions(invocation, async (sessions) => {
    const bounds = limit === undefined ? {} : { hits: limit };
    const { hits, ended } = await sessions.search(words.join(" "), bounds, signal);
    for (const hit of hits) {
      const columns = [hit.session, localStamp(hit.at), hit.role.padEnd(9), hit.snippet];
      output.result(columns.map(makeVisible).join("  "));
      output.object(hit);
    }
    if (hits.length === 0) output.note("No message contains all of these words.");
    if (ended === "hit_limit") announce("There are more; --limit N shows them.");
    if (ended === "event_limit") announce("There was too much to search: older sessions were left out.");
  });
}

/** `deputy sessions fork SESSION`: needs the home to itself. */
export async function forkSession(
  invocation: Invocation,
  name: string,
  options: { readonly at?: number; readonly key?: string },
): Promise<ExitCode> {
  const { output } = invocation;
  const { directory } = openHome(invocation.homeDirectory, invocation.warn);
  const clock = createSystemClock();
  const ids = createIdSource({ clock });
  await using store = await openStore({ directory, clock, ids, warn: invocation.warn });
  const sessions = createLogSessionService({ log: store.log, ids });
  const source = await findSession(sessions, name);
  const { at: throughSeq, key } = options;
  const outcome = await sessions.fork(source.id, {
    ...(throughSeq === undefined ? {} : { throughSeq }),
    ...(key === undefined ? {} : { key }),
  });
  if (outcome.kind !== "forked")
    throw new AppError("usage", "There is nothing to copy: no turn had ended by then.", {
      hint: "`deputy sessions show` with --json has a `seq` on each line.",
    });
  const { session, copied } = outcome;
  output.result(
    `${session.id} begins with ${copied} events of ${source.id}, up to ${outcome.throughSeq}. Continue with \`deputy chat --session ${session.id}\`.`,
  );
  output.object({ ...session, copied });
  return EXIT.done;
}
