import { z } from "zod";
import { AppError } from "./app-error.ts";

const remoteSource = z.looseObject({ type: z.enum(["mcp", "openapi"]), name: z.string() });

/** `$DEPUTY_HOME/config.json`. Every setting has a default; a key that is not here is a mistake and said so. */
export const configSchema = z.strictObject({
  /** `provider/model` for the default agent; `DEPUTY_MODEL` goes before it. */
  model: z.string().optional(),
  /** Plugin files (relative paths from the home), MCP servers, OpenAPI specs. */
  toolSources: z.array(z.union([z.string().min(1), remoteSource])).default([]),
  gateway: z
    .strictObject({
      host: z.string().default("127.0.0.1"),
      port: z.int().min(0).max(65_535).default(18_789),
    })
    .prefault({}),
});
export type Config = z.infer<typeof configSchema>;

/** Throws `config_invalid`, naming the place and what is expected there. */
export function parseConfig(text: string, file: string): Config {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : "not JSON";
    throw new AppError("config_invalid", `${file} is not valid JSON: ${why}`, {
      cause,
      hint: "Mend the file; nothing was changed.",
    });
  }
  const parsed = configSchema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    (issue) => `${issue.path.join(".") || "(top level)"}: ${issue.message}`,
  );
  throw new AppError("config_invalid", `${file} does not fit: ${problems.join("; ")}`, {
    hint: "Mend the file; nothing was changed.",
  });
}
