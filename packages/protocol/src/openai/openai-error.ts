import { z } from "zod";
import { type Problem, problemSchema } from "../wire/problem.ts";

/**
 * An error of the `/v1` routes: a problem like any other, which also says itself the way that clients of
 * OpenAI's API read it.
 */
export const openAiProblemSchema = z.object({
  ...problemSchema.shape,
  error: z.object({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
    code: z.string(),
  }),
});
export type OpenAiProblem = z.infer<typeof openAiProblemSchema>;

/** `field`: the part of the request that it is about. */
export function withOpenAiError(problem: Problem, field: string | undefined): OpenAiProblem {
  const { status, code, title, detail, hint } = problem;
  const said = detail ?? title;
  const message = hint === undefined ? said : `${said.replace(/\.$/, "")}. ${hint}`;
  return { ...problem, error: { message, type: typeOf(status), param: field ?? null, code } };
}

function typeOf(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 403) return "permission_error";
  if (status === 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "server_error";
}
