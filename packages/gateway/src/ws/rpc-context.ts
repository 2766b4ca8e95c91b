import type { Push } from "@deputy/protocol";
import type { RpcMethodName, RpcParams, RpcResult } from "@deputy/protocol/rpc";
import type { Caller } from "../route.ts";
import type { StreamFeeds } from "./stream-feeds.ts";

/** The caller and its connection. */
export interface RpcContext {
  readonly caller: Caller;
  readonly feeds: StreamFeeds;
  /** Sends something unasked to this connection, as long as it may get anything. */
  push(push: Push): void;
  /** Aborts with the connection. */
  readonly signal: AbortSignal;
  /** Runs once the answer is on its way, so that what it starts comes after it. */
  afterAnswer(work: () => void): void;
}

/** Answers with data; a refusal is a thrown coded error. */
export type RpcHandler<Name extends RpcMethodName> = (
  params: RpcParams<Name>,
  context: RpcContext,
) => Promise<RpcResult<Name>>;

export type RpcHandlers<Names extends RpcMethodName = RpcMethodName> = {
  readonly [Name in Names]: RpcHandler<Name>;
};
