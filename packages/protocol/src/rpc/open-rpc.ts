import { pushSchema } from "../wire/push.ts";
import { jsonSchemaOf } from "../wire/wire-schema.ts";
import { authAnswerSchema, authFrameSchema, rpcErrorNumbers } from "./rpc-frame.ts";
import type { RpcMethod } from "./rpc-method.ts";
import { rpcMethods } from "./rpc-methods.ts";

export interface OpenRpcDocument {
  readonly openrpc: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly methods: readonly OpenRpcMethod[];
  /** What the server sends unasked, and the first frame: OpenRPC has no words for them. */
  readonly "x-pushes": Record<string, unknown>;
  readonly "x-auth": { readonly request: unknown; readonly answer: unknown };
}

export interface OpenRpcMethod {
  readonly name: string;
  readonly summary: string;
  readonly paramStructure: "by-name";
  readonly params: readonly { readonly name: string; readonly required: boolean; readonly schema: unknown }[];
  readonly result: { readonly name: string; readonly schema: Record<string, unknown> };
  readonly errors: readonly { readonly code: number; readonly message: string }[];
}

/** `/openrpc.json`: made of the schemas that requests and answers are checked against. */
export function describeRpc(version: string): OpenRpcDocument {
  return {
    openrpc: "1.3.2",
    info: {
      title: "Deputy",
      version,
      description:
        "JSON frames over a WebSocket at /ws, without a `jsonrpc` member. The first frame is x-auth.request; only health.check is answered before it.",
    },
    methods: Object.entries<RpcMethod>(rpcMethods).map(([name, method]) => describeMethod(name, method)),
    "x-pushes": jsonSchemaOf(pushSchema, "output"),
    "x-auth": {
      request: jsonSchemaOf(authFrameSchema, "input"),
      answer: jsonSchemaOf(authAnswerSchema, "output"),
    },
  };
}

function describeMethod(name: string, method: RpcMethod): OpenRpcMethod {
  const { properties = {}, required = [] } = jsonSchemaOf(method.params, "input") as {
    readonly properties?: Record<string, unknown>;
    readonly required?: readonly string[];
  };
  return {
    name,
    summary: method.summary,
    paramStructure: "by-name",
    params: Object.entries(properties).map(([param, schema]) => ({
      name: param,
      required: required.includes(param),
      schema,
    })),
    result: { name: "result", schema: jsonSchemaOf(method.result, "output") },
    errors: Object.entries(rpcErrorNumbers).map(([message, code]) => ({ code, message })),
  };
}
