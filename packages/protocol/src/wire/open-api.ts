import { z } from "zod";

/** Body of `GET /openapi.json`, as far as it is said here: OpenAPI 3.1 says the rest. */
export const openApiSchema = z.looseObject({
  openapi: z.string().regex(/^3\.1\./),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string().startsWith("/"), z.record(z.string(), z.looseObject({ summary: z.string() }))),
});
