import { TOOL_PATTERN } from "@deputy/policy/patterns";
import { z } from "zod";
import { secretReference } from "./secret-reference.ts";

const NAME = /^[A-Za-z][\w-]{0,63}$/;

/** Secrets that tools ask for by name, each only for the tools that are named with it. */
export const credentialsSchema = z
  .record(
    z.string().regex(NAME, "must be a name such as `github`"),
    z.strictObject({
      secret: secretReference.refine(
        (text) => text !== "",
        "must be a reference, `env:NAME` or `file:/path`",
      ),
      tools: z
        .array(z.string().regex(TOOL_PATTERN, "must be a pattern such as `github.**`"))
        .min(1, "must name the tools that may have it"),
    }),
  )
  .default({});
