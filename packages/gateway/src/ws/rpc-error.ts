import { type RpcError, rpcErrorNumbers } from "@deputy/protocol/rpc";
import { problemOf } from "../problem.ts";

const numbers: Readonly<Record<string, number>> = {
  ...rpcErrorNumbers,
  unknown_method: rpcErrorNumbers.method_not_found,
};

/**
 * As a client is told of it. Like a problem over HTTP, it says nothing of what nobody foresaw. `what` could
 * not be served: the frame as a whole, or a request that could be read.
 */
export function rpcErrorOf(error: unknown, what: "frame" | "request"): RpcError {
  const { code, title, detail = title, hint } = problemOf(error);
  const isParams = code === "invalid_request" && what === "request";
  return {
    code: isParams ? rpcErrorNumbers.invalid_params : (numbers[code] ?? rpcErrorNumbers.refused),
    message: detail,
    data: { code, ...(hint !== undefined && { hint }) },
  };
}
