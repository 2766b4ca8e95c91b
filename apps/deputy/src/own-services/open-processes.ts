import { randomBytes } from "node:crypto";
import { type Clock, parseId, shorten } from "@deputy/kit";
import type { Redactor } from "@deputy/secrets";
import type { EventLog } from "@deputy/protocol";
import { addNote, processEnded } from "@deputy/tasks/notes";
import type { Process, ProcessRegistry } from "@deputy/builtins";
import { createProcessRegistry } from "@deputy/builtins/processes";
import { createProcessRecord, endLeftProcesses } from "@deputy/builtins/node/processes";
import { processFolderOf } from "./left-processes.ts";

/**
 * Commands in the background. This process must hold the home's lock. It first ends commands that an earlier process
 * left running, and tells their sessions so. Every end is noted in the command's session, and reported to the
 * heartbeat.
 */
export async function openProcesses(deps: {
  readonly home: string;
  readonly log: EventLog;
  readonly redactor: Pick<Redactor, "text">;
  readonly clock: Clock;
  readonly warn: (text: string) => void;
  readonly signal: AbortSignal;
}): Promise<ProcessRegistry> {
  const { log, redactor, clock, warn, signal } = deps;
  const folder = processFolderOf(deps.home);
  const tell = async (session: string, ref: string, told: string): Promise<void> => {
    const text = redactor.text(told);
    const stream = parseId("session", session);
    const heard = stream === undefined ? [] : [processEnded({ ref, session: stream, text })];
    try {
      await addNote(log, session, { text, from: "process" }, heard);
    } catch {
      // The log reports its failure where it matters.
      warn("Deputy could not note in the session that a command has ended.");
    }
  };
  for (const { session, command, was } of endLeftProcesses(folder)) {
    const now = was === "ended" ? "It has been killed now" : "It is gone";
    await tell(
      session,
      newId(),
      `The command ${quote(command)} was running in the background when Deputy stopped. ${now}; what it did is unknown.`,
    );
  }
  return createProcessRegistry({
    clock,
    newId,
    record: createProcessRecord(folder),
    onEnd: (session, process) => void tell(session, process.id, describeEnd(process)),
    signal,
  });
}

const newId = (): string => `proc-${randomBytes(5).toString("hex")}`;

function describeEnd(process: Process): string {
  const state = process.state();
  const how =
    state.kind === "ended"
      ? `has ended with exit code ${state.result.exitCode}${state.result.timedOut ? ", since it took too long" : ""}`
      : "could not be run to its end";
  return `The command ${quote(process.command)} in the background ${how}. tools.process.log({ processId: "${process.id}" }) has its output.`;
}

const QUOTED_CHARS = 200;

function quote(command: string): string {
  return `\`${shorten(command.replaceAll(/\s+/g, " ").trim(), QUOTED_CHARS)}\``;
}
