import type { TaskEvent } from "@deputy/protocol";
import { type Client, RequestFailed } from "./client.ts";
import { pause } from "./pause.ts";
import { createSseParser } from "./sse-parser.ts";

export interface Follower {
  event(event: TaskEvent): void;
  /** Undefined while connected; otherwise the message for the user. */
  connection(trouble: string | undefined): void;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

/**
 * Shows a task's events in order, each exactly once, across lost connections, until it is completed
 * or the signal aborts. Rejects with `RequestFailed` when another try cannot help (a wrong token,
 * an unknown task).
 */
export async function followTask(
  client: Client,
  taskId: string,
  follower: Follower,
  signal: AbortSignal,
): Promise<void> {
  let cursor: string | undefined;
  let waitMs = FIRST_WAIT_MS;
  const take = (group: readonly TaskEvent[], id: string): void => {
    cursor = id;
    waitMs = FIRST_WAIT_MS;
    for (const event of group) follower.event(event);
  };

  while (!signal.aborted) {
    try {
      const response = await client.openEvents(taskId, cursor, signal);
      follower.connection(undefined);
      if ((await readGroups(response, take)) === "completed") return;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof RequestFailed && !worthAnotherTry(error.status)) throw error;
    }
    follower.connection("The connection was lost. Reconnecting…");
    await pause(waitMs * (0.5 + Math.random() / 2), signal);
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
  }
}

/** A group of events ends with the one that has an id. Until it arrives, the server may send the group again. */
async function readGroups(
  response: Response,
  take: (group: readonly TaskEvent[], id: string) => void,
): Promise<"completed" | "interrupted"> {
  if (response.body === null) return "interrupted";
  const parse = createSseParser();
  let group: TaskEvent[] = [];
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    for (const { id, data } of parse(chunk)) {
      group.push(JSON.parse(data) as TaskEvent);
      if (id === undefined) continue;
      take(group, id);
      if (group.some(({ type }) => type === "completed")) return "completed";
      group = [];
    }
  }
  return "interrupted";
}

const worthAnotherTry = (status: number): boolean => status === 0 || status === 429 || status >= 500;
