/** The message with which a task of Deputy's begins its run. */
export interface TaskRun {
  /** The task's prompt. */
  readonly prompt: string;
  /** The whole answer if there is nothing to report. */
  readonly silence: string;
}

const NOTE =
  /\n\n\[Deputy: this is a task that runs without anybody watching\.[^\]]* answer (?<silence>\w+) and nothing else\.[^\]]*\]$/;

/** Undefined for a message in a conversation. */
export function readTaskRun(message: string): TaskRun | undefined {
  const note = NOTE.exec(message);
  const silence = note?.groups?.["silence"];
  return note === null || silence === undefined
    ? undefined
    : { prompt: message.slice(0, note.index), silence };
}
