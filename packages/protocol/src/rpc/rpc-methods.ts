import { z } from "zod";
import { activityMethods } from "./activity-methods.ts";
import { channelsMethods } from "./channels-methods.ts";
import { chatMethods } from "./chat-methods.ts";
import { composeMethods } from "./compose-methods.ts";
import { engineMethods } from "./engine-methods.ts";
import { eventsMethods } from "./events-methods.ts";
import { execMethods } from "./exec-methods.ts";
import { healthSchema } from "../wire/health.ts";
import type { RpcMethod } from "./rpc-method.ts";
import { setupMethods } from "./setup-methods.ts";
import { sourcesMethods } from "./sources-methods.ts";
import { tasksMethods } from "./tasks-methods.ts";

const healthCheck = {
  summary: "Whether it is up, and whether it can keep anything",
  params: z.strictObject({}),
  result: healthSchema.extend({ uptime: z.number().nonnegative() }),
  auth: "none",
} as const satisfies RpcMethod;

/** Every method of `/ws`; nothing else is answered. */
export const rpcMethods = {
  "health.check": healthCheck,
  ...chatMethods,
  ...execMethods,
  ...eventsMethods,
  ...tasksMethods,
  ...activityMethods,
  ...engineMethods,
  ...composeMethods,
  ...setupMethods,
  ...sourcesMethods,
  ...channelsMethods,
} as const satisfies Readonly<Record<string, RpcMethod>>;

export type RpcMethodName = keyof typeof rpcMethods;
export type RpcParams<Name extends RpcMethodName> = z.output<(typeof rpcMethods)[Name]["params"]>;
export type RpcResult<Name extends RpcMethodName> = z.output<(typeof rpcMethods)[Name]["result"]>;

export function isRpcMethodName(name: string): name is RpcMethodName {
  return Object.hasOwn(rpcMethods, name);
}
