// What goes over `/ws`. Apart from the rest: only whoever speaks it loads it.
export { type ChatMessage, type ListedSession, MOST_MESSAGES } from "./chat-methods.ts";
export { describeRpc, type OpenRpcDocument, type OpenRpcMethod } from "./open-rpc.ts";
export {
  authAnswerSchema,
  authFrameSchema,
  rpcAnswerSchema,
  type RpcError,
  rpcErrorNumbers,
  type RpcId,
} from "./rpc-frame.ts";
export type { RpcMethod } from "./rpc-method.ts";
export {
  isRpcMethodName,
  type RpcMethodName,
  rpcMethods,
  type RpcParams,
  type RpcResult,
} from "./rpc-methods.ts";
export type { SettingRow } from "./setup-methods.ts";
export type { SeenSource, SourceRow } from "./sources-methods.ts";
