import { type RpcError, rpcErrorNumbers } from "@deputy/protocol/rpc";
import { problemOf } from "../problem.ts";

const numbers: Readonly<Record<string, number>> = {
  ...rpcErrorNumbers,
  unknown_method: rpcErrorNumbers.method_not_found,
};

/** As a client is told of it. Like a problem over HTTP, it says nothing of what nobody foresaw. */
export function rpcErrorOf(error: unknown): RpcError {
  const { code, title, detail = title, hint } = problemOf(error);
  return {
    code: numbers[code] ?? rpcErrorNumbers.refused,
    message: detail,
    data: { code, ...(hint !== undefined && { hint }) },
  };
}
