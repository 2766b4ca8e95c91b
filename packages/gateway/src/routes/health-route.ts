import type { CodedError } from "@deputy/kit";
import type { Health } from "@deputy/protocol";
import { healthSchema } from "@deputy/protocol/wire";
import { problemOf } from "../problem.ts";
import { ok, type Route } from "../route.ts";
import { json } from "../route-doc.ts";

/** Anyone may ask, so the answer names the problem without details of the home. */
export function healthRoute(version: string, trouble: () => CodedError<string> | undefined): Route {
  return {
    method: "GET",
    path: "/health",
    auth: "none",
    doc: {
      summary: "Whether it is up, whether it can store anything, and its version",
      answers: { 200: json(healthSchema) },
    },
    handle: async () => ok(healthOf(version, trouble())),
  };
}

/** The answer of `/health` and `health.check`. */
export function healthOf(version: string, error: CodedError<string> | undefined): Health {
  if (error === undefined) return { status: "ok", version };
  const { code, title, hint } = problemOf(error);
  return { status: "failing", version, problem: { code, title, ...(hint === undefined ? {} : { hint }) } };
}
