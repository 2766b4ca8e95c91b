import { z } from "zod";
import { AppError } from "../app-error.ts";

/** Returns the problem with a payload, if there is one. */
export type PayloadCheck = (payload: unknown) => string | undefined;

/** Throws `usage` for a JSON schema that cannot be checked. */
export function createPayloadCheck(schema: Readonly<Record<string, unknown>>): PayloadCheck {
  let parser: z.ZodType;
  try {
    parser = z.fromJSONSchema(schema);
  } catch (cause) {
    throw new AppError("usage", "That JSON schema cannot be used", {
      cause,
      hint: cause instanceof Error ? cause.message : "Give a JSON schema of draft 2020-12, 7 or 4.",
    });
  }
  return (payload) => {
    const [issue] = parser.safeParse(payload).error?.issues ?? [];
    return issue === undefined ? undefined : `${["body", ...issue.path].join(".")}: ${issue.message}`;
  };
}
