import { createHash } from "node:crypto";
import type { TaskId } from "@deputy/kit";
import type { ApprovalId } from "@deputy/protocol";
import { createRequestStateCodec, type RequestStateCodec } from "@modelcontextprotocol/server";

/** The state that a client of the newer protocol carries from one round of a call to the next. */
export interface CallState {
  readonly taskId: TaskId;
  /** The last of the task's events that was reported. */
  readonly seq: number;
  /** The questions of this round: the next round can answer only these. */
  readonly asked: readonly ApprovalId[];
}

/** A question may wait for a day; after that, `task_result` still knows the task. */
const STATE_SECONDS = 86_400;

/** Signed with a key from the token, so that it survives a restart and ends with the token. */
export function createStateCodec(token: string): RequestStateCodec<CallState> {
  const key = createHash("sha256").update(`mcp request state\0${token}`).digest();
  return createRequestStateCodec<CallState>({ key, ttlSeconds: STATE_SECONDS });
}
