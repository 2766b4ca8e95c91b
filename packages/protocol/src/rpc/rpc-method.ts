import type { z } from "zod";

/** One method of `/ws`, as both sides agree on it. */
export interface RpcMethod<
  Params extends z.ZodObject = z.ZodObject,
  Result extends z.ZodObject = z.ZodObject,
> {
  readonly summary: string;
  readonly params: Params;
  readonly result: Result;
  /** `none`: also before the connection has signed in. */
  readonly auth: "none" | "token";
}

export function method<Params extends z.ZodObject, Result extends z.ZodObject>(
  summary: string,
  params: Params,
  result: Result,
): RpcMethod<Params, Result> {
  return { summary, params, result, auth: "token" };
}
