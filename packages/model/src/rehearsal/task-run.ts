/** A message that a task of Deputy's begins its run with. */
export interface TaskRun {
  /** What the task was asked for. */
  readonly prompt: string;
  /** All that is to be answered when there is nothing to tell. */
  readonly silence: string;
}

const NOTE =
  /\n\n\[Deputy: this is a task that runs without anybody watching\.[^\]]* answer (?<silence>\w+) and nothing else\.[^\]]*\]$/;

/** Undefined for what somebody says in a conversation. */
export function readTaskRun(message: string): TaskRun | undefined {
  const note = NOTE.exec(message);
  const silence = note?.groups?.["silence"];
  return note === null || silence === undefined
    ? undefined
    : { prompt: message.slice(0, note.index), silence };
}
