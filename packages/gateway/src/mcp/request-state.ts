import { createHash } from "node:crypto";
import type { TaskId } from "@deputy/kit";
import type { ApprovalId } from "@deputy/protocol";
import { createRequestStateCodec, type RequestStateCodec } from "@modelcontextprotocol/server";

/** What a client of the newer protocol carries from one round of a call to the next. */
export interface CallState {
  readonly taskId: TaskId;
  /** How far its events were told. */
  readonly seq: number;
  /** What this round asked: only these are answered by the next. */
  readonly asked: readonly ApprovalId[];
}

/** A question may wait for a day; after that, `task_result` still knows the task. */
const STATE_SECONDS = 86_400;

/** Signed with what the token gives, so that it outlives a restart and ends with the token. */
export function createStateCodec(token: string): RequestStateCodec<CallState> {
  const key = createHash("sha256").update(`mcp request state\0${token}`).digest();
  return createRequestStateCodec<CallState>({ key, ttlSeconds: STATE_SECONDS });
}
